/* results_modes.h - results of modes other than waves, as JSON and tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_RESULTS_MODES_H
#define TAN_TANBENCH_RESULTS_RESULTS_MODES_H

#include <stdio.h>

#include "base/json.h"
#include "tanbench/results/results.h"

/* Set members of a cell's object that are specific to the mode. */
void tan_results_set_mode(struct tan_json_writer *w, json_t *cell, const struct results *r,
                          const struct result *result);

/* The mode's table in the order of the command line, and remarks below it. */
void tan_results_print_oneway(const struct results *r, FILE *to);
void tan_results_print_stream(const struct results *r, FILE *to);
/* The same, and what became of each recovery. */
void tan_results_print_failures(const struct results *r, FILE *to);

#endif
