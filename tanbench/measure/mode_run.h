/* mode_run.h - measurement of a tree in each mode
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_MODE_RUN_H
#define TAN_TANBENCH_MEASURE_MODE_RUN_H

#include "bench/sampling/measurement.h"
#include "tanbench/measure/cell_run.h"

/* Measure a tree completely: clocks, the mode's own part, packet counts. */
int mode_measure(struct cell_run *run, struct measurement *m, struct tan_error *e);
/* Every other rank of the tree. */
int mode_follow(struct cell_run *run, struct tan_error *e);

/* Modes in files of their own. */
int mode_oneway_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_stream_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_stream_follow(struct cell_run *run, struct tan_error *e);
/* Sink for results of streams at the root (stream_sink); `context` is the cell_run. */
int mode_stream_sink(void *context, const struct packet *result, struct tan_error *e);
/* Costs of pushing, from all ranks' reports. */
void mode_stream_conclude(const struct cell_run *run, const struct rank_report *reports,
                          struct measurement *m);

#endif
