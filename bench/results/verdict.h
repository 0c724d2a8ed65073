/* verdict.h - what must be said of a measured cell before anybody believes it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_VERDICT_H
#define BENCH_RESULTS_VERDICT_H

#include <stdio.h>

#include "base/json_writer.h"
#include "bench/results/results.h"

/* Print what is noteworthy of every cell, and what the intervals are about: the lines under the
 * table. */
void tan_verdict_print(const struct results *r, FILE *to);

/* Which cells should not be trusted, and why, in one sentence without a full stop; malloc'd, NULL
 * when there are none. */
char *tan_verdict_untrusted(const struct results *r);

/* The same for one cell as results have it: "trustworthy", and "warnings" in a few words. */
void tan_verdict_set_json(struct tan_json_writer *w, json_t *cell, const struct results *r,
                          const struct result *result);

#endif
