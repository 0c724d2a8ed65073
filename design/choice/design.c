/* design.c - recommendation: best trees, ties and comparisons
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/design.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "design/search/limits.h"
#include "design/search/plan.h"
#include "design/systems/least_tree.h"
#include "model/wave/payload.h"

/* A tree that calibrations measure: `size` levels with one child each, or one level with `size`
 * children. */
static struct tan_plan measured_tree(bool chain, int size)
{
    struct tan_plan plan = {.height = chain ? size : 1, .leaves = chain ? 1 : size};
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

/* Spec of the chain or N-to-1 tree ("nto1:64") whose wave time, measured with a precision of 2 %,
 * explains most of the variance of the difference between the two trees' wave times over the
 * problem's draws; a smaller one if that is nearly as good. Written to `spec`, which is "" if none
 * explains a tenth. O(draws). */
static void decide(const struct tan_problem *problem, const struct tan_plan *a,
                   const struct tan_plan *b, char spec[TAN_DECIDED])
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
                snprintf(spec, TAN_DECIDED, "%s:%d", chain ? "chain" : "nto1", size);
            }
        }
    }
}

/* How much slower `plan` is than the fastest tree, and whether that is significant. */
static int weigh_plan(const struct tan_design *d, const struct tan_plan *plan, double *slower,
                      bool *tied, struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    const double far = 1.0; /* without a look at the draws, which may be slow for wide trees */
    struct tan_interval difference;
    const double best = d->fastest.wave;
    *slower = best > 0.0 ? (plan->wave - best) / best : 0.0;
    *tied = false;
    if (*slower > far) {
        return 0;
    }
    if (tan_spread_wave(plan, &d->fastest, p->model, p->params, &difference, e) < 0) {
        return -1;
    }
    *tied = fabs(plan->wave - best) <= TAN_SEARCH_EQUAL * best ||
            (difference.low <= 0.0 && difference.high >= 0.0);
    return 0;
}

/* Ties first, by number of processes; then by wave time. */
static int by_rank(const void *left, const void *right)
{
    const struct tan_choice *a = left;
    const struct tan_choice *b = right;
    if (a->tied != b->tied) {
        return a->tied ? -1 : 1;
    }
    if (a->tied && a->plan.processes != b->plan.processes) {
        return a->plan.processes < b->plan.processes ? -1 : 1;
    }
    return a->plan.wave != b->plan.wave ? (a->plan.wave > b->plan.wave ? 1 : -1)
                                        : tan_plan_order(&a->plan, &b->plan);
}

/* The first of the ties, which are sorted by processes, whose loss is close to the smallest. */
static void put_recommended_first(struct tan_design *d)
{
    const double allowed = 0.01;
    double least = INFINITY;
    size_t first = 0;
    for (size_t i = 0; i < d->n_tied; i++) {
        least = fmin(least, d->choices[i].loss);
    }
    while (first < d->n_tied && d->choices[first].loss > least + allowed) {
        first++;
    }
    for (const struct tan_choice best = d->choices[first]; first > 0; first--) {
        d->choices[first] = d->choices[first - 1];
        d->choices[first - 1] = best;
    }
}

/* Fill in and order the choices: the best trees under the parameters, `plans`, and under draws. */
static int choose_plans(struct tan_design *d, const struct tan_plans *plans, struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    const struct tan_plans *lists[] = {plans, &d->loss.plans};
    d->choices = calloc(plans->n + d->loss.plans.n, sizeof *d->choices);
    if (d->choices == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t list = 0; list < 2; list++) {
        for (size_t i = 0; i < lists[list]->n; i++) {
            struct tan_choice *c = &d->choices[d->n_choices];
            struct tan_regret regret;
            c->plan = lists[list]->plan[i];
            if (list > 0 && tan_plans_have(plans, &c->plan)) {
                continue;
            }
            d->n_choices++;
            if (tan_spread_wave(&c->plan, NULL, p->model, p->params, &c->ci95, e) < 0 ||
                weigh_plan(d, &c->plan, &c->slower, &c->tied, e) < 0 ||
                tan_loss_regret(&d->loss, p, &c->plan, &regret, e) < 0) {
                return -1;
            }
            c->loss = regret.bound;
            c->mean_loss = regret.mean;
            d->n_tied += c->tied;
        }
    }
    qsort(d->choices, d->n_choices, sizeof *d->choices, by_rank);
    put_recommended_first(d);
    struct tan_regret first;
    if (tan_loss_regret(&d->loss, p, &d->choices[0].plan, &first, e) < 0) {
        return -1;
    }
    d->probability = first.none;
    if (fabs(d->choices[0].slower) <= TAN_SEARCH_EQUAL) {
        d->fastest = d->choices[0].plan; /* of trees that are as fast, the recommended one */
    }
    if (d->loss.n > 0) { /* also valid for the best tree, which may be another one */
        struct tan_interval *ci95 = &d->choices[0].ci95;
        ci95->low = fmin(ci95->low, d->loss.ci95.low);
    }
    return 0;
}

/* The fastest of the other choices, or the best tree of the most draws, if its mean loss is
 * smaller: draws in which the recommended tree is not the best may be at an edge of the parameters,
 * where a tree wins that is useless otherwise. */
static int find_runner_up(struct tan_design *d, struct tan_error *e)
{
    const struct tan_plans *plans = &d->loss.plans;
    const struct tan_plan *next = NULL;
    struct tan_regret regret;
    for (size_t i = 0; i < plans->n && next == NULL; i++) {
        next = tan_plan_order(&plans->plan[i], &d->choices[0].plan) != 0 ? &plans->plan[i] : NULL;
    }
    const struct tan_choice *fastest = NULL;
    for (size_t i = 1; i < d->n_choices; i++) {
        const struct tan_choice *c = &d->choices[i];
        fastest = fastest == NULL || c->plan.wave < fastest->plan.wave ? c : fastest;
    }
    if (next == NULL) {
        return 0;
    }
    if (tan_loss_regret(&d->loss, &d->problem, next, &regret, e) < 0) {
        return -1;
    }
    if (fastest != NULL && fastest->mean_loss < regret.mean) {
        next = &fastest->plan;
        if (tan_loss_regret(&d->loss, &d->problem, next, &regret, e) < 0) {
            return -1;
        }
    }
    d->runner_up = (struct tan_runner_up_tree){
        true, *next, tan_loss_beats(&d->loss, &d->problem, next, &d->choices[0].plan), regret.mean};
    return 0;
}

/* Heights that the draws cannot exclude, and the measurement that separates the first two. */
static void weigh_heights(struct tan_design *d)
{
    const double least = 0.025;
    const struct tan_plan *best = &d->choices[0].plan;
    double share[TAN_PLAN_LEVELS + 1] = {0.0};
    size_t first[TAN_PLAN_LEVELS + 1]; /* the best tree under the largest number of draws */
    if (d->loss.n == 0) {
        return;
    }
    for (size_t i = d->loss.plans.n; i-- > 0;) {
        const int height = d->loss.plans.plan[i].height;
        first[height] = i;
        share[height] += d->loss.share[i];
    }
    d->levels.height[d->levels.n++] = (struct tan_height){*best, share[best->height]};
    share[best->height] = 0.0;
    while (d->levels.n < TAN_DESIGN_HEIGHTS) {
        int most = 0;
        for (int i = 1; i <= TAN_PLAN_LEVELS; i++) {
            most = share[i] > share[most] ? i : most;
        }
        if (share[most] < least) {
            break;
        }
        d->levels.height[d->levels.n++] =
            (struct tan_height){d->loss.plans.plan[first[most]], share[most]};
        share[most] = 0.0;
    }
    if (d->levels.n > 1) {
        decide(&d->problem, best, &d->levels.height[1].plan, d->levels.decide);
    }
}

/* Evaluate a tree that a rule of thumb suggests; its plan is set. */
static int judge_tree(const struct tan_design *d, struct tan_comparison *c, struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    tan_plan_price(&c->plan, p->model, p->params);
    c->within_limits = tan_limits_allow(p, c->plan.max_fanout, c->plan.height, c->plan.processes,
                                        c->plan.below[0]);
    return weigh_plan(d, &c->plan, &c->slower, &c->tied, e);
}

static int compare_thumbs(struct tan_design *d, struct tan_error *e)
{
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = tan_thumbs(thumbs);
    d->comparisons = calloc(n, sizeof *d->comparisons);
    if (d->comparisons == NULL) {
        return tan_fail_nomem(e);
    }
    for (; d->n_comparisons < n; d->n_comparisons++) {
        struct tan_comparison *c = &d->comparisons[d->n_comparisons];
        c->rule = thumbs[d->n_comparisons].name;
        tan_thumb_tree(&thumbs[d->n_comparisons], d->problem.leaves, &c->plan);
        if (judge_tree(d, c, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Evaluate the recommended tree under another model or with other parameters, and find what these
 * would recommend; `title` names them. */
static int ask_other(const struct tan_design *d, const struct tan_model *model,
                     const struct tan_params *params, const char *title, struct tan_by_other *out,
                     struct tan_error *e)
{
    struct tan_problem p = d->problem;
    struct tan_plan same = d->choices[0].plan;
    struct tan_comparison *best = &out->best;
    struct tan_plans plans;
    struct tan_error why = TAN_ERROR_INIT;
    p.model = model;
    p.params = params;
    tan_plan_price(&same, model, params);
    p.known_wave = same.wave;
    if (tan_search(&p, 1, &plans, &why) < 0) {
        if (plans.cut) {
            return 0;
        }
        *e = why;
        return -1;
    }
    best->plan = plans.plan[0];
    tan_plans_clear(&plans);
    best->rule = title;
    out->exists = true;
    out->best_wave = best->plan.wave;
    out->wave = same.wave;
    return judge_tree(d, best, e);
}

static int ask_others(struct tan_design *d, struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    const struct tan_model *tan = &tan_models[TAN_MODEL_TAN];
    const struct tan_model *logp = &tan_models[TAN_MODEL_LOGP];
    const bool overlap = p->model->node != NULL;
    const struct tan_params *params = overlap ? p->beside : p->params; /* of TAN and LogP */
    if (p->model != logp && params != NULL &&
        ask_other(d, logp, params, "LogP's best", &d->by.logp, e) < 0) {
        return -1;
    }
    if (overlap && params != NULL && ask_other(d, tan, params, "TAN's best", &d->by.tan, e) < 0) {
        return -1;
    }
    return p->published == NULL
               ? 0
               : ask_other(d, p->model, p->published, "LogGPO's best", &d->by.loggpo, e);
}

/* The best tree with fewer levels than the fastest one, if the limits allow any. */
static int best_lower(struct tan_design *d, struct tan_error *e)
{
    struct tan_problem p = d->problem;
    struct tan_error why = TAN_ERROR_INIT;
    p.max_height = d->fastest.height - 1;
    if ((p.max_height == 0 || tan_search_best(&p, &d->fewer_levels, &why) < 0) &&
        why.status != TAN_DONE && why.status != TAN_INFEASIBLE) {
        *e = why;
        return -1;
    }
    return 0;
}

/* The fastest of the choices with more levels than the fastest tree. */
static struct tan_plan find_other(const struct tan_design *d)
{
    struct tan_plan other = {.height = 0};
    for (size_t i = 0; i < d->n_choices; i++) {
        const struct tan_plan *plan = &d->choices[i].plan;
        if (plan->height > d->fastest.height && (other.height == 0 || plan->wave < other.wave)) {
            other = *plan;
        }
    }
    return other;
}

/* Trees of other heights, as far as the limits allow any: the best one with fewer levels, and with
 * more the fastest of the choices, or else the best one for a smaller latency. */
static int find_rivals(struct tan_design *d, struct tan_error *e)
{
    d->more_levels = find_other(d);
    struct tan_params params = *d->problem.params;
    struct tan_problem p = d->problem;
    p.params = &params;
    double *latency = &params.value[TAN_L];
    for (*latency /= 2.0; p.model->node == NULL && d->more_levels.height == 0 && *latency > 1e-12;
         *latency /= 2.0) {
        struct tan_plan plan;
        if (tan_search_best(&p, &plan, e) < 0) {
            return -1;
        }
        if (plan.height > d->fastest.height) {
            tan_plan_price(&plan, p.model, d->problem.params);
            d->more_levels = plan;
        }
    }
    return best_lower(d, e);
}

/* Set flat_until. Under a model with `node`, trees whose nodes differ may pay off for slightly
 * fewer leaves than tan_flat_until finds, so search for the best trees below its result. */
static int find_flat(struct tan_design *d, struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    d->flat.until = tan_flat_until(TAN_LEAVES_APART, false, p->model, p->params, &d->flat.ci95);
    if (p->model->node == NULL) {
        return 0;
    }
    int64_t deep = d->flat.until + 1;
    for (d->flat.until = 1; deep - d->flat.until > 1;) {
        const int64_t middle = d->flat.until + (deep - d->flat.until) / 2;
        const struct tan_problem fewer = {.leaves = middle, .model = p->model, .params = p->params};
        struct tan_plan plan;
        if (tan_search_best(&fewer, &plan, e) < 0) {
            return -1;
        }
        *(plan.height <= 1 ? &d->flat.until : &deep) = middle;
    }
    d->flat.ci95.low = fmin(d->flat.ci95.low, (double)d->flat.until);
    return 0;
}

/* Where the rate of links decides, a tree of any shape has to be faster whether messages leave one
 * after the other or share their sender's link. */
static int find_any_shape(struct tan_design *d, struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    struct tan_any_shape *any = &d->any_shape;
    struct tan_params shared = *p->params;
    shared.nic_shared = true;
    if (tan_any_shape(p, false, d->fastest.wave, any, e) < 0) {
        return -1;
    }
    if (any->tree != NULL && shared.rate > 0.0 &&
        tan_wave_time(p->model, &shared, any->tree) >=
            tan_plan_wave(&d->fastest, p->model, &shared)) {
        tan_tree_destroy(any->tree);
        any->tree = NULL;
    }
    return 0;
}

int tan_design(const struct tan_problem *problem, int listed, struct tan_design *out,
               struct tan_error *e)
{
    *out = (struct tan_design){.problem = *problem, .spread = tan_spread_of(problem->params)};
    struct tan_plans plans = {0};
    const bool slow = problem->max_processes > 0;
    const int few = problem->model->node != NULL ? TAN_DESIGN_DIVERSE : TAN_DESIGN_COMPARED;
    const int k = slow || listed > few ? listed : few;
    int result = -1;
    if (problem->leaves > 1 && !(tan_level_cost(problem->model, problem->params, problem->leaves, 1,
                                                problem->leaves - 1) > 0.0)) {
        tan_fail(e,
                 "with these parameters every level costs nothing under model %s, so that all "
                 "trees are equal",
                 problem->model->name);
        goto done;
    }
    if (tan_search(problem, k, &plans, e) < 0) {
        goto done;
    }
    out->fastest = plans.plan[0];
    out->cut = plans.cut;
    out->bound = plans.bound;
    if (tan_loss_create(problem, &plans, &out->loss, e) < 0 || choose_plans(out, &plans, e) < 0 ||
        find_runner_up(out, e) < 0 || compare_thumbs(out, e) < 0 || ask_others(out, e) < 0 ||
        find_rivals(out, e) < 0 ||
        tan_plan_sensitivities(problem, &out->choices[0].plan, out->ranges.row, &out->ranges.n, e) <
            0) {
        goto done;
    }
    weigh_heights(out);
    if (problem->max_fanout == 0 && find_flat(out, e) < 0) {
        goto done;
    }
    result = find_any_shape(out, e);

done:
    tan_plans_clear(&plans);
    if (result < 0) {
        tan_design_clear(out);
    }
    return result;
}

void tan_design_clear(struct tan_design *d)
{
    tan_tree_destroy(d->any_shape.tree);
    free(d->choices);
    free(d->comparisons);
    tan_loss_clear(&d->loss);
    *d = (struct tan_design){0};
}
