/* sensitivity.h - how far a parameter may be off before another answer is better
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_SEARCH_SENSITIVITY_H
#define TAN_DESIGN_SEARCH_SENSITIVITY_H

#include <stdbool.h>

#include "design/search/plan.h"
#include "model/machine/params.h"
#include "model/stats/stats.h"

enum { TAN_SENSITIVITIES = 4 }; /* parameters at most: L, a, b, c */

/* What becomes of an answer if parameters have other values. */
struct tan_moved {
    double slower; /* than the best answer for those values, as a share of its wave time; 0: it is
                      still the best */
    struct tan_text best; /* that answer: "16x16x16", "TreeWidth=10" */
};

/* The effect of one parameter on the choice. */
struct tan_sensitivity {
    int param;    /* of enum tan_param */
    bool with_b;  /* `param` is a, and b, which is assumed to be the same, moves with it */
    double value; /* seconds */
    /* Seconds between which the answer stays the best, to a thousandth; 0 and INFINITY if it does
     * as far as a tenth and ten times the value. Without width if another answer is as
     * good at the value itself. */
    struct tan_interval stays;
    struct tan_moved half, twice; /* at half and twice the value */
};

/* Judge an answer to `question` for other values of the parameters. */
typedef int tan_judge(const void *question, const double value[TAN_PARAMS], struct tan_moved *moved,
                      struct tan_error *e);

/* Write a row for each of L, a, b and c that is known and not 0 to `rows`, and their number to *n,
 * with one for b alone, too, where it is only assumed to be a: it is the least sure. None for
 * parameters with draws, which say more, or with a payload, which takes the place of parameters.
 * Calls `judge` some 30 times per row. */
int tan_sensitivities(const struct tan_params *params, tan_judge *judge, const void *question,
                      struct tan_sensitivity rows[TAN_SENSITIVITIES], int *n, struct tan_error *e);

/* How far each parameter may be off before `plan`, the best tree, is no longer the best, and the
 * best tree at half and twice its value. None under max_processes, where searching is slow. */
int tan_plan_sensitivities(const struct tan_problem *problem, const struct tan_plan *plan,
                           struct tan_sensitivity rows[TAN_SENSITIVITIES], int *n,
                           struct tan_error *e);

#endif
