/* trace_comms.c - communicators of a trace: their ranks, and identity across ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_comms.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

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

/* Index of the communicator with these ranks and this number of predecessors with them, which is
 * added if it is new; -1 if memory is short. */
static int64_t find_or_add(struct trace_comms *c, const uint32_t *rank, uint32_t size,
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

int tan_trace_comms_world(struct trace_comms *c, uint32_t ranks, struct tan_error *e)
{
    uint32_t *all = calloc(ranks, sizeof *all);
    if (all == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < ranks; i++) {
        all[i] = i;
    }
    const int64_t place = find_or_add(c, all, ranks, 0, e);
    free(all);
    return place < 0 ? -1 : 0;
}

int tan_trace_comms_add(struct trace_comms *c, struct trace_comm_numbers *own, int64_t number,
                        const uint32_t *rank, uint32_t size, struct tan_error *e)
{
    const int64_t first = find_or_add(c, rank, size, 0, e);
    if (first < 0) {
        return -1;
    }
    const uint32_t seen = tan_trace_map_find(&own->seen, (uint64_t)first);
    const uint32_t occurrence = seen == TRACE_MAP_NONE ? 0 : seen;
    const int64_t place = find_or_add(c, rank, size, occurrence, e);
    return place < 0 || tan_trace_map_set(&own->seen, (uint64_t)first, occurrence + 1, e) < 0
               ? -1
               : tan_trace_map_set(&own->place, (uint64_t)number, (uint32_t)place, e);
}

void tan_trace_comm_numbers_clear(struct trace_comm_numbers *own)
{
    tan_map_clear(&own->place);
    tan_map_clear(&own->seen);
}

void tan_trace_comms_clear(struct trace_comms *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        free(c->list[i].rank);
    }
    free(c->list);
    tan_map_clear(&c->by_hash);
    *c = (struct trace_comms){.n = 0};
}
