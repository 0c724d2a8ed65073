/* formats.h - trees in the files of other programs: ClusterShell, Flux, tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_FORMATS_H
#define TAN_TOPO_FORMATS_H

#include <stddef.h>

#include "topo/tree.h"

/* All of them: `source` names the text in errors, which have line and column. O(length and names
 * that it stands for). */

/* ClusterShell's topology.conf: in the section [routes] (or [Main], its old name) lines
 * "gateway: hosts", both in the notation of hostlist.h. A route from several gateways is a pool and
 * no tree, and groups (@group) are not known here: both are refused. */
struct tan_tree *tan_clustershell_parse(const char *text, size_t length, const char *source,
                                        struct tan_error *e);
/* Flux's configuration, tbon.topo = "custom": the entries of bootstrap.hosts, whose `host` is a
 * host list and whose `parent` is a host. The host named first is the root, and hosts without a
 * parent are its children. Of TOML, everything but strings over several lines can stand beside
 * them. */
struct tan_tree *tan_flux_parse(const char *text, size_t length, const char *source,
                                struct tan_error *e);
/* CSV with the heading `parent`: the number of each process's parent, -1 for the root. `process`:
 * the process's number, else that of the row, from 0; `host`: where it runs, and then it is called
 * so, or host:0, host:1, ... where hosts have several. */
struct tan_tree *tan_parent_table_parse(const char *text, size_t length, const char *source,
                                        struct tan_error *e);

#endif
