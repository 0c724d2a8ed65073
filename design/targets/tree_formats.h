/* tree_formats.h - trees in the files of systems that take every tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_TREE_FORMATS_H
#define TAN_DESIGN_TARGETS_TREE_FORMATS_H

#include "topo/file.h"

/* The formats csv, flux, clustershell and goal, which fail on names that the system cannot take; a
 * row with name NULL ends the table. */
extern const struct tan_format tan_target_formats[];

/* Hosts of a tree's nodes by its names, which are a host or host:NUMBER. */
struct tan_tree_hosts {
    const char **host; /* by node; NULL: the tree has no names. Owned, as `storage`. */
    char *storage;
};
int tan_tree_hosts(const struct tan_tree *tree, struct tan_tree_hosts *out, struct tan_error *e);
void tan_tree_hosts_clear(struct tan_tree_hosts *hosts);

#endif
