/* figures_json.h - data for the figures of an answer, as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_FIGURES_JSON_H
#define TAN_ANSWER_FIGURES_JSON_H

#include "answer/answer.h"
#include "base/json.h"

/* "figures" of a design: its tree, if small enough to be drawn, and wave times over fanouts, leaves
 * and parameters. Takes a few milliseconds up to some 10^5 leaves, tens of them beyond. */
void tan_figures_set_design(struct tan_json_writer *w, json_t *top, const struct tan_design *d);
/* "figures" of a design for hosts: its placement in words, and its tree, if small enough. */
void tan_figures_set_hosted(struct tan_json_writer *w, json_t *top,
                            const struct tan_hosted_problem *problem,
                            const struct tan_hosted *choice);
/* Set `key` to an array of the processes on the critical path of a wave over `n` processes with
 * these parents (NULL: none). Left out if there are too many to be drawn, or if they are not
 * numbered from the root down. */
void tan_figures_set_critical(struct tan_json_writer *w, json_t *object, const char *key,
                              const int32_t *parents, int32_t n, const struct tan_model *model,
                              const struct tan_params *params);

#endif
