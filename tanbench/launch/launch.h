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
/* Number of processes that the launcher says it has started, from its environment; 1 when it does
 * not say. */
int launch_size(void);
/* srun has started this process and others, and tells only that: nothing of an MPI job. `has_pmi`:
 * it was asked for an interface (--mpi) by which an MPI library may find the others. */
bool launch_by_srun(bool *has_pmi);
/* This process's rank from the launcher's environment, before MPI_Init; 0 when it is not set. */
int launch_rank(void);

/* How to start the job. */
struct launch {
    const char
        *launcher;       /* command with {n} for the number of ranks; NULL: the MPI library's own */
    char *command;       /* of simulated ranks, likewise; NULL: they are real; owned */
    const char *program; /* that the ranks run; NULL: this one */
    int ranks;
    bool show_only;      /* print the command on stdout instead of running it */
    bool input;          /* standard input is kept (stdin_copy.h), for rank 0 to read */
    int number;          /* of this launch, from 0, among the repetitions of the job */
    const char *journal; /* shared by its launches when the user named none, or NULL */
    double timeout;      /* seconds until rank 0 has to report that all are there; 0: no limit */
};

/* Run this program (argv) again as `ranks` ranks and wait for them, passing signals on. Returns the
 * exit status that rank 0 reported, else TAN_FAILED with an error. */
int launch_run(const struct launch *launch, char **argv, struct tan_error *e);

/* Make an empty temporary file that rank 0 can reach: in the current directory, which the hosts of
 * a cluster share, when the launcher (NULL: the MPI library's own) may start rank 0 on another host
 * and that directory can be written, else in /tmp. The caller removes it. */
enum { LAUNCH_PATH_MAX = 4096 };
int launch_make_file(const char *launcher, const char *what, char path[LAUNCH_PATH_MAX],
                     struct tan_error *e);
/* The same for processes of this host only: a file without a name of its own, of which nothing is
 * left however this process ends. Returns its descriptor, with which it ends, or -1. */
int launch_make_nameless(const char *what, char path[LAUNCH_PATH_MAX], struct tan_error *e);

/* The places of the queue in which UCX, below MPICH, keeps messages of other ranks on the host, as
 * this process's environment sets it; 0: this is no MPICH over UCX. Allowed before MPI_Init. */
#define UCX_QUEUE_VARIABLE "UCX_SYSV_FIFO_SIZE"
int launch_queue_places(void);

/* The command that launch_run uses by itself, "mpirun.openmpi". Allowed before MPI_Init. */
const char *launch_own_launcher(void);
/* What srun needs to start ranks of this MPI library. Allowed before MPI_Init. */
const char *launch_srun_option(void);
/* Whether MPI_Init of this library ends a process that srun has started without that. */
bool launch_needs_srun_option(void);
/* Block the signals that launch_run handles. Before anything is made that it has to remove. */
void launch_hold_signals(void);

/* Of a job that launch_run started: `number` and `journal` of its struct launch, else 0 and NULL.
 */
int launch_number(void);
const char *launch_journal(void);
/* launch_run started this rank; and it runs on this host, where ids of processes mean the same. */
bool launch_ours(void);
bool launch_supervised(void);
/* The processes whose end must end this one: its parent, and the launcher and launch_run where they
 * are on this host. Returns their number; `pids` has room for LAUNCH_PARENTS. */
enum { LAUNCH_PARENTS = 3 };
int launch_parents(pid_t *pids);

/* Rank 0 of a job that launch_run started: write to the terminal or file of the process that the
 * user started, so that a full disk is noticed and a terminal is recognised as one. */
void launch_adopt_output(void);
/* Rank 0, once it can stop in an orderly way on SIGTERM, which launch_run sends it on Ctrl-C. */
void launch_report_alive(void);
/* Before that, when all ranks are on this host: each of them, so that launch_run can name the one
 * that died first. */
void launch_report_rank(int pid, int rank, const char *host);
/* Rank 0: the current cell, for the error text should the rank be killed. */
void launch_report_cell(const char *spec);
/* Rank 0: launch_run's exit status. Returns false when no launch_run waits for it, or none that
 * this host can reach. */
bool launch_report(int status);

#endif
