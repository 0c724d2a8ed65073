/* send_modes.h - what each of MPI's ways to send costs sender and receiver
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_SEND_MODES_H
#define TANBENCH_P2P_SEND_MODES_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "model/fit/p2p_fit.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* What is timed (p2p_link.h). */
enum p2p_cost { P2P_COST_SEND, P2P_COST_COMPLETE, P2P_COST_RECEIVE, P2P_COSTS };

struct p2p_kinds_size {
    int64_t bytes;
    size_t n; /* repetitions */
    struct tan_p2p_estimate cost[P2P_KINDS][P2P_COSTS];
};
enum { P2P_MOST_KIND_SIZES = 64 };

struct p2p_kinds_found {
    size_t n;
    struct p2p_kinds_size size[P2P_MOST_KIND_SIZES];
};

/* 600 repetitions after 10 that are discarded, or as many as each size's share of the time allows,
 * at least 20; the kinds take turns. `p` tells how long to wait for a message. */
int p2p_kinds_measure(struct p2p_link *link, const struct p2p_effort *effort, const int64_t *sizes,
                      size_t n, const struct tan_p2p *p, struct p2p_kinds_found *found,
                      struct tan_error *e);

/* A signature of every kind with the other parameters of `p`, then every size. */
void p2p_kinds_print(const struct p2p_kinds_found *found, const struct tan_p2p *p, FILE *to);
/* NULL when memory is short; the caller owns the reference. */
json_t *p2p_kinds_json(const struct p2p_kinds_found *found);

#endif
