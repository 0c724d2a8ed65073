/* link.h - exchange of single messages between a timing leader and its partner
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where not said otherwise, senders have written their data just before, and data come to where
 * none are sent from: what the copies within a host cost depends on whose cache has them. */
#ifndef TANBENCH_P2P_LINK_H
#define TANBENCH_P2P_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* An MPI send mode, blocking or nonblocking. */
struct p2p_send_mode {
    const char *name;
    /* Blocking: returns when the buffer may be used again; */
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    /* or nonblocking, to be followed by a wait. */
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    bool ready;    /* erroneous unless the receive is posted before the send begins */
    bool buffered; /* needs an attached buffer */
};
enum {
    P2P_SEND,
    P2P_SSEND,
    P2P_RSEND,
    P2P_BSEND,
    P2P_ISEND,
    P2P_ISSEND,
    P2P_IRSEND,
    P2P_IBSEND,
    P2P_SEND_MODES
};
extern const struct p2p_send_mode p2p_send_modes[P2P_SEND_MODES];

struct p2p_link {
    const struct world *world;
    int leader, partner; /* once there is a pair */
    char *send, *receive;
    size_t room;    /* bytes that either holds */
    char *attached; /* buffer of buffered sends for as many bytes */
    int attached_size;
    double reading_cost; /* of the clock, in an exchange; seconds */
    bool away;           /* rank 0: a pair of other ranks is measuring */
};

/* On every rank. Messages may have up to `max_bytes` bytes, at most INT_MAX. */
int p2p_link_open(struct p2p_link *link, const struct world *world, int64_t max_bytes,
                  struct tan_error *e);
void p2p_link_close(struct p2p_link *link);

/* Rank 0: make a pair. When rank 0 is one of them, it is `leader`. */
void p2p_link_pair(struct p2p_link *link, int leader, int partner);
/* The leader: its partner is free for another pair. */
void p2p_link_release(struct p2p_link *link);
/* A leader other than rank 0 sends its results to rank 0, which sleeps until then (malloc'd, the
 * caller frees; NULL with an error on a request to stop). */
void p2p_link_report(struct p2p_link *link, const char *text);
char *p2p_link_await(struct p2p_link *link, struct tan_error *e);
/* Rank 0: end the service of the other ranks. */
void p2p_link_end(struct p2p_link *link);
/* Every other rank, until rank 0 ends it: sleep until paired, then follow the leader's orders or
 * lead: lead(link, context). */
void p2p_link_serve(struct p2p_link *link, void (*lead)(struct p2p_link *, void *), void *context);

/* -1 with an error on a request to stop. */
int p2p_link_check_stop(const struct p2p_link *link, struct tan_error *e);

/* Rank 0: these ranks are bound to the same cores of one host, where ranks outnumber cores. */
bool p2p_link_crowded(const struct p2p_link *link, int a, int b);
/* What follows is for the leader; all times are seconds on its clock. */

/* The core probe (core_probe.h) by leader and partner at the same time. */
void p2p_probe(struct p2p_link *link, double took[2]);

/* One-way time: half of a round trip, the mean of `n` consecutive ones. */
double p2p_one_way(struct p2p_link *link, int64_t bytes, int n);
/* The same, where either side receives each message into the buffer that it sent the last one from,
 * and sends it back from there. */
double p2p_one_way_in_place(struct p2p_link *link, int64_t bytes, int n);
/* The send call, of whatever data, to a partner that starts to receive only after `delay` seconds,
 * in which it is in the library all the time or, `computes`, not at all. */
double p2p_send_late(struct p2p_link *link, int64_t bytes, double delay, bool computes);

/* One message by Isend, and Irecv on the other side. */
struct p2p_exchange {
    int64_t bytes;
    double late;             /* the partner computes before its Irecv, which the leader's Isend
                                otherwise follows at once; seconds */
    double sender, receiver; /* computation of the sides between their call and Wait */
    bool synchronous;        /* by Issend: by a rendezvous, whatever its size */
};
/* Seconds from before Isend, or from before the partner's first computation, until after Wait, less
 * all computation. */
struct p2p_overheads {
    double sender, receiver;
};
struct p2p_overheads p2p_exchange(struct p2p_link *link, const struct p2p_exchange *exchange);

enum { P2P_MAX_WINDOW = 64 };
/* `n` Isends to receives that are posted, until all are done and the partner has replied with an
 * empty message; `both`: the partner sends as many at the same time. */
double p2p_window(struct p2p_link *link, int64_t bytes, int n, bool both);

/* The message of one side. The other side's data are contiguous. */
struct p2p_data {
    void *at;
    int count;
    MPI_Datatype type;
    bool floats; /* the type is made of MPI_FLOAT, not of MPI_CHAR */
};
/* Contiguous `bytes`; `at`: link->send or link->receive. */
static inline struct p2p_data p2p_bytes(char *at, int64_t bytes)
{
    return (struct p2p_data){at, (int)bytes, MPI_CHAR, false};
}

/* One-way time as p2p_one_way, of messages that the leader sends as these data and receives as such
 * at `receive`; both have room for `n` of them. The partner's are contiguous. */
double p2p_vector_one_way(struct p2p_link *link, const struct p2p_data *send, void *receive,
                          int64_t bytes, int n);

struct p2p_sent {
    double call;     /* until the call returned */
    double complete; /* until the data may be changed: with the wait of a nonblocking send */
};
/* Send to a partner that has posted its receive and waits for it. */
struct p2p_sent p2p_send(struct p2p_link *link, const struct p2p_send_mode *mode,
                         const struct p2p_data *data, int64_t bytes);
/* The calls that receive a message requested `delay` seconds before: one that blocks; for ready
 * sends one that posts before the request and one that waits. */
double p2p_receive(struct p2p_link *link, const struct p2p_send_mode *mode,
                   const struct p2p_data *data, int64_t bytes, double delay);
#endif
