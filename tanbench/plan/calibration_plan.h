/* calibration_plan.h - trees measured to identify the parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_CALIBRATION_PLAN_H
#define TAN_TANBENCH_PLAN_CALIBRATION_PLAN_H

#include "base/error.h"
#include "model/fit/fit.h"
#include "tanbench/plan/plan.h"
#include "tanbench/plan/rank_map.h"

/* As in the TAN paper: number of ping-pongs from which L is determined, and height of the tallest
 * chain by default, which is also the largest that users may request. */
enum { LATENCY_SAMPLES = 500, MAX_CHAIN_HEIGHT = 32 };
/* Largest fanout by default, unless the number of cores limits it. */
enum { DEFAULT_MAX_FANOUT = 128 };

/* Fill `plan` with the ping-pong, chains of every height and N-to-1 trees of growing fanout, with
 * at most `max_ranks` processes, fanouts up to `max_leaves` and chains up to `max_height`. Then,
 * unless the machine is emulated, a binomial tree for the fit of tan-overlap, and held-out trees to
 * check the models: full trees of two and of three levels, a 3-nomial, a random and a binary tree.
 * Each is the largest that needs no more ranks than the chains and N-to-1 trees; if there is none,
 * it is left out. If there are more ranks than these need, one more check tree, of even levels, has
 * all of them. `max_ranks` 0: as many as the trees need. Fails if there are fewer than 5 ranks, or
 * `max_leaves` is below 4. */
int tan_calibration_plan(struct plan *plan, int64_t max_leaves, int64_t max_height,
                         int64_t max_ranks, struct tan_error *e);

/* Use of a cell in the fits; the ping-pong counts as TAN_CHECKS. */
enum tan_fit_role tan_calibration_role(const struct cell *cell);

/* Adapt the plan to the placement of the `ranks` ranks: drop trees for the fits that have links
 * within a host, and add chains, N-to-1 trees and a ping-pong on rank 0's host. Unless the machine
 * is emulated, also add a binomial tree there, and if the one between hosts was dropped, the
 * largest one without links within a host. The result is the same on every rank. */
int tan_calibration_plan_tiers(struct plan *plan, int64_t max_height, const struct peer *peers,
                               int32_t ranks, struct tan_error *e);
/* Whether both tiers can be measured: there are at least three hosts, three ranks on rank 0's host,
 * and four on all others together. */
bool tan_calibration_has_tiers(const struct peer *peers, int32_t ranks);

/* Largest fanout by default: 32 leaves per core, at most 128. That keeps the whole calibration,
 * including the start of the ranks, below a minute. */
int64_t tan_calibration_default_leaves(int cores);

#endif
