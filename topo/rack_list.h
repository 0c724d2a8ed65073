/* rack_list.h - file that says which rack each host is in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_RACK_LIST_H
#define TAN_TOPO_RACK_LIST_H

#include <stdint.h>

#include "base/error.h"
#include "topo/names.h"

/* The most hosts that a file may name. */
enum { TAN_RACK_LIST_HOSTS = 1 << 20 };

/* Hosts and racks are numbered in the order in which the file first names them. */
struct tan_rack_list {
    struct tan_names *hosts, *racks; /* owned; at least one of each */
    struct tan_racked_host {
        int32_t rack;
        int line; /* 1-based, where the host is first named */
    } * host;     /* owned, an entry for each host */
};

/* Read a file whose lines are "HOSTS RACK" or those of Slurm's topology.conf; # starts a comment
 * that ends with its line. Of topology.conf the leaf switches, "SwitchName=RACK Nodes=HOSTS", and
 * the blocks, "BlockName=RACK Nodes=HOSTS", are racks; lines with Switches are of higher levels and
 * left out. A line goes on after a backslash, values may have quotes. HOSTS are names as
 * tan_hostlist_expand reads them: h[1-4,7], r[0-1]n[01-16].
 * Fails at the line of a host that is in two racks, and where no host is named. O(hosts). */
int tan_rack_list_read(const char *path, struct tan_rack_list *out, struct tan_error *e);
/* The number of a host's rack, -1: the file does not name the host. */
int32_t tan_rack_list_find(const struct tan_rack_list *list, const char *host);
void tan_rack_list_clear(struct tan_rack_list *list);

#endif
