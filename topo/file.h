/* file.h - tree files: reading, and MRNet, JSON, DOT and GraphML to write
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_FILE_H
#define TAN_TOPO_FILE_H

#include <stdio.h>

#include "topo/tree.h"

/* Read a tree from `path` ("-": stdin). What follows leading blanks and comments selects the
 * format: { or an array is JSON (tan-tree/1, or only the parents of all nodes, -1 for the root),
 * [routes] and [Main] ClusterShell's, a heading line with parent CSV, and anything else MRNet's.
 * Nodes are numbered breadth first, children in file order. NULL with an error. */
struct tan_tree *tan_file_read(const char *path, struct tan_error *e);

/* A file format for writing trees. */
struct tan_format {
    const char *name; /* "mrnet" */
    const char *help;
    int (*write)(const struct tan_tree *tree, FILE *to, struct tan_error *e);
    const char *comment; /* prefix of comments, "#"; NULL if it has none */
};
/* The formats mrnet and json; ended by a NULL name. Unnamed nodes are written to MRNet files as
 * localhost:0, localhost:1, ... */
extern const struct tan_format tan_file_formats[];

/* The formats dot and graphml; ended by a NULL name. */
extern const struct tan_format tan_graph_formats[];

#endif
