/* decide.c - the measurement that best tells two trees apart
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/decide.h"

#include <stdbool.h>
#include <stdio.h>

/* A tree that calibrations measure: `size` levels with one child each, or one level with `size`
 * children. */
static struct tan_plan measured_tree(bool chain, int size)
{
    struct tan_plan plan = {.height = chain ? size : 1};
    for (int i = 0; i < plan.height; i++) {
        plan.fanout[i] = chain ? 1 : size;
        plan.below[i] = 1;
        plan.others[i] = plan.fanout[i] - 1;
    }
    return plan;
}

/* Share of the variance of the difference a - b that measuring a tree would explain. A measurement
 * follows the model that the parameters are fitted to, also if the problem has another. */
static double explained_share(const struct tan_problem *p, const struct tan_plan *a,
                              const struct tan_plan *b, const struct tan_plan *measured)
{
    const struct tan_model *fitted = p->model->node != NULL ? p->model : &tan_models[TAN_MODEL_TAN];
    const double precision = 0.02; /* of the measurement, relative */
    const int n = p->params->n_draws;
    double mean[2] = {0.0, 0.0};
    double square[2] = {0.0, 0.0};
    double product = 0.0;
    for (int i = 0; i < n; i++) {
        const struct tan_params moved = tan_params_drawn(p->params, i);
        const double x = tan_plan_wave(measured, fitted, &moved);
        const double y = tan_plan_wave(a, p->model, &moved) - tan_plan_wave(b, p->model, &moved);
        /* Welford's algorithm */
        const double dx = x - mean[0];
        const double dy = y - mean[1];
        mean[0] += dx / (i + 1);
        mean[1] += dy / (i + 1);
        square[0] += dx * (x - mean[0]);
        square[1] += dy * (y - mean[1]);
        product += dx * (y - mean[1]);
    }
    const double noise = precision * mean[0];
    const double whole = (square[0] + n * noise * noise) * square[1];
    return whole > 0.0 ? product * product / whole : 0.0;
}

void tan_decide(const struct tan_problem *problem, const struct tan_plan *a,
                const struct tan_plan *b, char spec[TAN_DECIDE_SPEC])
{
    const double least = 0.1;   /* explained share, below which a measurement is useless */
    const double nearly = 0.95; /* times the best share is as good, if the tree is smaller */
    enum { MOST_FANOUT = 256, MOST_HEIGHT = 32 };
    const int64_t widest = a->max_fanout > b->max_fanout ? a->max_fanout : b->max_fanout;
    double best = least;
    spec[0] = '\0';
    for (int size = 1; size <= MOST_FANOUT; size *= 2) {
        for (int chain = 1; chain >= 0; chain--) {
            if (size > (chain ? MOST_HEIGHT : widest)) {
                continue;
            }
            const struct tan_plan measured = measured_tree(chain, size);
            const double share = explained_share(problem, a, b, &measured);
            if (share > best / nearly || (spec[0] == '\0' && share > least)) {
                best = share;
                snprintf(spec, TAN_DECIDE_SPEC, "%s:%d", chain ? "chain" : "nto1", size);
            }
        }
    }
}
