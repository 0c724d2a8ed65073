/* trace_comms.c - communicators of a trace: their ranks, and identity across ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_comms.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"

static int64_t find_comm(const struct trace_comms *c, uint64_t hash, const uint32_t *rank,
                         uint32_t size, uint32_t occurrence)
{
    size_t tries = 0;
    int64_t i;
    do {
        i = tan_map_next(&c->by_hash, hash, &tries);
    } while (i >= 0 && (c->list[i].size != size || c->list[i].occurrence != occurrence ||
                        memcmp(c->list[i].rank, rank, size * sizeof *rank) != 0));
    return i;
}

int64_t tan_trace_comms_find(struct trace_comms *c, const uint32_t *rank, uint32_t size,
                             uint32_t occurrence, struct tan_error *e)
{
    const uint64_t hash = tan_hash(rank, size * sizeof *rank) ^ occurrence;
    const int64_t known = find_comm(c, hash, rank, size, occurrence);
    if (known >= 0) {
        return known;
    }
    uint32_t *copy = malloc((size + 1) * sizeof *copy);
    if (copy == NULL || TAN_ONE_MORE(c->list, c->n) < 0 ||
        tan_map_add(&c->by_hash, hash, c->n) < 0) {
        free(copy);
        return tan_fail_nomem(e);
    }
    memcpy(copy, rank, size * sizeof *rank);
    c->list[c->n] = (struct trace_comm){.rank = copy, .size = size, .occurrence = occurrence};
    return c->n++;
}

void tan_trace_comms_clear(struct trace_comms *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        free(c->list[i].rank);
        free(c->list[i].member);
    }
    free(c->list);
    tan_map_clear(&c->by_hash);
    *c = (struct trace_comms){.n = 0};
}
