/* failure_rows.h - what failed processes cost, as tables and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_FAILURE_ROWS_H
#define TAN_DESIGN_REPORT_FAILURE_ROWS_H

#include "design/report/fields.h"
#include "design/report/time_text.h"
#include "design/search/failures.h"

/* A tree and its costs. */
struct tan_failure_row {
    char name[256];
    int64_t critical, most_lost;
    double mean_lost, missing, reached; /* as in struct tan_failure_cost */
    double wave;                        /* seconds; NaN: not to be listed */
    double one_down;                    /* a wave with one process down, at most; seconds */
    double expected;                    /* seconds */
};
/* `wave`: without failures. `name` is cut to fit. */
struct tan_failure_row tan_failure_row(const char *name, double wave,
                                       const struct tan_failure_cost *cost);
/* The same for a plan. Unknown values where memory is short. */
struct tan_failure_row tan_failure_plan_row(const struct tan_plan *plan,
                                            const struct tan_failures *failures);

/* A number of missing leaves, "" if unknown. Returns `buffer`. */
const char *tan_missing_text(double missing, char buffer[TAN_CELL]);
/* Begin a table of trees, or of settings of a system, in which processes below a dead one may only
 * be `late`; add a row; print it under a title that says what is assumed; `way`: "up" or "down", ""
 * for both. */
struct tan_listing tan_failure_listing(void);
struct tan_listing tan_failure_listing_of_settings(bool late);
void tan_failure_list(struct tan_listing *listing, const struct tan_failure_row *row);
void tan_failure_print(struct tan_listing *listing, const struct tan_failures *failures,
                       const char *way, FILE *to);

/* Set "failure" of a tree. */
void tan_failure_set(struct tan_json_writer *w, json_t *object, const struct tan_failure_row *row);
/* Set "failures", what is assumed; nothing if nothing is known, or for NULL. */
void tan_failures_set(struct tan_json_writer *w, json_t *top, const struct tan_failures *failures);

#endif
