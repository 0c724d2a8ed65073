/* fitting.h - machine file from measured chains and N-to-1 trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_FITTING_H
#define TAN_TANBENCH_RESULTS_FITTING_H

#include <stdio.h>

#include "model/fit/fit.h"
#include "tanbench/results/results.h"

/* Fits of one calibration. */
struct fitting {
    /* By method: between hosts, of which the machine file has joint and overlap, and within one,
     * where c and C are the same, without paper. params.n == 0: not measured, or too few trees.
     * tan-overlap is fitted to one uneven tree as well. */
    struct tan_fit fits[TAN_METHODS], near[TAN_METHODS];
    struct tan_latency latency;
    struct tan_checks checks;
    double *half_round_trips;     /* samples; owned, as are the arrays below */
    struct tan_observation *seen; /* every result; the ping-pong has no tree */
    double *shorter; /* per result: seconds that its waves were made shorter, as if all links were
                        of the first class of distance */
};

/* Fit the results' chains, N-to-1 trees and ping-pong by both methods, and tan-overlap; compare the
 * models with the check trees. The caller clears `f`, even after a failure. */
int tan_fitting_run(struct fitting *f, const struct results *r, struct tan_error *e);
void tan_fitting_clear(struct fitting *f);

void tan_fitting_print(const struct fitting *f, FILE *to);

/* Location of the measurement. */
struct fitting_host {
    const char *name; /* of rank 0's host; borrowed */
    int hosts, cores; /* cores: available to the ranks of rank 0's host */
    bool oversubscribed, network_real;
};

/* The fitted machine, with the results' environment, owned by the caller. `name` NULL: that of the
 * emulated machine or the host. NULL on failure. */
struct tan_machine *tan_fitting_machine(const struct fitting *f, const struct results *r,
                                        const struct fitting_host *host, const char *name,
                                        struct tan_error *e);

#endif
