/* recovery_model.c - predicted recoveries: deadlines, and level costs of healed trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/recovery_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/results/predict.h"
#include "topo/heal.h"

/* --- damage --- */

static int heal(struct damage *d, const struct results *r, const struct result *result)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    return tan_heal(result->tree, d->dead, r->plan->settings.heal, d->parents, &ignored);
}

int tan_damage_open(struct damage *d, const struct results *r, const struct result *result, int n)
{
    const struct heal_result *all = &result->waves.heal;
    const size_t size = (size_t)tan_tree_size(result->tree);
    d->dead = calloc(size, sizeof *d->dead);
    d->parents = calloc(size, sizeof *d->parents);
    int status = d->dead != NULL && d->parents != NULL ? heal(d, r, result) : -1;
    for (int i = 0; i < n && status == 0; i++) {
        status = tan_damage_add(d, r, result, &all->recoveries[i], all->recoveries[i].n_silent);
    }
    return status;
}

void tan_damage_close(struct damage *d)
{
    free(d->dead);
    free(d->parents);
}

int tan_damage_add(struct damage *d, const struct results *r, const struct result *result,
                   const struct recovery *recovery, int n)
{
    const int32_t size = tan_tree_size(result->tree);
    if (d->last != NULL && d->last->part != recovery->part) {
        memset(d->dead, 0, (size_t)size * sizeof *d->dead);
    }
    d->last = recovery;
    for (int i = 0; i < n; i++) {
        d->dead[recovery->silent[i].node] = true;
    }
    return heal(d, r, result);
}

struct tan_tree *tan_damage_tree(const struct result *result, const struct damage *d,
                                 int32_t *numbers)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    return tan_heal_tree(d->parents, tan_tree_size(result->tree), numbers, &ignored);
}

/* --- waves on other trees than the result's --- */

/* Half a round trip on `tree`, node i of which is on the host of the result's node numbers[i], with
 * or without payload. */
static double half_trip(const struct results *r, const struct result *result,
                        const struct tan_model *model, const struct tan_tree *tree,
                        const int32_t *numbers, bool payload)
{
    const int32_t size = tan_tree_size(tree);
    struct plan plan = *r->plan;
    struct cell cell = *result->cell;
    struct results here = *r;
    struct result other = *result;
    int32_t *host_of = malloc((size_t)size * sizeof *host_of);
    double seconds = NAN;
    if (host_of != NULL) {
        for (int32_t i = 0; r->host_of != NULL && i < size; i++) {
            host_of[i] = r->host_of[numbers[i]];
        }
        here.host_of = r->host_of != NULL ? host_of : NULL;
        here.plan = &plan;
        other.cell = &cell;
        other.tree = tree;
        if (!payload && tan_predict_knows_size(r, 0)) {
            plan.settings.request_bytes = cell.bytes = 0;
        }
        seconds = tan_predict_wave(&here, &other, model);
    }
    free(host_of);
    return seconds;
}

static double healed_trip(const struct results *r, const struct result *result,
                          const struct tan_model *model, const struct damage *d, bool payload)
{
    int32_t *numbers = malloc((size_t)tan_tree_size(result->tree) * sizeof *numbers);
    struct tan_tree *tree = numbers != NULL ? tan_damage_tree(result, d, numbers) : NULL;
    const double seconds = tree != NULL ? half_trip(r, result, model, tree, numbers, payload) : NAN;
    tan_tree_destroy(tree);
    free(numbers);
    return seconds;
}

double tan_damage_wave(const struct results *r, const struct result *result,
                       const struct tan_model *model, const struct damage *d)
{
    return healed_trip(r, result, model, d, true);
}

/* A message from the root to `node` and an answer, through the nodes above it only. */
static double path_trip(const struct results *r, const struct result *result,
                        const struct tan_model *model, const struct damage *d, int32_t node,
                        bool payload)
{
    int32_t depth = 0;
    int32_t top = node;
    for (; top > 0; top = d->parents[top]) {
        depth++;
    }
    if (top != 0) {
        return NAN; /* a journal that was changed: `node` is not in the tree any more */
    }
    int32_t *above = malloc(((size_t)depth + 1) * sizeof *above);
    int32_t *numbers = malloc(((size_t)depth + 1) * sizeof *numbers);
    struct tan_error ignored = TAN_ERROR_INIT;
    double seconds = depth == 0 ? 0 : NAN;
    if (above != NULL && numbers != NULL && depth > 0) {
        int32_t at = node;
        for (int32_t i = depth; i >= 0; i--) {
            above[i] = i - 1;
            numbers[i] = at;
            at = d->parents[at];
        }
        struct tan_tree *chain = tan_tree_create(above, depth + 1, NULL, &ignored);
        seconds = 2 * half_trip(r, result, model, chain, numbers, payload);
        tan_tree_destroy(chain);
    }
    free(above);
    free(numbers);
    return seconds;
}

/* --- recoveries --- */

/* The seconds that `n` silent processes had to answer, in the tree as it was. */
static int find_deadlines(const struct results *r, const struct result *result,
                          const struct damage *d, const struct silent *silent, int n,
                          double *seconds)
{
    const int32_t size = tan_tree_size(result->tree);
    int32_t *heights = malloc((size_t)size * sizeof *heights);
    if (heights == NULL) {
        return -1;
    }
    tan_heal_heights(d->parents, size, heights);
    for (int i = 0; i < n; i++) {
        seconds[i] = r->plan->settings.detect * (1 + heights[silent[i].node]);
    }
    free(heights);
    return 0;
}

int tan_recovery_deadlines(const struct results *r, const struct result *result,
                           const struct recovery *recovery, struct damage *d, double *seconds)
{
    int known = 0;
    int status = tan_damage_add(d, r, result, recovery, 0);
    for (int i = 0; i < recovery->n_steps && status == 0; i++) {
        const int found = recovery->steps[i].found;
        status = find_deadlines(r, result, d, recovery->silent + known, found, seconds + known);
        known += found;
        if (status == 0) {
            status = tan_damage_add(d, r, result, recovery, known);
        }
    }
    return status;
}

/* Until the last of the step's processes is given up, the first of `silent`, and the root knows.
 * `d`: before that. */
static double notice_time(const struct results *r, const struct result *result,
                          const struct tan_model *model, const struct damage *d,
                          const struct step *step, const struct silent *silent)
{
    double *deadlines = malloc((size_t)step->found * sizeof *deadlines);
    double longest = NAN;
    if (deadlines != NULL && find_deadlines(r, result, d, silent, step->found, deadlines) == 0) {
        longest = 0;
    }
    for (int i = 0; i < step->found && !isnan(longest); i++) {
        const double way =
            path_trip(r, result, model, d, silent[i].parent, step->kind != STEP_TREE);
        longest = isnan(way) ? NAN : fmax(longest, deadlines[i] + way);
    }
    free(deadlines);
    return longest;
}

int tan_recovery_predict(const struct results *r, const struct result *result,
                         const struct tan_model *model, const struct recovery *recovery,
                         struct damage *d, double *seconds)
{
    int known = 0;
    if (tan_damage_add(d, r, result, recovery, 0) < 0) {
        return -1;
    }
    for (int kind = 0; kind < STEPS; kind++) {
        seconds[kind] = 0;
    }
    for (int i = 0; i < recovery->n_steps; i++) {
        const struct step *step = &recovery->steps[i];
        seconds[step->kind] +=
            step->found > 0 ? notice_time(r, result, model, d, step, recovery->silent + known)
                            : 2 * healed_trip(r, result, model, d, step->kind != STEP_TREE);
        known += step->found;
        if (tan_damage_add(d, r, result, recovery, known) < 0) {
            return -1;
        }
    }
    return 0;
}
