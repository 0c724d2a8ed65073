/* results_json.h - results as files tan-results/1
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RESULTS_JSON_H
#define TAN_BENCH_RESULTS_RESULTS_JSON_H

#include "bench/results/results.h"

/* tan-results/1; the caller owns the reference. NULL if memory is short. */
json_t *tan_results_to_json(const struct results *r);
/* Write it to `path` ("-": stdout). */
int tan_results_save(const struct results *r, const char *path, struct tan_error *e);

#endif
