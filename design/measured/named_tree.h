/* named_tree.h - trees by the setting from which a system builds them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_NAMED_TREE_H
#define TAN_DESIGN_MEASURED_NAMED_TREE_H

#include <stdbool.h>

/* Let tan_spec_build (topo/spec.h) build the trees of TARGET:SETTING:N, too, such as
 * "slurm@23.11:TreeWidth=16:700" and "openmpi:bcast=knomial:4:64": for programs, at their start. N,
 * at least 2, counts what the target counts (target.h). */
void tan_named_accept(void);
/* Whether it is the name of such a tree with an N of 1, which is none: its process sends nothing.
 */
bool tan_named_is_single(const char *name);
/* The operation that is timed over such a tree, and in which direction: "MPI_Bcast", or of a system
 * what it sends down only, such as launch messages; TAN_DOWN. NULL: waves, both ways. */
const char *tan_named_operation(const char *name, int *direction);

#endif
