/* launch.h - starting the job's ranks if the user has not
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_LAUNCH_H
#define TAN_TANBENCH_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/json.h"

/* Whether a launcher (mpirun, mpiexec, srun) started this process. */
bool launch_inside_job(void);
/* Number of processes in the job, from the launcher's environment; 1 if unknown. */
int launch_size(void);
/* Whether srun started this process and others without any MPI job. `has_pmi`: an interface was
 * requested (--mpi) through which an MPI library may find the others. */
bool launch_by_srun(bool *has_pmi);
/* This process's rank from the launcher's environment, before MPI_Init; 0 if unset. */
int launch_rank(void);

/* How to start the job. */
struct launch {
    const char *launcher; /* command, {n} is the number of ranks; NULL: the MPI library's own */
    char *command;        /* the same for simulated ranks; NULL if they are real; owned */
    const char *program;  /* run by the ranks; NULL: this one */
    int ranks;
    bool stream;         /* they send without waiting for answers */
    bool show_only;      /* print the command on stdout instead of running it */
    bool input;          /* keep standard input (stdin_copy) for rank 0 */
    int number;          /* of this launch, from 0, among the job's repetitions */
    const char *results; /* file of all launches if the user named none, or NULL */
    double timeout;      /* seconds for all ranks to start; 0: no limit */
};

/* Run this program (argv) again as `ranks` ranks and wait for them, forwarding signals; or only
 * print the command. Returns the exit status reported by rank 0, or TAN_FAILED with an error. */
int launch_run(const struct launch *launch, char **argv, struct tan_error *e);

/* Create an empty temporary file that rank 0 can access: in the current directory, which clusters
 * share between hosts, if the launcher (NULL: the MPI library's own) may start rank 0 on another
 * host and that directory is writable, else in /tmp. Removed by the caller. */
enum { LAUNCH_PATH_MAX = 4096 };
int launch_make_file(const char *launcher, const char *what, char path[LAUNCH_PATH_MAX],
                     struct tan_error *e);
/* The same for processes on this host only: an unlinked file, which never outlives this process.
 * Returns its descriptor, or -1. */
int launch_make_nameless(const char *what, char path[LAUNCH_PATH_MAX], struct tan_error *e);

/* Slots of the queue in which UCX, under MPICH, keeps messages from other ranks of the host,
 * according to the environment; 0 if this is not MPICH over UCX. Allowed before MPI_Init. */
#define UCX_QUEUE_VARIABLE "UCX_SYSV_FIFO_SIZE"
int launch_queue_places(void);

/* The default command of launch_run, "mpirun.openmpi". Allowed before MPI_Init. */
const char *launch_own_launcher(void);
/* The option srun needs to start ranks of this MPI library. `needed`: MPI_Init aborts in a process
 * started by srun without it. Allowed before MPI_Init. */
const char *launch_srun_option(bool *needed);
/* Block the signals that launch_run handles. Call before creating anything it has to remove. */
void launch_hold_signals(void);

/* For a job started by launch_run: `number` and `results` of its struct launch, else 0 and NULL. */
int launch_number(void);
const char *launch_results(void);
/* Whether launch_run started this rank. */
bool launch_ours(void);
/* The processes whose end must end this one: its parent, and the launcher and launch_run if they
 * run on this host. Returns their number; `pids` has room for LAUNCH_PARENTS. */
enum { LAUNCH_PARENTS = 3 };
int launch_parents(pid_t *pids);

/* For rank 0 of a job started by launch_run: write directly to the terminal or file of the user's
 * process, so that a full disk is noticed and a terminal is recognised. */
void launch_adopt_output(void);
/* The same for standard input: read the copy that the user's process keeps (stdin_copy).
 * Launchers may lose input, or break off, if rank 0 lets it exceed the 64 KiB of a pipe. */
void launch_adopt_input(void);
/* For rank 0, once it handles SIGTERM, which launch_run sends on Ctrl-C. */
void launch_report_alive(void);
/* For rank 0: what is being measured now, for launch_run's error message if the job fails. */
void launch_report_cell(const char *spec);
/* For rank 0: set launch_run's exit status. Returns false if no launch_run is waiting for it, or it
 * cannot be reached from this host. */
bool launch_report(int status);

/* Read all of standard input and replace it by a copy, positioned at its start, that lives as long
 * as this process: rewind(stdin) restores it, and children may inherit it. */
int stdin_copy(struct tan_error *e);

/* --- capacity of this host, and limits on the startup time --- */

/* Whether all ranks start on this host: with the MPI library's own launcher (`launcher` is NULL),
 * outside a batch allocation, without a host list. */
bool launch_is_here(const char *launcher);
/* Check that this host can run `ranks` ranks that each allocate `bytes` for messages: it has enough
 * memory, they are not too many per core (else TAN_USAGE), and the limit on the launcher's open
 * files allows them. The soft limit on open files is raised if necessary. */
int launch_check_host(int ranks, double bytes, struct tan_error *e);
/* Seconds that `ranks` ranks may take to start and find each other if they need not wait in a
 * queue. */
double launch_start_seconds(int ranks);
/* Default timeout in seconds for starting `ranks` ranks; 0: none, since the job may be queued. */
double launch_default_timeout(const char *launcher, int ranks);

/* --- simulated ranks (SimGrid) instead of real ones --- */

enum { SIMULATION_SETTINGS = 64 };

/* Command-line options; strings are borrowed. */
struct simulation {
    const char *platform; /* SimGrid platform file, or name of a shipped one; NULL: real ranks */
    /* Overheads of sending and receiving: TIME, TIME:TIME (the second per byte), or several
     * SIZE:TIME:TIME separated by ';', each for messages from that size on. Times have units or are
     * in seconds. NULL if not given. */
    const char *os, *receive;
    int64_t ranks_per_host; /* 0: one */
    const char *map;        /* file with the host of each rank; NULL: in order */
    /* NAME:VALUE for SimGrid */
    const char *settings[SIMULATION_SETTINGS];
    int n_settings;
};

/* Fail (-1, TAN_USAGE) if an argument would be altered by smpirun, a shell script that does not
 * quote them. */
int simulation_check_arguments(char *const *argv, struct tan_error *e);

/* Set launch->command and launch->program for `launch->ranks` ranks, after inspecting the platform:
 * -1 with an error if SimGrid is missing or rejects it, having said why on standard error, or if it
 * has too few hosts. Once per process: the list of hosts that the command refers to stays open
 * until its end. */
int simulation_prepare(const struct simulation *s, struct launch *launch, struct tan_error *e);

/* For simulated rank 0: the platform, its text and the settings, from the environment. */
void simulation_describe(struct tan_json_writer *w, json_t *o);
/* The file to write if this process was only started to list the platform's hosts, else NULL. */
const char *simulation_asked_hosts(void);

/* --- between the process that starts a job and its ranks --- */

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
