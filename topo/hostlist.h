/* hostlist.h - host names in Slurm's notation: node[001-128],login
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TOPO_HOSTLIST_H
#define TAN_TOPO_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Most names that a text may stand for, and most characters of one of them. */
#define TAN_HOSTLIST_MOST ((size_t)1 << 24)
enum { TAN_HOSTLIST_NAME = 255 };

/* Names in the order of the text. */
struct tan_hostlist {
    size_t n;
    const char **names; /* owned, n entries */
    char *storage;      /* owned: the names themselves */
};

/* The notation:
 *     list  := name { separator name }         separator: commas, blanks, line ends
 *     name  := piece { piece }                 "gpu[1,3-5]-ib0"; may stand more than once
 *     piece := TEXT | "[" range { "," range } "]"
 *     range := NUMBER [ "-" NUMBER ]           both of one width where one begins with 0: 001-128
 * Several brackets in one name multiply, the last one fastest: r[1-2]n[1-2] is r1n1,r1n2,r2n1,r2n2.
 * Slurm itself takes nothing behind the last bracket. A list without a name is an error. `source`
 * names the text in errors, which have line and column. O(length of text and names). */
int tan_hostlist_expand(const char *text, const char *source, struct tan_hostlist *out,
                        struct tan_error *e);
/* What is all zero may be cleared, too. */
void tan_hostlist_clear(struct tan_hostlist *list);

/* The text that stands for these names in this order, malloc'd: of those with one pair of brackets
 * in a name the one with the fewest items between its outer commas, and of these the shortest.
 * Names share brackets where they differ in one number only; a run of rising numbers of one width
 * is a range there. `before_text`: brackets may stand before other characters (gpu[1-2]-ib0), as in
 * ClusterShell, and not at the end of a name only, as in Slurm. `n` names, n > 0. Fails on a name
 * that is empty or has a bracket, comma, blank or control character. O(length of the names). */
char *tan_hostlist_fold(const char *const *names, size_t n, bool before_text, struct tan_error *e);

#endif
