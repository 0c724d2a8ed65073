/* results_modes.h - results of the modes sync and timed, as JSON and as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RESULTS_MODES_H
#define TANBENCH_RESULTS_MODES_H

#include "tanbench/results.h"

/* What a cell's object has beside what all modes have; `samples` too. */
void results_add_mode(json_t *o, const struct results *r, const struct result *result);

/* The table of the results' mode, in the order of the command line, and remarks under it. */
void results_print_sync(const struct results *r, FILE *to);
void results_print_timed(const struct results *r, FILE *to);

#endif
