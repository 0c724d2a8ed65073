/* formats.h - tree files of other programs: ClusterShell, CSV
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_FORMATS_H
#define TAN_TOPO_FORMATS_H

#include <stddef.h>

#include "topo/tree.h"

/* In all parsers `text` is that of tan_read_text, and `source` names it in errors, which have line
 * and column. They return NULL with an error. O(length + names after expansion). */

/* ClusterShell's topology.conf: in the section [routes] (or [Main], its old name) lines "gateway:
 * hosts", both in the notation of hostlist.h. Refused are routes with several gateways, which form
 * a pool and not a tree, and groups (@group), which cannot be resolved here. */
struct tan_tree *tan_clustershell_parse(const char *text, size_t length, const char *source,
                                        struct tan_error *e);
/* CSV with the heading `parent`: the number of each process's parent, -1 for the root. Optional
 * columns: `process`, the process's number, by default its row from 0; `host`, from which the node
 * is named: the host itself, or host:0, host:1, ... if any host has several processes. */
struct tan_tree *tan_parent_table_parse(const char *text, size_t length, const char *source,
                                        struct tan_error *e);

#endif
