/* measure.h - timings of many message sizes, in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_MEASURE_H
#define TAN_TANBENCH_P2P_MEASURE_H

#include <stdbool.h>

#include "tanbench/p2p/link.h"
#include "tanbench/sampling/p2p_samples.h"

/* A part of a measurement with its own time limit. */
struct p2p_step {
    bool shown;     /* on stderr (progress_say) */
    int number, of; /* 1-based */
    double later;   /* seconds for what follows this step */
};

/* Show what is being measured, and `left` seconds until this step ends (NaN if unknown). */
void p2p_step_show(const struct p2p_step *s, double left, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Remove the line. */
void p2p_step_hide(const struct p2p_step *s);

/* Add sizes above each power of two: 50 % larger; up to 64 KiB one byte larger; from 128 KiB 25 %
 * and 75 % larger. */
void p2p_sizes_add_between(struct p2p_measurement *m, int64_t max_bytes);
/* Insert one size in order, unless it is present or there are P2P_MAX_MEASURED. */
void p2p_sizes_add(struct p2p_measurement *m, int64_t bytes);

/* S: the longest message up to `max_bytes` whose send returns before its receive starts;
 * `max_bytes` if all do, 0 if none does. If the receiver `computes` instead of calling the library:
 * up to that size the sender needs nothing from it (T), above it waits for its reaction (TA). -1 on
 * a request to stop, here and below. */
int64_t p2p_find_limit(struct p2p_link *link, int64_t max_bytes, bool computes,
                       struct tan_error *e);
/* Add the exact sizes above which one more byte takes at least 5 % longer, among the sizes up to
 * 128 KiB. */
int p2p_find_jumps(struct p2p_link *link, const struct p2p_measurement *m,
                   struct tan_p2p_limits *limits, struct tan_error *e);

/* Called after the first pass, and about every ten seconds from then on, to keep what was measured
 * until then. */
struct p2p_keeper {
    void (*keep)(void *context);
    void *context;
};

struct p2p_effort {
    bool all;               /* all timings; otherwise one-way times only */
    double max_seconds;     /* start no pass after this, beyond a minimum of passes */
    double longest_seconds; /* nor after this while there are too few quiet samples */
    uint64_t seed;          /* for the order of sizes */
    struct p2p_step step;   /* this step, the one-way times; all other timings are the next one */
    const struct p2p_keeper *keeper; /* for p2p_measure */
};
/* Warm up the connection, so that every run starts in the same state. Then make passes over all
 * sizes in random order, for one-way times first and then for all other timings if wanted. Both
 * cores are probed before and after each sample. After -1, `m` has the passes until then. Always
 * clear `m` (tan_p2p_measurement_clear). */
int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e);

#endif
