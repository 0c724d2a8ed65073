/* wave_counts.h - what each process counts beside its waves: phases, packets, CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_MEASURE_WAVE_COUNTS_H
#define TANBENCH_MEASURE_WAVE_COUNTS_H

#include "tanbench/measure/cell_run.h"

/* With --perf: whether the counters need to know when this wave, or the warm-up, has ended. */
bool wave_counts_need_clock(const struct cell_run *run);
/* Before the first wave and after each, at `now`, which is used only where it is needed: counters
 * begin after the warm-up. */
void wave_counts_between(struct cell_run *run, double now);
/* Root: the next wave begins at `now`. */
void wave_counts_root(const struct cell_run *run, double now);
/* The request for the last wave is here, or about to go: it is not a measured one, which only the
 * root knows before, so all keep what they had counted. */
void wave_counts_last(struct cell_run *run);

/* CPU time of mode stream's closed loop: before each wave, and after the last. */
void closed_loop_wave(struct cell_run *run);
void closed_loop_end(struct cell_run *run);

#endif
