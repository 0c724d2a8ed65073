/* doubt.h - reasons not to rely on a machine's parameters, and what they touch
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_MACHINE_DOUBT_H
#define MODEL_MACHINE_DOUBT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* Bits of tan_doubt.touches: 1 << enum tan_param (machine.h) for each parameter that the doubt is
 * about. */
#define TAN_TOUCHES_ALL 0x3fu

/* R2 below which a fit is doubted; the paper's fits had 0.89 and 0.90. */
#define TAN_LEAST_R2 0.8

/* One reason. It concerns an answer that depends on a parameter that it touches, and, where fanouts
 * are named, on a node with such a fanout. */
struct tan_doubt {
    char what[24];        /* "r2-nto1", "not-identified", "outlier", ...: for programs */
    double amount;        /* how much, in the unit that the text tells; NaN: no number */
    unsigned touches;     /* bits */
    int64_t least_fanout; /* of the fanouts concerned; most_fanout 0: any fanout */
    int64_t most_fanout;
    bool raised;    /* by the other numbers of the machine file, so not written to it */
    char text[160]; /* for people: "R2 of the N-to-1 trees is 0.30, less than 0.8" */
};

/* The reasons of one machine file. Zero is none. */
enum { TAN_MAX_DOUBTS = 16, TAN_MAX_WRITTEN_DOUBTS = 12 /* in a file */ };
struct tan_doubts {
    int n;
    struct tan_doubt row[TAN_MAX_DOUBTS];
};

/* Append a reason for all fanouts, and return it; the last one is replaced when there is no room.
 */
__attribute__((format(printf, 5, 6))) struct tan_doubt *tan_doubts_add(struct tan_doubts *doubts,
                                                                       const char *what,
                                                                       double amount,
                                                                       unsigned touches,
                                                                       const char *format, ...);
/* The first whose kind begins with `what`, or NULL. */
const struct tan_doubt *tan_doubts_find(const struct tan_doubts *doubts, const char *what);
/* Append those of `more` that are not there yet. */
void tan_doubts_join(struct tan_doubts *doubts, const struct tan_doubts *more);
/* The texts, "one; another", into `buffer`, which it returns; "" for none. Cut where `size` ends;
 * TAN_DOUBTS_TEXT holds all. */
enum { TAN_DOUBTS_TEXT = 2048 };
const char *tan_doubts_text(const struct tan_doubts *doubts, char *buffer, size_t size);

/* Print them as a paragraph after a heading such as TAN_NOT_TRUSTWORTHY; nothing when there are
 * none. */
#define TAN_NOT_TRUSTWORTHY "NOT TRUSTWORTHY"
void tan_doubts_print(const struct tan_doubts *doubts, const char *heading, FILE *to);
/* Fail with status TAN_UNTRUSTED and all texts when there are any. */
int tan_doubts_fail(const struct tan_doubts *doubts, struct tan_error *e);

TAN_END_DECLS

#endif
