/* measure.h - timings of messages of many sizes, in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_MEASURE_H
#define TANBENCH_P2P_MEASURE_H

#include <stdbool.h>

#include "bench/sampling/p2p_samples.h"
#include "tanbench/p2p/link.h"

/* Powers of two from 1 B to `max_bytes`; between them, the sizes one byte and half as large again
 * above them. */
void p2p_sizes_add_powers(struct p2p_measurement *m, int64_t max_bytes);
void p2p_sizes_add_between(struct p2p_measurement *m, int64_t max_bytes);
/* Add one size in its place, unless it is there already. */
void p2p_sizes_add(struct p2p_measurement *m, int64_t bytes);

/* S: the longest message up to `max_bytes` for which a send returns before its receive has begun;
 * `max_bytes` when all do, 0 when none does. */
int64_t p2p_find_eager(struct p2p_link *link, int64_t max_bytes);

/* Safe upper bound of the seconds in which a requested message of `bytes` arrives. */
double p2p_arrival(const struct tan_p2p *p, int64_t bytes);

struct p2p_effort {
    bool all;               /* every timing; else one-way times only */
    double max_seconds;     /* no pass begins later, after a minimum of passes */
    double longest_seconds; /* nor later than this while there are too few quiet samples */
    uint64_t seed;          /* of the order of the sizes */
    bool show_progress;
};
/* First messages warm up the connection, so that it is in the same state in every run. Then passes
 * over all sizes, in random order, each for the one-way times or, when all timings are wanted, for
 * the others; these passes take turns. Both cores are probed before and after each sample. -1 on a
 * request to stop, between two sizes. Clear `m` in any case. */
int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e);

#endif
