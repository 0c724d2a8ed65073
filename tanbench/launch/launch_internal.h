/* launch_internal.h - interface between the process that starts a job and its ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_LAUNCH_INTERNAL_H
#define TAN_TANBENCH_LAUNCH_LAUNCH_INTERNAL_H

#include "base/error.h"
#include "tanbench/launch/launch.h"

/* Environment of the ranks. */
#define REPORT_VARIABLE   "TANBENCH_REPORT"   /* file to which ranks append their reports */
#define DOMAIN_VARIABLE   "TANBENCH_DOMAIN"   /* host_domain of the process started by the user */
#define PARENT_VARIABLE   "TANBENCH_PARENT"   /* its process id */
#define LAUNCHER_VARIABLE "TANBENCH_LAUNCHER" /* the launcher's process id */
#define NUMBER_VARIABLE   "TANBENCH_LAUNCH"   /* struct launch: number */
#define RESULTS_VARIABLE  "TANBENCH_RESULTS"  /* struct launch: results */

/* Set by srun in its tasks regardless of --mpi. */
#define SRUN_TASKS_VARIABLE "SLURM_STEP_NUM_TASKS"
#define SRUN_RANK_VARIABLE  "SLURM_PROCID"

/* Prefixes of the report's lines. */
#define REPORT_PID    "pid "    /* of rank 0, followed by SIGUSR1; 0: on another host */
#define REPORT_CELL   "cell "   /* what is being measured; the last line is valid */
#define REPORT_STATUS "status " /* exit status */

/* Run `words`, NULL-terminated, as the launcher of a job whose ranks write to file `report`, and
 * wait for it. A saved copy of standard input is rewound and passed on to rank 0 if that may be on
 * another host (launch_adopt_input). Returns the status reported by rank 0, or -1 with an error. */
int launch_supervise(char **words, const struct launch *launch, const char *report,
                     struct tan_error *e);

#endif
