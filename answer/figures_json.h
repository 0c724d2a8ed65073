/* figures_json.h - data for the figures of an answer, as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_ANSWER_FIGURES_JSON_H
#define TAN_ANSWER_FIGURES_JSON_H

#include "answer/answer.h"
#include "base/json.h"

/* "figures" of a design: wave times over fanouts, leaves and parameters. Takes a few milliseconds
 * up to some 10^5 leaves, tens of them beyond. */
void tan_figures_set_design(struct tan_json_writer *w, json_t *top, const struct tan_design *d);
#endif
