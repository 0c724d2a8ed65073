/* named_tree.h - trees by the setting from which a system builds them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_NAMED_TREE_H
#define TAN_DESIGN_MEASURED_NAMED_TREE_H

/* Let tan_spec_build (topo/spec.h) build the trees of TARGET:SETTING:N, too, such as
 * "slurm@23.11:TreeWidth=16:700" and "openmpi:bcast=knomial:4:64": for programs, at their start. N,
 * at least 2, counts what the target counts (target.h). */
void tan_named_accept(void);

#endif
