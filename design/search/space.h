/* space.h - candidate trees as paths in a graph
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_SPACE_H
#define TAN_DESIGN_SEARCH_SPACE_H

#include <stdbool.h>

#include "design/search/bounds.h"
#include "design/search/paths.h"

/* Vertices: TAN_SPACE_SOURCE, the root with all leaves below it; TAN_SPACE_TARGET, single leaves;
 * and between them, nodes with equal numbers of leaves below them. An arc from n to m leaves gives
 * a node the fanout ceil(n / m), the smallest possible: a larger one is no better in any respect.
 * Arcs are sorted by descending leaves of their start. Owned: tan_space_clear. */
enum { TAN_SPACE_SOURCE, TAN_SPACE_TARGET };
struct tan_space {
    struct tan_arc *arcs; /* weight: cost of the level in seconds */
    size_t n_arcs;
    int64_t *leaves; /* per vertex */
    int64_t n_vertices;
    bool complete; /* nothing was omitted because of `most` */
    bool overflow; /* too many arcs; only the flags are valid */
};

/* Build the graph for `problem` (at least two leaves). It contains every level-uniform tree within
 * the limits whose levels cost at most `most` seconds, except trees that `k` others beat in every
 * respect, and no tree outside the limits. About 2 sqrt(leaves) vertices if only fanout is limited;
 * limits on height and processes need several vertices per number of leaves. */
int tan_space_build(const struct tan_problem *problem, const struct tan_bounds *bounds, double most,
                    int k, struct tan_space *out, struct tan_error *e);
void tan_space_clear(struct tan_space *space);

#endif
