/* datatypes.h - cost of non-contiguous data in messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_DATATYPES_H
#define TAN_TANBENCH_P2P_DATATYPES_H

#include <stdio.h>

#include "base/json.h"
#include "model/fit/p2p_fit.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* Vectors of 1 to 4 blocks with 1 to 4 floats each; the stride is 4 floats, also from one vector to
 * the next, so one to four of every four floats are sent. All sizes are multiples of every vector's
 * size. */
enum {
    P2P_BLOCKS = 4,
    P2P_LENGTHS = 4,
    P2P_STRIDE = 4,
    P2P_LAYOUTS = 1 + P2P_BLOCKS * P2P_LENGTHS, /* the first is contiguous */
    P2P_VECTOR_SIZES = 11
};
extern const int64_t p2p_vector_sizes[P2P_VECTOR_SIZES];

/* Costs on one side while the other side's data are contiguous. */
struct p2p_layout {
    int blocks, length;               /* 0: contiguous */
    struct tan_p2p_pack pack, unpack; /* in addition to the costs of contiguous data */
    struct tan_p2p_estimate send[P2P_VECTOR_SIZES], receive[P2P_VECTOR_SIZES];
};

struct p2p_vectors_found {
    size_t n; /* number of repetitions */
    struct p2p_layout layout[P2P_LAYOUTS];
};

/* Repeat 100 times, after 2 warm-ups, all vectors and sizes in turn; or fewer times if
 * effort->max_seconds is over before: at least 20 times, or 5 if these take more than five times as
 * long; simulated ranks, whose times do not vary, at least 3. The link's buffers must hold the
 * largest size. -1 with an error. */
int p2p_vectors_measure(struct p2p_link *link, const struct p2p_effort *effort,
                        struct p2p_vectors_found *found, struct tan_error *e);

void p2p_vectors_print(const struct p2p_vectors_found *found, FILE *to);
/* Set "datatypes" of a machine file's block. */
void p2p_vectors_set(struct tan_json_writer *w, json_t *block,
                     const struct p2p_vectors_found *found);

#endif
