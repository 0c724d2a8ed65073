/* datagrams.c - datagram socket between hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/datagrams.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

int datagrams_open(struct peer *me)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    struct ifaddrs *all = NULL;
    int n = 0;
    const int on = 1;
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* IP_RECVERR: learn from ICMP errors which receivers have ended */
    if (fd < 0 || setsockopt(fd, IPPROTO_IP, IP_RECVERR, &on, sizeof on) < 0 ||
        bind(fd, (const struct sockaddr *)&address, length) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) < 0 || getifaddrs(&all) < 0 ||
        getrandom(&me->nonce, sizeof me->nonce, GRND_NONBLOCK) < 0) {
        freeifaddrs(all);
        close(fd);
        return -1;
    }
    me->port = address.sin_port;
    for (const struct ifaddrs *i = all; i != NULL && n < PEER_ADDRESSES; i = i->ifa_next) {
        if (i->ifa_addr != NULL && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
            !(i->ifa_flags & IFF_LOOPBACK)) {
            struct sockaddr_in in;
            memcpy(&in, i->ifa_addr, sizeof in);
            me->address[n++] = in.sin_addr.s_addr;
        }
    }
    freeifaddrs(all);
    return fd;
}
