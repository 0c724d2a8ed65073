/* link.c - single messages between rank 0, which takes the times, and its partner
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/link.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/host/core_probe.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

enum task {
    TASK_PROBE,
    TASK_ECHO,
    TASK_WINDOW,
    TASK_SEND,
    TASK_RECEIVE,
    TASK_RECEIVE_LATE,
    TASK_EXCHANGE,
    TASK_RELEASE, /* back to sleep */
    /* for sleeping ranks: */
    TASK_FOLLOW, /* wake up, further orders follow */
    TASK_END
};
enum tag { TAG_ORDER = 1, TAG_READY, TAG_MESSAGE, TAG_RESULT };
enum { LEADER = 0 };

struct order {
    int32_t task;
    int32_t n;      /* number of messages */
    int32_t mode;   /* row of p2p_send_modes */
    int32_t floats; /* send MPI_FLOAT instead of MPI_CHAR */
    int32_t apart;  /* spend the delay outside the library; in a window: use both directions */
    int64_t bytes;
    double delay;   /* before the receive */
    double compute; /* between receive and wait */
};

const struct p2p_send_mode p2p_send_modes[P2P_SEND_MODES] = {
    [P2P_SEND] = {.name = "Send", .send = MPI_Send},
    [P2P_SSEND] = {.name = "Ssend", .send = MPI_Ssend},
    [P2P_RSEND] = {.name = "Rsend", .send = MPI_Rsend, .ready = true},
    [P2P_BSEND] = {.name = "Bsend", .send = MPI_Bsend, .buffered = true},
    [P2P_ISEND] = {.name = "Isend", .isend = MPI_Isend},
    [P2P_ISSEND] = {.name = "Issend", .isend = MPI_Issend},
    [P2P_IRSEND] = {.name = "Irsend", .isend = MPI_Irsend, .ready = true},
    [P2P_IBSEND] = {.name = "Ibsend", .isend = MPI_Ibsend, .buffered = true},
};

int p2p_link_check_stop(const struct p2p_link *link, struct tan_error *e)
{
    return stop_requested() || stop_check(link->world, e) < 0 ? tan_fail(e, "interrupted") : 0;
}

enum { PAGE = 4096 };

/* Page-aligned, so that launches are comparable. */
static char *allocate_pages(size_t size)
{
    return aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);
}

/* Touch all pages of a paired rank before a message arrives. */
static void touch_buffers(struct p2p_link *link)
{
    memset(link->send, 1, link->room);
    memset(link->receive, 1, link->room);
    memset(link->attached, 1, (size_t)link->attached_size);
}

/* Compute without MPI calls. Returns the elapsed seconds. */
static double compute_for(double seconds)
{
    const double begin = tan_clock_seconds();
    tan_clock_compute_until(begin + seconds);
    return tan_clock_seconds() - begin;
}

/* Seconds that clock reads add to a duration minus the computation within it. */
static double reading_cost(void)
{
    enum { TIMES = 1000 };
    double least = 1.0;
    for (int i = 0; i < TIMES; i++) {
        const double begin = tan_clock_seconds();
        const double computed = compute_for(0.0);
        const double added = tan_clock_seconds() - begin - computed;
        least = added < least ? added : least;
    }
    return least;
}

/* Room for eight of the longest messages, within limits, but in any case for four. */
static size_t room_for(int64_t max_bytes)
{
    const int64_t least = INT64_C(1) << 22;
    const int64_t most = INT64_C(1) << 26;
    const int64_t eight = 8 * max_bytes;
    const int64_t four = 4 * max_bytes;
    const int64_t room = eight < least ? least : eight > most ? most : eight;
    return (size_t)(room > four ? room : four);
}

int p2p_link_open(struct p2p_link *link, const struct world *world, int64_t max_bytes,
                  struct tan_error *e)
{
    const size_t room = room_for(max_bytes);
    *link = (struct p2p_link){.world = world, .room = room, .reading_cost = reading_cost()};
    if (world->rank == 0) {
        world_await_bindings(world);
    }
    MPI_TRY(MPI_Pack_size((int)max_bytes, MPI_CHAR, link->world->comm, &link->attached_size));
    link->attached_size += MPI_BSEND_OVERHEAD;
    link->send = allocate_pages(room);
    link->receive = allocate_pages(room);
    link->attached = allocate_pages((size_t)link->attached_size);
    if (link->send == NULL || link->receive == NULL || link->attached == NULL) {
        return tan_fail_nomem(e);
    }
    return 0;
}

void p2p_link_close(struct p2p_link *link)
{
    free(link->send);
    free(link->receive);
    free(link->attached);
}

/* Consecutive messages use different places, as far as there is room; long ones start at a page.
 * `buffer`: link->send or link->receive. */
static char *message_place(const struct p2p_link *link, char *buffer, int64_t bytes, int i)
{
    const size_t unit = bytes < PAGE ? 64 : PAGE;
    const size_t size = ((size_t)bytes + unit - 1) / unit * unit;
    const size_t places = size == 0 ? 1 : link->room / size;
    return buffer + (size_t)i % places * size;
}

/* Write the next `n` messages, as a program would before sending. */
static void write_messages(struct p2p_link *link, int64_t bytes, int n)
{
    for (int i = 0; i < n; i++) {
        memset(message_place(link, link->send, bytes, i), 1, (size_t)bytes);
    }
}

static void send_message(struct p2p_link *link, int64_t bytes, int i, int to)
{
    MPI_TRY(MPI_Send(message_place(link, link->send, bytes, i), (int)bytes, MPI_CHAR, to,
                     TAG_MESSAGE, link->world->comm));
}

static void recv_message(struct p2p_link *link, int64_t bytes, int i, int from)
{
    MPI_TRY(MPI_Recv(message_place(link, link->receive, bytes, i), (int)bytes, MPI_CHAR, from,
                     TAG_MESSAGE, link->world->comm, MPI_STATUS_IGNORE));
}

static void send_order(const struct p2p_link *link, struct order order, int to)
{
    MPI_TRY(MPI_Send(&order, sizeof order, MPI_BYTE, to, TAG_ORDER, link->world->comm));
}

/* Send an order to the partner, and wait until it starts. */
static void order_partner(struct p2p_link *link, struct order order)
{
    send_order(link, order, link->partner);
    MPI_TRY(MPI_Recv(NULL, 0, MPI_BYTE, link->partner, TAG_READY, link->world->comm,
                     MPI_STATUS_IGNORE));
}

void p2p_probe(struct p2p_link *link, double took[2])
{
    order_partner(link, (struct order){.task = TASK_PROBE});
    took[0] = probe_compute();
    MPI_TRY(MPI_Recv(&took[1], 1, MPI_DOUBLE, link->partner, TAG_RESULT, link->world->comm,
                     MPI_STATUS_IGNORE));
}

double p2p_one_way(struct p2p_link *link, int64_t bytes, int n)
{
    write_messages(link, bytes, n);
    order_partner(link, (struct order){.task = TASK_ECHO, .n = n, .bytes = bytes});
    const double begin = tan_clock_seconds();
    for (int i = 0; i < n; i++) {
        send_message(link, bytes, i, link->partner);
        recv_message(link, bytes, i, link->partner);
    }
    return (tan_clock_seconds() - begin) / (2.0 * n);
}

double p2p_send_late(struct p2p_link *link, int64_t bytes, double delay, bool computes)
{
    order_partner(
        link,
        (struct order){
            .task = TASK_RECEIVE_LATE, .n = 1, .apart = computes, .bytes = bytes, .delay = delay});
    const double begin = tan_clock_seconds();
    send_message(link, bytes, 0, link->partner);
    return tan_clock_seconds() - begin;
}

/* 0 for differences below the clock resolution. */
static double measurable_time(double seconds)
{
    return fabs(seconds) < 1e-12 ? 0 : seconds;
}

struct p2p_overheads p2p_exchange(struct p2p_link *link, const struct p2p_exchange *exchange)
{
    struct p2p_overheads out = {0};
    MPI_Request request;
    write_messages(link, exchange->bytes, 1);
    order_partner(link, (struct order){.task = TASK_EXCHANGE,
                                       .bytes = exchange->bytes,
                                       .delay = exchange->late,
                                       .compute = exchange->receiver});
    const double begin = tan_clock_seconds();
    const struct p2p_send_mode *mode =
        &p2p_send_modes[exchange->synchronous ? P2P_ISSEND : P2P_ISEND];
    MPI_TRY(mode->isend(link->send, (int)exchange->bytes, MPI_CHAR, link->partner, TAG_MESSAGE,
                        link->world->comm, &request));
    const double computed = compute_for(exchange->sender);
    MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    out.sender = measurable_time(tan_clock_seconds() - begin - computed - link->reading_cost);
    MPI_TRY(MPI_Recv(&out.receiver, 1, MPI_DOUBLE, link->partner, TAG_RESULT, link->world->comm,
                     MPI_STATUS_IGNORE));
    return out;
}

/* Pending requests of a window, with room for both directions. */
struct window {
    MPI_Request request[2 * P2P_MAX_WINDOW];
    int n;
};

static void post_window(struct p2p_link *link, const struct order *order, int peer,
                        struct window *window)
{
    window->n = 0;
    for (int i = 0; i < order->n; i++) {
        MPI_TRY(MPI_Irecv(message_place(link, link->receive, order->bytes, i), (int)order->bytes,
                          MPI_CHAR, peer, TAG_MESSAGE, link->world->comm,
                          &window->request[window->n++]));
    }
}

static void send_window(struct p2p_link *link, const struct order *order, int peer,
                        struct window *window)
{
    for (int i = 0; i < order->n; i++) {
        MPI_TRY(MPI_Isend(message_place(link, link->send, order->bytes, i), (int)order->bytes,
                          MPI_CHAR, peer, TAG_MESSAGE, link->world->comm,
                          &window->request[window->n++]));
    }
}

static void wait_window(struct window *window)
{
    MPI_TRY(MPI_Waitall(window->n, window->request, mpi_ignored_statuses));
}

double p2p_window(struct p2p_link *link, int64_t bytes, int n, bool both)
{
    struct window window = {.n = 0};
    const struct order order = {.task = TASK_WINDOW, .n = n, .apart = both, .bytes = bytes};
    if (both) {
        post_window(link, &order, link->partner, &window);
    }
    write_messages(link, bytes, n);
    order_partner(link, order);
    const double begin = tan_clock_seconds();
    send_window(link, &order, link->partner, &window);
    wait_window(&window);
    MPI_TRY(MPI_Recv(NULL, 0, MPI_BYTE, link->partner, TAG_RESULT, link->world->comm,
                     MPI_STATUS_IGNORE));
    return tan_clock_seconds() - begin;
}

static size_t size_in_memory(const struct p2p_data *data)
{
    MPI_Aint low;
    MPI_Aint extent;
    MPI_TRY(MPI_Type_get_extent(data->type, &low, &extent));
    return (size_t)data->count * (size_t)extent;
}

static struct p2p_sent send_data(struct p2p_link *link, const struct p2p_send_mode *mode,
                                 const struct p2p_data *data, int to)
{
    struct p2p_sent out;
    if (mode->buffered) {
        MPI_TRY(MPI_Buffer_attach(link->attached, link->attached_size));
    }
    const double begin = tan_clock_seconds();
    if (mode->send != NULL) {
        MPI_TRY(mode->send(data->at, data->count, data->type, to, TAG_MESSAGE, link->world->comm));
        out.complete = out.call = tan_clock_seconds() - begin;
    } else {
        MPI_Request request;
        MPI_TRY(mode->isend(data->at, data->count, data->type, to, TAG_MESSAGE, link->world->comm,
                            &request));
        out.call = tan_clock_seconds() - begin;
        MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
        out.complete = tan_clock_seconds() - begin;
    }
    if (mode->buffered) { /* detaching waits until the message has left */
        void *buffer;
        int size;
        MPI_TRY(MPI_Buffer_detach(&buffer, &size));
    }
    return out;
}

struct p2p_sent p2p_send(struct p2p_link *link, const struct p2p_send_mode *mode,
                         const struct p2p_data *data, int64_t bytes)
{
    memset(data->at, 1, size_in_memory(data));
    order_partner(link,
                  (struct order){.task = TASK_RECEIVE, .floats = data->floats, .bytes = bytes});
    return send_data(link, mode, data, link->partner);
}

double p2p_receive(struct p2p_link *link, const struct p2p_send_mode *mode,
                   const struct p2p_data *data, int64_t bytes, double delay)
{
    MPI_Request request = MPI_REQUEST_NULL;
    double taken = 0.0;
    if (mode->ready) {
        const double begin = tan_clock_seconds();
        MPI_TRY(MPI_Irecv(data->at, data->count, data->type, link->partner, TAG_MESSAGE,
                          link->world->comm, &request));
        taken = tan_clock_seconds() - begin;
    }
    order_partner(link, (struct order){.task = TASK_SEND,
                                       .n = 1,
                                       .mode = (int)(mode - p2p_send_modes),
                                       .floats = data->floats,
                                       .bytes = bytes});
    compute_for(delay);
    const double begin = tan_clock_seconds();
    if (mode->ready) {
        MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        MPI_TRY(MPI_Recv(data->at, data->count, data->type, link->partner, TAG_MESSAGE,
                         link->world->comm, MPI_STATUS_IGNORE));
    }
    return taken + tan_clock_seconds() - begin;
}

/* Stay in the library for `seconds` without posting the receive. Some sends return only after their
 * message was taken out of shared memory, and any library call of the receiver does that. Simulated
 * messages do not need it. */
static void idle_in_library(const struct p2p_link *link, double seconds)
{
    const double begin = tan_clock_seconds();
    int there;
    if (machine_simulated) {
        compute_for(seconds);
    }
    while (tan_clock_seconds() - begin < seconds) {
        MPI_TRY(MPI_Iprobe(LEADER, TAG_RESULT, link->world->comm, &there, MPI_STATUS_IGNORE));
    }
}

/* The partner's side of p2p_exchange. */
static void receive_exchange(struct p2p_link *link, const struct order *order)
{
    MPI_Request request;
    const double begin = tan_clock_seconds();
    double computed = order->delay > 0.0 ? compute_for(order->delay) : 0.0;
    MPI_TRY(MPI_Irecv(link->receive, (int)order->bytes, MPI_CHAR, LEADER, TAG_MESSAGE,
                      link->world->comm, &request));
    computed += compute_for(order->compute);
    MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    const double taken =
        measurable_time(tan_clock_seconds() - begin - computed - link->reading_cost);
    MPI_TRY(MPI_Send(&taken, 1, MPI_DOUBLE, LEADER, TAG_RESULT, link->world->comm));
}

static struct p2p_data ordered_data(void *at, const struct order *order)
{
    const int size = order->floats ? (int)sizeof(float) : 1;
    return (struct p2p_data){at, (int)order->bytes / size, order->floats ? MPI_FLOAT : MPI_CHAR,
                             order->floats};
}

static void handle_order(struct p2p_link *link, const struct order *order)
{
    if (order->task == TASK_PROBE) {
        const double took = probe_compute();
        MPI_TRY(MPI_Send(&took, 1, MPI_DOUBLE, LEADER, TAG_RESULT, link->world->comm));
        return;
    }
    if (order->task == TASK_EXCHANGE) {
        receive_exchange(link, order);
        return;
    }
    if (order->task == TASK_SEND) {
        const struct p2p_data data = ordered_data(link->send, order);
        send_data(link, &p2p_send_modes[order->mode], &data, LEADER);
        return;
    }
    if (order->task == TASK_RECEIVE_LATE && order->apart) {
        compute_for(order->delay);
    } else if (order->task == TASK_RECEIVE_LATE) {
        idle_in_library(link, order->delay);
    }
    for (int i = 0; i < order->n; i++) {
        recv_message(link, order->bytes, i, LEADER);
        if (order->task == TASK_ECHO) {
            send_message(link, order->bytes, i, LEADER);
        }
    }
}

/* The partner's side of p2p_window, from before TAG_READY. */
static void follow_window(struct p2p_link *link, const struct order *order)
{
    struct window window;
    post_window(link, order, LEADER, &window);
    if (order->apart) {
        write_messages(link, order->bytes, order->n);
    }
    MPI_TRY(MPI_Send(NULL, 0, MPI_BYTE, LEADER, TAG_READY, link->world->comm));
    if (order->apart) {
        send_window(link, order, LEADER, &window);
    }
    wait_window(&window);
    MPI_TRY(MPI_Send(NULL, 0, MPI_BYTE, LEADER, TAG_RESULT, link->world->comm));
}

/* Preparations before TAG_READY. */
static void prepare_order(struct p2p_link *link, const struct order *order, MPI_Request *receive)
{
    if (order->task == TASK_RECEIVE) {
        const struct p2p_data data = ordered_data(link->receive, order);
        MPI_TRY(MPI_Irecv(data.at, data.count, data.type, LEADER, TAG_MESSAGE, link->world->comm,
                          receive));
    } else if (order->task == TASK_ECHO || order->task == TASK_SEND) {
        write_messages(link, order->bytes, order->n);
    }
}

static void follow_leader(struct p2p_link *link)
{
    for (;;) {
        struct order order;
        MPI_Request receive = MPI_REQUEST_NULL;
        MPI_TRY(MPI_Recv(&order, sizeof order, MPI_BYTE, LEADER, TAG_ORDER, link->world->comm,
                         MPI_STATUS_IGNORE));
        if (order.task == TASK_RELEASE) {
            return;
        }
        if (order.task == TASK_WINDOW) {
            follow_window(link, &order);
            continue;
        }
        prepare_order(link, &order, &receive);
        MPI_TRY(MPI_Send(NULL, 0, MPI_BYTE, LEADER, TAG_READY, link->world->comm));
        handle_order(link, &order);
        MPI_TRY(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    }
}

void p2p_link_pair(struct p2p_link *link, int partner)
{
    link->partner = partner;
    send_order(link, (struct order){.task = TASK_FOLLOW}, partner);
    touch_buffers(link);
}

void p2p_link_release(struct p2p_link *link)
{
    send_order(link, (struct order){.task = TASK_RELEASE}, link->partner);
}

void p2p_link_end(struct p2p_link *link)
{
    for (int i = 1; i < link->world->size; i++) {
        send_order(link, (struct order){.task = TASK_END}, i);
    }
}

void p2p_link_serve(struct p2p_link *link)
{
    for (;;) {
        struct order order;
        int there = 0;
        while (!there) {
            tan_clock_sleep(1e-3); /* leaves the core to the ranks that measure */
            MPI_TRY(MPI_Iprobe(LEADER, TAG_ORDER, link->world->comm, &there, MPI_STATUS_IGNORE));
        }
        MPI_TRY(MPI_Recv(&order, sizeof order, MPI_BYTE, LEADER, TAG_ORDER, link->world->comm,
                         MPI_STATUS_IGNORE));
        if (order.task == TASK_END) {
            return;
        }
        touch_buffers(link);
        follow_leader(link);
    }
}
