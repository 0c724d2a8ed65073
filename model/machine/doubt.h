/* doubt.h - doubts: reasons not to rely on numbers, and the parameters concerned
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_DOUBT_H
#define TAN_MODEL_MACHINE_DOUBT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct json_t;
struct tan_json_at;
struct tan_json_writer;

/* Bits of tan_doubt.touches: 1 << enum tan_param (params.h) for each parameter concerned. */
#define TAN_TOUCHES_ALL 0x3fu

/* R2 below which a fit is doubted; the paper's fits had 0.89 and 0.90. */
#define TAN_LEAST_R2 0.8

/* Kind of notes on measured trees that contradict all others and were left out of the fit. */
#define TAN_SET_ASIDE "set-aside"

enum tan_severity {
    TAN_NO_DOUBT,
    TAN_NOTE,  /* useful to know, but no reason to distrust an answer */
    TAN_DOUBT, /* the answer is not trustworthy: exit status TAN_UNTRUSTED */
};

/* A reason to doubt answers that depend on a parameter that it touches. */
struct tan_doubt {
    char kind[24]; /* "r2-nto1", "not-identified", "outlier", ...: for programs */
    enum tan_severity severity;
    double amount;    /* such as R2 or a relative error, depending on `kind`; NaN: none */
    unsigned touches; /* bits of the parameters concerned */
    bool raised;      /* derived from other numbers in the machine file, so not written to it */
    char *text;       /* for humans: "R2 of the N-to-1 trees is 0.30, less than 0.8"; owned */
};

/* Zero-initialised: empty; freed by tan_doubts_clear. */
struct tan_doubts {
    size_t n;
    struct tan_doubt *row;
    bool incomplete; /* memory was short: some are missing, so nothing is trustworthy */
};

/* Append one unless one of the same kind and text is present. */
__attribute__((format(printf, 6, 7))) void tan_doubts_add(struct tan_doubts *doubts,
                                                          enum tan_severity severity,
                                                          const char *kind, double amount,
                                                          unsigned touches, const char *format,
                                                          ...);
/* Of several of a kind keep only the one with the largest amount, in place of the first. */
void tan_doubts_keep_worst(struct tan_doubts *doubts, const char *kind);
/* Append copies of one doubt, or of a list, unless they are present. */
void tan_doubts_keep(struct tan_doubts *doubts, const struct tan_doubt *doubt);
void tan_doubts_join(struct tan_doubts *doubts, const struct tan_doubts *more);
/* Remove those of a kind. */
void tan_doubts_drop(struct tan_doubts *doubts, const char *kind);
/* Remove these parameters from all doubts, and doubts that touch no others. */
void tan_doubts_settle(struct tan_doubts *doubts, unsigned touches);
void tan_doubts_clear(struct tan_doubts *doubts);

/* The first whose kind starts with `kind`, or NULL. */
const struct tan_doubt *tan_doubts_find(const struct tan_doubts *doubts, const char *kind);
/* Whether there are none except notes. */
bool tan_doubts_trusted(const struct tan_doubts *doubts);
/* The texts of one severity, "one; another", malloc'd; "" if there are none, NULL if memory is
 * short. */
char *tan_doubts_text(const struct tan_doubts *doubts, enum tan_severity severity);
/* Print those of one severity as a paragraph, "NOT TRUSTWORTHY: one; another" or "Note: one";
 * nothing if there are none. */
void tan_doubts_print(const struct tan_doubts *doubts, enum tan_severity severity, FILE *to);
/* Fail with status TAN_UNTRUSTED and the texts unless tan_doubts_trusted. */
int tan_doubts_fail(const struct tan_doubts *doubts, struct tan_error *e);

/* Append the rows of the array `key` of an object, if present, all of one severity. */
int tan_doubts_read(const struct tan_json_at *at, const char *key, enum tan_severity severity,
                    struct tan_doubts *doubts, struct tan_error *e);
/* Add a row for each doubt of one severity to the array `key`, which is set with the first. */
void tan_doubts_set(struct tan_json_writer *w, struct json_t *object, const char *key,
                    const struct tan_doubts *doubts, enum tan_severity severity);
/* Say them in an answer (base/reply.h), those of severity TAN_DOUBT before all else. */
void tan_doubts_say(struct tan_json_writer *w, struct json_t *answer,
                    const struct tan_doubts *doubts);

#endif
