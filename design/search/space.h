/* space.h - graph of the candidate trees, as paths
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_SPACE_H
#define TAN_DESIGN_SEARCH_SPACE_H

#include <stdbool.h>

#include "design/search/bounds.h"
#include "design/search/paths.h"

/* Vertices: the root, TAN_SPACE_SOURCE, with all leaves below it; single leaves, TAN_SPACE_TARGET;
 * between them nodes with the same number of leaves below them. An arc from n to m leaves gives a
 * node the fanout ceil(n / m), the smallest that does: a larger one costs no less in any
 * respect. */
enum { TAN_SPACE_SOURCE, TAN_SPACE_TARGET };
struct tan_space {
    struct tan_arc *arcs; /* weighted with the level's cost in seconds */
    size_t n_arcs;
    int64_t *leaves; /* per vertex */
    int64_t n_vertices;
    bool complete; /* nothing was left out because of `most` */
    bool overflow; /* too large for memory; only the flags are set */
};

/* Build the graph for `problem` (at least two leaves): it holds every level-uniform tree within the
 * limits whose levels cost `most` seconds or less, except such as `k` others beat in every respect,
 * and no tree outside the limits. About 2 sqrt(leaves) vertices when only the fanout is limited;
 * limits on height and processes need several vertices for one number of leaves. */
int tan_space_build(const struct tan_problem *problem, const struct tan_bounds *bounds, double most,
                    int k, struct tan_space *out, struct tan_error *e);
void tan_space_clear(struct tan_space *space);

#endif
