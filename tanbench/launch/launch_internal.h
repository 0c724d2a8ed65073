/* launch_internal.h - interface between the process that starts a job and the job's ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_LAUNCH_INTERNAL_H
#define TANBENCH_LAUNCH_LAUNCH_INTERNAL_H

#include "base/error.h"
#include "tanbench/launch/launch.h"

/* Environment of the ranks. */
#define REPORT_VARIABLE   "TANBENCH_REPORT"   /* file to which ranks append their reports */
#define DOMAIN_VARIABLE   "TANBENCH_DOMAIN"   /* of the process that the user started: domain.h */
#define PARENT_VARIABLE   "TANBENCH_PARENT"   /* its process id */
#define LAUNCHER_VARIABLE "TANBENCH_LAUNCHER" /* the launcher's process id */
#define NUMBER_VARIABLE   "TANBENCH_LAUNCH"   /* struct launch: number */
#define JOURNAL_VARIABLE  "TANBENCH_JOURNAL"  /* struct launch: journal */

/* What srun tells its tasks whatever --mpi is. */
#define SRUN_TASKS_VARIABLE "SLURM_STEP_NUM_TASKS"
#define SRUN_RANK_VARIABLE  "SLURM_PROCID"

/* Prefixes of the report's lines. */
#define REPORT_RANK   "rank "   /* process id, rank and host of each rank, all on this host */
#define REPORT_PID    "pid "    /* of rank 0, and SIGUSR1 follows it; 0: it is on another host */
#define REPORT_CELL   "cell "   /* current cell; the last line counts */
#define REPORT_STATUS "status " /* exit status */

/* Run `words`, terminated by NULL, as the launcher of a job whose ranks write to file `report`, and
 * wait for it. A kept copy of standard input is passed on from its beginning, for rank 0. Returns
 * the status that rank 0 reported, or -1 with an error. */
int launch_supervise(char **words, const struct launch *launch, const char *report,
                     struct tan_error *e);

#endif
