/* supervise.c - waiting for the job's launcher, and finding out what became of the job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tanbench/launch/descendants.h"
#include "tanbench/launch/launch.h"
#include "tanbench/launch/launch_internal.h"
#include "tanbench/launch/shm_segments.h"
#include "tanbench/launch/warden.h"

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* Who runs this under nohup wants it to go on, but a signal that is blocked arrives though ignored;
 * and libraries below MPI (UCX) put a handler of their own in place while they are loaded. So this
 * is looked up before that, when not even sanitizers are ready, by a system call. */
static uintptr_t hangup_action[32];

__attribute__((no_sanitize("address", "undefined"))) static void note_hangup(void)
{
    syscall(SYS_rt_sigaction, SIGHUP, NULL, hangup_action, NSIG / 8);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(void) = note_hangup;

static bool hangup_is_ignored(void)
{
    return *hangup_action ==
           (uintptr_t)SIG_IGN; /* of the kernel's struct, the handler comes first */
}

static sigset_t stop_set(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++) {
        if (stop_signals[i] != SIGHUP || !hangup_is_ignored()) {
            sigaddset(&set, stop_signals[i]);
        }
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

void launch_hold_signals(void)
{
    sigset_t set = awaited_signals();

    sigprocmask(SIG_BLOCK, &set, NULL);
}

/* The launcher and all of its ranks are a process group of their own, so that signals of the
 * terminal reach only the process that the user started, which knows better whom to tell. Should
 * that process be killed, the launcher is told to end. */
static _Noreturn void become_launcher(char **words, bool input, pid_t parent)
{
    sigset_t set = awaited_signals();
    char pid[16];

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) {
        _exit(TAN_FAILED); /* it was killed before that */
    }
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv(LAUNCHER_VARIABLE, pid, 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    if (input) {
        lseek(STDIN_FILENO, 0, SEEK_SET);
    } else {
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0) {
            dup2(null, STDIN_FILENO);
            close(null);
        }
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
 * moments. So rank 0 is told first, the launcher when that does not help or the user insists. Some
 * launchers overhear it or forget a part of the ranks while they still start them (mpirun), so it
 * is told again, and killed in the end. */
enum { ROOT_PATIENCE_MS = 5000, LAUNCHER_PATIENCE_MS = 2000, TOLD_TWICE = 2 };

/* What sends a signal to a process often sends it to its group, too: that is no insisting. */
static const double ONE_SIGNAL_SECONDS = 0.5;

/* How far the job has been told to end. */
struct ending {
    bool root;                          /* rank 0 */
    int launcher;                       /* so often the launcher */
    char segments[SEGMENTS_PREFIX_MAX]; /* what launchers in a hurry leave; "": none known */
    int patience_ms;                    /* until the next one is told */
    double since;                       /* when the user's first signal came; 0: none did */
    char death[600];                    /* reported by then */
};

static void tell(struct ending *ending, pid_t launcher, int signal, const char *report)
{
    int root = ending->root ? -1 : reported(report, REPORT_PID);

    if (root > 0) {
        ending->root = true;
        ending->patience_ms = ROOT_PATIENCE_MS;
        kill(root, SIGTERM);
    } else {
        ending->patience_ms = LAUNCHER_PATIENCE_MS;
        if (!*ending->segments) {
            segments_of_children(launcher, ending->segments);
        }
        kill(launcher, ending->launcher++ < TOLD_TWICE ? signal : SIGKILL);
    }
}

/* Wait until the launcher has ended; returns its status. */
static int wait_for(pid_t launcher, struct ending *ending, struct roll *roll, const char *report)
{
    int status = 0;

    while (waitpid(launcher, &status, WNOHANG) == 0) {
        int signal = roll_wait(roll, ending->since > 0 ? ending->patience_ms : -1);
        if (signal == SIGUSR1) {
            roll_read(roll, report);
            if (ending->since > 0) {
                tell(ending, launcher, SIGTERM, report); /* there is a rank 0 after all */
            }
        }
        if (signal == SIGUSR1 || signal == SIGCHLD || signal == 0) {
            continue;
        }
        double now = clock_seconds();
        if (signal < 0 || ending->since <= 0 || now > ending->since + ONE_SIGNAL_SECONDS) {
            tell(ending, launcher, signal > 0 ? signal : SIGTERM, report);
        }
        if (ending->since <= 0) {
            ending->since = now;
            report_line(report, REPORT_DEATH, ending->death, sizeof ending->death);
        }
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

/* The status that rank 0 reported, or what became of the job. After a signal of the user the
 * launcher kills ranks because it was asked to, so only an earlier death counts. */
static int judge(const char *launcher, int status, const struct ending *ending,
                 const struct roll *roll, const char *report, struct tan_error *e)
{
    char text[600];

    if (ending->since > 0) {
        snprintf(text, sizeof text, "%s", ending->death);
    } else {
        report_line(report, REPORT_DEATH, text, sizeof text);
    }
    if (*text) {
        return tan_fail(e, "%s", text);
    }
    int result = reported(report, REPORT_STATUS);
    if (result >= 0) {
        return result;
    }
    report_line(report, REPORT_CELL, text, sizeof text);
    const char *during = *text ? " during " : " before the measurement began";
    if (ending->since > 0) {
        return tan_fail(e, "interrupted%s%s", during, text);
    }
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

/* After a launcher that may not have done so. Ranks end by themselves when it has. */
static void clean_up(struct ending *ending)
{
    enum { GRACE_MS = 2000 };

    if (!*ending->segments) {
        segments_of_children(getpid(), ending->segments);
    }
    if (!descendants_end(GRACE_MS)) {
        fprintf(stderr, "tanbench: some of the job's processes cannot be killed\n");
    }
    if (*ending->segments) {
        segments_remove(ending->segments);
    }
}

int launch_supervise(char **words, const struct launch *launch, const char *report,
                     struct tan_error *e)
{
    const char *const files[] = {report, launch->journal, NULL};
    const sigset_t set = awaited_signals();
    const pid_t parent = getpid();
    struct ending ending = {.segments = "", .death = ""};
    struct roll roll;

    launch_hold_signals();
    if (roll_open(&roll, &set, e)) {
        roll_close(&roll);
        return -1;
    }
    int out_flags = make_appending(STDOUT_FILENO);
    int err_flags = make_appending(STDERR_FILENO);
    descendants_adopt();
    pid_t pid = fork();
    if (pid == 0) {
        become_launcher(words, launch->input, parent);
    }
    int result = -1;
    wake_first(true);
    if (pid < 0) {
        tan_fail_errno(e, "cannot start '%s'", words[0]);
    } else {
        pid_t warden = warden_start(pid, files);
        int status = wait_for(pid, &ending, &roll, report);
        await_report(status, report);
        result = judge(words[0], status, &ending, &roll, report, e);
        warden_end(warden);
        if (status != 0) {
            clean_up(&ending);
        }
    }
    restore_flags(STDERR_FILENO, err_flags);
    restore_flags(STDOUT_FILENO, out_flags);
    roll_close(&roll);
    wake_first(false);
    return result;
}
