/* spec.h - tree specifications: "binomial:32", "file:t.top"
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_TOPO_SPEC_H
#define TAN_TOPO_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "topo/tree.h"

TAN_BEGIN_DECLS

/* Build the tree that `spec` names. An unknown shape or a wrong argument is TAN_USAGE and says what
 * is allowed; a bad file is TAN_FAILED with its place. O(nodes). */
struct tan_tree *tan_spec_build(const char *spec, struct tan_error *e);
/* Behind the name of a tree: all of its processes are on one host, "chain:3@host". */
#define TAN_SPEC_NEAR "@host"
/* Whether it stands there; a file's name may end as it likes. *length: that of the name before. */
bool tan_spec_is_near(const char *spec, size_t *length);
/* The shapes, one line each ("  chain:H   ..."), for help texts; explanations stand in this column.
 */
enum { TAN_SPEC_COLUMN = 24 };
void tan_spec_help(FILE *to);

TAN_END_DECLS

#endif
