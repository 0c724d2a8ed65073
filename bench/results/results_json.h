/* results_json.h - results as files: tan-results/1, raw samples as CSV
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_RESULTS_JSON_H
#define BENCH_RESULTS_RESULTS_JSON_H

#include "bench/results/results.h"

/* tan-results/1; the caller owns the reference. NULL if memory is short. */
json_t *tan_results_to_json(const struct results *r);
/* Write it to `path` ("-": stdout). */
int tan_results_save(const struct results *r, const char *path, struct tan_error *e);
/* Write every sample as a line of CSV: topology, index, round_trip_us, wave_us, bytes, launch (from
 * 1). */
int tan_results_save_raw(const struct results *r, const char *path, struct tan_error *e);

#endif
