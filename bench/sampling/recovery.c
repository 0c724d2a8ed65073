/* recovery.c - a wave that was interrupted by failures, and its recovery
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/sampling/recovery.h"

#include <stdlib.h>
#include <string.h>

const char *const tan_recovery_step_names[STEPS] = {
    [STEP_WAVE] = "notice", [STEP_TREE] = "reparent", [STEP_RESEND] = "resend"};

double tan_recovery_seconds(const struct recovery *r, int kind)
{
    double seconds = 0;
    for (int i = 0; i < r->n_steps; i++) {
        seconds += kind == STEPS || r->steps[i].kind == kind ? r->steps[i].seconds : 0;
    }
    return seconds;
}

static void *copy_of(const void *list, size_t n, size_t size)
{
    void *copy = malloc((n + 1) * size);
    if (copy != NULL && n > 0) {
        memcpy(copy, list, n * size);
    }
    return copy;
}

static struct leaf_set copy_of_set(const struct leaf_set *set)
{
    return (struct leaf_set){copy_of(set->list, set->n, sizeof *set->list), set->n, set->n + 1};
}

int tan_recovery_copy(struct recovery *to, const struct recovery *from)
{
    *to = *from;
    to->steps = copy_of(from->steps, (size_t)from->n_steps, sizeof *from->steps);
    to->silent = copy_of(from->silent, (size_t)from->n_silent, sizeof *from->silent);
    to->partial = copy_of_set(&from->partial);
    to->complete = copy_of_set(&from->complete);
    if (to->steps == NULL || to->silent == NULL || to->partial.list == NULL ||
        to->complete.list == NULL) {
        tan_recovery_clear(to);
        return -1;
    }
    return 0;
}

void tan_recovery_clear(struct recovery *r)
{
    free(r->steps);
    free(r->silent);
    tan_leaf_set_clear(&r->partial);
    tan_leaf_set_clear(&r->complete);
    *r = (struct recovery){.wave = 0};
}
