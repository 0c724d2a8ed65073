/* tree_formats.h - tables of trees, and files of systems that accept any tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_TREE_FORMATS_H
#define TAN_DESIGN_TARGETS_TREE_FORMATS_H

#include "topo/file.h"

/* The formats csv, flux and clustershell, which fail on names the system cannot use; ended by
 * a NULL name. */
extern const struct tan_format tan_target_formats[];

/* The host of each node, from names of the form host or host:NUMBER. */
struct tan_tree_hosts {
    const char **host; /* per node; NULL if the tree has no names. Owned, as is `storage`. */
    char *storage;
};
int tan_tree_hosts(const struct tan_tree *tree, struct tan_tree_hosts *out, struct tan_error *e);
void tan_tree_hosts_clear(struct tan_tree_hosts *hosts);

#endif
