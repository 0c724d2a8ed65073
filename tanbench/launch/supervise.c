/* supervise.c - supervision of the job's launcher, and diagnosis of its end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "tanbench/launch/launch.h"

enum { STEP_MS = 20, KILL_TIMEOUT_MS = 5000 };

/* The parent of a process; 0 if it cannot be read. */
static int parent_of(pid_t pid)
{
    int parent = 0;
    FILE *f = fopen(tan_printed("/proc/%d/stat", (int)pid).text, "re");
    if (f != NULL) {
        if (fscanf(f, "%*d (%*15[^)]) %*c %d", &parent) != 1) {
            parent = 0;
        }
        fclose(f);
    }
    return parent;
}

/* Kill the children of this process. Their own children become its children, and are killed in the
 * next round. */
static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    for (const struct dirent *d; processes != NULL && (d = readdir(processes)) != NULL;) {
        const pid_t pid = isdigit((unsigned char)*d->d_name) ? atoi(d->d_name) : 0;
        if (pid > 0 && parent_of(pid) == getpid()) {
            kill(pid, SIGKILL);
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
}

/* End the processes that the launcher has left: wait for all children, and after some time, since
 * some are ending by themselves, kill them, and then their orphans, until none is left. Those that
 * cannot be killed hang in the kernel. */
static void remove_leftovers(void)
{
    enum { GRACE_MS = 2000 };
    for (int ms = 0; ms < GRACE_MS + KILL_TIMEOUT_MS; ms += STEP_MS) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (ended < 0) {
            return; /* no children left */
        }
        if (ms >= GRACE_MS) {
            kill_children();
        }
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    }
    fprintf(stderr, "tanbench: some of the job's processes cannot be killed\n");
}

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* Under nohup the job continues, so SIGHUP must not be blocked: blocked signals are received
 * even if they are ignored. UCX, under MPICH, replaces even an ignored action while it is loaded;
 * nohup is then recognised by no standard stream being a terminal. */
static bool hangup_is_ignored(void)
{
    struct sigaction action;
    if (sigaction(SIGHUP, NULL, &action) < 0 || action.sa_handler == SIG_DFL) {
        return false;
    }
    return action.sa_handler == SIG_IGN ||
           (!isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO) && !isatty(STDERR_FILENO));
}

/* The user's signals, the end of a child, and rank 0's request to read the report. */
static sigset_t awaited_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof stop_signals / sizeof *stop_signals; i++) {
        if (stop_signals[i] != SIGHUP || !hangup_is_ignored()) {
            sigaddset(&set, stop_signals[i]);
        }
    }
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGUSR1);
    return set;
}

void launch_hold_signals(void)
{
    sigset_t set = awaited_signals();
    sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Launcher and ranks form a process group of their own, so that terminal signals reach only the
 * user's process, which forwards them in order. If that process dies, the kernel ends the launcher:
 * by SIGKILL, since mpirun may hang if SIGTERM arrives while it starts ranks, and the daemons of
 * either MPI end when it is gone; a launcher given by the user may need SIGTERM to end its own. */
static _Noreturn void become_launcher(char **words, const struct launch *launch, pid_t parent)
{
    sigset_t set = awaited_signals();
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, launch->launcher != NULL ? SIGTERM : SIGKILL);
    if (getppid() != parent) {
        _exit(TAN_FAILED); /* the parent was killed before the prctl */
    }
    setenv(LAUNCHER_VARIABLE, tan_printed("%d", (int)getpid()).text, 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    if (launch->input && !launch_is_here(launch->launcher)) {
        lseek(STDIN_FILENO, 0, SEEK_SET);
    } else {
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0) {
            dup2(null, STDIN_FILENO);
            close(null);
        }
    }
    execvp(words[0], words);
    fprintf(stderr, "tanbench: cannot start \"%s\": %s\n", words[0], strerror(errno));
    _exit(127);
}

/* Launcher and rank 0 (launch_adopt_output) write to the same files through separate descriptions;
 * O_APPEND keeps them from overwriting each other. Returns the previous flags. */
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

/* The rest of the last report line that starts with `key`; "" if there is none. */
static struct tan_text report_line(const char *path, const char *key)
{
    struct tan_text text = {""};
    char line[640];
    FILE *f = fopen(path, "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            text = tan_printed("%s", line + strlen(key));
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return text;
}

/* The number reported by rank 0 under `key`, -1 if none. */
static int reported_number(const char *path, const char *key)
{
    const struct tan_text text = report_line(path, key);
    char *end;
    const long number = strtol(text.text, &end, 10);
    return end > text.text && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number : -1;
}

/* Wait for the next signal; 0: it was interrupted, -1: none within `ms` (-1: no limit). */
static int next_signal(int ms)
{
    const sigset_t set = awaited_signals();
    const struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    const int signum = ms < 0 ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &limit);
    return signum > 0 ? signum : errno == EAGAIN ? -1 : 0;
}

/* Rank 0 can end the job gracefully and save its results; a launcher kills ranks almost at once. So
 * rank 0 is signalled first, and the launcher if that does not help or the user repeats the signal.
 * While mpirun starts ranks it loses signals and even ranks, so it is signalled again and finally
 * killed. When signalled twice, Open MPI's launcher drops output of remote ranks; it ends by itself
 * after twice odls_base_sigkill_timeout, which sites set to a few seconds. */
enum {
    ROOT_TIMEOUT_MS = 5000,
    FAR_ROOT_TIMEOUT_MS = 15000,
    LAUNCHER_TIMEOUT_MS = 2000,
    MAX_SIGNALS = 2
};

/* A signal is often sent to both the process and its group, which must not count as repeated. */
static const double SAME_SIGNAL_SECONDS = 0.5;

/* State of ending the job. */
struct ending {
    bool here;      /* all ranks are on this host */
    bool root;      /* rank 0 was signalled */
    int launcher;   /* number of signals sent to the launcher */
    int timeout_ms; /* until the next signal is sent */
    double since;   /* time of the user's first signal; 0 if none */
    bool late;      /* caused by the startup timeout, not by the user */
};

static void signal_job(struct ending *ending, pid_t launcher, int signum, const char *report)
{
    int root = ending->root ? -1 : reported_number(report, REPORT_PID);
    if (root > 0) {
        ending->root = true;
        ending->timeout_ms = ROOT_TIMEOUT_MS;
        kill(root, SIGTERM);
    } else {
        /* Signals to rank 0 on another host go through the launcher and take time. srun forwards
         * every signal except SIGINT, to which it responds with the state of its tasks. */
        ending->timeout_ms =
            root == 0 && ending->launcher == 0 ? FAR_ROOT_TIMEOUT_MS : LAUNCHER_TIMEOUT_MS;
        signum = ending->here ? signum : SIGTERM;
        kill(launcher, ending->launcher++ < MAX_SIGNALS ? signum : SIGKILL);
    }
}

/* Milliseconds until the startup timeout; -1: no limit, or rank 0 has reported. */
static int start_remaining(double deadline, const char *report)
{
    const double left = deadline - tan_clock_seconds();
    if (deadline == 0 || reported_number(report, REPORT_PID) >= 0) {
        return -1;
    }
    return left <= 0 ? 0 : left < 1e6 ? (int)(left * 1e3) + 1 : -1;
}

/* Wait for the launcher to end, forwarding signals; returns its status as from waitpid. If
 * rank 0 has not reported by `deadline` (0: no limit), the job is ended. */
static int await_launcher(pid_t launcher, double deadline, struct ending *ending,
                          const char *report)
{
    int status = 0;
    while (waitpid(launcher, &status, WNOHANG) == 0) {
        const bool ending_begun = ending->since > 0;
        const int ms = ending_begun ? ending->timeout_ms : start_remaining(deadline, report);
        int signum = next_signal(ms);
        if (signum < 0 && !ending_begun) {
            if (start_remaining(deadline, report) < 0) {
                continue; /* rank 0 reported from another host, without a signal */
            }
            ending->late = true;
        }
        if (signum == SIGUSR1 && ending_begun) {
            signal_job(ending, launcher, SIGTERM, report); /* rank 0 can be signalled now */
        }
        if (signum == SIGUSR1 || signum == SIGCHLD || signum == 0) {
            continue;
        }
        double now = tan_clock_seconds();
        if (signum < 0 || !ending_begun || now > ending->since + SAME_SIGNAL_SECONDS) {
            signal_job(ending, launcher, signum > 0 ? signum : SIGTERM, report);
        }
        ending->since = ending->since > 0 ? ending->since : now;
    }
    return status;
}

/* Some launchers end before rank 0 of a failed job has written its report. */
static void await_report(int status, const char *report)
{
    for (int ms = 0; status != 0 && ms < 1000; ms += 20) {
        if (reported_number(report, REPORT_STATUS) >= 0) {
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* Whether the launcher exited with a status that rank 0 could have had, although nothing was
 * reported: then it started no ranks, or they have no access to the report. */
static bool is_unreported(int status, const char *report)
{
    struct stat file;
    return WIFEXITED(status) && WEXITSTATUS(status) != TAN_FAILED &&
           WEXITSTATUS(status) <= TAN_UNTRUSTED && stat(report, &file) == 0 && file.st_size == 0;
}

/* The status reported by rank 0, or an error with the cause of the end. A killed launcher takes its
 * ranks along, and one that was signalled twice loses their output. */
static int job_result(const struct launch *launch, const char *launcher, int status,
                      const struct ending *ending, const char *report, struct tan_error *e)
{
    int result = reported_number(report, REPORT_STATUS);
    if (result > TAN_UNTRUSTED) {
        result = -1; /* not a program's exit status */
    }
    if (result < 0 && !ending->here && ending->since <= 0 && is_unreported(status, report)) {
        return tan_fail(
            e,
            "\"%s\" ended with status %d, and no rank of the job has reported to %s: if it only "
            "submits a job, let that job run tanbench; if ranks have run, start tanbench in a "
            "directory that their hosts share",
            launcher, WEXITSTATUS(status), report);
    }
    const bool unheard = result > 0 && !ending->here && ending->launcher >= MAX_SIGNALS;
    if (result >= 0 && !unheard) {
        return result;
    }
    const struct tan_text text = report_line(report, REPORT_CELL);
    const char *during = *text.text != '\0' ? " during " : " before the measurement began";
    if (unheard) {
        return tan_fail(e, "interrupted%s%s; \"%s\" may have lost the output of rank 0", during,
                        text.text, launcher);
    }
    if (WIFSIGNALED(status) && ending->since <= 0) {
        return tan_fail(e, "the launcher \"%s\" was killed by signal %d%s%s", launcher,
                        WTERMSIG(status), during, text.text);
    }
    if (ending->since > 0) {
        return tan_fail(e, "interrupted%s%s", during, text.text);
    }
    /* SimGrid exits with status 0 if all simulated ranks wait; rank 0 has then reported nothing */
    if (launch->program != NULL && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return tan_fail(e, "the simulated ranks deadlocked%s%s: all of them wait", during,
                        text.text);
    }
    return tan_fail(e, "the launcher \"%s\" ended with status %d%s%s", launcher,
                    WEXITSTATUS(status), during, text.text);
}

int launch_supervise(char **words, const struct launch *launch, const char *report,
                     struct tan_error *e)
{
    const pid_t parent = getpid();
    struct ending ending = {.here = launch_is_here(launch->launcher)};
    launch_hold_signals();
    int out_flags = make_appending(STDOUT_FILENO);
    int err_flags = make_appending(STDERR_FILENO);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* from now on adopt orphans, even of other sessions */
    pid_t pid = fork();
    if (pid == 0) {
        become_launcher(words, launch, parent);
    }
    int result = -1;
    if (pid < 0) {
        tan_fail_errno(e, "cannot start \"%s\"", words[0]);
    } else {
        const double deadline = launch->timeout > 0 ? tan_clock_seconds() + launch->timeout : 0;
        int status = await_launcher(pid, deadline, &ending, report);
        if (!ending.late) {
            await_report(status, report);
        }
        result = ending.late
                     ? tan_fail(e,
                                "the job of %d ranks did not start within %.3g s, the limit of "
                                "--start-timeout: \"%s\" may have said why, above",
                                launch->ranks, launch->timeout, words[0])
                     : job_result(launch, words[0], status, &ending, report, e);
        if (status != 0 || ending.late) {
            remove_leftovers();
        }
    }
    restore_flags(STDERR_FILENO, err_flags);
    restore_flags(STDOUT_FILENO, out_flags);
    return result;
}
