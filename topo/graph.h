/* graph.h - trees as DOT and GraphML, by igraph
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_TOPO_GRAPH_H
#define TAN_TOPO_GRAPH_H

#include "topo/file.h"

TAN_BEGIN_DECLS

/* The formats dot and graphml; ended by a NULL name. */
extern const struct tan_format tan_graph_formats[];

TAN_END_DECLS

#endif
