/* exchanges.h - overlap, late receives and windows of messages, measured and predicted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_EXCHANGES_H
#define TANBENCH_P2P_EXCHANGES_H

#include <jansson.h>
#include <stdio.h>

#include "model/machine/p2p.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* What is measured of two ranks: a side's overhead beside computation, or a whole time. */
enum p2p_exchange_kind {
    P2P_SENDER_COMPUTES, /* the sender's overhead */
    P2P_RECEIVER_COMPUTES,
    P2P_BOTH_SENDER, /* both compute: the sender's overhead */
    P2P_BOTH_RECEIVER,
    P2P_LATE,            /* the receiver's time, when its Irecv comes late */
    P2P_WINDOW,          /* messages that follow each other, until an empty reply */
    P2P_BOTH_DIRECTIONS, /* the same from both sides at once */
    P2P_EXCHANGE_KINDS
};

struct p2p_exchange_case {
    enum p2p_exchange_kind kind;
    int64_t bytes;
    int window;                 /* messages; 0: no window */
    double seconds;             /* of computation, or by which the receive is late */
    double measured, predicted; /* seconds; NaN: not known */
};

struct p2p_exchanges {
    struct p2p_exchange_case *row; /* by size, then by kind; owned */
    size_t n;
};

/* Measure and predict every kind at `n` sizes, by LogGPO, but windows in both directions by those
 * of the machine file: computing for 0 to 4 one-way times, late by as much, and in windows of 1 to
 * 64 messages, in passes that take turns until the effort's time is over. Clear `out` in any case.
 * -1 on a request to stop. */
int p2p_exchanges_measure(struct p2p_link *link, const struct p2p_effort *effort,
                          const struct tan_p2p *p, const int64_t *sizes, size_t n,
                          struct p2p_exchanges *out, struct tan_error *e);
void p2p_exchanges_clear(struct p2p_exchanges *exchanges);

void p2p_exchanges_print(const struct p2p_exchanges *exchanges, FILE *to);
/* All cases, and the errors of every kind; NULL when memory is short. */
json_t *p2p_exchanges_json(const struct p2p_exchanges *exchanges);
json_t *p2p_exchanges_errors_json(const struct p2p_exchanges *exchanges);

#endif
