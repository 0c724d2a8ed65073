/* file.h - tree files: readers of four formats, and writers of MRNet's, JSON and DOT
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
/* The formats mrnet, json and dot; ended by a NULL name. Unnamed nodes are written to MRNet files
 * as localhost:0, localhost:1, ... */
extern const struct tan_format tan_file_formats[];

/* In all parsers `text` is that of tan_read_text, and `source` names it in errors, which have line
 * and column. They return NULL with an error. O(length of the text + names after expansion). */

/* ClusterShell's topology.conf: in the section [routes] (or [Main], its old name) lines "gateway:
 * hosts", both in the notation of hostlist.h. Refused are routes with several gateways, which form
 * a pool and not a tree, and groups (@group), which cannot be resolved here. */
struct tan_tree *tan_clustershell_parse(const char *text, const char *source, struct tan_error *e);
/* CSV with the heading `parent`: the number of each process's parent, -1 for the root. Optional
 * columns: `process`, the process's number, by default its row from 0; `host`, from which the node
 * is named: the host itself, or host:0, host:1, ... if any host has several processes. */
struct tan_tree *tan_parent_table_parse(const char *text, const char *source, struct tan_error *e);

/* The grammar ('#' starts a comment):
 *     file := rule { rule }
 *     rule := host "=>" host { host } ";"   a parent and children of it, in any order of rules
 *           | host ";"                      mentions a node
 *     host := NAME ":" INDEX                NAME: up to 255 letters, digits, '-', '.', '_', the
 *                                           first a letter or digit, not all digits;
 *                                           INDEX: 0 to 4294967295 without leading zeros */
struct tan_tree *tan_mrnet_parse(const char *text, const char *source, struct tan_error *e);
/* Write one rule per internal node; unnamed nodes become localhost:0, localhost:1, ... Fails if a
 * name does not match the grammar; the caller checks `to` for write errors. */
int tan_mrnet_write(const struct tan_tree *tree, FILE *to, struct tan_error *e);

/* {"schema": "tan-tree/1", "parents": [-1, 0, 0], "names": ["a:0", "b:0", "c:0"]} with optional
 * `names`, or the array of parents alone. Nodes may be in any order. */
struct tan_tree *tan_parents_parse(const char *text, const char *source, struct tan_error *e);
int tan_parents_write(const struct tan_tree *tree, FILE *to, struct tan_error *e);

#endif
