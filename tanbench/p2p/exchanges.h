/* exchanges.h - overlap, late receives and message windows, measured and predicted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_EXCHANGES_H
#define TAN_TANBENCH_P2P_EXCHANGES_H

#include <stdio.h>

#include "base/json.h"
#include "model/machine/p2p.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* Quantity measured between two ranks: the overhead of a computing side, or a total time. */
enum p2p_exchange_kind {
    P2P_SENDER_COMPUTES, /* the sender's overhead */
    P2P_RECEIVER_COMPUTES,
    P2P_BOTH_SENDER, /* the sender's overhead if both compute */
    P2P_BOTH_RECEIVER,
    P2P_LATE,            /* the receiver's time if its Irecv is late */
    P2P_WINDOW,          /* consecutive messages, until an empty reply */
    P2P_BOTH_DIRECTIONS, /* the same in both directions at once */
    P2P_EXCHANGE_KINDS
};

struct p2p_exchange_case {
    enum p2p_exchange_kind kind;
    int64_t bytes;
    int window;                 /* number of messages; 0: no window */
    double seconds;             /* of computation, or delay of the receive */
    double measured, predicted; /* seconds; NaN if unknown */
};

struct p2p_exchanges {
    struct p2p_exchange_case *row; /* by size, then kind; owned */
    size_t n;
};

/* Measure every kind at `n` sizes, in interleaved passes until effort->max_seconds is over:
 * computing for 0 to 4 one-way times, being late by as much, and windows of 1 to 64 messages.
 * Predictions are those of LogGPO; for windows in both directions they are computed from the
 * windows of the machine file, `p`. The caller frees out->row in any case. -1 with an error. */
int p2p_exchanges_measure(struct p2p_link *link, const struct p2p_effort *effort,
                          const struct tan_p2p *p, const int64_t *sizes, size_t n,
                          struct p2p_exchanges *out, struct tan_error *e);

void p2p_exchanges_print(const struct p2p_exchanges *exchanges, FILE *to);
/* Set "exchanges", all cases, and "exchange_errors", those of each kind. */
void p2p_exchanges_set(struct tan_json_writer *w, json_t *document,
                       const struct p2p_exchanges *exchanges);

#endif
