/* vector_trips.h - ping-pongs of non-contiguous data, measured and predicted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_VECTOR_TRIPS_H
#define TAN_TANBENCH_P2P_VECTOR_TRIPS_H

#include <stdio.h>

#include "base/json.h"
#include "model/machine/p2p.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* A one-way time, half a round trip, in which rank 0 sends and receives a vector, and its partner
 * contiguous floats. */
struct p2p_vector_trip {
    int blocks, length; /* of the vector, as in datatypes.h */
    int64_t bytes;
    double measured; /* seconds */
    /* Predicted with o_pack + O_pack k and o_unpack + O_unpack k, and from measured round trips of
     * the next sizes; NaN if there are none. */
    double by_line, by_size;
};

struct p2p_vector_trips {
    struct p2p_vector_trip *row; /* by vector, then by size; owned */
    size_t n;
};

/* Measure every vector of `datatypes`, the block of a machine file (NULL: none), with 1 to 2^18
 * floats, rounded up to whole vectors, in interleaved passes until effort->max_seconds is over.
 * Predicted is what the best model of single messages says plus what the vector adds by the file.
 * Always clear `out`. -1 with an error. */
int p2p_vector_trips_measure(struct p2p_link *link, const struct p2p_effort *effort,
                             const struct tan_p2p *p, const json_t *datatypes,
                             struct p2p_vector_trips *out, struct tan_error *e);
void p2p_vector_trips_clear(struct p2p_vector_trips *trips);

void p2p_vector_trips_print(const struct p2p_vector_trips *trips, FILE *to);
/* Set "vectors". */
void p2p_vector_trips_set(struct tan_json_writer *w, json_t *document,
                          const struct p2p_vector_trips *trips);

/* Bytes of the longest message. */
int64_t p2p_vector_trips_room(void);

#endif
