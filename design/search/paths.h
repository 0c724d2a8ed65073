/* paths.h - lightest paths of a graph (the search's only use of igraph)
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

/* Paths, lightest first, as indices into the arcs they were found in. */
struct tan_paths {
    size_t n;
    size_t *start; /* n + 1 entries: path i is arc[start[i]] .. arc[start[i + 1] - 1] */
    size_t *arc;
};

/* The `k` >= 1 lightest paths without cycles from `source` to `target` (another vertex) among the
 * vertices 0..n_vertices - 1; fewer when there are not as many, none when the target cannot be
 * reached. The best is Dijkstra's; for k > 1 Yen's algorithm runs on the arcs that can be part of
 * the k lightest paths. O(A log V) for the best, O(k h a log v) for the others: h arcs in a path,
 * a and v the arcs and vertices that are left. One thread at a time: igraph's handlers are global.
 */
int tan_paths_find(const struct tan_arc *arcs, size_t n_arcs, int64_t n_vertices, int64_t source,
                   int64_t target, int k, struct tan_paths *out, struct tan_error *e);
void tan_paths_clear(struct tan_paths *paths);

#endif
