/* rack_list.h - files that assign hosts to racks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_RACK_LIST_H
#define TAN_TOPO_RACK_LIST_H

#include <stdint.h>

#include "base/error.h"
#include "topo/names.h"

/* Hosts and racks are numbered in order of first occurrence. */
struct tan_rack_list {
    struct tan_names *hosts, *racks; /* owned; at least one of each */
    struct tan_racked_host {
        int32_t rack;
        int line; /* 1-based, first occurrence of the host */
    } * host;     /* owned, one entry per host */
};

/* Read a file of lines "HOSTS RACK", or Slurm's topology.conf; # starts a comment. In topology.conf
 * racks are leaf switches, "SwitchName=RACK Nodes=HOSTS", and blocks, "BlockName=RACK Nodes=HOSTS";
 * lines with Switches describe higher levels and are skipped. A backslash continues a line; values
 * may be quoted. HOSTS is a host list (hostlist.h): h[1-4,7], r[0-1]n[01-16]. At most
 * TAN_HOSTLIST_MOST of them in all. */
int tan_rack_list_read(const char *path, struct tan_rack_list *out, struct tan_error *e);
/* The number of a host's rack, -1 if the host is not in the file. */
int32_t tan_rack_list_find(const struct tan_rack_list *list, const char *host);
void tan_rack_list_clear(struct tan_rack_list *list);

#endif
