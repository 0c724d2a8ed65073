/* launch_internal.h - interface between the process that starts a job and the job's ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_LAUNCH_INTERNAL_H
#define TANBENCH_LAUNCH_LAUNCH_INTERNAL_H

#include "base/error.h"
#include "tanbench/launch/launch.h"

/* Environment of the ranks. */
#define REPORT_VARIABLE   "TANBENCH_REPORT"   /* file that takes what ranks report */
#define PARENT_VARIABLE   "TANBENCH_PARENT"   /* id of the process that the user started */
#define LAUNCHER_VARIABLE "TANBENCH_LAUNCHER" /* the launcher's process id */
#define NUMBER_VARIABLE   "TANBENCH_LAUNCH"   /* struct launch: number */
#define JOURNAL_VARIABLE  "TANBENCH_JOURNAL"  /* struct launch: journal */

/* What lines of the report start with. */
#define REPORT_RANK   "rank "   /* process id, rank and host of each rank, all on this host */
#define REPORT_PID    "pid "    /* of rank 0; SIGUSR1 tells that it and the ranks are there */
#define REPORT_CELL   "cell "   /* what is being measured; the last line counts */
#define REPORT_STATUS "status " /* exit status */

/* Run `words`, which NULL ends, as the launcher of a job whose ranks write to file `report`, and
 * wait for it. Standard input that is kept is given to it from its beginning, to pass on to rank
 * 0. Returns the status that rank 0 reported, or -1 with an error. */
int launch_supervise(char **words, const struct launch *launch, const char *report,
                     struct tan_error *e);

#endif
