/* measure.h - what messages of many sizes cost, measured in interleaved passes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_MEASURE_H
#define TANBENCH_P2P_MEASURE_H

#include <stdbool.h>

#include "tanbench/p2p/link.h"
#include "tanbench/p2p/samples.h"

/* Powers of two from 1 B to `most`, when `between` also the sizes one byte and half as large again
 * above them. */
void p2p_sizes_default(struct p2p_measurement *m, int64_t most, bool between);
/* Add one size in its place, unless it is there already. */
void p2p_sizes_add(struct p2p_measurement *m, int64_t bytes);

/* S: the longest message up to `most` bytes for which a send returns before its receive has begun;
 * `most` when all do, 0 when none does. */
int64_t p2p_find_eager(struct p2p_link *link, int64_t most);

/* Seconds after which a message of `bytes` that was asked for is surely there. */
double p2p_arrival(const struct tan_p2p *p, int64_t bytes);

struct p2p_effort {
    bool all;               /* every timing; else half trips only */
    double max_seconds;     /* no pass begins later, unless there are few so far */
    double longest_seconds; /* nor with all timings, which wait for free cores so long */
    uint64_t seed;          /* of the order of the sizes */
    bool quiet;
};
/* First messages run the connection in, so that it is in the same state in every run. Then passes
 * over all sizes, in an order that changes, each for the half trips or, when all timings are
 * wanted, for the others; these passes take turns. Stops between two sizes when the job was told
 * to: -1. */
int p2p_measure(struct p2p_link *link, const struct p2p_effort *effort, struct p2p_measurement *m,
                struct tan_error *e);
void p2p_measurement_clear(struct p2p_measurement *m);

#endif
