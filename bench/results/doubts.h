/* doubts.h - doubts about measured cells
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_DOUBTS_H
#define TAN_BENCH_RESULTS_DOUBTS_H

#include <stdio.h>

#include "base/json_writer.h"
#include "model/machine/doubt.h"

struct result;
struct results;

/* Append a doubt for each kind that any cell has with severity `least` or more. Its text is a
 * sentence without full stop that names the cells in the order of the command line. */
void tan_doubt_cells(const struct results *r, enum tan_severity least, struct tan_doubts *doubts);

/* Print doubts and notes about every cell, and the scope of the intervals: the lines under the
 * table. */
void tan_cell_doubts_print(const struct results *r, FILE *to);

/* Write a cell's doubts to results: "trustworthy", and "warnings" such as "drift: -11 %",
 * consisting of a kind and the finding. */
void tan_cell_doubts_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                         const struct result *result);
/* The sentence for such a warning about the cell `spec`, in the words of tan_doubt_cells; a warning
 * of an unknown kind is copied. malloc'd, NULL if memory is short. */
char *tan_cell_doubt_sentence(const char *warning, const char *spec);

#endif
