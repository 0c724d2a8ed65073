/* phrases.h - phrases shared by reports; times, and the cost of fanout, as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_PHRASES_H
#define TAN_ANSWER_PHRASES_H

#include <stdbool.h>

#include "base/reply.h"
#include "base/text.h"
#include "base/units.h"
#include "design/search/plan.h"
#include "model/stats/stats.h"
#include "model/wave/wave.h"

/* Whether the interval is known, and wider than the rounding of a single value. */
bool tan_is_wide(struct tan_interval ci95);
/* In its own unit with three digits, "98 us" and "20 ms", as for values known to a thousandth. */
struct tan_text tan_short_text(double seconds);
/* "600 to 640 us"; "10.0 us" if it has no width. */
struct tan_text tan_interval_text(struct tan_interval ci95);
/* "+1.0 %", "3.1x", "as fast" */
struct tan_text tan_slower_text(double slower);
/* Fanouts for a table: "16x16x16"; long runs of equal ones as "2^30". */
struct tan_text tan_short_fanouts(const struct tan_plan *plan);
/* A spec for a table, shortened to "levels:2x2...2x2x2x2" if it has more than `most` characters. */
struct tan_text tan_short_spec(const char *spec, int most);
/* Meaning of a wave's time: "half a round trip" or "one way". */
const char *tan_span_text(const struct tan_params *params);
/* What the best tree is the best of (tan_search_proves): "all trees", "all even and k-ary trees" or
 * "the trees evaluated". */
const char *tan_best_of_text(const struct tan_problem *problem);
/* The ending of a noun after a number, "" or "s", and "leaf" or "leaves". */
const char *tan_plural(int64_t n);
const char *tan_leaves_text(int64_t n);
/* The problem before an objective narrowed its limits. */
const struct tan_problem *tan_problem_asked(const struct tan_problem *p);
/* " within --max-height 3 with the shortest period"; "" without limits and objective. */
struct tan_text tan_within_text(const struct tan_problem *p);

/* What the parameters tell about the cost of an additional child. */
enum tan_reading {
    TAN_READING_KNOWN,   /* the cost */
    TAN_READING_SERIAL,  /* nothing: parents are assumed to receive messages one after the other */
    TAN_READING_NOTHING, /* it costs nothing, so the flat tree is always best */
};
enum tan_reading tan_reading_of(const struct tan_model *model, const struct tan_params *params);
const char *tan_reading_name(enum tan_reading reading); /* "known", "serial", "nothing" */
/* Sentences about it; "" if the cost is known. */
struct tan_text tan_reading_text(const struct tan_model *model, const struct tan_params *params);

#endif
