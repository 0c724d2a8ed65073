/* trace_layouts.h - where the ranks of a larger job stand, and which traced rank each one follows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_GROWTH_TRACE_LAYOUTS_H
#define SIM_GROWTH_TRACE_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACE_DIMENSIONS = 3 };

enum trace_layout_kind {
    TRACE_GRID, /* the last dimension varies fastest, as in MPI_Cart_create; a row has one */
    TRACE_STAR, /* one root, which there is once, and others */
    TRACE_HEAP, /* the children of r are 2 r + 1 and 2 r + 2 */
};

/* A communicator of `size` traced ranks that becomes one of `size` x `copies`. */
struct trace_layout {
    enum trace_layout_kind kind;
    uint32_t size, copies;
    int n; /* dimensions; of a star and a heap 1 */
    uint32_t extent[TRACE_DIMENSIONS];
    int grows;     /* this dimension becomes `copies` times as long */
    uint32_t ends; /* ranks at either end of it that stay there, while those between are repeated;
                      0: all are repeated */
    uint32_t root; /* of a star */
};

/* Whether there is a traced rank for every rank of the larger job to follow. */
bool trace_layout_holds(const struct trace_layout *l);
/* The traced rank that `rank` of the larger job follows. */
uint32_t trace_layout_origin(const struct trace_layout *l, uint32_t rank);
/* Its length in a dimension, traced or grown. */
uint32_t trace_layout_extent(const struct trace_layout *l, bool grown, int dimension);
/* Coordinates of a rank, and back. */
void trace_layout_place(const struct trace_layout *l, bool grown, uint32_t rank, uint32_t *at);
uint32_t trace_layout_rank(const struct trace_layout *l, bool grown, const uint32_t *at);
/* "a grid of 3 x 4 ranks", into `buffer`, which it returns. */
const char *trace_layout_text(const struct trace_layout *l, bool grown, char *buffer, size_t size);

#endif
