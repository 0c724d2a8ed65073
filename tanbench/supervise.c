/* supervise.c - waiting for the job's launcher, and finding out what became of the job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tanbench/launch_parts.h"

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

static sigset_t stop_set(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++) {
        sigaddset(&set, stop_signals[i]);
    }
    return set;
}

/* Those of the user; that a child has ended; and rank 0's "read the report". */
static sigset_t awaited_signals(void)
{
    sigset_t set = stop_set();

    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGUSR1);
    return set;
}

/* The launcher and all of its ranks are a process group of their own, so that signals of the
 * terminal reach only the process that the user started, which knows better whom to tell. Should
 * that process be killed, the launcher is told to end. */
static _Noreturn void become_launcher(char **words)
{
    sigset_t set = awaited_signals();
    char pid[16];

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv(LAUNCHER_VARIABLE, pid, 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        close(null);
    }
    execvp(words[0], words);
    fprintf(stderr, "tanbench: cannot start '%s': %s\n", words[0], strerror(errno));
    _exit(127);
}

/* The launcher and rank 0 (launch_adopt_output) write to the same files through descriptions of
 * their own: appending, they do not write over each other. Returns the flags before. */
static int make_appending(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);

    if (flags >= 0) {
        fcntl(descriptor, F_SETFL, flags | O_APPEND);
    }
    return flags;
}

static void restore_flags(int descriptor, int flags)
{
    if (flags >= 0) {
        fcntl(descriptor, F_SETFL, flags);
        lseek(descriptor, 0, SEEK_END);
    }
}

/* The last line of what ranks have written that starts with `key`, without it; "" when there is
 * none. */
static void report_line(const char *path, const char *key, char *text, size_t size)
{
    char line[640];
    FILE *f = fopen(path, "re");

    *text = '\0';
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, key, strlen(key))) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, size, "%s", line + strlen(key));
        }
    }
    if (f) {
        fclose(f);
    }
}

/* The number that rank 0 has written behind `key`, -1 when it has not. */
static int reported(const char *path, const char *key)
{
    char text[32];

    report_line(path, key, text, sizeof text);
    return *text ? atoi(text) : -1;
}

/* The ranks of this host, once rank 0 has told who they are. Some launchers kill all ranks within a
 * millisecond when one dies, rank 0 among them; only a process that they cannot kill has always the
 * time to see which one was the first. */
struct roll {
    int n;
    struct pollfd *fds; /* [0]: signals; [1..n]: the ranks, -1 once they have ended */
    char (*names)[96];  /* "rank 3 on vm" */
    int first;          /* index of the first that ended alone, 0: none yet, -1: several at once */
};

static void roll_read(struct roll *roll, const char *path)
{
    char line[640];
    FILE *f = fopen(path, "re");
    struct pollfd *fds;
    void *names;

    while (f && fgets(line, sizeof line, f)) {
        int pid;
        int rank;
        char host[64];
        size_t room = (size_t)roll->n + 2;
        if (sscanf(line, REPORT_RANK "%d %d %63s", &pid, &rank, host) != 3) {
            continue;
        }
        if (!(fds = realloc(roll->fds, room * sizeof *fds))) {
            break;
        }
        roll->fds = fds;
        if (!(names = realloc(roll->names, room * sizeof *roll->names))) {
            break;
        }
        roll->names = names;
        roll->n++;
        fds[roll->n] =
            (struct pollfd){.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
        snprintf(roll->names[roll->n], sizeof *roll->names, "rank %d on %s", rank, host);
    }
    if (f) {
        fclose(f);
    }
}

static int roll_open(struct roll *roll, const sigset_t *signals, struct tan_error *e)
{
    *roll = (struct roll){.fds = malloc(sizeof *roll->fds)};
    if (!roll->fds) {
        return tan_fail_nomem(e);
    }
    *roll->fds = (struct pollfd){.fd = signalfd(-1, signals, SFD_CLOEXEC), .events = POLLIN};
    return roll->fds->fd < 0 ? tan_fail_errno(e, "cannot wait for signals") : 0;
}

static void roll_close(struct roll *roll)
{
    for (int i = 0; roll->fds && i <= roll->n; i++) {
        if (roll->fds[i].fd >= 0) {
            close(roll->fds[i].fd);
        }
    }
    free(roll->fds);
    free(roll->names);
}

/* Wait for a signal and return its number; 0 when ranks have ended, -1 after `ms`. */
static int roll_wait(struct roll *roll, int ms)
{
    struct signalfd_siginfo signal;
    int ended = 0;

    if (poll(roll->fds, (nfds_t)roll->n + 1, ms) == 0) {
        return -1;
    }
    for (int i = 1; i <= roll->n; i++) {
        if (roll->fds[i].fd >= 0 && roll->fds[i].revents) {
            ended = ended ? -1 : i;
            close(roll->fds[i].fd);
            roll->fds[i].fd = -1;
        }
    }
    roll->first = roll->first ? roll->first : ended;
    if (roll->fds->revents && read(roll->fds->fd, &signal, sizeof signal) == sizeof signal) {
        return (int)signal.ssi_signo;
    }
    return 0;
}

/* Rank 0 can end the job in an orderly way and save what it has; a launcher kills ranks within
 * moments. So rank 0 is told first, and the launcher when that does not help or the user insists.
 */
enum { PATIENCE_MS = 5000 };

static int wait_for(pid_t launcher, struct roll *roll, const char *report)
{
    int status = 0;
    bool told = false;

    while (waitpid(launcher, &status, WNOHANG) == 0) {
        int signal = roll_wait(roll, told ? PATIENCE_MS : -1);
        if (signal == SIGUSR1) {
            roll_read(roll, report);
        }
        if (signal == SIGUSR1 || signal == SIGCHLD || signal == 0) {
            continue;
        }
        int root = reported(report, REPORT_PID);
        if (!told && root > 0) {
            kill(root, SIGTERM);
        } else {
            kill(launcher, signal > 0 ? signal : SIGTERM);
        }
        told = true;
    }
    return status;
}

/* Some launchers end before the ranks whose job has failed have said what happened. */
static void await_report(int status, const char *report)
{
    char text[8];

    for (int ms = 0; status != 0 && ms < 1000; ms += 20) {
        report_line(report, REPORT_DEATH, text, sizeof text);
        if (*text || reported(report, REPORT_STATUS) >= 0) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* The status that rank 0 reported, or what became of the job. */
static int judge(const char *launcher, int status, const struct roll *roll, const char *report,
                 struct tan_error *e)
{
    char text[600];

    report_line(report, REPORT_DEATH, text, sizeof text);
    if (*text) {
        return tan_fail(e, "%s", text);
    }
    int result = reported(report, REPORT_STATUS);
    if (result >= 0) {
        return result;
    }
    report_line(report, REPORT_CELL, text, sizeof text);
    const char *during = *text ? " during " : " before the measurement began";
    if (WIFSIGNALED(status)) {
        return tan_fail(e, "the launcher '%s' was killed by signal %d%s%s", launcher,
                        WTERMSIG(status), during, text);
    }
    if (roll->first > 0) {
        return tan_fail(e, "%s died%s%s", roll->names[roll->first], during, text);
    }
    return tan_fail(e, "the launcher '%s' ended with status %d%s%s", launcher, WEXITSTATUS(status),
                    during, text);
}

/* What sees which rank dies first must run before the launcher that is about to kill the others: it
 * sleeps until then, so this costs nobody anything. Best effort: needs root. */
static void wake_first(bool on)
{
    const struct sched_param priority = {.sched_priority = on};

    sched_setscheduler(0, on ? SCHED_FIFO : SCHED_OTHER, &priority);
}

int launch_supervise(char **words, const char *report, struct tan_error *e)
{
    sigset_t set = awaited_signals();
    struct roll roll;

    sigprocmask(SIG_BLOCK, &set, NULL);
    if (roll_open(&roll, &set, e)) {
        roll_close(&roll);
        return -1;
    }
    int out_flags = make_appending(STDOUT_FILENO);
    int err_flags = make_appending(STDERR_FILENO);
    pid_t pid = fork();
    if (pid == 0) {
        become_launcher(words);
    }
    int result = -1;
    wake_first(true);
    if (pid < 0) {
        tan_fail_errno(e, "cannot start '%s'", words[0]);
    } else {
        int status = wait_for(pid, &roll, report);
        await_report(status, report);
        result = judge(words[0], status, &roll, report, e);
    }
    restore_flags(STDERR_FILENO, err_flags);
    restore_flags(STDOUT_FILENO, out_flags);
    roll_close(&roll);
    wake_first(false);
    return result;
}
