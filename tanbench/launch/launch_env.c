/* launch_env.c - how a rank finds the process that started the job, and reports to it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tanbench/host/cores.h"
#include "tanbench/launch/launch.h"

enum { RANK, SIZE, VARIABLES };

/* What launchers set for each rank of an MPI job; NULL if there is none. */
static const char *const by_launcher[][VARIABLES] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_RANK", NULL},
    {"PMI_RANK", "PMI_SIZE"},
    {"PALS_RANKID", NULL},
};

/* The value from the first launcher that has set it; NULL if none has. */
static const char *job_variable(int which)
{
    const char *value = NULL;
    for (size_t i = 0; i < sizeof by_launcher / sizeof *by_launcher && value == NULL; i++) {
        const char *name = by_launcher[i][which];
        value = name != NULL ? getenv(name) : NULL;
    }
    return value;
}

/* Whether this is an interactive shell started by srun: its tasks are not those of an MPI job. */
static bool in_srun_shell(void)
{
    return getenv("SLURM_PTY_PORT") != NULL && (isatty(STDIN_FILENO) || isatty(STDOUT_FILENO));
}

/* Number of processes that srun started, this one included; 0 if it did not start this one. A batch
 * script, which belongs to no step, has a rank but no number of tasks. */
static int srun_tasks(void)
{
    const char *tasks = getenv(SRUN_TASKS_VARIABLE);
    return tasks != NULL && getenv(SRUN_RANK_VARIABLE) != NULL && !in_srun_shell() ? atoi(tasks)
                                                                                   : 0;
}

int launch_size(void)
{
    const int size = job_variable(SIZE) != NULL ? atoi(job_variable(SIZE)) : srun_tasks();
    return size > 1 ? size : 1;
}

bool launch_by_srun(bool *has_pmi)
{
    *has_pmi = job_variable(RANK) != NULL;
    return job_variable(SIZE) == NULL && srun_tasks() > 1;
}

bool launch_inside_job(void)
{
    /* A launcher given with --launcher may set none of the launchers' variables. */
    return job_variable(RANK) != NULL || launch_ours() || launch_size() > 1;
}

int launch_rank(void)
{
    const char *value =
        job_variable(RANK) != NULL ? job_variable(RANK) : getenv(SRUN_RANK_VARIABLE);
    return value != NULL ? atoi(value) : 0;
}

static void reopen_as_parents(int descriptor, int flags)
{
    const char *parent = getenv(PARENT_VARIABLE);
    if (parent != NULL) {
        int fd = open(tan_printed("/proc/%s/fd/%d", parent, descriptor).text,
                      flags | O_CLOEXEC | O_NOCTTY);
        if (fd >= 0) {
            dup2(fd, descriptor);
            close(fd);
        }
    }
}

/* A process id in the environment, 0 if there is none. */
static pid_t variable_pid(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && atoi(value) > 1 ? (pid_t)atoi(value) : 0;
}

/* Whether the process that started the job shares process ids with this one. Access to the report
 * file does not mean that. */
static bool started_here(void)
{
    const char *starter = getenv(DOMAIN_VARIABLE);
    char domain[DOMAIN_MAX];
    host_domain(domain);
    return starter != NULL && strcmp(starter, domain) == 0;
}

/* The parent must still run: a batch job submitted from within a job inherits its variables, and
 * may outlive it. */
bool launch_ours(void)
{
    const pid_t parent = variable_pid(PARENT_VARIABLE);
    return getenv(REPORT_VARIABLE) != NULL && getenv(DOMAIN_VARIABLE) != NULL && parent &&
           (!started_here() || kill(parent, 0) == 0 || errno == EPERM);
}

/* Whether launch_run started this rank on this host, so that process ids are shared. */
static bool is_supervised(void)
{
    return launch_ours() && started_here();
}

int launch_number(void)
{
    const char *number = getenv(NUMBER_VARIABLE);
    return number != NULL ? atoi(number) : 0;
}

const char *launch_results(void)
{
    return getenv(RESULTS_VARIABLE);
}

int launch_parents(pid_t *pids)
{
    static const char *const variables[] = {LAUNCHER_VARIABLE, PARENT_VARIABLE};
    int n = 0;
    if (getppid() > 1) {
        pids[n++] = getppid();
    }
    for (int i = 0; i < 2 && is_supervised(); i++) {
        const pid_t pid = variable_pid(variables[i]);
        if (pid) {
            pids[n++] = pid;
        }
    }
    return n;
}

void launch_adopt_output(void)
{
    if (is_supervised()) {
        reopen_as_parents(STDOUT_FILENO, O_WRONLY | O_APPEND);
        reopen_as_parents(STDERR_FILENO, O_WRONLY | O_APPEND);
    }
}

void launch_adopt_input(void)
{
    if (is_supervised()) {
        reopen_as_parents(STDIN_FILENO, O_RDONLY);
    }
}

static bool append_report(const char *key, const char *text)
{
    const char *report = getenv(REPORT_VARIABLE);
    /* Not created: on a host that does not share the directory nobody would read it. */
    const int file = report != NULL ? open(report, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (file < 0) {
        return false;
    }
    const bool written = dprintf(file, "%s%s\n", key, text) > 0;
    return close(file) == 0 && written;
}

static bool append_number(const char *key, int value)
{
    return append_report(key, tan_printed("%d", value).text);
}

void launch_report_alive(void)
{
    const bool here = is_supervised();
    const pid_t parent = here ? variable_pid(PARENT_VARIABLE) : 0;
    if (append_number(REPORT_PID, here ? (int)getpid() : 0) && parent) {
        kill(parent, SIGUSR1);
    }
}

void launch_report_cell(const char *spec)
{
    append_report(REPORT_CELL, spec);
}

bool launch_report(int status)
{
    return append_number(REPORT_STATUS, status);
}
