/* trace_comms.c - communicators of a trace: who is in them, and which ranks speak of the same one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_comms.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(const uint32_t *rank, uint32_t size, uint32_t occurrence)
{
    uint32_t h = 2166136261u ^ occurrence;
    for (uint32_t i = 0; i < size; i++) {
        h = (h ^ rank[i]) * 16777619u;
    }
    return h ^ (h >> 15);
}

static int grow(struct trace_comms *c, struct tan_error *e)
{
    const uint32_t slots = c->slots == 0 ? 64 : 2 * c->slots;
    struct trace_comm *list = realloc(c->list, slots / 2 * sizeof *list);
    uint32_t *slot = calloc(slots, sizeof *slot);
    c->list = list == NULL ? c->list : list;
    if (list == NULL || slot == NULL) {
        free(slot);
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t at = hash(list[i].rank, list[i].size, list[i].occurrence) & (slots - 1);
        while (slot[at] != 0) {
            at = (at + 1) & (slots - 1);
        }
        slot[at] = i + 1;
    }
    free(c->slot);
    c->slot = slot;
    c->slots = slots;
    c->room = slots / 2;
    return 0;
}

int64_t trace_comms_find(struct trace_comms *c, const uint32_t *rank, uint32_t size,
                         uint32_t occurrence, struct tan_error *e)
{
    if (c->n == c->room && grow(c, e) < 0) {
        return -1;
    }
    uint32_t at = hash(rank, size, occurrence) & (c->slots - 1);
    for (; c->slot[at] != 0; at = (at + 1) & (c->slots - 1)) {
        const struct trace_comm *one = &c->list[c->slot[at] - 1];
        if (one->size == size && one->occurrence == occurrence &&
            memcmp(one->rank, rank, size * sizeof *rank) == 0) {
            return c->slot[at] - 1;
        }
    }
    uint32_t *copy = malloc((size + 1) * sizeof *copy);
    if (copy == NULL) {
        return tan_fail_nomem(e);
    }
    memcpy(copy, rank, size * sizeof *rank);
    c->list[c->n] = (struct trace_comm){.rank = copy, .size = size, .occurrence = occurrence};
    c->slot[at] = ++c->n;
    return c->n - 1;
}

void trace_comms_clear(struct trace_comms *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        free(c->list[i].rank);
        free(c->list[i].member);
    }
    free(c->list);
    free(c->slot);
    *c = (struct trace_comms){.n = 0};
}
