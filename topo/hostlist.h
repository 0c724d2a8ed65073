/* hostlist.h - host names in Slurm's notation: node[001-128],login
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_HOSTLIST_H
#define TAN_TOPO_HOSTLIST_H

#include <stddef.h>

#include "base/error.h"

/* Maximum number of names in a text, also after expansion, and of characters in a name. */
enum { TAN_HOSTLIST_MOST = 1 << 20, TAN_HOSTLIST_NAME = 255 };
#define TAN_HOSTLIST_TOO_MANY "these are more than 1048576 names of hosts"

/* Names in text order. */
struct tan_hostlist {
    size_t n;
    const char **names; /* owned, n entries */
    char *storage;      /* owned: the names themselves */
};

/* Grammar:
 *     list  := name { separator name }         separator: commas, blanks, line ends
 *     name  := piece { piece }                 "gpu[1,3-5]-ib0"; may stand more than once
 *     piece := TEXT | "[" range { "," range } "]"
 *     range := NUMBER [ "-" NUMBER ]           of the same width if one begins with 0: 001-128
 * Several brackets in a name multiply, the last varying fastest: r[1-2]n[1-2] is
 * r1n1,r1n2,r2n1,r2n2. (Slurm itself accepts nothing after the last bracket.) A list without names
 * is an error. Errors have line and column. O(length of text and names). */
int tan_hostlist_expand(const char *text, struct tan_hostlist *out, struct tan_error *e);
/* A zero-initialised list may be cleared too. */
void tan_hostlist_clear(struct tan_hostlist *list);

/* A host list for these names in this order, malloc'd: among lists with at most one pair of
 * brackets per name, one with the fewest items separated by commas. Names share brackets if they
 * differ in a single number; increasing numbers of equal width become a range. Text may follow
 * brackets (gpu[1-2]-ib0), as in ClusterShell. `n` > 0 names. Fails on a name that is empty or
 * contains a bracket, comma, blank or control character (TAN_USAGE). O(length of the names). */
char *tan_hostlist_fold(const char *const *names, size_t n, struct tan_error *e);

#endif
