/* launch.h - start of the job's ranks when the user has not started them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_LAUNCH_H
#define TANBENCH_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

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
    bool show_only;      /* print the command on stdout instead of running it */
    bool input;          /* standard input is kept (stdin_copy.h), for rank 0 to read */
    int number;          /* of this launch, from 0, among the repetitions of the job */
    const char *journal; /* what its launches share when the user named no file for it, or NULL */
};

/* Run this program (argv) again as `ranks` ranks and wait for them, passing signals on. Returns the
 * exit status that rank 0 reported, else TAN_FAILED with an error. */
int launch_run(const struct launch *launch, char **argv, struct tan_error *e);

/* Leave the signals that end a job to launch_run. Before anything is made that it has to remove. */
void launch_hold_signals(void);

/* Of a job that launch_run started: `number` and `journal` of its struct launch, else 0 and NULL.
 */
int launch_number(void);
const char *launch_journal(void);
/* launch_run started this rank; and it did so on this host. */
bool launch_ours(void);
bool launch_supervised(void);
/* The processes without which this one shall not live: its parent, and the launcher and launch_run
 * where they are on this host. Returns how many; `pids` has room for LAUNCH_PARENTS. */
enum { LAUNCH_PARENTS = 3 };
int launch_parents(pid_t *pids);

/* Rank 0 of a job that launch_run started: write to the terminal or file of the process that the
 * user started, so that a full disk is noticed and a terminal is seen as one. */
void launch_adopt_output(void);
/* Rank 0, once it can stop in an orderly way on SIGTERM: launch_run tells it of the user's Ctrl-C.
 */
void launch_report_alive(void);
/* Before that, when all ranks are on this host: each of them, so that launch_run can tell which one
 * died first. */
void launch_report_rank(int pid, int rank, const char *host);
/* Rank 0: what is being measured, for the error text should it be killed. */
void launch_report_cell(const char *spec);
/* Rank 0: what launch_run shall return. Returns false when nobody waits for it. */
bool launch_report(int status);

#endif
