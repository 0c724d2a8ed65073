/* launch.h - starting the job's ranks when the user did not
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_H
#define TANBENCH_LAUNCH_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* A launcher (mpirun, mpiexec, srun) has started this process. */
bool launch_inside_job(void);
/* This process's rank as the launcher's environment tells it before MPI_Init; 0 when it does not.
 */
int launch_rank(void);

/* How to start the job. */
struct launch {
    const char
        *launcher; /* command with {n} for the number of ranks; NULL: the MPI library's own */
    int ranks;
    bool show_only; /* print the command on stdout instead of running it */
};

/* Run this program (argv) again as `ranks` ranks and wait for them, passing signals on. Returns the
 * exit status that rank 0 reported, else TAN_FAILED with an error. */
int launch_run(const struct launch *launch, char **argv, struct tan_error *e);

/* Rank 0 of a job that launch_run started: write to the terminal or file of the process that the
 * user started, so that a full disk is noticed and a terminal is seen as one. */
void launch_adopt_output(void);
/* Rank 0, once it can stop in an orderly way on SIGTERM: launch_run tells it of the user's Ctrl-C.
 */
void launch_report_alive(void);
/* Rank 0: what is being measured, for the error text should it be killed. */
void launch_report_cell(const char *spec);
/* Rank 0: what launch_run shall return. Returns false when nobody waits for it. */
bool launch_report(int status);

#endif
