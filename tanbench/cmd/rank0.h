/* rank0.h - what rank 0 does: measure, save, fit, print
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_CMD_RANK0_H
#define TANBENCH_CMD_RANK0_H

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

/* Once all ranks are there: measure, save, print. Returns the exit status, or -1 when the
 * measurement broke off; the reason is printed. */
int rank0_run(struct job *job, struct tan_error *e);
#endif
