/* round_trips.h - consecutive waves requested by the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_ROUND_TRIPS_H
#define TAN_TANBENCH_MEASURE_ROUND_TRIPS_H

#include <stdbool.h>

#include "tanbench/measure/cell_run.h"

/* Times on the root's clock. */
struct round_times {
    double begin; /* before sending the request */
    double heard; /* last leaf's receipt of the request; 0 unless `when` was set */
    double sent;  /* last leaf's send; likewise */
    double end;   /* after reducing all leaves' packets */
};

/* Root: `waves` consecutive waves, timed together; the last one is verified outside the timed
 * interval. For a single wave, `when` (unless 0) is the time at which leaves send or, in the last
 * wave before they push, start pushing. After `last` the followers return. */
int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e);
/* Every other rank: follow until the last wave. */
int rounds_follow(struct cell_run *run, struct tan_error *e);

#endif
