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
    struct tan_rack {
        int32_t above; /* the switch above it; -1: none */
        int level;     /* above the hosts, from 0: one more than the highest below it */
        int line;      /* 1-based, of its SwitchName or BlockName; 0: none */
        int above_line;
    } * rack; /* owned, one entry per rack */
};

/* Read a file of lines "HOSTS RACK", or Slurm's topology.conf; # starts a comment. In topology.conf
 * racks are switches and blocks: those with hosts, "SwitchName=RACK Nodes=HOSTS", "BlockName=RACK
 * Nodes=HOSTS", and those above, "SwitchName=RACK Switches=RACKS". A backslash continues a line;
 * values may be quoted. HOSTS is a host list (hostlist.h): h[1-4,7], r[0-1]n[01-16]. At most
 * TAN_HOSTLIST_MOST of them in all. */
int tan_rack_list_read(const char *path, struct tan_rack_list *out, struct tan_error *e);
/* The number of a host's rack, -1 if the host is not in the file. */
int32_t tan_rack_list_find(const struct tan_rack_list *list, const char *host);
void tan_rack_list_clear(struct tan_rack_list *list);

/* Levels of racks that are told apart. */
enum { TAN_RACK_LEVELS = 8 };
/* The racks of some hosts. */
struct tan_racks {
    /* By level, from the nearest: the rack of each host, numbered from 0 in their order. NULL:
     * there are no such levels. Owned: rack[0]. */
    int32_t *rack[TAN_RACK_LEVELS];
    int32_t n; /* number of racks of the first level */
};
/* The racks of `n` hosts by this file. Fails if one of them is not in it. A host that is NULL is in
 * rack -1. */
int tan_racks_read(const char *path, const char *const *hosts, int32_t n, struct tan_racks *out,
                   struct tan_error *e);

#endif
