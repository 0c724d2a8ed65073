/* export.h - a given tree as the setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_EXPORT_H
#define TAN_DESIGN_TARGETS_EXPORT_H

#include "design/targets/choose.h"
#include "topo/tree.h"

enum tan_exported {
    TAN_EXPORT_EXACT,       /* the target builds this tree, up to its own numbering */
    TAN_EXPORT_APPROXIMATE, /* one of the same height */
    TAN_EXPORT_IMPOSSIBLE,  /* none of its trees has that height: the nearest one */
};
extern const char *const tan_exported_names[];

struct tan_export {
    enum tan_exported result;
    struct tan_setting setting;
    double wave; /* seconds: of the given tree */
    double lost; /* seconds: by how much what the target builds is slower; may be negative */
    struct tan_shape_cost given, built;
};

/* N of a target for a tree: its leaves, or its processes without a root that is apart. */
int64_t tan_export_members(const struct tan_target *target, const struct tan_tree *tree);

/* Find the setting whose tree is the given one, else that whose tree is nearest: of the same
 * height if there is one, of these with the nearest wave time. `direction`: of the settings that
 * count, TAN_UP or TAN_DOWN. Fails where the target has none. */
int tan_export_find(const struct tan_target_problem *problem, const struct tan_tree *tree,
                    int direction, struct tan_export *out, struct tan_error *e);

#endif
