/* p2p_link.h - two ranks that exchange single messages: rank 0 times, its partner does as told
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_LINK_H
#define TANBENCH_P2P_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/world.h"

struct p2p_link {
    const struct world *world;
    int partner; /* of rank 0, known there */
    char *send, *receive;
    int64_t most; /* bytes that the buffers hold */
};

/* On every rank. The partner is on another host if there is one, else on another core. Messages may
 * have up to `most` bytes, at most INT_MAX. */
int p2p_link_open(struct p2p_link *link, const struct world *world, int64_t most,
                  struct tan_error *e);
void p2p_link_close(struct p2p_link *link);
/* Rank 0: the two ranks have to share a core. */
bool p2p_link_crowded(const struct p2p_link *link);

/* All times are seconds on rank 0's clock. */

/* Half of a round trip: the mean of `n` trips in a row. */
double p2p_half(struct p2p_link *link, int64_t bytes, int n);
/* The parametrised round trip PRTT(n, d, s): n messages with `delay` seconds of computing between
 * them, then one message of the same size back. *computed: how long the computing really took. */
double p2p_train(struct p2p_link *link, int64_t bytes, int n, double delay, double *computed);
/* The receive call, `delay` seconds after the message was asked for. */
double p2p_receive(struct p2p_link *link, int64_t bytes, double delay);
/* The send call to a partner that is in the library all the time but starts to receive only `delay`
 * seconds later. */
double p2p_send_late(struct p2p_link *link, int64_t bytes, double delay);

/* A side that computes while a message is under way. */
struct p2p_overlap {
    double sender;   /* rank 0 from before Isend until after Wait */
    double receiver; /* the partner from before Irecv until after Wait */
};
/* One message by Isend, and Irecv on the other side; each computes for its time (seconds) before it
 * waits. */
struct p2p_overlap p2p_compute(struct p2p_link *link, int64_t bytes, double sender,
                               double receiver);

/* Rank 0: the others' part ends. */
void p2p_link_end(struct p2p_link *link);
/* Every other rank: do as told until rank 0 ends it; those that are not the partner sleep. */
void p2p_link_serve(struct p2p_link *link);

#endif
