/* datatypes.h - costs that non-contiguous data add to a message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_DATATYPES_H
#define TANBENCH_P2P_DATATYPES_H

#include <jansson.h>
#include <stdio.h>

#include "model/fit/p2p_pack.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* Vectors of 1 to 4 blocks of 1 to 4 floats; the stride is 4 floats, also across elements, so that
 * one to four of every four floats are sent. All sizes are multiples of every vector's elements. */
enum {
    P2P_BLOCKS = 4,
    P2P_LENGTHS = 4,
    P2P_STRIDE = 4,
    P2P_LAYOUTS = 1 + P2P_BLOCKS * P2P_LENGTHS, /* the first: contiguous */
    P2P_VECTOR_SIZES = 11
};
extern const int64_t p2p_vector_sizes[P2P_VECTOR_SIZES];
/* A committed type of so many blocks of so many floats; the caller frees it. */
MPI_Datatype p2p_vector_type(int blocks, int length);

/* One side's costs while the other side's data are contiguous. */
struct p2p_layout {
    int blocks, length;               /* 0: contiguous */
    struct tan_p2p_pack pack, unpack; /* added to the costs of contiguous data */
    struct tan_p2p_estimate send[P2P_VECTOR_SIZES], receive[P2P_VECTOR_SIZES];
    /* half of a round trip whose leader has the vector in both directions */
    struct tan_p2p_estimate trip[P2P_VECTOR_SIZES];
};

struct p2p_vectors_found {
    size_t n; /* repetitions */
    struct p2p_layout layout[P2P_LAYOUTS];
};

/* 100 repetitions after 2 that are discarded, or as many as the time allows, at least 20, or 5
 * where these take several times as long; in each all vectors and sizes take turns. The link's
 * buffers must hold the largest size. */
int p2p_vectors_measure(struct p2p_link *link, const struct p2p_effort *effort,
                        struct p2p_vectors_found *found, struct tan_error *e);

void p2p_vectors_print(const struct p2p_vectors_found *found, FILE *to);
/* NULL when memory is short; the caller owns the reference. */
json_t *p2p_vectors_json(const struct p2p_vectors_found *found);

#endif
