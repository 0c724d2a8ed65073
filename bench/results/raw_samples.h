/* raw_samples.h - every sample as a line of CSV (--raw)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RAW_SAMPLES_H
#define TAN_BENCH_RESULTS_RAW_SAMPLES_H

#include "bench/results/results.h"

/* Write every sample as a line of CSV to `path` ("-": stdout): topology, index (from 0 for each
 * cell), round_trip_us, wave_us (half of it), bytes, launch and pass (from 1). */
int tan_results_save_raw(const struct results *r, const char *path, struct tan_error *e);

#endif
