/* watch.c - the processes that started a rank, whose end is its own
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/machine.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "tanbench/launch/launch.h"

enum {
    STACK_BYTES = 256 << 10,
    POLL_MS = 500, /* interval of checks without process descriptors */
};

/* What the watching thread watches, until the process ends. */
static struct {
    int n;
    pid_t pid[LAUNCH_PARENTS];
    struct pollfd fds[LAUNCH_PARENTS]; /* fd -1: unavailable */
} watched;

static bool has_ended(int i)
{
    return watched.fds[i].fd >= 0 ? watched.fds[i].revents != 0
                                  : kill(watched.pid[i], 0) < 0 && errno == ESRCH;
}

static void *watch_thread(void *unused)
{
    int ms = -1;
    bool ended = false;
    for (int i = 0; i < watched.n; i++) {
        ms = watched.fds[i].fd < 0 ? POLL_MS : ms;
    }
    while (!ended) {
        poll(watched.fds, (nfds_t)watched.n, ms);
        for (int i = 0; i < watched.n; i++) {
            ended |= has_ended(i);
        }
    }
    if (launch_rank() == 0 && !launch_ours()) {
        fprintf(stderr, "tanbench: the launcher has ended\n");
    }
    _exit(TAN_FAILED);
    return unused;
}

/* Signals are handled by the main thread. */
void watch_parents(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    watched.n = launch_parents(watched.pid);
    for (int i = 0; i < watched.n; i++) {
        watched.fds[i] = (struct pollfd){.fd = (int)syscall(SYS_pidfd_open, watched.pid[i], 0),
                                         .events = POLLIN};
    }
    if (watched.n == 0) {
        return;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, watch_thread, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
