/* sockets.c - sleeping until the network has data for this process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/sockets.h"

#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "base/array.h"

struct sockets {
    struct pollfd *list;
    int n;
    bool listed;  /* `list` is made, and connections have hardly been opened since */
    bool serve;   /* sockets announce messages */
    int readable; /* result of the last sleep: number of readable sockets; 0: timeout; -1: signal */
    int missed;   /* consecutive messages that no socket announced */
    int in_vain;  /* consecutive announcements without a completed message */
};

/* After this many unannounced messages they are assumed to arrive some other way, and after this
 * many announcements without a message MPI is assumed not to read the readable socket. */
enum { MAX_MISSED = 8, MAX_IN_VAIN = 100 };

struct sockets *sockets_create(void)
{
    return calloc(1, sizeof(struct sockets));
}

void sockets_destroy(struct sockets *sockets)
{
    if (sockets != NULL) {
        free(sockets->list);
        free(sockets);
    }
}

/* Streams only, whether connected or listening: the latter announce connections that MPI has to
 * accept. */
static bool carries_messages(int fd)
{
    int type;
    socklen_t length = sizeof type;
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM &&
           getsockname(fd, (struct sockaddr *)&address, &size) == 0 &&
           (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

static void find_sockets(struct sockets *s)
{
    DIR *descriptors = opendir("/proc/self/fd");
    s->n = 0;
    s->listed = true;
    for (const struct dirent *d; descriptors != NULL && (d = readdir(descriptors)) != NULL;) {
        const int fd = atoi(d->d_name);
        if (*d->d_name == '.' || !carries_messages(fd)) {
            continue;
        }
        if (TAN_ONE_MORE(s->list, s->n) < 0) {
            break;
        }
        s->list[s->n++] = (struct pollfd){.fd = fd, .events = POLLIN};
    }
    if (descriptors != NULL) {
        closedir(descriptors);
    }
}

bool sockets_serve(const struct sockets *s)
{
    return s->serve;
}

void sockets_sleep(struct sockets *s, double seconds, const sigset_t *during)
{
    const struct timespec timeout = {.tv_sec = (time_t)seconds,
                                     .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    if (!s->listed) {
        find_sockets(s);
    }
    s->readable = ppoll(s->list, (nfds_t)s->n, &timeout, during);
}

static void drop_unread(struct sockets *s)
{
    const struct timespec now = {.tv_sec = 0};
    int kept = 0;
    if (ppoll(s->list, (nfds_t)s->n, &now, NULL) > 0) {
        for (int i = 0; i < s->n; i++) {
            if (!s->list[i].revents) {
                s->list[kept++] = s->list[i];
            }
        }
        s->n = kept;
    }
}

/* Looking for new sockets takes longer than many waits, so do it less and less often while it does
 * not help. */
static bool is_worth_a_look(int missed)
{
    return (missed & (missed - 1)) == 0;
}

void sockets_learn(struct sockets *s, bool completed)
{
    if (completed && s->readable > 0) {
        s->serve = true;
        s->missed = s->in_vain = 0;
    } else if (completed && s->readable == 0 && s->missed < INT_MAX) {
        s->missed++;
        s->serve = s->serve && s->missed < MAX_MISSED;
        s->listed = !is_worth_a_look(s->missed);
        s->in_vain = 0;
    } else if (!completed && s->readable > 0 && ++s->in_vain == MAX_IN_VAIN) {
        s->in_vain = 0;
        drop_unread(s);
    }
}
