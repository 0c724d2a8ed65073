/* launch_env.c - a rank's access to the process that started the job, and its reports
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tanbench/launch/launch.h"
#include "tanbench/launch/launch_internal.h"

static const char *const rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                             "PALS_RANKID"};

static const char *rank_variable(void)
{
    for (size_t i = 0; i < sizeof rank_variables / sizeof *rank_variables; i++) {
        const char *value = getenv(rank_variables[i]);
        if (value) {
            return value;
        }
    }
    return NULL;
}

/* srun without the plugin that the MPI library needs sets no other variable. A batch script has
 * SLURM_PROCID, too, but no step. */
static const char *const step_variables[] = {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"};

int launch_size(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    const char *value = getenv(names[0]) ? getenv(names[0]) : getenv(names[1]);

    if (!value && !launch_ours() && getenv(step_variables[1])) {
        value = getenv(step_variables[0]);
    }
    return value && atoi(value) > 1 ? atoi(value) : 1;
}

bool launch_inside_job(void)
{
    /* A launcher given with --launcher may set none of the variables known here. */
    return rank_variable() || launch_ours() || launch_size() > 1;
}

int launch_rank(void)
{
    const char *value = rank_variable() ? rank_variable() : getenv(step_variables[1]);

    return value ? atoi(value) : 0;
}

static void reopen_as_parents(int descriptor)
{
    char path[64];
    const char *parent = getenv(PARENT_VARIABLE);

    if (parent) {
        snprintf(path, sizeof path, "/proc/%s/fd/%d", parent, descriptor);
        int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        if (fd >= 0) {
            dup2(fd, descriptor);
            close(fd);
        }
    }
}

bool launch_ours(void)
{
    return getenv(REPORT_VARIABLE) != NULL;
}

/* On another host the report file is missing, and process ids mean other processes. */
bool launch_supervised(void)
{
    const char *report = getenv(REPORT_VARIABLE);

    return report && access(report, W_OK) == 0;
}

int launch_number(void)
{
    const char *number = getenv(NUMBER_VARIABLE);

    return number ? atoi(number) : 0;
}

const char *launch_journal(void)
{
    return getenv(JOURNAL_VARIABLE);
}

/* A process id in the environment, 0 when there is none. */
static pid_t variable_pid(const char *variable)
{
    const char *value = getenv(variable);

    return value && atoi(value) > 1 ? (pid_t)atoi(value) : 0;
}

int launch_parents(pid_t *pids)
{
    static const char *const variables[] = {LAUNCHER_VARIABLE, PARENT_VARIABLE};
    int n = 0;

    if (getppid() > 1) {
        pids[n++] = getppid();
    }
    for (int i = 0; i < 2 && launch_supervised(); i++) {
        const pid_t pid = variable_pid(variables[i]);
        if (pid) {
            pids[n++] = pid;
        }
    }
    return n;
}

void launch_adopt_output(void)
{
    if (launch_supervised()) {
        reopen_as_parents(STDOUT_FILENO);
        reopen_as_parents(STDERR_FILENO);
    }
}

static bool append_report(const char *key, const char *text)
{
    FILE *f = launch_supervised() ? fopen(getenv(REPORT_VARIABLE), "ae") : NULL;

    if (!f) {
        return false;
    }
    fprintf(f, "%s%s\n", key, text);
    return fclose(f) == 0;
}

static bool append_number(const char *key, int value)
{
    char text[16];

    snprintf(text, sizeof text, "%d", value);
    return append_report(key, text);
}

void launch_report_rank(int pid, int rank, const char *host)
{
    char text[128];

    snprintf(text, sizeof text, "%d %d %s", pid, rank, host);
    append_report(REPORT_RANK, text);
}

void launch_report_alive(void)
{
    const pid_t parent = variable_pid(PARENT_VARIABLE);

    if (append_number(REPORT_PID, (int)getpid()) && parent) {
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
