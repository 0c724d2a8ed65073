/* doubts.h - what is doubted of measured cells
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_DOUBTS_H
#define BENCH_RESULTS_DOUBTS_H

#include <stdio.h>

#include "base/json_writer.h"
#include "model/machine/doubt.h"

struct result;
struct results;

/* Append one of each kind that any cell has at least so severe, of severity `least`. Its text names
 * the cells, in the order of the command line, in one sentence without a full stop. */
void tan_doubt_cells(const struct results *r, enum tan_severity least, struct tan_doubts *doubts);

/* Print doubts and notes about every cell, and the scope of the intervals: the lines under the
 * table. */
void tan_cell_doubts_print(const struct results *r, FILE *to);

/* Those of one cell in a results file: "trustworthy", and "warnings" such as "drift: -11 %", a kind
 * and what was found. */
void tan_cell_doubts_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                         const struct result *result);
/* The sentence that such a warning of the cell `spec` stands for, as tan_doubt_cells has it; what
 * is of no known kind as it is. malloc'd, NULL: memory is short. */
char *tan_cell_doubt_sentence(const char *warning, const char *spec);

#endif
