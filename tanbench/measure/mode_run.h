/* mode_run.h - measurement of a tree in each mode
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_MODE_RUN_H
#define TAN_TANBENCH_MEASURE_MODE_RUN_H

#include "tanbench/host/core_load.h"
#include "tanbench/measure/cell_run.h"
#include "tanbench/sampling/measurement.h"

/* Functions that take an error return 0, or -1 with it. */

/* Rank 0: measure a tree completely: clocks, the mode's own part, packet counts. *m, zero before,
 * has the waves so far if it fails. */
int mode_measure(struct cell_run *run, struct measurement *m, struct tan_error *e);
/* Every other rank of the tree takes part until rank 0 has finished. */
int mode_follow(struct cell_run *run, struct tan_error *e);

/* Rank 0, between waves. Whether other programs are using the run's cores; false if that is
 * unknown. `context` is the cell_run. */
bool mode_run_disturbed(void *context);
/* Counters of the run's cores and ranks. */
struct core_load mode_run_load(const struct cell_run *run);

/* The parts of modes in files of their own. */
int mode_failures_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_failures_follow(struct cell_run *run, struct tan_error *e);
int mode_oneway_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_stream_lead(struct cell_run *run, struct measurement *m, struct tan_error *e);
int mode_stream_follow(struct cell_run *run, struct tan_error *e);
/* Takes the results of a stream at the root (stream_sink); `context` is the cell_run. */
int mode_stream_sink(void *context, const struct packet *result, struct tan_error *e);
/* Add the costs of pushing to m->stream, from the reports of all ranks of the cell. */
void mode_stream_conclude(const struct cell_run *run, const struct rank_report *reports,
                          struct measurement *m);

#endif
