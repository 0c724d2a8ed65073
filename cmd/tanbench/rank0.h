/* rank0.h - rank 0's part of a job: measure, save, fit, print
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TANBENCH_RANK0_H
#define CMD_TANBENCH_RANK0_H

#include "bench/results/fitting.h"
#include "bench/results/journal.h"
#include <sys/types.h>

#include "cmd/tanbench/options.h"
#include "cmd/tanbench/run_progress.h"
#include "tanbench/measure/session.h"

/* A job on one rank; `machine` and all that follows it are set on rank 0 only. */
struct job {
    const struct options *options;
    struct world *world;
    struct plan plan;
    struct session session;
    struct tan_machine *machine; /* of the predictions, NULL: none */
    char *machine_path;
    json_t *environment;
    struct results results;
    struct fitting *fitting;     /* of calibrate; NULL: none */
    bool fitted;                 /* it has succeeded */
    struct tan_error save_error; /* of the last save */
    struct run_progress progress;
    struct journal *journal;        /* NULL: none is kept */
    bool journal_is_temporary;      /* removed once the results are saved */
    struct tan_error journal_error; /* why the last cells are not in it */
};

/* Once all ranks are there: measure, save, print. Returns the exit status, or -1 when the
 * measurement broke off; the reason is printed. */
int rank0_run(struct job *job, struct tan_error *e);
#endif
