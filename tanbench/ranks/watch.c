/* watch.c - detection of deaths of processes that a rank depends on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tanbench/launch/launch.h"
#include "tanbench/ranks/stop.h"

enum {
    STACK_BYTES = 256 << 10,
    POLL_MS = 500,     /* interval of checks without process descriptors */
    GRACE_SECONDS = 5, /* for rank 0's orderly end */
};

/* State of a watching thread. It runs until the process ends, so this is never freed, and refers
 * only to memory of its own and to memory that ranks share. */
struct watch {
    struct rank_slot *leader; /* NULL: the processes that started this one are watched */
    bool root;                /* this is rank 0 */
    int n;
    struct watched *list;
    struct pollfd *fds; /* parallel to `list`; fd -1: unavailable */
};

struct watched {
    pid_t pid; /* 0: no longer watched */
    int rank;
    struct rank_slot *slot;
    char host[sizeof(((struct peer *)NULL)->host)];
};

static _Noreturn void exit_without_parent(void)
{
    if (launch_rank() == 0 && !launch_ours()) {
        fprintf(stderr, "tanbench: the launcher has ended\n");
    }
    /* leaves time to report the death of a rank that may have ended the launcher */
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    stop_leave();
}

/* The main thread of rank 0 reports the death, unless it is blocked inside MPI. */
static _Noreturn void exit_after_death(const struct watch *w, int dead, const char *host)
{
    int32_t nobody = 0;
    const bool first = atomic_compare_exchange_strong(&w->leader->dead, &nobody, dead + 1);
    if (w->root) {
        nanosleep(&(struct timespec){.tv_sec = GRACE_SECONDS}, NULL);
    }
    if (w->root ? !stop_reported() : first) {
        fprintf(stderr, "tanbench: rank %d on %s died\n", dead, host);
    }
    _exit(TAN_FAILED);
}

static void *watch_thread(void *argument)
{
    struct watch *w = argument;
    int ms = -1;
    for (int i = 0; i < w->n; i++) {
        ms = w->fds[i].fd < 0 ? POLL_MS : ms;
    }
    for (;;) {
        poll(w->fds, (nfds_t)w->n, ms);
        for (int i = 0; i < w->n; i++) {
            struct watched *it = &w->list[i];
            if (it->pid == 0 ||
                (w->fds[i].fd >= 0 ? !w->fds[i].revents : !process_ended(it->pid))) {
                continue;
            }
            if (w->leader == NULL) {
                exit_without_parent();
            }
            /* after a signal the launcher kills ranks to end the job */
            if (!atomic_load(&it->slot->left) && !stop_requested()) {
                exit_after_death(w, it->rank, it->host);
            }
            it->pid = 0;
            w->fds[i].fd = -1;
            w->fds[i].revents = 0;
        }
    }
    return NULL;
}

static struct watch *watch_create(int max_watched)
{
    struct watch *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->list = calloc((size_t)max_watched, sizeof *w->list);
    w->fds = calloc((size_t)max_watched, sizeof *w->fds);
    if (w->list == NULL || w->fds == NULL) {
        free(w->list);
        free(w->fds);
        free(w);
        return NULL;
    }
    return w;
}

static struct watched *add_process(struct watch *w, pid_t pid)
{
    w->list[w->n].pid = pid;
    w->fds[w->n] = (struct pollfd){.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
    return &w->list[w->n++];
}

/* Signals are handled by the main thread. */
static int start_thread(struct watch *w)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int failed = pthread_create(&thread, &attributes, watch_thread, w);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

void watch_parents(void)
{
    pid_t pids[LAUNCH_PARENTS];
    int n = launch_parents(pids);
    struct watch *w = watch_create(LAUNCH_PARENTS);
    for (int i = 0; w != NULL && i < n; i++) {
        add_process(w, pids[i]);
    }
    if (w != NULL && n > 0) {
        start_thread(w);
    }
}

int watch_ranks(const struct world *world, struct tan_error *e)
{
    const struct peer *me = &world->peers[world->rank];
    const bool leads = me->local == 0;
    struct watch *w = watch_create(world->local_size);
    if (w == NULL) {
        return tan_fail_nomem(e);
    }
    w->leader = &world->slots[0];
    w->root = world->rank == 0;
    for (int i = 0; i < world->size; i++) {
        const struct peer *peer = &world->peers[i];
        if (peer->leader == me->leader && i != world->rank && (leads || peer->local == 0)) {
            struct watched *it = add_process(w, (pid_t)peer->pid);
            it->rank = i;
            it->slot = &world->slots[peer->local];
            memcpy(it->host, peer->host, sizeof it->host);
        }
    }
    errno = w->n > 0 ? start_thread(w) : 0;
    return errno ? tan_fail_errno(e, "rank %d cannot start a thread", world->rank) : 0;
}

bool watch_death(const struct world *world)
{
    return atomic_load(&world->slots[0].dead) != 0;
}

void watch_done(const struct world *world)
{
    atomic_store(&world->slots[world->peers[world->rank].local].left, LEFT_DONE);
}
