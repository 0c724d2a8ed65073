/* calibration_plan.h - trees measured to identify the parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_CALIBRATION_PLAN_H
#define BENCH_PLAN_CALIBRATION_PLAN_H

#include "base/error.h"
#include "bench/plan/peer.h"
#include "bench/plan/plan.h"

/* Samples of the ping-pong behind L, and the tallest chain, as in the TAN paper. */
enum { LATENCY_SAMPLES = 500, MAX_CHAIN_HEIGHT = 32 };
/* Largest fanout by default, where cores do not limit it. */
enum { DEFAULT_MAX_FANOUT = 128 };

/* Fill `plan` with the ping-pong, chains of every height and N-to-1 trees of growing fanout, none
 * with more than `max_ranks` processes, no fanout above `max_leaves` and no chain above
 * `max_height`, at most MAX_CHAIN_HEIGHT. Then a binomial tree for the fit of tan-overlap, and
 * trees for no fit that check the models: of two and of three full levels and a 3-nomial one, as
 * large as those leave room for, without which they are left out, as under emulation. */
int tan_calibration_plan(struct plan *plan, int64_t max_leaves, int64_t max_height,
                         int64_t max_ranks, struct tan_error *e);

/* A cell's part in the fits. */
enum tan_calibration_role {
    TAN_FITS_ALL,     /* chains, N-to-1 trees */
    TAN_FITS_OVERLAP, /* only tan-overlap */
    TAN_CHECKS,       /* none */
};
enum tan_calibration_role tan_calibration_role(const struct cell *cell);

/* Once it is known where the ranks are: of the trees that are fitted drop those some of whose links
 * are within hosts, others not, and add chains, N-to-1 trees, a ping-pong and a binomial tree on
 * rank 0's host. Every rank does the same. */
int tan_calibration_plan_tiers(struct plan *plan, int64_t max_height, const struct peer *peers,
                               int32_t ranks, struct tan_error *e);
/* Whether ranks are so many on each of so many hosts that both can be told apart: at least three on
 * rank 0's host, and two more hosts. */
bool tan_calibration_has_tiers(const struct peer *peers, int32_t ranks);

/* Largest fanout when the user names none: 32 leaves per core, at most 128. That keeps the whole
 * calibration, start of the ranks included, below a minute. */
int64_t tan_calibration_default_leaves(int cores);

#endif
