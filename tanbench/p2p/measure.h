/* measure.h - timings of messages of many sizes, in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_MEASURE_H
#define TANBENCH_P2P_MEASURE_H

#include <stdbool.h>

#include "bench/sampling/p2p_samples.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/step.h"

/* Powers of two from 1 B to `max_bytes`; between them, the sizes one byte and half as large again
 * above them, for long messages also a quarter and three quarters. */
void p2p_sizes_add_powers(struct p2p_measurement *m, int64_t max_bytes);
void p2p_sizes_add_between(struct p2p_measurement *m, int64_t max_bytes);
/* Add one size in its place, unless it is there already. */
void p2p_sizes_add(struct p2p_measurement *m, int64_t bytes);

/* S: the longest message up to `max_bytes` for which a send returns before its receive has begun;
 * `max_bytes` when all do, 0 when none does. -1 on a request to stop, as from the others. */
int64_t p2p_find_eager(struct p2p_link *link, int64_t max_bytes, struct tan_error *e);
/* The same for a receiver that computes instead of being in the library: up to there the sender
 * needs nothing of it (T), beyond it waits for its reaction (TA). */
int64_t p2p_find_alone(struct p2p_link *link, int64_t max_bytes, struct tan_error *e);
/* Add the sizes behind which a byte more takes at least 5 % longer, to the byte, between the
 * measurement's sizes of up to 128 KiB. */
int p2p_find_jumps(struct p2p_link *link, const struct p2p_measurement *m,
                   struct tan_p2p_limits *limits, struct tan_error *e);

/* Safe upper bound of the seconds in which a requested message of `bytes` arrives. */
double p2p_arrival(const struct tan_p2p *p, int64_t bytes);

struct p2p_effort {
    bool all;               /* every timing; else one-way times only */
    double max_seconds;     /* no pass begins later, after a minimum of passes */
    double longest_seconds; /* nor later than this while there are too few quiet samples */
    uint64_t seed;          /* of the order of the sizes */
    struct p2p_step step; /* this one; of all timings the one-way times, the others are the next */
};
/* First messages warm up the connection, so that it is in the same state in every run. Then passes
 * over all sizes, in random order, for the one-way times and, when all timings are wanted, further
 * ones for the others. Both cores are probed before and after each sample. Clear `m` in any
 * case. */
int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e);

#endif
