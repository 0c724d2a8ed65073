/* fitting.h - machine file from measured chains and N-to-1 trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_FITTING_H
#define BENCH_RESULTS_FITTING_H

#include <stdio.h>

#include "bench/results/results.h"
#include "model/fit/fit.h"
#include "model/fit/overlap_fit.h"

/* Both methods' fits of one calibration. */
struct fitting {
    enum tan_method method; /* the one that the machine file gets */
    struct tan_fit fits[2]; /* by method */
    struct tan_latency latency;
    struct tan_fit near; /* within hosts, by `method`; params.n == 0: nothing of it was measured */
    /* Of tan-overlap, with one uneven tree, for a machine file; between hosts and, [1], within
     * them, where c and C are the same. Borrow `overlap_fit`'s draws. params.n == 0: too few trees.
     */
    struct tan_params overlap[2];
    struct tan_overlap_fit overlap_fit[2];
    struct tan_checks checks;           /* trees of no fit */
    double own_error[TAN_CHECK_MODELS]; /* mean absolute error of the fitted trees; NaN: no fit */
    double *half_round_trips;           /* samples of the fits; owned */
};

/* Fit the results' chains, N-to-1 trees and ping-pong. */
int tan_fitting_run(struct fitting *f, const struct results *r, enum tan_method method,
                    struct tan_error *e);
void tan_fitting_clear(struct fitting *f);

/* Number of trees during which others used the cores, of *trees. */
int tan_fitting_disturbed(const struct results *r, int *trees);
void tan_fitting_print(const struct fitting *f, FILE *to);

/* Place of the measurement. */
struct fitting_host {
    const char *name; /* of rank 0's host; borrowed */
    int hosts, cores; /* cores: that the ranks of rank 0's host may use */
    bool oversubscribed, network_real;
};

/* The machine that the fit describes, with the results' environment; `name`: NULL for the
 * host's. The caller owns it. */
struct tan_machine *tan_fitting_machine(const struct fitting *f, const struct results *r,
                                        const struct fitting_host *host, const char *name,
                                        struct tan_error *e);

#endif
