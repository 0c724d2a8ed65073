/* paths.h - shortest paths in a graph (the only use of igraph in the search)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_PATHS_H
#define TAN_DESIGN_SEARCH_PATHS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct tan_arc {
    int64_t from, to;
    double weight; /* >= 0 */
};

/* Paths, shortest first, as indices into the array of arcs. Owned: tan_paths_clear. */
struct tan_paths {
    size_t n;
    size_t *start; /* n + 1 entries: path i is arc[start[i]] .. arc[start[i + 1] - 1] */
    size_t *arc;
};

/* The `k` >= 1 shortest loopless paths from `source` to `target` (a different vertex) among
 * vertices 0..n_vertices - 1; fewer if there are not as many, none if the target is unreachable.
 * The best by Dijkstra's algorithm; for k > 1 Yen's algorithm runs on the arcs that can be part of
 * the k best. O(A log V) for the best, O(k h a log v) for the others: h arcs per path, a and v the
 * remaining arcs and vertices. Not thread-safe: igraph's handlers are global. */
int tan_paths_find(const struct tan_arc *arcs, size_t n_arcs, int64_t n_vertices, int64_t source,
                   int64_t target, int k, struct tan_paths *out, struct tan_error *e);
void tan_paths_clear(struct tan_paths *paths);

#endif
