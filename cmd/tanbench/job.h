/* job.h - a started job on every rank, from MPI_Init to MPI_Finalize
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TANBENCH_JOB_H
#define CMD_TANBENCH_JOB_H

#include <stdint.h>

#include "cmd/tanbench/options.h"

/* The plan that the options ask for; `max_ranks` bounds what calibrate chooses. Reads the
 * experiment file. */
int job_plan(const struct options *o, int64_t max_ranks, struct plan *plan, struct tan_error *e);

/* Whether the machine file that the options need can be read; they are for `ranks` ranks. */
int job_check_machine(const struct options *o, int ranks, struct tan_error *e);
/* From MPI_Init to MPI_Finalize; rank 0 measures, prints and saves. Returns the exit status. */
int job_run(struct options *o);

#endif
