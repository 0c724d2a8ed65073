/* export.h - a given tree: the setting that builds it, and files for systems
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_EXPORT_H
#define TAN_DESIGN_SYSTEMS_EXPORT_H

#include "design/systems/choose.h"
#include "topo/file.h"
#include "topo/tree.h"

enum tan_exported {
    TAN_EXPORT_EXACT,       /* the target builds this tree, up to node numbering */
    TAN_EXPORT_APPROXIMATE, /* a tree of the same height */
    TAN_EXPORT_IMPOSSIBLE,  /* no tree has that height: the nearest one */
};
extern const char *const tan_exported_names[];

struct tan_export {
    enum tan_exported result;
    struct tan_setting setting;
    double lost; /* by how much the target's tree is slower, seconds; may be negative */
    struct tan_shape_cost given, built; /* of the given tree, and of the target's */
};

/* N of a target for a tree: its leaves, or its processes, without a root that is not a member. */
int64_t tan_export_members(const struct tan_target *target, const struct tan_tree *tree);

/* What a wave over the tree takes, and the tree's size. */
struct tan_shape_cost tan_export_cost(const struct tan_target_problem *problem, int direction,
                                      const struct tan_tree *tree);

/* Find the setting that builds the given tree, or else the nearest: of equal height if possible,
 * then with the closest wave time. `direction`: which settings to try, TAN_UP or TAN_DOWN. Fails if
 * the target has none. */
int tan_export_find(const struct tan_target_problem *problem, const struct tan_tree *tree,
                    int direction, struct tan_export *out, struct tan_error *e);

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
/* The same tree with its processes named after their hosts, host:0, host:1 ..., those without one
 * localhost:0 ...; unnamed without hosts. Destroyed by the caller; NULL with an error. */
struct tan_tree *tan_tree_on_hosts(const struct tan_tree *tree, const char *const *host,
                                   struct tan_error *e);

#endif
