/* failures.h - what a process that fails costs the trees of a target's settings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SYSTEMS_FAILURES_H
#define TAN_DESIGN_SYSTEMS_FAILURES_H

#include "design/systems/choose.h"

/* The longest wait of a wave over a tree, in timeouts: *one with a single process down, at most,
 * and *mean, over all processes but the root; and its *expected value if every process but the root
 * is down with probability `p`, independently of all others. `timeouts`: as in struct tan_target.
 * O(nodes). Fails only when memory is short. */
int tan_failure_waits(const struct tan_tree *tree, tan_timeouts *timeouts, double p, double *one,
                      double *mean, double *expected, struct tan_error *e);

struct tan_setting_failure {
    struct tan_setting setting;
    double wave; /* seconds; messages are not divided */
    int64_t max_fanout;
    int64_t most_lost; /* processes that one takes along when it fails, itself included */
    int64_t height;
    double wait;      /* seconds that others wait for one that is down, at most */
    double mean_wait; /* seconds by which one that is down makes `wave` longer, on average */
    double expected;  /* seconds: `wave` with the problem's probability; NaN without one */
};
enum { TAN_SETTING_FAILURES = 64 };

/* Complete row->setting, of a way: 1. 0 beyond 2^20 processes, for a given tree, and where the
 * target's timeout is not known. Fails only when memory is short. */
int tan_setting_failure(const struct tan_target_problem *problem, const struct tan_target_way *way,
                        struct tan_setting_failure *row, struct tan_error *e);

/* The first setting of a way, the default, and, if the first takes a value, powers of two over its
 * range, the widest one and those with the least expected wave of all and the shortest of each
 * height, or without a probability that of tan_break_even, by value; else the best values of the
 * other settings. Returns their number, at most TAN_SETTING_FAILURES; 0 where one is not known.
 * Fails only when memory is short. */
int tan_setting_failures(const struct tan_target_problem *problem, const struct tan_target_way *way,
                         struct tan_setting_failure out[TAN_SETTING_FAILURES], struct tan_error *e);

/* The row of a setting, of `n`; NULL if it has none. */
const struct tan_setting_failure *tan_failure_of(const struct tan_setting_failure *rows, int n,
                                                 const struct tan_setting *setting);
/* The row with the least expected wave, of `n` > 0 rows. */
const struct tan_setting_failure *tan_least_expected(const struct tan_setting_failure *rows, int n);

/* The setting that is better than another one if the fewest waves meet a process that is down. */
struct tan_break_even {
    const struct tan_setting_failure *instead; /* NULL if there is none */
    double waves;                              /* of which one may meet a process that is down */
};
/* For the setting `best`, of `n` rows. */
struct tan_break_even tan_break_even(const struct tan_setting_failure *rows, int n,
                                     const struct tan_setting *best);

#endif
