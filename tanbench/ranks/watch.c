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

#include "base/clock.h"
#include "tanbench/launch/cleanup.h"
#include "tanbench/launch/launch.h"
#include "tanbench/launch/launcher_end.h"
#include "tanbench/ranks/heartbeat.h"
#include "tanbench/ranks/stop.h"

enum {
    STACK_BYTES = 256 << 10,
    POLL_MS = 500,     /* interval of checks without process descriptors */
    GRACE_SECONDS = 5, /* for a leader's orderly end */
    TURN_SECONDS = 3,  /* for host 1 to report the loss of rank 0's host, and to end everything */
    PAUSE_MS = 300,    /* for the launcher to read the output */
};

/* State of a watching thread. It runs until the process ends, so this is never freed, and refers
 * only to memory of its own and to memory that ranks share. */
struct watch {
    struct rank_slot *leader;    /* NULL: the processes that started this one are watched */
    bool leads;                  /* whether this rank is the leader */
    bool reports;                /* whether this rank reports deaths */
    struct world world;          /* a copy with its own peers */
    struct heartbeat *heartbeat; /* for a host's leader if there are several hosts, else NULL */
    double next_beat;
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

static void remove_segments(void)
{
    char prefix[SEGMENTS_PREFIX_MAX];
    if (segments_of(getpid(), prefix)) {
        segments_remove(prefix);
    }
}

static _Noreturn void exit_without_parent(void)
{
    remove_segments();
    if (launch_rank() == 0 && !launch_ours()) {
        fprintf(stderr, "tanbench: the launcher has ended\n");
    }
    /* leaves time to report the death of a rank that may have ended the launcher, and for starting
     * ranks to create the last segments */
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    remove_segments();
    stop_leave();
}

/* The main thread reports the reason, unless it is blocked inside MPI. */
static _Noreturn void exit_after_grace(const char *reason)
{
    nanosleep(&(struct timespec){.tv_sec = GRACE_SECONDS}, NULL);
    if (!stop_reported()) {
        fprintf(stderr, "tanbench: %s\n", reason);
    }
    launcher_end(0);
    _exit(TAN_FAILED);
}

static _Noreturn void exit_after_death(const struct watch *w, int dead, const char *host)
{
    int32_t nobody = 0;
    char reason[128];
    snprintf(reason, sizeof reason, "rank %d on %s died", dead, host);
    if (atomic_compare_exchange_strong(&w->leader->dead, &nobody, dead + 1) && w->reports) {
        if (w->world.hosts > 1) {
            heartbeat_report_death(&w->world, dead);
        }
        fprintf(stderr, "tanbench: %s\n", reason);
    }
    if (w->leads && w->world.rank == 0 && w->world.hosts > 1) {
        exit_after_grace(reason);
    }
    if (w->leads) {
        nanosleep(&(struct timespec){.tv_sec = GRACE_SECONDS}, NULL);
    }
    _exit(TAN_FAILED);
}

/* Without rank 0, end this host's part of the job. Hydra's mpiexec waits for its daemon on the lost
 * host if all others end in an orderly way, and ends itself if one breaks off. So kill this host's
 * daemon, and all ranks with it. */
static _Noreturn void exit_as_lost(const struct watch *w)
{
    atomic_store(&w->leader->left, LEFT_LOST);
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
    launcher_end(0);
    nanosleep(&(struct timespec){.tv_sec = GRACE_SECONDS}, NULL);
    _exit(TAN_FAILED);
}

/* Rank 0 ends the job in an orderly way. Other hosts that no longer hear from rank 0's host end
 * their part of it, since no one else may be able to. */
static _Noreturn void exit_after_loss(const struct watch *w, int lost)
{
    const struct peer *me = &w->world.peers[w->world.rank];
    char reason[160];
    heartbeat_describe(&w->world, lost, reason, sizeof reason);
    if (me->host_index == 0) {
        atomic_store(&w->leader->lost, lost + 1);
        exit_after_grace(reason);
    }
    if (me->host_index != 1) {
        nanosleep(&(struct timespec){.tv_sec = TURN_SECONDS}, NULL);
    }
    fprintf(stderr, "tanbench: %s\n", reason);
    exit_as_lost(w);
}

/* At the time for the next heartbeat: send it, and react to those received. */
static void exchange_beats(struct watch *w)
{
    const double now = tan_clock_seconds();
    if (now < w->next_beat) {
        return;
    }
    w->next_beat = now + HEARTBEAT_SECONDS;
    const struct heartbeat_news news = heartbeat_beat(w->heartbeat);
    if (atomic_load(&w->leader->left) || stop_requested()) {
        return;
    }
    if (news.dead >= 0 && w->world.rank != 0) { /* it is rank 0, which has reported why it ended */
        exit_as_lost(w);
    }
    if (news.dead >= 0) {
        exit_after_death(w, news.dead, w->world.peers[news.dead].host);
    }
    if (news.lost >= 0) {
        exit_after_loss(w, news.lost);
    }
}

static void *watch_thread(void *argument)
{
    struct watch *w = argument;
    int ms = w->heartbeat != NULL ? HEARTBEAT_SECONDS * 1000 : -1;
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
            const int left = atomic_load(&it->slot->left);
            if (left == LEFT_LOST) {
                _exit(TAN_FAILED);
            }
            /* after a signal the launcher kills ranks to end the job */
            if (!left && !stop_requested()) {
                exit_after_death(w, it->rank, it->host);
            }
            it->pid = 0;
            w->fds[i].fd = -1;
            w->fds[i].revents = 0;
        }
        if (w->heartbeat != NULL) {
            exchange_beats(w);
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

/* Whether the process that started the job watches all ranks. */
static bool is_supervised(const struct world *world)
{
    return world->hosts == 1 && launch_supervised();
}

static bool keep_world(struct watch *w, const struct world *world)
{
    const size_t size = (size_t)world->size * sizeof *world->peers;
    w->world = *world;
    w->world.peers = malloc(size);
    if (w->world.peers != NULL) {
        memcpy(w->world.peers, world->peers, size);
    }
    return w->world.peers != NULL;
}

int watch_ranks(const struct world *world, struct tan_error *e)
{
    const struct peer *me = &world->peers[world->rank];
    struct watch *w = watch_create(world->local_size);
    if (w == NULL) {
        return tan_fail_nomem(e);
    }
    if (!keep_world(w, world)) {
        return tan_fail_nomem(e);
    }
    w->heartbeat = heartbeat_create(&w->world, world->datagrams);
    w->leader = &world->slots[0];
    w->leads = me->local == 0;
    w->reports = world->rank != 0 && !is_supervised(world);
    for (int i = 0; i < world->size; i++) {
        const struct peer *peer = &world->peers[i];
        if (peer->leader == me->leader && i != world->rank && (w->leads || peer->local == 0)) {
            struct watched *it = add_process(w, (pid_t)peer->pid);
            it->rank = i;
            it->slot = &world->slots[peer->local];
            memcpy(it->host, peer->host, sizeof it->host);
        }
    }
    errno = w->n > 0 || w->heartbeat != NULL ? start_thread(w) : 0;
    return errno ? tan_fail_errno(e, "rank %d cannot start a thread", world->rank) : 0;
}

bool watch_death(const struct world *world)
{
    return atomic_load(&world->slots[0].dead) != 0;
}

bool watch_death_is_reported(const struct world *world)
{
    return watch_death(world) && is_supervised(world);
}

void watch_done(const struct world *world)
{
    atomic_store(&world->slots[world->peers[world->rank].local].left, LEFT_DONE);
}
