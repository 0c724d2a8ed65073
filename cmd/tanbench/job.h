/* job.h - a started job on every rank, from MPI_Init to MPI_Finalize
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_JOB_H
#define TAN_CMD_TANBENCH_JOB_H

#include "cmd/tanbench/options.h"
#include "tanbench/measure/session.h"
#include "tanbench/results/distance.h"
#include "tanbench/results/fitting.h"

/* What can be found out before anything is measured, and may be wrong: read standard input, check
 * the outputs, and fill the zeroed `plan` for `ranks` ranks, 0: as many as it needs, in the order
 * of measurement. The machine to predict with or to add messages to, and its path, NULL if there is
 * none, are owned by the caller, who clears `plan`, too, even after a failure. Returns the number
 * of ranks; -1 on failure. */
int job_prepare(const struct options *o, int ranks, struct plan *plan, struct tan_machine **machine,
                char **path, struct tan_error *e);
/* Run a job from MPI_Init to MPI_Finalize; rank 0 measures, prints and saves. Returns the exit
 * status. */
int job_run(struct options *o);

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
    struct {
        int total, done, measured; /* visits to cells; `done` includes those measured before */
        double begin;              /* start of measuring, of tan_clock_seconds */
    } progress;                    /* of this launch */
};

/* After all ranks have started: measure, save, print. Returns the exit status, or -1 if the
 * measurement broke off. Errors have been printed; `e` has the reason for -1. */
int rank0_run(struct job *job, struct tan_error *e);

#endif
