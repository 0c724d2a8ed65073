/* graph.h - igraph view of a tree: an independent check, DOT and GraphML
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_TOPO_GRAPH_H
#define TAN_TOPO_GRAPH_H

#include "topo/file.h"

TAN_BEGIN_DECLS

/* Let igraph verify that this is a tree (igraph_is_tree, edges out of the root). */
int tan_graph_check(const struct tan_tree *tree, struct tan_error *e);
/* The formats dot and graphml; ended by a NULL name. */
extern const struct tan_format tan_graph_formats[];

TAN_END_DECLS

#endif
