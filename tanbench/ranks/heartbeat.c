/* heartbeat.c - heartbeats between the hosts of a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/heartbeat.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h> /* after <time.h>, which it depends on */

#include "tanbench/ranks/world.h"

/* Number of hosts that rank 0 hears from per second; with more hosts each sends less often, at most
 * MAX_PERIOD calls apart. */
enum { HOSTS_PER_SECOND = 256, MAX_PERIOD = 4 };

struct datagram {
    uint32_t job; /* rank 0's random number */
    int32_t host; /* of the sender */
    int32_t dead; /* number of a dead rank; -1: none */
};

/* A host that this one hears from: all others for rank 0's host, only rank 0's for any other. */
struct contact {
    const struct peer *peer;     /* its first rank; NULL: unused */
    struct sockaddr_in heard_at; /* its source address; family 0: not heard from yet */
    int silent;                  /* calls since the last heartbeat */
};

struct heartbeat {
    int fd;
    int host; /* ours */
    int period, calls;
    double limit; /* calls without a heartbeat after which a host is lost; 0: no limit */
    int hosts, ranks;
    struct datagram beat;
    struct contact contacts[]; /* by host number */
};

static struct heartbeat *make_heartbeat(const struct world *world, int fd)
{
    const struct peer *me = &world->peers[world->rank];
    struct heartbeat *h = calloc(1, sizeof *h + (size_t)world->hosts * sizeof *h->contacts);
    if (h == NULL) {
        return NULL;
    }
    *h = (struct heartbeat){
        .fd = fd,
        .host = me->host_index,
        .period = world->hosts / HOSTS_PER_SECOND + 1,
        .limit = world->silence / HEARTBEAT_SECONDS,
        .hosts = world->hosts,
        .ranks = world->size,
        .beat = {.job = world->peers[0].nonce, .host = me->host_index, .dead = -1}};
    h->period = h->period < MAX_PERIOD ? h->period : MAX_PERIOD;
    for (int i = 0; i < world->size; i++) {
        const struct peer *peer = &world->peers[i];
        if (peer->local == 0 && peer->host_index != h->host && (i == 0 || world->rank == 0)) {
            h->contacts[peer->host_index].peer = peer;
        }
    }
    return h;
}

/* Send to all addresses of a host, since it is unknown which ones can be reached. */
static void send_to_all(int fd, const struct peer *peer, const struct datagram *datagram)
{
    for (int i = 0; i < PEER_ADDRESSES && peer->address[i] != 0; i++) {
        const struct sockaddr_in to = {
            .sin_family = AF_INET, .sin_port = peer->port, .sin_addr.s_addr = peer->address[i]};
        sendto(fd, datagram, sizeof *datagram, 0, (const struct sockaddr *)&to, sizeof to);
    }
}

static void send_beats(struct heartbeat *h)
{
    for (int i = 0; i < h->hosts; i++) {
        const struct contact *c = &h->contacts[i];
        if (c->peer != NULL && c->heard_at.sin_family != 0) {
            sendto(h->fd, &h->beat, sizeof h->beat, 0, (const struct sockaddr *)&c->heard_at,
                   sizeof c->heard_at);
        } else if (c->peer != NULL) {
            send_to_all(h->fd, c->peer, &h->beat);
        }
    }
}

struct heartbeat *heartbeat_create(const struct world *world, int fd)
{
    const bool needed = world->hosts > 1 && world->peers[world->rank].local == 0;
    if (fd >= 0 && !needed) {
        close(fd);
    }
    struct heartbeat *h = fd >= 0 && needed ? make_heartbeat(world, fd) : NULL;
    if (h != NULL) {
        send_beats(h); /* all sockets are open, so hosts can be heard from at once */
    }
    return h;
}

/* The network has returned a datagram, typically because its receiver has ended. */
static void receive_returned(struct heartbeat *h, struct heartbeat_news *news)
{
    struct datagram datagram;
    struct sockaddr_in to;
    struct iovec vector = {&datagram, sizeof datagram};
    for (;;) {
        struct msghdr message = {
            .msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &vector, .msg_iovlen = 1};
        char control[256];
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        if (recvmsg(h->fd, &message, MSG_ERRQUEUE) < 0) {
            return;
        }
        const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        struct sock_extended_err why = {.ee_errno = 0};
        if (header != NULL && header->cmsg_type == IP_RECVERR) {
            memcpy(&why, CMSG_DATA(header), sizeof why);
        }
        for (int i = 0; why.ee_errno == ECONNREFUSED && i < h->hosts; i++) {
            const struct contact *c = &h->contacts[i];
            if (c->peer != NULL && c->heard_at.sin_family != 0 &&
                c->heard_at.sin_port == to.sin_port &&
                c->heard_at.sin_addr.s_addr == to.sin_addr.s_addr) {
                news->dead = c->peer->leader;
            }
        }
    }
}

static void receive_datagrams(struct heartbeat *h, struct heartbeat_news *news)
{
    struct datagram datagram;
    struct sockaddr_in from;
    for (;;) {
        socklen_t length = sizeof from;
        const ssize_t n =
            recvfrom(h->fd, &datagram, sizeof datagram, 0, (struct sockaddr *)&from, &length);
        if (n < 0 && errno == EAGAIN) {
            return;
        }
        if (n != sizeof datagram || datagram.job != h->beat.job || datagram.host < 0 ||
            datagram.host >= h->hosts || datagram.dead < -1 || datagram.dead >= h->ranks) {
            continue;
        }
        struct contact *c = &h->contacts[datagram.host];
        if (datagram.dead >= 0) {
            news->dead = datagram.dead;
        } else if (c->peer != NULL) {
            c->silent = 0;
            c->heard_at = from;
        }
    }
}

struct heartbeat_news heartbeat_beat(struct heartbeat *h)
{
    struct heartbeat_news news = {.dead = -1, .lost = -1};
    const double limit = h->limit > 0 ? h->limit : INFINITY;
    int heard = 0;
    int quiet = 0; /* includes those about to reach the limit */
    receive_returned(h, &news);
    receive_datagrams(h, &news);
    if (h->calls++ % h->period == 0) {
        send_beats(h);
    }
    for (int i = 0; i < h->hosts; i++) {
        struct contact *c = &h->contacts[i];
        if (c->peer == NULL || c->heard_at.sin_family == 0) {
            continue;
        }
        heard++;
        quiet += ++c->silent > limit - MAX_PERIOD;
        if (c->silent > limit) {
            news.lost = i;
        }
    }
    if (news.lost >= 0 && quiet == heard && heard > 1) {
        news.lost = h->host;
    }
    return news;
}

/* The name of host number `host`. */
static const char *name_of(const struct world *world, int host)
{
    int i = 0;
    while (world->peers[i].host_index != host) {
        i++;
    }
    return world->peers[i].host;
}

void heartbeat_describe(const struct world *world, int lost, char *text, size_t size)
{
    const struct peer *me = &world->peers[world->rank];
    if (lost == me->host_index) {
        snprintf(text, size, "host %s hears none of the other hosts any more (for %g s)", me->host,
                 world->silence);
    } else if (world->hosts == 2) {
        snprintf(text, size, "hosts %s and %s do not hear each other any more (for %g s)",
                 name_of(world, 0), name_of(world, 1), world->silence);
    } else {
        snprintf(text, size, "host %s does not answer any more (for %g s)", name_of(world, lost),
                 world->silence);
    }
}

void heartbeat_report_death(const struct world *world, int rank)
{
    const struct datagram datagram = {
        .job = world->peers[0].nonce, .host = world->peers[world->rank].host_index, .dead = rank};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (world->hosts > 1 && fd >= 0) {
        send_to_all(fd, &world->peers[0], &datagram);
    }
    close(fd);
}
