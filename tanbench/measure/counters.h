/* counters.h - counters of a process: phases, packets, CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_MEASURE_COUNTERS_H
#define TAN_TANBENCH_MEASURE_COUNTERS_H

#include "tanbench/measure/cell_run.h"

/* With --perf: whether the counters need the time at which this wave, or the warm-up, ended. */
bool counters_need_clock(const struct cell_run *run);
/* Before the first wave and after each wave, at `now`, which is used only if needed: counting
 * starts after the warm-up. */
void counters_between(struct cell_run *run, double now);
/* Root: the next wave starts at `now`. */
void counters_root(const struct cell_run *run, double now);
/* The request for the last wave has arrived, or is about to be sent. That wave is not measured, and
 * only the root knows this in advance, so every process keeps its counters from before. */
void counters_last(struct cell_run *run);

/* CPU time of the closed loop in mode stream: before each wave, and after the last. */
void closed_loop_wave(struct cell_run *run);
void closed_loop_end(struct cell_run *run);

#endif
