/* time_text.h - times and their intervals as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_TIME_TEXT_H
#define TAN_DESIGN_REPORT_TIME_TEXT_H

#include <stdbool.h>

#include "model/stats/stats.h"

/* Size of the caller's buffers. Functions that return a text return their buffer. */
enum { TAN_CELL = 64 };

/* Whether the interval is known, and wider than the rounding of a single value. */
bool tan_is_wide(struct tan_interval ci95);
/* In its own unit, as tan_format_time. */
const char *tan_exact_text(double seconds, char buffer[TAN_CELL]);
/* In its own unit with three digits, "98 us" and "20 ms", as for values known to a thousandth. */
const char *tan_short_text(double seconds, char buffer[TAN_CELL]);
/* An end of the interval, in the unit of its lower end, with as many digits as its width
 * supports. */
const char *tan_end_text(double seconds, struct tan_interval ci95, char buffer[TAN_CELL]);
/* Join the ends, texts of tan_end_text, in `buffer`: "600 to 640 us", with the unit of `low` only
 * if it differs; "600 us" if both are equal. Changes `low`. */
void tan_join_ends(char low[TAN_CELL], const char *high, char buffer[TAN_CELL]);
/* "600 to 640 us"; "10.0 us" if it has no width. */
const char *tan_interval_text(struct tan_interval ci95, char buffer[TAN_CELL]);

#endif
