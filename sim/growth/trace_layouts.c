/* trace_layouts.c - where the ranks of a larger job stand, and which traced rank each one follows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/growth/trace_layouts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t trace_layout_extent(const struct trace_layout *l, bool grown, int dimension)
{
    return l->extent[dimension] * (grown && dimension == l->grows ? l->copies : 1);
}

void trace_layout_place(const struct trace_layout *l, bool grown, uint32_t rank, uint32_t *at)
{
    for (int d = l->n; d-- > 0;) {
        const uint32_t extent = trace_layout_extent(l, grown, d);
        at[d] = rank % extent;
        rank /= extent;
    }
}

uint32_t trace_layout_rank(const struct trace_layout *l, bool grown, const uint32_t *at)
{
    uint32_t rank = 0;
    for (int d = 0; d < l->n; d++) {
        rank = rank * trace_layout_extent(l, grown, d) + at[d];
    }
    return rank;
}

/* The ends stay at the ends, what is between them comes again. */
static uint32_t grid_origin(const struct trace_layout *l, uint32_t rank)
{
    uint32_t at[TRACE_DIMENSIONS];
    trace_layout_place(l, true, rank, at);
    uint32_t *x = &at[l->grows];
    const uint32_t extent = l->extent[l->grows];
    const uint32_t grown = extent * l->copies;
    if (*x >= grown - l->ends) {
        *x -= grown - extent;
    } else if (*x >= l->ends) {
        *x = l->ends + (*x - l->ends) % (extent - 2 * l->ends);
    }
    return trace_layout_rank(l, false, at);
}

static bool grid_holds(const struct trace_layout *l)
{
    return l->extent[l->grows] > 2 * l->ends;
}

static uint32_t star_origin(const struct trace_layout *l, uint32_t rank)
{
    if (rank == l->root) {
        return rank;
    }
    const uint32_t other = (rank > l->root ? rank - 1 : rank) % (l->size - 1);
    return other >= l->root ? other + 1 : other;
}

static bool star_holds(const struct trace_layout *l)
{
    return l->size > 1;
}

/* Inner ranks, at most one with one child, and leaves. */
static uint32_t heap_origin(const struct trace_layout *l, uint32_t rank)
{
    const uint32_t grown = l->size * l->copies;
    const uint32_t inner = (l->size - 1) / 2 - 1;
    if (rank == 0) {
        return 0;
    }
    if (rank >= grown / 2) {
        return l->size / 2 + (rank - grown / 2) % (l->size - l->size / 2);
    }
    return 2 * (uint64_t)rank + 2 < grown ? 1 + (rank - 1) % inner : l->size / 2 - 1;
}

static bool heap_holds(const struct trace_layout *l)
{
    return l->size >= 5 && (l->size % 2 == 0 || l->copies % 2 == 1);
}

static const struct {
    const char *name;
    bool (*holds)(const struct trace_layout *l);
    uint32_t (*origin)(const struct trace_layout *l, uint32_t rank);
} kinds[] = {
    [TRACE_GRID] = {"a grid", grid_holds, grid_origin},
    [TRACE_STAR] = {"a star", star_holds, star_origin},
    [TRACE_HEAP] = {"a binary tree", heap_holds, heap_origin},
};

bool trace_layout_holds(const struct trace_layout *l)
{
    return kinds[l->kind].holds(l);
}

uint32_t trace_layout_origin(const struct trace_layout *l, uint32_t rank)
{
    return kinds[l->kind].origin(l, rank);
}

const char *trace_layout_text(const struct trace_layout *l, bool grown, char *buffer, size_t size)
{
    const char *name = l->kind == TRACE_GRID && l->n == 1 ? "a row" : kinds[l->kind].name;
    snprintf(buffer, size, "%s of", name);
    for (int d = 0; d < l->n; d++) {
        const size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, "%s%" PRIu32, d == 0 ? " " : " x ",
                 trace_layout_extent(l, grown, d));
    }
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, " ranks");
    return buffer;
}
