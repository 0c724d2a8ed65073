/* validate.h - accuracy of the models on held-out trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_VALIDATE_H
#define TAN_TANBENCH_RESULTS_VALIDATE_H

#include "base/json.h"
#include "tanbench/results/results.h"

/* Extent of tanbench validate. */
struct validation {
    int64_t shapes;             /* random trees */
    int64_t least_ranks, ranks; /* processes in each tree */
};

/* Fill `plan` with random trees, drawn with the settings' seed; the smallest and the largest chain
 * and N-to-1 tree as references; and the largest tree of some named shapes, each within the limits
 * of `v`. */
int tan_validate_plan(struct plan *plan, const struct validation *v, struct tan_error *e);

/* Add "models" (accuracy on the random trees), "named" (on the named ones) and "reference_models"
 * (on the references) to tan-results/1. */
void tan_validate_set_json(struct tan_json_writer *w, json_t *document, const struct results *r);
/* Of `results`, a struct results: the model that errs least on the random trees, or on the named
 * ones if there are no others, and what its choice costs; nothing without predictions. */
void tan_validate_print_best(const void *results, FILE *to);
/* A table of each model's accuracy on random, named and reference trees. */
void tan_validate_print(const struct results *r, FILE *to);

#endif
