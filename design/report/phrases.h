/* phrases.h - phrases shared by reports
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_PHRASES_H
#define TAN_DESIGN_REPORT_PHRASES_H

#include "base/table.h"
#include "design/report/time_text.h"
#include "design/search/plan.h"
#include "model/stats/stats.h"

/* Sizes of the caller's buffers, beside TAN_CELL. Functions with a buffer return it. */
enum { TAN_NAME = 256, TAN_SENTENCE = 1024 };

/* "+1.0 %", "3.1x", "as fast", "ties, +0.3 %" */
const char *tan_slower_text(double slower, bool tied, char buffer[TAN_CELL]);
/* Fanouts for a table: "16x16x16"; long runs of equal ones as "2^30". */
const char *tan_short_fanouts(const struct tan_plan *plan, char buffer[TAN_NAME]);
/* A spec for a table, shortened to "levels:2x2...2x2x2x2" if it has more than `most` characters. */
const char *tan_short_spec(const char *spec, int most, char buffer[TAN_NAME]);
/* Meaning of a wave's time: "half a round trip" or "one way". */
const char *tan_span_text(const struct tan_params *params);
/* What the best tree is the best of: "all trees"; under a model with `node`, whose search does not
 * evaluate all, "the trees evaluated". */
const char *tan_best_of_text(const struct tan_model *model);
/* The ending of a noun after a number, "" or "s", and "leaf" or "leaves". */
const char *tan_plural(int64_t n);
const char *tan_leaves_text(int64_t n);
/* Print "Up to 30 leaves (95 % interval 25 to 38) no tree is better than ..."; if `what`, which
 * names what is counted, is NULL: "Up to N = 30 ...". */
void tan_report_flat(const char *what, int64_t until, struct tan_interval ci95, FILE *to);
/* The problem before an objective narrowed its limits. */
const struct tan_problem *tan_problem_asked(const struct tan_problem *p);
/* " within --max-height 3 with the shortest period"; "" without limits and objective. TAN_SENTENCE
 * bytes suffice. */
const char *tan_within_text(const struct tan_problem *p, char *text, size_t size);

#endif
