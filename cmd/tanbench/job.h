/* job.h - a started job on every rank, from MPI_Init to MPI_Finalize
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_JOB_H
#define TAN_CMD_TANBENCH_JOB_H

#include <stdint.h>

#include "cmd/tanbench/options.h"

/* The plan that the options ask for; reads the experiment file. `max_ranks` bounds the topologies
 * that calibrate chooses. */
int job_plan(const struct options *o, int64_t max_ranks, struct plan *plan, struct tan_error *e);

/* Check that the machine file needed for `ranks` ranks can be read. */
int job_check_machine(const struct options *o, int ranks, struct tan_error *e);
/* Run a job from MPI_Init to MPI_Finalize; rank 0 measures, prints and saves. Returns the exit
 * status. */
int job_run(struct options *o);

#endif
