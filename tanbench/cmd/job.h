/* job.h - what every rank of a started job does
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_CMD_JOB_H
#define TANBENCH_CMD_JOB_H

#include "bench/results/fitting.h"
#include "bench/results/journal.h"
#include "tanbench/cmd/options.h"
#include "tanbench/measure/session.h"

/* A job as a rank sees it; what stands behind `machine` is there on rank 0 only. */
struct job {
    const struct options *options;
    struct world *world;
    struct plan plan;
    struct session session;
    struct tan_machine *machine; /* that predictions are for, NULL: none */
    char *machine_path;
    json_t *environment;
    struct results results;
    struct fitting fitting;       /* of calibrate */
    struct tan_error unsaved;     /* the last save that failed */
    struct journal *journal;      /* NULL: none is kept */
    bool journal_passing;         /* it goes once the results are saved */
    struct tan_error unjournaled; /* why the last cells are not in it */
};

/* The plan that the options ask for; `max_ranks` bounds what calibrate chooses. Reads the
 * experiment file. */
int job_plan(const struct options *o, int64_t max_ranks, struct plan *plan, struct tan_error *e);

/* From MPI_Init to MPI_Finalize; rank 0 measures, prints and saves. Returns the exit status. */
int job_run(struct options *o);

/* Release all but world and session. */
void job_clear(struct job *job);

#endif
