/* round_trips.h - waves that the root asks for, one after the other
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_ROUND_TRIPS_H
#define TANBENCH_MEASURE_ROUND_TRIPS_H

#include <stdbool.h>

#include "tanbench/measure/cell_run.h"

/* When things happened on the root's clock. */
struct round_times {
    double begin; /* before the request was sent */
    double heard; /* the last leaf had it; 0 unless leaves were told when to send */
    double sent;  /* the last leaf sent; as above */
    double end;   /* all leaves' packets were reduced */
};

/* Root: so many waves, each asked for when the one before is there, timed together; the last one is
 * checked, outside of the time. Of a single wave: `when` not 0 tells the leaves when to send or, in
 * the last wave before they push, when to begin with that; after `last` the followers return. */
int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e);
/* Every other rank: until the last wave. */
int rounds_follow(struct cell_run *run, struct tan_error *e);

#endif
