/* launch.c - starting the job's ranks when the user did not
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How rank 0 finds the process that the user started. */
#define REPORT_VARIABLE "TANBENCH_REPORT" /* file that takes the exit status */
#define PARENT_VARIABLE "TANBENCH_PARENT" /* its process id */
#define REPORT_PID      "pid "
#define REPORT_STATUS   "status "
#define REPORT_CELL     "cell "
#define REPORT_DEATH    "death "
#define REPORT_RANK     "rank " /* process id, rank, host */
/* What else the ranks are told. */
#define LAUNCHER_VARIABLE "TANBENCH_LAUNCHER" /* the launcher's process id */
#define NUMBER_VARIABLE   "TANBENCH_LAUNCH"
#define JOURNAL_VARIABLE  "TANBENCH_JOURNAL"

/* Settings that a launcher needs for more ranks than cores, for root, and to leave binding to us.
 */
struct variable {
    const char *name, *value;
    bool only_root;
};

static const struct variable openmpi_variables[] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1", true},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", true},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1", false},
    {"OMPI_MCA_hwloc_base_binding_policy", "none", false},
    {"PRTE_ALLOW_RUN_AS_ROOT", "1", true},
    {"PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1", true},
    {"PRTE_MCA_rmaps_default_mapping_policy", "slot:oversubscribe", false},
    {"PRTE_MCA_hwloc_default_binding_policy", "none", false},
    {NULL, NULL, false},
};

static const struct variable no_variables[] = {{NULL, NULL, false}};

/* The launchers of each MPI library, the surest name first. */
static const struct library {
    const char *version; /* what MPI_Get_library_version begins with */
    const char *launchers[4];
    const char *options; /* Hydra would kill rank 0 before it can say which rank died */
    const struct variable *variables;
} libraries[] = {
    {"Open MPI", {"mpirun.openmpi", "mpirun", "mpiexec", NULL}, "", openmpi_variables},
    {"MPICH",
     {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", NULL},
     "-disable-auto-cleanup ",
     no_variables},
    {"", {"mpiexec", "mpirun", NULL}, "", no_variables},
};

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

bool launch_inside_job(void)
{
    /* A launcher given with --launcher may set none of the variables known here. */
    return rank_variable() || launch_ours();
}

int launch_rank(void)
{
    const char *value = rank_variable();

    return value ? atoi(value) : 0;
}

static const struct library *this_library(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    const struct library *library = libraries;

    MPI_Get_library_version(version, &length);
    while (strncmp(version, library->version, strlen(library->version)) != 0) {
        library++;
    }
    return library;
}

static bool in_path(const char *program)
{
    const char *path = getenv("PATH");

    for (path = path ? path : ""; *path; path += strcspn(path, ":"), path += *path == ':') {
        char file[4096];
        snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(path, ":"), path, program);
        if (access(file, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Words of a command line; room for the program's own arguments is made behind them. */
static char **split_command(const char *command, int ranks, char *const *argv, struct tan_error *e)
{
    size_t own = 0;
    size_t words = 0;
    char number[16];
    char *text = strdup(command);

    while (argv[own]) {
        own++;
    }
    char **out = calloc(strlen(command) + own + 2, sizeof *out);
    if (!text || !out) {
        tan_fail_nomem(e);
        free(text);
        free(out);
        return NULL;
    }
    snprintf(number, sizeof number, "%d", ranks);
    char *rest;
    for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        char *place = strstr(word, "{n}");
        size_t size = strlen(word) + sizeof number;
        out[words] = malloc(size);
        if (!out[words]) {
            tan_fail_nomem(e);
            break;
        }
        if (place) {
            snprintf(out[words], size, "%.*s%s%s", (int)(place - word), word, number, place + 3);
        } else {
            snprintf(out[words], size, "%s", word);
        }
        words++;
    }
    free(text);
    for (size_t i = 0; i < own; i++) {
        out[words + i] = strdup(argv[i]);
    }
    return out;
}

static void free_words(char **words)
{
    for (char **w = words; w && *w; w++) {
        free(*w);
    }
    free(words);
}

static void set_variables(const struct variable *v, bool show)
{
    for (; v->name; v++) {
        if ((v->only_root && geteuid() != 0) || getenv(v->name)) {
            continue;
        }
        if (show) {
            printf("%s=%s ", v->name, v->value);
        } else {
            setenv(v->name, v->value, 0);
        }
    }
}

static void show_command(char **words)
{
    for (char **w = words; *w; w++) {
        bool plain = strspn(*w, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_=+./:,@%") == strlen(*w);
        printf(plain && **w ? "%s%s" : "%s'%s'", w == words ? "" : " ", *w);
    }
    printf("\n");
}

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

static int supervise(char **words, const char *report, struct tan_error *e)
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

int launch_run(const struct launch *launch, char **argv, struct tan_error *e)
{
    const struct library *library = this_library();
    char command[256];
    char report[] = "/tmp/tanbench-report-XXXXXX";
    char self[4096];
    char pid[16];
    char number[16];
    int status = TAN_FAILED;

    if (launch->launcher) {
        snprintf(command, sizeof command, "%s", launch->launcher);
    } else {
        const char *const *name = library->launchers;
        while (*name && !in_path(*name)) {
            name++;
        }
        if (!*name) {
            tan_fail(e,
                     "no launcher found (looked for %s in PATH): install it, or name one with "
                     "--launcher 'COMMAND -n {n}'",
                     library->launchers[0]);
            return TAN_FAILED;
        }
        snprintf(command, sizeof command, "%s %s-n {n}", *name, library->options);
    }
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *given = argv[0];
    if (length > 0 && !launch->show_only) {
        self[length] = '\0';
        argv[0] = self;
    }
    char **words = split_command(command, launch->ranks, argv, e);
    argv[0] = given;
    if (!words) {
        return TAN_FAILED;
    }
    if (launch->show_only) {
        set_variables(launch->launcher ? no_variables : library->variables, true);
        show_command(words);
        free_words(words);
        return TAN_DONE;
    }
    set_variables(launch->launcher ? no_variables : library->variables, false);
    int file = mkstemp(report);
    if (file < 0) {
        tan_fail_errno(e, "cannot create %s", report);
        free_words(words);
        return TAN_FAILED;
    }
    close(file);
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    snprintf(number, sizeof number, "%d", launch->number);
    setenv(NUMBER_VARIABLE, number, 1);
    if (launch->journal) {
        setenv(JOURNAL_VARIABLE, launch->journal, 1);
    }
    setenv(REPORT_VARIABLE, report, 1);
    setenv(PARENT_VARIABLE, pid, 1);
    fflush(NULL);
    status = supervise(words, report, e);
    unlink(report);
    free_words(words);
    return status < 0 ? TAN_FAILED : status;
}

static void adopt(int descriptor)
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

/* On another host the report is missing, and process numbers mean somebody else. */
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

int launch_parents(pid_t *pids)
{
    static const char *const variables[] = {LAUNCHER_VARIABLE, PARENT_VARIABLE};
    int n = 0;

    if (getppid() > 1) {
        pids[n++] = getppid();
    }
    for (int i = 0; i < 2 && launch_supervised(); i++) {
        const char *pid = getenv(variables[i]);
        if (pid && atoi(pid) > 1) {
            pids[n++] = (pid_t)atoi(pid);
        }
    }
    return n;
}

void launch_adopt_output(void)
{
    if (launch_supervised()) {
        adopt(STDOUT_FILENO);
        adopt(STDERR_FILENO);
    }
}

static bool tell(const char *key, const char *text)
{
    FILE *f = launch_supervised() ? fopen(getenv(REPORT_VARIABLE), "ae") : NULL;

    if (!f) {
        return false;
    }
    fprintf(f, "%s%s\n", key, text);
    return fclose(f) == 0;
}

static bool tell_number(const char *key, int value)
{
    char text[16];

    snprintf(text, sizeof text, "%d", value);
    return tell(key, text);
}

void launch_report_rank(int pid, int rank, const char *host)
{
    char text[128];

    snprintf(text, sizeof text, "%d %d %s", pid, rank, host);
    tell(REPORT_RANK, text);
}

void launch_report_alive(void)
{
    const char *parent = getenv(PARENT_VARIABLE);

    if (tell_number(REPORT_PID, (int)getpid()) && parent && atoi(parent) > 1) {
        kill((pid_t)atoi(parent), SIGUSR1);
    }
}

void launch_abandon(void)
{
    const char *parent = getenv(PARENT_VARIABLE);

    if (launch_supervised() && parent && kill((pid_t)atoi(parent), 0) && errno == ESRCH) {
        unlink(getenv(REPORT_VARIABLE));
        if (launch_journal()) {
            unlink(launch_journal());
        }
    }
}

void launch_report_cell(const char *spec)
{
    tell(REPORT_CELL, spec);
}

bool launch_report_death(const char *text)
{
    return tell(REPORT_DEATH, text);
}

bool launch_report(int status)
{
    return tell_number(REPORT_STATUS, status);
}
