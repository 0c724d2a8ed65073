/* sensitivity.c - how far a parameter may be off before another answer is better
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/search/sensitivity.h"

#include <math.h>
#include <string.h>

#include "design/search/search.h"

struct sensitivity_question {
    const struct tan_params *params;
    tan_judge *judge;
    const void *question;
};

static int judge_at(const struct sensitivity_question *q, const struct tan_sensitivity *row,
                    double factor, struct tan_moved *moved, struct tan_error *e)
{
    double value[TAN_PARAMS];
    memcpy(value, q->params->value, sizeof value);
    value[row->param] *= factor;
    if (row->with_b) {
        value[TAN_B] *= factor;
    }
    return q->judge(q->question, value, moved, e);
}

/* The last factor on the way from 1 to `far` for which the answer is the best. The time of an
 * answer is a linear function of each parameter, and that of the best one concave, so that there is
 * only one such end. */
static int find_end(const struct sensitivity_question *q, const struct tan_sensitivity *row,
                    double far, double *end, struct tan_error *e)
{
    const double close = 1.001;
    struct tan_moved moved;
    double within = 1.0;
    *end = far;
    if (judge_at(q, row, far, &moved, e) < 0) {
        return -1;
    }
    if (moved.slower <= 0.0) {
        return 0;
    }
    while (fmax(*end, within) / fmin(*end, within) > close) {
        const double middle = sqrt(*end * within);
        if (judge_at(q, row, middle, &moved, e) < 0) {
            return -1;
        }
        *(moved.slower > 0.0 ? end : &within) = middle;
    }
    *end = within;
    return 0;
}

static int fill_row(const struct sensitivity_question *q, struct tan_sensitivity *row,
                    struct tan_error *e)
{
    const double most = 10.0;
    double low = 0.0;
    double high = 0.0;
    if (find_end(q, row, 1.0 / most, &low, e) < 0 || find_end(q, row, most, &high, e) < 0 ||
        judge_at(q, row, 0.5, &row->half, e) < 0 || judge_at(q, row, 2.0, &row->twice, e) < 0) {
        return -1;
    }
    row->stays.low = low > 1.0 / most ? low * row->value : 0.0;
    row->stays.high = high < most ? high * row->value : INFINITY;
    return 0;
}

int tan_sensitivities(const struct tan_params *params, tan_judge *judge, const void *question,
                      struct tan_sensitivity rows[TAN_SENSITIVITIES], int *n, struct tan_error *e)
{
    static const int moved[TAN_SENSITIVITIES] = {TAN_L, TAN_A, TAN_B, TAN_C2};
    const struct sensitivity_question q = {params, judge, question};
    const double *v = params->value;
    const bool assumed = params->unidentified[TAN_B] && v[TAN_B] == v[TAN_A];
    *n = 0;
    for (int i = 0; i < TAN_SENSITIVITIES && params->n_draws == 0 && params->payload == NULL; i++) {
        const int p = moved[i];
        const bool known = !params->unidentified[p] || p == TAN_A || (p == TAN_B && assumed);
        if (!(v[p] > 0.0) || !known) {
            continue;
        }
        struct tan_sensitivity *row = &rows[(*n)++];
        *row = (struct tan_sensitivity){.param = p, .with_b = p == TAN_A && assumed, .value = v[p]};
        if (fill_row(&q, row, e) < 0) {
            return -1;
        }
    }
    return 0;
}

struct plan_question {
    const struct tan_problem *problem;
    const struct tan_plan *plan;
};

static int judge_plan(const void *question, const double value[TAN_PARAMS], struct tan_moved *moved,
                      struct tan_error *e)
{
    const struct plan_question *q = question;
    struct tan_problem p = *q->problem;
    struct tan_params params = *p.params;
    struct tan_plan best = *q->plan;
    memcpy(params.value, value, sizeof params.value);
    p.params = &params;
    p.known_wave = tan_plan_wave(q->plan, p.model, &params);
    const bool equal =
        p.leaves > 1 && !(tan_level_cost(p.model, &params, p.leaves, 1, p.leaves - 1) > 0.0);
    if (!equal && tan_search_best(&p, &best, e) < 0) {
        return -1;
    }
    const double by = equal ? 0.0 : p.known_wave - best.wave;
    const struct tan_text own = tan_plan_fanouts(q->plan);
    moved->best = tan_plan_fanouts(&best);
    /* under a model with `node` trees of the same fanouts may differ in how they spread leaves */
    moved->slower = by > TAN_SEARCH_EQUAL * p.known_wave && strcmp(own.text, moved->best.text) != 0
                        ? by / tan_plan_wave(&best, p.model, &params)
                        : 0.0;
    return 0;
}

int tan_plan_sensitivities(const struct tan_problem *problem, const struct tan_plan *plan,
                           struct tan_sensitivity rows[TAN_SENSITIVITIES], int *n,
                           struct tan_error *e)
{
    const struct plan_question question = {problem, plan};
    *n = 0;
    return problem->max_processes > 0
               ? 0
               : tan_sensitivities(problem->params, judge_plan, &question, rows, n, e);
}
