/* launcher_end.c - ending a launcher that cannot end its job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/launcher_end.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tanbench/launch/cleanup.h"

/* How the names of MPI launchers and their daemons start. Slurm's end by themselves. */
static const char *const names[] = {"mpirun", "mpiexec", "orte", "prte", "hydra"};

enum { MAX_LAUNCHERS = 4, MAX_LEVELS = 16, MAX_DESCRIPTORS = 4096 };

struct launchers {
    int n;
    pid_t pids[MAX_LAUNCHERS]; /* launchers among this process's ancestors, nearest first */
    struct pollfd fds[MAX_LAUNCHERS];
};

static void find_launchers(struct launchers *l)
{
    char name[PROCESS_NAME_MAX];
    pid_t pid = getppid();
    for (int level = 0; level < MAX_LEVELS && pid > 1 && l->n < MAX_LAUNCHERS; level++) {
        const pid_t parent = process_parent(pid, name);
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            known |= strncmp(name, names[i], strlen(names[i])) == 0;
        }
        if (known) {
            l->pids[l->n++] = pid;
        }
        pid = parent;
    }
}

/* Wait until all have ended; false if some still run after `seconds`. */
static bool await_ends(struct launchers *l, int seconds)
{
    for (int ms = 0; ms <= seconds * 1000; ms += 50) {
        int running = 0;
        poll(l->fds, (nfds_t)l->n, 0);
        for (int i = 0; i < l->n; i++) {
            running += l->fds[i].revents == 0;
        }
        if (running == 0) {
            return true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return false;
}

/* After `seconds` kill those that still run, the outermost first, each with its descendants. */
static void end_launchers(struct launchers *l, int seconds)
{
    for (int i = 0; i < l->n; i++) {
        l->fds[i] = (struct pollfd){(int)syscall(SYS_pidfd_open, l->pids[i], 0), POLLIN, 0};
        if (l->fds[i].fd < 0) {
            return;
        }
    }
    if (await_ends(l, seconds)) {
        return;
    }
    for (int i = l->n - 1; i >= 0; i--) {
        if (l->fds[i].revents == 0) {
            descendants_kill(l->pids[i]);
            syscall(SYS_pidfd_send_signal, l->fds[i].fd, SIGKILL, NULL, 0);
        }
    }
}

void launcher_end(int seconds)
{
    struct launchers l = {.n = 0};
    find_launchers(&l);
    if (l.n > 0 && fork() == 0) {
        setsid(); /* since launchers kill the process groups of ranks */
        for (int fd = 0; fd < MAX_DESCRIPTORS; fd++) {
            close(fd); /* an open connection would make this rank look alive to the other end */
        }
        signal(SIGTERM, SIG_IGN);
        end_launchers(&l, seconds);
        _exit(0);
    }
}
