/* send_modes.h - costs of MPI's send modes on both sides
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_SEND_MODES_H
#define TAN_TANBENCH_P2P_SEND_MODES_H

#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "model/fit/p2p_fit.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* The timed calls (link.h). */
enum p2p_cost { P2P_COST_SEND, P2P_COST_COMPLETE, P2P_COST_RECEIVE, P2P_COSTS };

struct p2p_modes_size {
    int64_t bytes;
    size_t n; /* number of repetitions */
    struct tan_p2p_estimate cost[P2P_SEND_MODES][P2P_COSTS];
};
enum { P2P_MAX_MODE_SIZES = 64 };

struct p2p_modes_found {
    size_t n;
    struct p2p_modes_size size[P2P_MAX_MODE_SIZES];
};

/* Measure every mode at `n` sizes, at most P2P_MAX_MODE_SIZES. Each is repeated 600 times, after 10
 * warm-ups, or fewer times, at least 20, if effort->max_seconds is over before, which all sizes
 * share equally. Simulated ranks, whose times do not vary, repeat 3 times. Modes are interleaved.
 * `p` predicts when a message arrives. -1 with an error. */
int p2p_modes_measure(struct p2p_link *link, const struct p2p_effort *effort, const int64_t *sizes,
                      size_t n, const struct tan_p2p *p, struct p2p_modes_found *found,
                      struct tan_error *e);

/* Print the parameters of every mode, completed from `p`, then every size. */
void p2p_modes_print(const struct p2p_modes_found *found, const struct tan_p2p *p, FILE *to);
/* Set "send_modes" of a machine file's block. */
void p2p_modes_set(struct tan_json_writer *w, json_t *block, const struct p2p_modes_found *found);

#endif
