/* host_list.h - hosts as launchers write them: files, lists and rankfiles
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_HOST_LIST_H
#define TAN_TOPO_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topo/hostlist.h"

/* Names in the order of the text; of a rankfile, in the order of the ranks. */
struct tan_host_list {
    size_t n;
    struct tan_listed_host {
        const char *name;
        int line;      /* 1-based */
        int32_t slots; /* processes that it is for; 0: the text does not say */
    } * hosts;         /* owned, n entries */
    /* Storage of the names, owned. */
    char *text;
    struct tan_hostlist *expanded;
    size_t n_expanded;
};

/* Every file and list of hosts is read here. Between blanks, commas and line ends stand hosts, each
 * of which may be named again:
 *     c1   c[01-08,12]-ib[0-1]   user@c1   c1:4   c[1-3]:4
 * and behind the only word for hosts of a line, Open MPI's and Hydra's settings: slots=4 counts
 * (also as count=, cpu=), max_slots=, user=, binding= and ifname= do not matter. ^c9 leaves c9 out,
 * wherever it is named. # starts a comment that ends with its line. A rankfile has nothing but
 * lines "rank 0=c1 slot=0", each rank from 0 on once. Anything else is an error at its line, and so
 * is a text without hosts. Names are at most TAN_HOSTLIST_MOST. O(length of text and names). */
int tan_host_list_read(const char *path, struct tan_host_list *out, struct tan_error *e);
/* The same of a text; `source` names it in errors. */
int tan_host_list_parse(const char *text, const char *source, struct tan_host_list *out,
                        struct tan_error *e);
/* Name each host once for each of its slots, in its place: the hosts of ranks. */
int tan_host_list_by_slot(struct tan_host_list *list, const char *source, struct tan_error *e);
void tan_host_list_clear(struct tan_host_list *list);

#endif
