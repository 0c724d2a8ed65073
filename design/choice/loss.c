/* loss.c - loss by a choice of tree when parameters are uncertain
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/design.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "model/stats/stats.h"

/* Maximum number of searches: one takes milliseconds up to 10^5 leaves; beyond that, or with a
 * growing payload, much longer. */
static int most_searches(const struct tan_problem *p)
{
    enum { MANY = 200, SOME = 40, FEW = 8 };
    if (p->max_processes > 0) {
        return 0;
    }
    const int64_t size = p->params->payload != NULL ? 100 * p->leaves : p->leaves;
    return size <= 100000 ? MANY : size <= 10000000 ? SOME : FEW;
}

/* Add a tree unless it is present; there must be room for it. */
static void add_plan(struct tan_plans *plans, const struct tan_plan *plan)
{
    if (!tan_plans_have(plans, plan)) {
        plans->plan[plans->n++] = *plan;
    }
}

/* The shortest wave of the trees. */
static double known_wave(const struct tan_problem *p, const struct tan_plans *known)
{
    double least = INFINITY;
    for (size_t i = 0; i < known->n; i++) {
        least = fmin(least, tan_plan_wave(&known->plan[i], p->model, p->params));
    }
    return least;
}

/* Known trees, and the best ones under some of the draws. */
static int gather_plans(const struct tan_problem *problem, const struct tan_plans *known,
                        struct tan_plans *out, struct tan_error *e)
{
    const struct tan_params *params = problem->params;
    const int most =
        most_searches(problem) < params->n_draws ? most_searches(problem) : params->n_draws;
    out->n = 0;
    out->plan = malloc((known->n + (size_t)most) * sizeof *out->plan);
    if (out->plan == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < known->n; i++) {
        add_plan(out, &known->plan[i]);
    }
    for (int i = 0; i < most; i++) {
        const int draw = (int)((int64_t)i * params->n_draws / most);
        const struct tan_params moved = tan_params_drawn(params, draw);
        struct tan_problem p = *problem;
        struct tan_plan best;
        p.params = &moved;
        p.known_wave = known_wave(&p, known);
        if (!(tan_level_cost(p.model, &moved, p.leaves, 1, p.leaves - 1) > 0.0)) {
            continue; /* under this draw all trees are equal */
        }
        if (tan_search_best(&p, &best, e) < 0) {
            return -1;
        }
        tan_plan_price(&best, problem->model, params);
        add_plan(out, &best);
    }
    return 0;
}

/* Set the best wave of each draw, and the share of draws in which each tree is the best; of equal
 * ones the one with the fewest processes counts. */
static void count_wins(const struct tan_problem *problem, const struct tan_plans *plans,
                       struct tan_loss *loss)
{
    for (size_t d = 0; d < loss->n; d++) {
        const struct tan_params moved = tan_params_drawn(problem->params, (int)d);
        size_t first = 0;
        loss->best[d] = INFINITY;
        for (size_t i = 0; i < plans->n; i++) {
            const double wave = tan_plan_wave(&plans->plan[i], problem->model, &moved);
            const bool equal = fabs(wave - loss->best[d]) <= TAN_SEARCH_EQUAL * wave;
            const bool smaller = plans->plan[i].processes < plans->plan[first].processes;
            if (equal ? smaller : wave < loss->best[d]) {
                loss->best[d] = fmin(wave, loss->best[d]);
                first = i;
            }
        }
        loss->share[first] += 1.0 / (double)loss->n;
    }
}

/* Keep the trees that are best under some draw, most frequent first. */
static void keep_best(struct tan_loss *loss)
{
    struct tan_plans *plans = &loss->plans;
    size_t n = 0;
    for (size_t i = 0; i < plans->n; i++) {
        if (loss->share[i] <= 0.0) {
            continue;
        }
        const struct tan_plan plan = plans->plan[i];
        const double share = loss->share[i];
        size_t k = n++;
        for (; k > 0 && loss->share[k - 1] < share; k--) {
            plans->plan[k] = plans->plan[k - 1];
            loss->share[k] = loss->share[k - 1];
        }
        plans->plan[k] = plan;
        loss->share[k] = share;
    }
    plans->n = n;
}

int tan_loss_create(const struct tan_problem *problem, const struct tan_plans *known,
                    struct tan_loss *out, struct tan_error *e)
{
    *out = (struct tan_loss){.ci95 = TAN_INTERVAL_UNKNOWN};
    if (problem->params->n_draws < 2) {
        return 0;
    }
    out->n = (size_t)problem->params->n_draws;
    if (gather_plans(problem, known, &out->plans, e) < 0) {
        tan_loss_clear(out);
        return -1;
    }
    out->best = malloc(out->n * sizeof *out->best);
    out->share = calloc(out->plans.n, sizeof *out->share);
    if (out->best == NULL || out->share == NULL) {
        tan_loss_clear(out);
        return tan_fail_nomem(e);
    }
    count_wins(problem, &out->plans, out);
    keep_best(out);
    double *sorted = tan_sorted(out->best, out->n, e);
    if (sorted == NULL) {
        tan_loss_clear(out);
        return -1;
    }
    out->ci95 = tan_central_interval(sorted, out->n);
    free(sorted);
    return 0;
}

void tan_loss_clear(struct tan_loss *loss)
{
    free(loss->best);
    free(loss->share);
    tan_plans_clear(&loss->plans);
    *loss = (struct tan_loss){0};
}

int tan_loss_regret(const struct tan_loss *loss, const struct tan_problem *problem,
                    const struct tan_plan *plan, struct tan_regret *regret, struct tan_error *e)
{
    *regret = (struct tan_regret){NAN, NAN, NAN};
    if (loss->n == 0) {
        return 0;
    }
    double *losses = malloc(loss->n * sizeof *losses);
    if (losses == NULL) {
        return tan_fail_nomem(e);
    }
    size_t none = 0;
    for (size_t d = 0; d < loss->n; d++) {
        const struct tan_params moved = tan_params_drawn(problem->params, (int)d);
        const double wave = tan_plan_wave(plan, problem->model, &moved);
        const double loss_here = loss->best[d] > 0.0 ? wave / loss->best[d] - 1.0 : 0.0;
        losses[d] = loss_here > TAN_SEARCH_EQUAL ? loss_here : 0.0;
        none += losses[d] <= 0.0;
    }
    gsl_sort(losses, 1, loss->n);
    regret->mean = gsl_stats_mean(losses, 1, loss->n);
    regret->bound = gsl_stats_quantile_from_sorted_data(losses, 1, loss->n, 0.95);
    regret->none = (double)none / (double)loss->n;
    free(losses);
    return 0;
}

double tan_loss_beats(const struct tan_loss *loss, const struct tan_problem *problem,
                      const struct tan_plan *plan, const struct tan_plan *other)
{
    const double equal = 1.0 + TAN_SEARCH_EQUAL;
    size_t wins = 0;
    for (size_t d = 0; d < loss->n; d++) {
        const struct tan_params moved = tan_params_drawn(problem->params, (int)d);
        const double wave = tan_plan_wave(plan, problem->model, &moved);
        wins += wave <= loss->best[d] * equal &&
                tan_plan_wave(other, problem->model, &moved) > loss->best[d] * equal;
    }
    return loss->n > 0 ? (double)wins / (double)loss->n : NAN;
}
