/* rank0.h - rank 0's part of a job: measure, save, fit, print
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_RANK0_H
#define TAN_CMD_TANBENCH_RANK0_H

#include "tanbench/results/fitting.h"

#include "cmd/tanbench/options.h"
#include "cmd/tanbench/run_progress.h"
#include "tanbench/measure/session.h"
#include "tanbench/results/distance.h"

/* A job on one rank; from `machine` on, members are set on rank 0 only. Pointers are owned, except
 * `options`. */
struct job {
    const struct options *options;
    struct world *world;
    struct plan plan;
    struct session session;
    struct tan_machine *machine; /* to predict with; NULL: none */
    char *machine_path;
    json_t *environment;
    struct results results;
    struct tan_racks racks; /* of the hosts; rack[0] is owned */
    struct distance distance;
    struct fitting *fitting;     /* of calibrate; else NULL */
    bool fitted;                 /* the fit has succeeded */
    struct tan_error save_error; /* from the last save */
    bool unsaved;                /* it could not write the file of all results */
    double next_save;            /* time of the next one during the measurement */
    struct run_progress progress;
};

/* After all ranks have started: measure, save, print. Returns the exit status, or -1 if the
 * measurement broke off. Errors have been printed; `e` has the reason for -1. */
int rank0_run(struct job *job, struct tan_error *e);
#endif
