/* verdict.h - warnings about measured cells, and whether to trust them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_VERDICT_H
#define BENCH_RESULTS_VERDICT_H

#include <stdio.h>

#include "base/json_writer.h"
#include "bench/results/results.h"

/* Print the findings on every cell, and the scope of the intervals: the lines under the table. */
void tan_verdict_print(const struct results *r, FILE *to);

/* The cells that should not be trusted, with reasons, in one sentence without a full stop;
 * malloc'd, NULL when there are none. */
char *tan_verdict_untrusted(const struct results *r);

/* The same for one cell of a results file: "trustworthy" and "warnings". */
void tan_verdict_set_json(struct tan_json_writer *w, json_t *cell, const struct results *r,
                          const struct result *result);

#endif
