/* hostfile.h - hosts as launchers accept them: files, lists and rankfiles
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_HOSTFILE_H
#define TAN_TOPO_HOSTFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topo/hostlist.h"

/* Names in file order; from a rankfile, in rank order. */
struct tan_hostfile {
    size_t n;
    struct tan_listed_host {
        const char *name;
        int line;      /* 1-based */
        int32_t slots; /* number of processes; 0 if not given */
    } * hosts;         /* owned, n entries */
    char
        *note; /* of hosts that seem to have two names, for humans; NULL if there are none; owned */
    /* Storage of the names; owned. */
    char *text;
    struct tan_hostlist *expanded;
    size_t n_expanded;
};

/* The one reader of all host files and lists. Hosts are separated by blanks, commas and line ends,
 * and may repeat:
 *     c1   c[01-08,12]-ib[0-1]   user@c1   c1:4   c[1-3]:4
 * If a line has a single host, settings of Open MPI and Hydra may follow it: slots=4 (also count=,
 * cpu=) sets the process count; max_slots=, user=, port=, binding= and ifname= are ignored. ^c9
 * excludes c9 wherever it is listed. # starts a comment. A rankfile consists only of lines "rank
 * 0=c1 slot=0", or "0: c1" (srun --label) or "[0] c1" (mpiexec -prepend-rank), with each rank from
 * 0 on exactly once. Anything else is an error at its line; so is a text without hosts. At most
 * TAN_HOSTLIST_MOST names. O(length of text and names). */
int tan_hostfile_read(const char *path, struct tan_hostfile *out, struct tan_error *e);
/* The same from memory; `source` names it in errors. */
int tan_hostfile_parse(const char *text, const char *source, struct tan_hostfile *out,
                       struct tan_error *e);
/* The same from what a user has given with `option`, such as "--hosts": a file, or if there is none
 * of that name and it looks like one, a list (n[1-64], c1:4,c2:4). */
int tan_hostfile_given(const char *given, const char *option, struct tan_hostfile *out,
                       struct tan_error *e);
/* The name of such hosts in errors: that of the file, or `option`. */
const char *tan_hostfile_source(const char *given, const char *option);
/* Keep each host's first mention, with the sum of its slots; where hosts are mentioned again, each
 * mention without slots is one, as in PBS's $PBS_NODEFILE. Fails above 2^20 slots of a host, at its
 * line of `source`. */
int tan_hostfile_once(struct tan_hostfile *list, const char *source, struct tan_error *e);
/* Repeat each host once per slot, in place: the host of every rank. Fails above TAN_TREE_MAX_NODES
 * ranks; `source` names the list in that error. */
int tan_hostfile_by_slot(struct tan_hostfile *list, const char *source, struct tan_error *e);
/* Number the hosts of the first n entries in order of first occurrence: host[i] is that of entry i.
 * Returns how many there are; -1 with an error if memory is short. */
int32_t tan_hostfile_number(const struct tan_hostfile *list, size_t n, int32_t *host,
                            struct tan_error *e);
void tan_hostfile_clear(struct tan_hostfile *list);

#endif
