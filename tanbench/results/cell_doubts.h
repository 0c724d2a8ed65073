/* cell_doubts.h - doubts about measured cells
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_CELL_DOUBTS_H
#define TAN_TANBENCH_RESULTS_CELL_DOUBTS_H

#include <stdio.h>

#include "base/json.h"
#include "model/machine/doubt.h"

struct result;
struct results;

/* Append a doubt of severity `least` for each kind that some cell has with that severity or more.
 * Its text is a sentence without full stop, which names the first five of these cells in the order
 * of the command line, and the number of the others. */
void tan_doubt_cells(const struct results *r, enum tan_severity least, struct tan_doubts *doubts);

/* Append the doubts about the run as a whole: those of `r->doubts`, and others' use of the cores
 * during more than half of the trees. A few such trees are only a note about them. */
void tan_doubt_run(const struct results *r, struct tan_doubts *doubts);

/* Print the lines under the table: what the intervals are valid for, and doubts and notes about the
 * cells. */
void tan_cell_doubts_print(const struct results *r, FILE *to);

/* Say the same in an answer (base/reply.h), but for kinds of doubts that were said. */
void tan_cell_doubts_say(struct tan_json_writer *w, json_t *answer, const struct results *r,
                         const struct tan_doubts *said);

/* Set a cell's "trustworthy", and its "warnings", each a kind and a finding: "drift: -11 %".
 * `run_trusted`: there are no doubts about the run as a whole, which are doubts about each of its
 * cells. */
void tan_cell_doubts_set(struct tan_json_writer *w, json_t *cell, const struct results *r,
                         const struct result *result, bool run_trusted);

#endif
