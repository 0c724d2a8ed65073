/* round_trips.h - consecutive waves requested by the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_ROUND_TRIPS_H
#define TANBENCH_MEASURE_ROUND_TRIPS_H

#include <stdbool.h>

#include "tanbench/measure/cell_run.h"

/* Instants on the root's clock. */
struct round_times {
    double begin; /* before the request was sent */
    double heard; /* the last leaf received it; 0 unless `when` was set */
    double sent;  /* the last leaf sent; as above */
    double end;   /* all leaves' packets were reduced */
};

/* Root: `waves` consecutive waves, timed together; the last one is checked, outside of the time.
 * For a single wave: `when` not 0 is the instant at which leaves send or, in the last wave before
 * they push, begin to push; after `last` the followers return. */
int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e);
/* Every other rank: until the last wave. */
int rounds_follow(struct cell_run *run, struct tan_error *e);

#endif
