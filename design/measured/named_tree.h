/* named_tree.h - trees by shape, or by the setting from which a system builds them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_NAMED_TREE_H
#define TAN_DESIGN_MEASURED_NAMED_TREE_H

#include "topo/tree.h"

/* The tree of a spec (topo/spec.h) such as "kary:16:700", or of TARGET:SETTING:N, such as
 * "slurm@23.11:TreeWidth=16:700" and "openmpi:bcast=knomial:4:64". N, at least 2, counts what the
 * target counts (target.h). Destroyed by the caller; NULL on failure. */
struct tan_tree *tan_named_tree(const char *name, struct tan_error *e);

/* Let tan_spec_build build the trees of systems' settings, too: for programs, at their start. */
void tan_named_accept(void);

#endif
