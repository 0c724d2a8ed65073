/* p2p_link.c - two ranks that exchange single messages: rank 0 times, its partner does as told
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p_link.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tanbench/check.h"
#include "tanbench/clock.h"

enum task { TASK_ECHO, TASK_COLLECT, TASK_GIVE, TASK_BE_LATE, TASK_COMPUTE, TASK_END };
enum tag { TAG_ORDER = 1, TAG_READY, TAG_MESSAGE, TAG_RESULT };

struct order {
    int32_t task, n;
    int64_t bytes;
    double delay;
};

static bool share_cores(const struct world *world, int rank)
{
    return world->peers[rank].host_index == world->peers[0].host_index &&
           strcmp(world_binding(world, rank), world_binding(world, 0)) == 0;
}

/* On another host if there is one, else on other cores. */
static int find_partner(const struct world *world)
{
    int partner = 1;
    for (int i = world->size - 1; i > 0; i--) {
        if (world->peers[i].host_index != world->peers[0].host_index) {
            return i;
        }
        partner = share_cores(world, i) ? partner : i;
    }
    return partner;
}

bool p2p_link_crowded(const struct p2p_link *link)
{
    return link->world->oversubscribed && share_cores(link->world, link->partner);
}

int p2p_link_open(struct p2p_link *link, const struct world *world, int64_t most,
                  struct tan_error *e)
{
    *link = (struct p2p_link){.world = world, .most = most};
    if (world->rank == 0) {
        world_await_bindings(world);
        link->partner = find_partner(world);
    }
    /* touched now, so that no page is missing when a message comes */
    link->send = malloc((size_t)most);
    link->receive = malloc((size_t)most);
    if (link->send == NULL || link->receive == NULL) {
        return tan_fail_nomem(e);
    }
    for (int64_t i = 0; i < most; i++) {
        link->send[i] = (char)i;
        link->receive[i] = 0;
    }
    return 0;
}

void p2p_link_close(struct p2p_link *link)
{
    free(link->send);
    free(link->receive);
}

/* Compute without a call of MPI. Returns the seconds that it took. */
static double compute(double seconds)
{
    const double begin = clock_seconds();
    double now = begin;
    while (now - begin < seconds) {
        now = clock_seconds();
    }
    return now - begin;
}

static void put(struct p2p_link *link, int64_t bytes, int to)
{
    MPI_TRY(MPI_Send(link->send, (int)bytes, MPI_CHAR, to, TAG_MESSAGE, MPI_COMM_WORLD));
}

static void get(struct p2p_link *link, int64_t bytes, int from)
{
    MPI_TRY(MPI_Recv(link->receive, (int)bytes, MPI_CHAR, from, TAG_MESSAGE, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
}

/* Tell the partner, and wait until it is at it. */
static void tell(struct p2p_link *link, struct order order)
{
    MPI_TRY(MPI_Send(&order, sizeof order, MPI_BYTE, link->partner, TAG_ORDER, MPI_COMM_WORLD));
    MPI_TRY(
        MPI_Recv(NULL, 0, MPI_BYTE, link->partner, TAG_READY, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

double p2p_half(struct p2p_link *link, int64_t bytes, int n)
{
    tell(link, (struct order){TASK_ECHO, n, bytes, 0});
    const double begin = clock_seconds();
    for (int i = 0; i < n; i++) {
        put(link, bytes, link->partner);
        get(link, bytes, link->partner);
    }
    return (clock_seconds() - begin) / (2.0 * n);
}

double p2p_train(struct p2p_link *link, int64_t bytes, int n, double delay, double *computed)
{
    *computed = 0.0;
    tell(link, (struct order){TASK_COLLECT, n, bytes, 0});
    const double begin = clock_seconds();
    for (int i = 0; i < n; i++) {
        if (i > 0 && delay > 0.0) {
            *computed += compute(delay);
        }
        put(link, bytes, link->partner);
    }
    get(link, bytes, link->partner);
    return clock_seconds() - begin;
}

double p2p_receive(struct p2p_link *link, int64_t bytes, double delay)
{
    tell(link, (struct order){TASK_GIVE, 1, bytes, 0});
    compute(delay);
    const double begin = clock_seconds();
    get(link, bytes, link->partner);
    return clock_seconds() - begin;
}

double p2p_send_late(struct p2p_link *link, int64_t bytes, double delay)
{
    tell(link, (struct order){TASK_BE_LATE, 1, bytes, delay});
    const double begin = clock_seconds();
    put(link, bytes, link->partner);
    return clock_seconds() - begin;
}

struct p2p_overlap p2p_compute(struct p2p_link *link, int64_t bytes, double sender, double receiver)
{
    struct p2p_overlap out = {0};
    MPI_Request request;
    tell(link, (struct order){TASK_COMPUTE, 1, bytes, receiver});
    const double begin = clock_seconds();
    MPI_TRY(MPI_Isend(link->send, (int)bytes, MPI_CHAR, link->partner, TAG_MESSAGE, MPI_COMM_WORLD,
                      &request));
    compute(sender);
    MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    out.sender = clock_seconds() - begin;
    MPI_TRY(MPI_Recv(&out.receiver, 1, MPI_DOUBLE, link->partner, TAG_RESULT, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE));
    return out;
}

/* Let the library work for so long without a receive for the message. A send may well return only
 * after its message was taken out of shared memory, which the library does in any of its calls. */
static void idle_in_library(double seconds)
{
    const double begin = clock_seconds();
    int there;
    while (clock_seconds() - begin < seconds) {
        MPI_TRY(MPI_Iprobe(0, TAG_RESULT, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
    }
}

/* The partner's side of p2p_compute. */
static void compute_and_receive(struct p2p_link *link, const struct order *order)
{
    MPI_Request request;
    const double begin = clock_seconds();
    MPI_TRY(MPI_Irecv(link->receive, (int)order->bytes, MPI_CHAR, 0, TAG_MESSAGE, MPI_COMM_WORLD,
                      &request));
    compute(order->delay);
    MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    const double taken = clock_seconds() - begin;
    MPI_TRY(MPI_Send(&taken, 1, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD));
}

static void obey(struct p2p_link *link, const struct order *order)
{
    if (order->task == TASK_COMPUTE) {
        compute_and_receive(link, order);
        return;
    }
    if (order->task == TASK_GIVE) {
        put(link, order->bytes, 0);
        return;
    }
    if (order->task == TASK_BE_LATE) {
        idle_in_library(order->delay);
    }
    for (int i = 0; i < order->n; i++) {
        get(link, order->bytes, 0);
        if (order->task == TASK_ECHO) {
            put(link, order->bytes, 0);
        }
    }
    if (order->task == TASK_COLLECT) {
        put(link, order->bytes, 0);
    }
}

void p2p_link_end(struct p2p_link *link)
{
    const struct order end = {.task = TASK_END};
    for (int i = 1; i < link->world->size; i++) {
        MPI_TRY(MPI_Send(&end, sizeof end, MPI_BYTE, i, TAG_ORDER, MPI_COMM_WORLD));
    }
}

void p2p_link_serve(struct p2p_link *link)
{
    bool idle = true; /* until told otherwise */
    for (;;) {
        struct order order;
        int there = !idle;
        while (!there) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
            MPI_TRY(MPI_Iprobe(0, TAG_ORDER, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
        }
        MPI_TRY(MPI_Recv(&order, sizeof order, MPI_BYTE, 0, TAG_ORDER, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE));
        if (order.task == TASK_END) {
            return;
        }
        idle = false;
        MPI_TRY(MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_READY, MPI_COMM_WORLD));
        obey(link, &order);
    }
}
