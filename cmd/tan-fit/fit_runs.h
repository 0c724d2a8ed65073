/* fit_runs.h - further runs that would make a fit more certain
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_FIT_FIT_RUNS_H
#define TAN_CMD_TAN_FIT_FIT_RUNS_H

#include "cmd/tan-fit/fit_output.h"

/* After a fit of all trees: set s->candidates, and s->runs to the best of them. If systems built
 * all measured trees, candidates are trees by the same settings with other values; otherwise chains
 * of at most 64 levels, N-to-1 trees and k-ary trees. Their leaves, or members, are within the
 * range of the measured ones, and at most 16384. */
int fit_runs_find(struct session *s, struct tan_error *e);
void fit_runs_print(const struct session *s, FILE *to);
/* Add s->runs to the `report` of fit_output_json, whose reference is taken, and return it; NULL if
 * `report` is NULL or memory is short. */
json_t *fit_runs_add(const struct session *s, json_t *report);
void fit_runs_clear(struct session *s);

#endif
