/* times.h - times and operations of a simulation as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_TIMES_H
#define TAN_SIM_SCHEDULE_TIMES_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "sim/schedule/schedule.h"

/* Treatment of a number without a unit: error, or nanoseconds as in LogGOPSim. */
enum tan_bare_time { TAN_BARE_REFUSED, TAN_BARE_NS };

/* A duration in picoseconds, 0 to 10^18 (11 days): "2.5us", "3ms". `what` names the option. */
int tan_parse_ps(const char *what, const char *text, enum tan_bare_time bare, uint64_t *ps,
                 struct tan_error *e);
/* The same, rounded to a millionth of a picosecond. */
int tan_parse_fine_ps(const char *what, const char *text, enum tan_bare_time bare, double *ps,
                      struct tan_error *e);

/* Call `take` with a copy of every comma-separated part of `text`, until it returns -1. */
int tan_each_part(const char *what, const char *text,
                  int (*take)(void *context, const char *part, struct tan_error *e), void *context,
                  struct tan_error *e);

/* A unit of time: "ns", "us", "ms" or "s". */
struct tan_time_unit {
    const char *name;
    uint64_t ps;
    int decimals; /* digits to show whole nanoseconds, or for "ns" picoseconds */
};
/* The largest unit of which `ps` picoseconds are at least one; otherwise "ns". */
const struct tan_time_unit *tan_time_unit(uint64_t ps);

/* "16.626 us": all digits, in the largest unit that leaves at least 1. */
struct tan_text tan_ps_text(uint64_t ps);
/* An operation in GOAL syntax, "send 8b to 3 tag 1"; calculations in nanoseconds. */
struct tan_text tan_op_text(const struct tan_schedule *s, uint32_t op);

#endif
