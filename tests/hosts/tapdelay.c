/* tapdelay.c - a switch on TAP devices that delays every frame by a fixed time
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   tapdelay N DELAY_US [-s|-b]
 *
 * makes TAP devices nht0..nht{N-1}, switches Ethernet frames between them (addresses are learned
 * from what they send), and hands each frame on DELAY_US after it came. All frames have the same
 * delay, so those that wait are one queue in order of time. How to wait for the first of them:
 * by default sleep with epoll_pwait2 until SLACK before it is due and poll the clock from there;
 * -s only sleeps; -b never sleeps (takes a core).
 * Statistics of lateness are printed on SIGUSR1 and at the end (SIGTERM).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PORTS = 256, FRAME = 2048, QUEUE = 1 << 14, MACS = 4096, SLACK_NS = 30000, LATE = 1 << 20 };

struct frame {
    int64_t due;
    int32_t length;
    int32_t from;
    unsigned char data[FRAME - 16];
};

static int ports, fds[PORTS];
static struct frame *queue; /* ring; first .. last */
static unsigned first, last;
static struct {
    uint64_t mac;
    int port;
} macs[MACS];
static float *late; /* us */
static uint64_t frames, dropped, flooded;
static volatile sig_atomic_t told, asked;

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void on_signal(int signal)
{
    *(signal == SIGUSR1 ? &asked : &told) = 1;
}

static int make_tap(int port)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

    snprintf(request.ifr_name, sizeof request.ifr_name, "nht%d", port);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request)) {
        perror("tapdelay: TUNSETIFF");
        exit(1);
    }
    return fd;
}

static uint64_t mac_at(const unsigned char *p)
{
    uint64_t mac = 0;
    memcpy(&mac, p, 6);
    return mac;
}

static unsigned slot_of(uint64_t mac)
{
    unsigned i = (unsigned)((mac * 0x9e3779b97f4a7c15ULL) >> 52) % MACS;
    while (macs[i].mac && macs[i].mac != mac) {
        i = (i + 1) % MACS;
    }
    return i;
}

static void put(int port, const struct frame *f)
{
    if (write(fds[port], f->data, (size_t)f->length) != f->length && errno != EIO) {
        dropped++; /* EIO: the device is down */
    }
}

static void deliver(struct frame *f, int64_t now)
{
    unsigned slot = slot_of(mac_at(f->data));

    late[frames++ % LATE] = (float)(now - f->due) / 1000;
    if (!(f->data[0] & 1) && macs[slot].mac) {
        put(macs[slot].port, f);
        return;
    }
    flooded++;
    for (int port = 0; port < ports; port++) {
        if (port != f->from) {
            put(port, f);
        }
    }
}

static void take(int port, int64_t delay)
{
    for (;;) {
        struct frame *f = &queue[last % QUEUE];
        ssize_t n = last - first < QUEUE ? read(fds[port], f->data, sizeof f->data) : 0;
        if (n < 14) {
            return; /* none, or the queue is full: it stays in the device's */
        }
        f->due = now_ns() + delay;
        f->length = (int32_t)n;
        f->from = port;
        uint64_t source = mac_at(f->data + 6);
        unsigned slot = slot_of(source);
        macs[slot].mac = source;
        macs[slot].port = port;
        last++;
    }
}

static int compare(const void *a, const void *b)
{
    float d = *(const float *)a - *(const float *)b;
    return (d > 0) - (d < 0);
}

static void statistics(void)
{
    size_t n = frames < LATE ? frames : LATE;
    float *sorted = malloc((n + 1) * sizeof *sorted);
    struct rusage used;

    memcpy(sorted, late, n * sizeof *late);
    qsort(sorted, n, sizeof *sorted, compare);
    getrusage(RUSAGE_SELF, &used);
    printf("frames %lu flooded %lu dropped %lu", frames, flooded, dropped);
    if (n) {
        printf("; late by us: median %.1f p95 %.1f p99 %.1f max %.0f", sorted[n / 2],
               sorted[n * 95 / 100], sorted[n * 99 / 100], sorted[n - 1]);
    }
    printf("; cpu %.2f s\n", (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                 (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
    fflush(stdout);
    free(sorted);
    frames = 0;
}

int main(int argc, char **argv)
{
    if (argc < 3 || (ports = atoi(argv[1])) < 2 || ports > PORTS) {
        fprintf(stderr, "usage: tapdelay N DELAY_US [-s|-b]\n");
        return 2;
    }
    const int64_t delay = (int64_t)(atof(argv[2]) * 1000);
    const int64_t slack = argc > 3 && !strcmp(argv[3], "-s") ? 0 : SLACK_NS;
    const int busy = argc > 3 && !strcmp(argv[3], "-b");
    struct epoll_event events[64];
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    queue = calloc(QUEUE, sizeof *queue);
    late = calloc(LATE, sizeof *late);
    for (int i = 0; i < ports; i++) {
        fds[i] = make_tap(i);
        epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i],
                  &(struct epoll_event){.events = EPOLLIN, .data.fd = i});
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    prctl(PR_SET_TIMERSLACK, 1);
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 10})) {
        perror("tapdelay: no real-time priority");
    }
    while (!told) {
        int64_t now = now_ns();
        while (first != last && queue[first % QUEUE].due <= now) {
            deliver(&queue[first++ % QUEUE], now);
            now = now_ns();
        }
        int64_t wait = first == last ? 1000000000 : queue[first % QUEUE].due - now - slack;
        if (busy || wait < 0) {
            wait = 0;
        }
        struct timespec pause = {wait / 1000000000, wait % 1000000000};
        int n = epoll_pwait2(epoll, events, 64, &pause, NULL);
        for (int i = 0; i < n; i++) {
            take(events[i].data.fd, delay);
        }
        if (asked) {
            asked = 0;
            statistics();
        }
    }
    statistics();
    return 0;
}
