/* link.h - single messages between rank 0, which takes the times, and its partner
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unless stated otherwise, senders write their data just before sending, and receive buffers are
 * never send buffers: the cost of copies within a host depends on whose cache holds the data. */
#ifndef TAN_TANBENCH_P2P_LINK_H
#define TAN_TANBENCH_P2P_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* An MPI send mode, blocking or nonblocking. */
struct p2p_send_mode {
    const char *name;
    /* Blocking, returns when the buffer may be reused; NULL for a nonblocking mode. */
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    /* Nonblocking, completed by a wait; NULL for a blocking mode. */
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    bool ready;    /* erroneous unless the receive is posted first */
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
    int partner;          /* on rank 0 */
    char *send, *receive; /* buffers of `room` bytes; owned */
    size_t room;
    char *attached; /* `attached_size` bytes for buffered sends; owned */
    int attached_size;
    double reading_cost; /* seconds that reading the clock adds to an exchange */
};

/* Collective. Messages may have up to `max_bytes` bytes, at most INT_MAX. */
int p2p_link_open(struct p2p_link *link, const struct world *world, int64_t max_bytes,
                  struct tan_error *e);
void p2p_link_close(struct p2p_link *link);

/* Rank 0: wake the partner. */
void p2p_link_pair(struct p2p_link *link, int partner);
/* Rank 0: let it sleep again. */
void p2p_link_release(struct p2p_link *link);
/* Rank 0: end p2p_link_serve on the other ranks. */
void p2p_link_end(struct p2p_link *link);
/* All other ranks, until rank 0 ends it: sleep, and while paired follow its orders. */
void p2p_link_serve(struct p2p_link *link);

/* Between two measurements, while all other ranks still run: -1 with an error on a request to stop,
 * at once. */
int p2p_link_check_stop(const struct p2p_link *link, struct tan_error *e);

/* The following functions are for rank 0; all times are seconds on its clock. */

/* Run the core probe (core_probe.h) on both ranks simultaneously. */
void p2p_probe(struct p2p_link *link, double took[2]);

/* One-way time: half a round trip, averaged over `n` consecutive ones. */
double p2p_one_way(struct p2p_link *link, int64_t bytes, int n);
/* Duration of the send call (data arbitrary) if the partner's receive is late by `delay` seconds,
 * during which it is inside the library or, if `computes`, outside. */
double p2p_send_late(struct p2p_link *link, int64_t bytes, double delay, bool computes);

/* One message by Isend and Irecv. */
struct p2p_exchange {
    int64_t bytes;
    double late; /* the partner computes before its Irecv, which otherwise immediately precedes the
                    sender's Isend; seconds */
    double sender, receiver; /* computation between the call and Wait on each side */
    bool synchronous;        /* use Issend, which forces a rendezvous */
};
/* Seconds from before Isend, or from before the partner's first computation, until after Wait,
 * minus all computation. */
struct p2p_overheads {
    double sender, receiver;
};
struct p2p_overheads p2p_exchange(struct p2p_link *link, const struct p2p_exchange *exchange);

enum { P2P_MAX_WINDOW = 64 };
/* `n` Isends to posted receives, until all complete and the partner has replied with an empty
 * message; `both`: the partner sends as many simultaneously. */
double p2p_window(struct p2p_link *link, int64_t bytes, int n, bool both);

/* The message on one side; the other side's data are contiguous. */
struct p2p_data {
    void *at;
    int count;
    MPI_Datatype type;
    bool floats; /* `type` consists of MPI_FLOAT instead of MPI_CHAR */
};
/* `bytes` contiguous bytes at `at`, link->send or link->receive. */
static inline struct p2p_data p2p_bytes(char *at, int64_t bytes)
{
    return (struct p2p_data){at, (int)bytes, MPI_CHAR, false};
}

struct p2p_sent {
    double call;     /* until the call returns */
    double complete; /* until the data may be modified, including the wait of a nonblocking send */
};
/* Send to a partner that is waiting in a posted receive. */
struct p2p_sent p2p_send(struct p2p_link *link, const struct p2p_send_mode *mode,
                         const struct p2p_data *data, int64_t bytes);
/* Duration of receiving a message that was requested `delay` seconds before: of a blocking call, or
 * for ready sends of an Irecv before the request and a Wait after the delay. */
double p2p_receive(struct p2p_link *link, const struct p2p_send_mode *mode,
                   const struct p2p_data *data, int64_t bytes, double delay);
#endif
