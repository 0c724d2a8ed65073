/* switch.c - switch on TAP devices, whose ports have links with a rate and a delay
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/hosts/switch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* MAX_WAITING: frames at one uplink, some 100 MB; the next ones wait in the device. SLACK_NS: from
 * there on the clock is polled where nothing but short delays is to be kept. */
enum { FRAME = 2048, HEADER = 14, MAX_WAITING = 1 << 16, SLACK_NS = 30000 };

#define NEVER INT64_MAX

struct frame {
    struct frame *next;
    int64_t due; /* at the other end */
    int length, from;
    unsigned char data[];
};

struct queue {
    struct frame *first, **last;
};

/* Frames of one connection that wait at an uplink. */
struct flow {
    struct flow *next;
    uint64_t key;
    struct queue frames;
};

/* Flows that have frames, in the order of their turns. */
struct port {
    struct flow *turns, **last_turn;
    struct frame *sending; /* NULL: the uplink is idle */
    int64_t free;          /* the instant from which it is */
    int waiting;           /* frames, that one included */
    struct queue coming;   /* frames between senders and this one, in order of time */
    int64_t got;           /* the instant at which the last of them is there */
};

static struct {
    int n;
    const int *fds;
    struct switch_port *shared;
    bool fair;
    double ns_per_byte;
    int64_t delay, slack;
    struct port ports[SWITCH_PORTS];
    int64_t done[SWITCH_PORTS]; /* when each uplink has sent its frame; NEVER while it is idle */
    struct queue to_all; /* frames between sender and all others, which take no time of links */
} net;

static int64_t transfer_ns(const struct frame *frame)
{
    return (int64_t)(frame->length * net.ns_per_byte + 0.5);
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void append_frame(struct queue *queue, struct frame *frame)
{
    frame->next = NULL;
    if (queue->first == NULL) {
        queue->last = &queue->first;
    }
    *queue->last = frame;
    queue->last = &frame->next;
}

static struct frame *take_frame(struct queue *queue)
{
    struct frame *frame = queue->first;
    queue->first = frame->next;
    return frame;
}

/* --- Uplinks --- */

/* What tells connections apart: the addresses' last bytes, the protocol and the ports. Whatever is
 * not IPv4 is one flow. */
static uint64_t flow_key(const unsigned char *data, int length)
{
    const unsigned char *ip = data + HEADER;
    const int header = length >= HEADER + 20 ? (ip[0] & 15) * 4 : 0;
    uint64_t key = 0;
    if (!net.fair || data[12] != 8 || data[13] != 0 || length < HEADER + header + 4) {
        return 0;
    }
    memcpy(&key, ip + header, 4);
    return key << 24 | (uint64_t)ip[19] << 16 | (uint64_t)ip[15] << 8 | ip[9];
}

static struct flow *flow_of(struct port *port, uint64_t key)
{
    struct flow *flow = port->turns;
    while (flow != NULL && flow->key != key) {
        flow = flow->next;
    }
    return flow;
}

static void append_flow(struct port *port, struct flow *flow)
{
    flow->next = NULL;
    if (port->turns == NULL) {
        port->last_turn = &port->turns;
    }
    *port->last_turn = flow;
    port->last_turn = &flow->next;
}

/* The next frame in turn, which takes the uplink from port->free on. */
static void begin_sending(int p)
{
    struct port *port = &net.ports[p];
    struct flow *flow = port->turns;
    port->turns = flow->next;
    port->sending = take_frame(&flow->frames);
    if (flow->frames.first != NULL) {
        append_flow(port, flow);
    } else {
        free(flow);
    }
    port->free += transfer_ns(port->sending);
    net.done[p] = port->free;
}

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        perror("hosts: the switch");
        exit(1);
    }
    return memory;
}

static void queue_frame(int p, struct frame *frame, int64_t now)
{
    struct port *port = &net.ports[p];
    const uint64_t key = flow_key(frame->data, frame->length);
    struct flow *flow = flow_of(port, key);
    if (flow == NULL) {
        flow = allocate(sizeof *flow);
        flow->key = key;
        append_flow(port, flow);
    }
    append_frame(&flow->frames, frame);
    port->waiting++;
    if (port->sending == NULL) {
        port->free = port->free > now ? port->free : now;
        begin_sending(p);
    }
}

/* Take what the device of a port has, unless too many wait already. */
static void read_device(int p)
{
    static unsigned char data[FRAME];
    ssize_t n;
    while (net.ports[p].waiting < MAX_WAITING && (n = read(net.fds[p], data, sizeof data)) > 0) {
        if (n < HEADER || net.shared[p].unplugged) {
            net.shared[p].dropped++;
            continue;
        }
        struct frame *frame = allocate(sizeof *frame + (size_t)n);
        memcpy(frame->data, data, (size_t)n);
        frame->length = (int)n;
        frame->from = p;
        queue_frame(p, frame, now_ns());
    }
}

static struct port *receiver_of(const struct frame *frame)
{
    const unsigned char *to = frame->data;
    return to[0] == 2 && to[5] < net.n ? &net.ports[to[5]] : NULL;
}

/* The frame has left its uplink. The first of its bytes are at the receiver's link the delay after
 * they left, or as soon as that has the frame before. */
static void pass_on(struct frame *frame, int64_t left)
{
    struct port *receiver = receiver_of(frame);
    frame->due = left + net.delay;
    if (receiver == NULL) {
        append_frame(&net.to_all, frame);
        return;
    }
    const int64_t behind = receiver->got + transfer_ns(frame);
    frame->due = frame->due > behind ? frame->due : behind;
    receiver->got = frame->due;
    append_frame(&receiver->coming, frame);
}

/* The uplink of a port has sent its frame: on with it, and with the next one. */
static void end_sending(int p)
{
    struct port *port = &net.ports[p];
    const bool was_full = port->waiting == MAX_WAITING;
    struct frame *frame = port->sending;
    port->sending = NULL;
    port->waiting--;
    net.shared[p].frames++;
    net.shared[p].bytes += (uint64_t)frame->length;
    pass_on(frame, net.done[p]);
    net.done[p] = NEVER;
    if (port->turns != NULL) {
        begin_sending(p);
    }
    if (was_full) {
        read_device(p);
    }
}

/* The uplink that is the next to have sent a frame. */
static int next_uplink(void)
{
    int next = 0;
    for (int p = 1; p < net.n; p++) {
        next = net.done[p] < net.done[next] ? p : next;
    }
    return next;
}

/* --- Receivers --- */

static void deliver_to(int p, const struct frame *frame)
{
    if (net.shared[p].unplugged ||
        write(net.fds[p], frame->data, (size_t)frame->length) != frame->length) {
        net.shared[p].dropped++;
    }
}

static void deliver(const struct frame *frame)
{
    if (net.shared[frame->from].unplugged) {
        net.shared[frame->from].dropped++;
    } else if (receiver_of(frame) != NULL) {
        deliver_to(frame->data[5], frame);
    } else if (frame->data[0] & 1) {
        for (int p = 0; p < net.n; p++) {
            if (p != frame->from) {
                deliver_to(p, frame);
            }
        }
    } else {
        net.shared[frame->from].dropped++;
    }
}

static int64_t due_of(const struct queue *queue)
{
    return queue->first != NULL ? queue->first->due : NEVER;
}

/* The queue whose first frame is the next to arrive. */
static struct queue *next_to_arrive(void)
{
    struct queue *next = &net.to_all;
    for (int p = 0; p < net.n; p++) {
        next = due_of(&net.ports[p].coming) < due_of(next) ? &net.ports[p].coming : next;
    }
    return next;
}

/* --- The whole --- */

/* Do what is due. Returns the instant at which something will be. */
static int64_t do_what_is_due(int64_t now)
{
    struct queue *next;
    int p;
    while (net.done[p = next_uplink()] <= now) {
        end_sending(p);
    }
    while (due_of(next = next_to_arrive()) <= now) {
        struct frame *frame = take_frame(next);
        deliver(frame);
        free(frame);
    }
    return due_of(next) < net.done[p] ? due_of(next) : net.done[p];
}

static void wait_until(int epoll, int64_t due)
{
    struct epoll_event events[64];
    const int64_t wait = due == NEVER ? INT64_C(1000000000) : due - now_ns() - net.slack;
    const struct timespec pause = {wait > 0 ? wait / 1000000000 : 0,
                                   wait > 0 ? wait % 1000000000 : 0};
    const int n = epoll_pwait2(epoll, events, 64, &pause, NULL);
    for (int i = 0; i < n; i++) {
        read_device(events[i].data.fd);
    }
}

int switch_open(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

const char *switch_address(int port, char *text)
{
    snprintf(text, 18, "02:00:00:00:00:%02x", (unsigned)port & 0xff);
    return text;
}

_Noreturn void switch_run(const struct switch_link *link, const int *fds, int n,
                          struct switch_port *ports)
{
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    net.n = n;
    net.fds = fds;
    net.shared = ports;
    net.fair = link->fair;
    net.ns_per_byte = link->rate > 0 ? 8e9 / link->rate : 0;
    net.delay = (int64_t)(link->delay * 1e9);
    net.slack = link->rate > 0 ? 0 : SLACK_NS;
    for (int p = 0; p < n; p++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = p};
        net.done[p] = NEVER;
        /* Edge-triggered: neither a full uplink nor a device that is gone makes it spin. */
        epoll_ctl(epoll, EPOLL_CTL_ADD, fds[p], &event);
    }
    prctl(PR_SET_TIMERSLACK, 1);
    /* Only root may; without it frames are later on a busy machine, the sums of times the same. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 10});
    for (;;) {
        wait_until(epoll, do_what_is_due(now_ns()));
    }
}
