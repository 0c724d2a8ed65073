/* fit_runs.h - further runs that would make a fit more certain
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_FIT_FIT_RUNS_H
#define TAN_CMD_TAN_FIT_FIT_RUNS_H

#include "cmd/tan-fit/fit_output.h"

/* Find them in s->runs, after a fit of all trees. Candidates are of the measured sizes, but of at
 * most 16384 leaves, or members: where a system built all trees, its trees by the same setting with
 * other values; otherwise chains of at most 64 levels, N-to-1 and k-ary trees. */
int fit_runs_find(struct session *s, struct tan_error *e);
void fit_runs_print(const struct session *s, FILE *to);
/* Add them to the report of fit_output_json, which is consumed; NULL if that is, or if memory is
 * short. */
json_t *fit_runs_add(const struct session *s, json_t *report);
void fit_runs_clear(struct session *s);

#endif
