/* fitting.h - machine file from measured chains and N-to-1 trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_FITTING_H
#define TAN_TANBENCH_RESULTS_FITTING_H

#include <stdio.h>

#include "model/fit/cross.h"
#include "model/fit/fit.h"
#include "model/fit/overlap_fit.h"
#include "tanbench/results/results.h"

/* Fits of one calibration. */
struct fitting {
    struct tan_fit fits[2]; /* by method; the machine file has the joint one */
    struct tan_latency latency;
    struct tan_fit near; /* within hosts; params.n == 0: not measured */
    /* tan-overlap, fitted to one uneven tree as well: [0] between hosts; [1] within one, with c and
     * C from [0]. n == 0: too few trees. Their draws belong to `overlap_fit`. */
    struct tan_params overlap[2];
    struct tan_overlap_fit overlap_fit[2];
    struct tan_checks checks;
    double *half_round_trips;   /* samples; owned, as is the array below */
    struct tan_seen_tree *seen; /* every result; once judged, those between hosts */
    double *longer; /* per result: seconds that its waves were made longer, as if all links were of
                       the last class of distance; owned */
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
