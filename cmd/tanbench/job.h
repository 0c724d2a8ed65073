/* job.h - a started job on every rank, from MPI_Init to MPI_Finalize
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_JOB_H
#define TAN_CMD_TANBENCH_JOB_H

#include <stdint.h>

#include "cmd/tanbench/options.h"

/* Fill the zeroed `plan` with what the options ask for, in the order of
 * measurement. `max_ranks` bounds the topologies that calibrate chooses, unless it is 0. The caller
 * clears it, even after a failure. */
int job_plan(const struct options *o, int64_t max_ranks, struct plan *plan, struct tan_error *e);

/* Check that the machine file that `ranks` ranks need, if any, can be read. */
int job_check_machine(const struct options *o, int ranks, struct tan_error *e);
/* Run a job from MPI_Init to MPI_Finalize; rank 0 measures, prints and saves. Returns the exit
 * status. */
int job_run(struct options *o);

#endif
