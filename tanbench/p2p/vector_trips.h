/* vector_trips.h - ping-pongs of non-contiguous data, measured and predicted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_VECTOR_TRIPS_H
#define TAN_TANBENCH_P2P_VECTOR_TRIPS_H

#include <jansson.h>
#include <stdio.h>

#include "model/machine/p2p.h"
#include "tanbench/p2p/link.h"
#include "tanbench/p2p/measure.h"

/* Half of a round trip whose leader sends and receives a vector, the partner contiguous floats. */
struct p2p_vector_trip {
    int blocks, length; /* of the vector, as in datatypes.h */
    int64_t bytes;
    double measured; /* seconds */
    double by_line;  /* predicted by o_pack + O_pack k and o_unpack + O_unpack k */
    double by_size;  /* by round trips as measured for the sizes beside it; NaN: not in the file */
};

struct p2p_vector_trips {
    struct p2p_vector_trip *row; /* by vector, then by size; owned */
    size_t n;
};

/* Measure 1 to 2^18 floats, or the next multiple of the vector's, for every vector of `datatypes`,
 * the block of a machine file (NULL: none), in passes that take turns until the effort's time is
 * over. The predictions are that of the best model of single messages and what the vector
 * adds. Clear `out` in any case. -1 on a request to stop. */
int p2p_vector_trips_measure(struct p2p_link *link, const struct p2p_effort *effort,
                             const struct tan_p2p *p, const json_t *datatypes,
                             struct p2p_vector_trips *out, struct tan_error *e);
void p2p_vector_trips_clear(struct p2p_vector_trips *trips);

void p2p_vector_trips_print(const struct p2p_vector_trips *trips, FILE *to);
/* NULL when memory is short; the caller owns the reference. */
json_t *p2p_vector_trips_json(const struct p2p_vector_trips *trips);

/* Bytes of the longest message. */
int64_t p2p_vector_trips_room(void);

#endif
