/* choose.c - finding the best setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/choose.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "design/search/search.h"
#include "design/targets/setting.h"
#include "model/wave/payload.h"

/* One direction of a problem with certain parameters. */
struct pricing {
    const struct tan_target_problem *problem;
    const struct tan_params *params[2]; /* up and down; both are priced only if they differ */
    bool failed;
};

static struct pricing pricing_of(const struct tan_target_problem *problem, int direction)
{
    struct pricing p = {.problem = problem};
    p.params[0] = direction == TAN_DOWN ? problem->down : problem->up;
    p.params[1] = direction == (TAN_UP | TAN_DOWN) ? problem->down : p.params[0];
    return p;
}

static int64_t size_of(const struct tan_target_problem *p)
{
    return p->members + p->target->root_apart;
}

/* With separate leaves and a model with `node`, the search evaluates actual trees. */
static struct tan_least_tree searched_tree(struct pricing *p)
{
    const struct tan_problem problem = {
        .leaves = size_of(p->problem), .model = p->problem->model, .params = p->params[0]};
    struct tan_least_tree tree = {.height = 0};
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_plans plans;
    if (tan_search(&problem, 1, &plans, &ignored) < 0) {
        p->failed = true;
        return tree;
    }
    tree.height = plans.plan[0].height;
    for (int i = 0; i < tree.height; i++) {
        tree.fanout[i] = plans.plan[0].fanout[i];
    }
    tan_plans_clear(&plans);
    return tree;
}

static struct tan_least_tree least_tree(struct pricing *p)
{
    const struct tan_target_problem *problem = p->problem;
    struct tan_least_tree tree;
    struct tan_least_tree down;
    const enum tan_population population = problem->target->population;
    const int64_t size = size_of(problem);
    const bool nodes = problem->model->node != NULL;
    if (nodes && population == TAN_LEAVES_APART) {
        tree = searched_tree(p);
    } else {
        p->failed |= tan_least_tree(population, size, problem->model, p->params[0], &tree) < 0;
    }
    if (nodes) { /* use the actual subtrees instead of assuming the fullest */
        static const struct tan_knob every_tree = {.split = NULL};
        const struct tan_setting setting = {.knob = &every_tree};
        const struct tan_shape shape =
            tan_shape_of(problem->target, &setting, problem->members, tree.fanout);
        struct tan_shape_cost cost = {.wave = INFINITY};
        p->failed |= tan_shape_cost(&shape, problem->model, p->params[0], &cost) < 0;
        tree.wave = cost.wave;
        return tree;
    }
    if (p->params[1] != p->params[0]) {
        p->failed |= tan_least_tree(population, size, problem->model, p->params[1], &down) < 0;
        tree.wave = (tree.wave + down.wave) / 2;
    }
    return tree;
}

/* Half a round trip over a setting's tree; if the target takes any tree, over the best. */
static struct tan_shape_cost price_setting(struct pricing *p, const struct tan_setting *setting)
{
    const struct tan_target_problem *problem = p->problem;
    struct tan_shape_cost cost = {.wave = INFINITY};
    struct tan_least_tree tree = {.height = 0};
    if (setting->knob->split == NULL) {
        tree = least_tree(p);
    }
    const struct tan_shape shape =
        tan_shape_of(problem->target, setting, problem->members, tree.fanout);
    struct tan_shape_cost down;
    p->failed |= tan_shape_cost(&shape, problem->model, p->params[0], &cost) < 0;
    if (p->params[1] != p->params[0]) {
        p->failed |= tan_shape_cost(&shape, problem->model, p->params[1], &down) < 0;
        cost.wave = (cost.wave + down.wave) / 2;
        cost.in_turn = (cost.in_turn + down.in_turn) / 2;
        cost.period = fmax(cost.period, down.period);
    }
    return cost;
}

/* A wave costs at least the root's level. */
static bool may_beat(const struct pricing *p, const struct tan_setting *setting, double wave)
{
    const struct tan_target_problem *problem = p->problem;
    const struct tan_shape shape = tan_shape_of(problem->target, setting, problem->members, NULL);
    const int64_t fanout = tan_shape_root_fanout(&shape);
    const struct tan_params *up = p->params[0];
    const struct tan_params *down = p->params[1];
    const double level =
        (problem->model->level(up, fanout) + problem->model->level(down, fanout)) / 2;
    return up->payload != NULL || down->payload != NULL || level < wave;
}

/* Ties go to the tree that is faster if children are served one by one. */
static bool is_better(const struct pricing *p, const struct tan_shape_cost *a,
                      const struct tan_shape_cost *b)
{
    return a->wave < b->wave * (1 - TAN_SEARCH_EQUAL) ||
           (p->params[0]->one_way && a->wave <= b->wave * (1 + TAN_SEARCH_EQUAL) &&
            a->in_turn < b->in_turn * (1 - TAN_SEARCH_EQUAL));
}

/* The best value of a knob. Values beyond the tree's size build the same tree as that size. */
static struct tan_told best_value(struct pricing *p, const struct tan_knob *knob)
{
    struct tan_told best = {.setting = {knob, knob->least}};
    best.cost = price_setting(p, &best.setting);
    if (knob->split == NULL) {
        return best;
    }
    const int64_t size = size_of(p->problem);
    const int64_t most = knob->most < size ? knob->most : size;
    for (int64_t value = knob->least + 1; value <= most && !p->failed; value++) {
        const struct tan_setting setting = {knob, value};
        if (!may_beat(p, &setting, best.cost.wave)) {
            continue;
        }
        const struct tan_shape_cost cost = price_setting(p, &setting);
        if (is_better(p, &cost, &best.cost)) {
            best.setting = setting;
            best.cost = cost;
        }
    }
    return best;
}

/* Whether a knob applies to a direction; knobs for that direction alone take precedence. */
static bool decides_direction(const struct tan_target *target, const struct tan_knob *knob,
                              int direction)
{
    bool alone = false;
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        alone |= k->directions == direction;
    }
    return alone ? knob->directions == direction : (knob->directions & direction) == direction;
}

static void sort_in(const struct pricing *p, struct tan_target_way *way,
                    const struct tan_told *told)
{
    size_t at = way->n_told;
    while (at > 0 && is_better(p, &told->cost, &way->told[at - 1].cost)) {
        way->told[at] = way->told[at - 1];
        at--;
    }
    way->told[at] = *told;
    way->n_told++;
}

static double slower_by(const struct tan_target_way *way, double wave)
{
    return way->least.wave > 0.0 ? wave / way->least.wave - 1.0 : 0.0;
}

static void find_best(struct pricing *p, struct tan_target_way *way)
{
    const struct tan_target *target = p->problem->target;
    way->least = least_tree(p);
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        if (decides_direction(target, k, way->direction) && way->n_told < TAN_TOLD) {
            struct tan_told told = best_value(p, k);
            told.slower = slower_by(way, told.cost.wave);
            sort_in(p, way, &told);
        }
    }
}

static int64_t bytes_of(const struct tan_params *params)
{
    return params->payload != NULL ? tan_payload_bytes(params->payload) : params->bytes;
}

static void find_default(struct pricing *p, struct tan_target_way *way)
{
    const struct tan_target_problem *problem = p->problem;
    const char *shared = problem->target->shared_hosts[way->direction == TAN_DOWN];
    if (problem->rank_hosts == TAN_RANKS_SHARE && shared != NULL) {
        way->default_name = shared;
        return;
    }
    way->default_name = tan_target_default(problem->target, way->direction, problem->members,
                                           bytes_of(p->params[0]), &way->by_default.setting);
    if (way->by_default.setting.knob != NULL) {
        way->by_default.cost = price_setting(p, &way->by_default.setting);
        way->by_default.slower = slower_by(way, way->by_default.cost.wave);
    }
}

/* Number of draws to search. */
static int draws_of(const struct tan_target_problem *p)
{
    enum { MANY = 400, SOME = 100, FEW = 20 };
    const bool pays = p->up->payload != NULL || p->down->payload != NULL;
    const int64_t size = (pays ? 100 : p->model->node != NULL ? 10 : 1) * p->members;
    const int most = size <= 5000 ? MANY : size <= 100000 ? SOME : FEW;
    return p->up->n_draws < most ? p->up->n_draws : most;
}

/* Compare the best setting with all others under the draws of the parameters. */
static int weigh_draws(const struct tan_target_problem *problem, const struct tan_setting *setting,
                       struct tan_target_way *way, struct tan_error *e)
{
    const int n = draws_of(problem);
    double *wave = calloc((size_t)n + 1, sizeof *wave);
    double *regret = calloc((size_t)n + 1, sizeof *regret);
    bool failed = wave == NULL || regret == NULL;
    double share = 0.0;
    for (int i = 0; i < n && !failed; i++) {
        const int draw = (int)((int64_t)i * problem->up->n_draws / n);
        const struct tan_params up = tan_params_drawn(problem->up, draw);
        const struct tan_params down = tan_params_drawn(problem->down, draw);
        struct pricing p = pricing_of(problem, way->direction);
        const bool same = p.params[0] == p.params[1];
        p.params[0] = way->direction == TAN_DOWN ? &down : &up;
        p.params[1] = same ? p.params[0] : &down;
        struct tan_target_way drawn = {.direction = way->direction};
        find_best(&p, &drawn);
        wave[i] = price_setting(&p, setting).wave;
        const double best = drawn.told[0].cost.wave;
        regret[i] = best > 0.0 ? fmax(0.0, wave[i] / best - 1.0) : 0.0;
        share += regret[i] <= 2 * TAN_SEARCH_EQUAL;
        failed = p.failed;
    }
    if (n > 0 && !failed) {
        gsl_sort(wave, 1, (size_t)n);
        gsl_sort(regret, 1, (size_t)n);
        way->ci95.low = gsl_stats_quantile_from_sorted_data(wave, 1, (size_t)n, 0.025);
        way->ci95.high = gsl_stats_quantile_from_sorted_data(wave, 1, (size_t)n, 0.975);
        way->share = share / n;
        way->mean_regret = gsl_stats_mean(regret, 1, (size_t)n);
        way->regret95 = gsl_stats_quantile_from_sorted_data(regret, 1, (size_t)n, 0.95);
    }
    free(wave);
    free(regret);
    return failed ? tan_fail_nomem(e) : 0;
}

bool tan_told_is_uncertain(const struct tan_target_problem *problem, const struct tan_told *told)
{
    return problem->up->one_way && told->cost.in_turn < told->cost.wave * (1 - TAN_SEARCH_EQUAL);
}

static struct tan_target_way empty_way(int direction)
{
    return (struct tan_target_way){
        .direction = direction,
        .ci95 = TAN_INTERVAL_UNKNOWN,
        .share = NAN,
        .mean_regret = NAN,
        .regret95 = NAN,
    };
}

bool tan_target_apart(const struct tan_target *target)
{
    bool apart = false;
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        apart |= k->directions != (TAN_UP | TAN_DOWN);
    }
    return apart;
}

/* The directions that need separate settings; returns their number. */
static int directions_of(const struct tan_target *target, int direction[2])
{
    const bool apart = tan_target_apart(target);
    direction[0] = apart ? TAN_UP : TAN_UP | TAN_DOWN;
    direction[1] = TAN_DOWN;
    return apart ? 2 : 1;
}

int tan_target_choose(const struct tan_target_problem *problem, bool weigh,
                      struct tan_target_way way[2], struct tan_error *e)
{
    int direction[2];
    int used = 0;
    const int n = directions_of(problem->target, direction);
    for (int i = 0; i < n; i++) {
        struct tan_target_way *w = &way[used];
        if (problem->ways != 0 && (problem->ways & direction[i]) == 0) {
            continue;
        }
        *w = empty_way(direction[i]);
        struct pricing p = pricing_of(problem, w->direction);
        find_best(&p, w);
        find_default(&p, w);
        if (p.failed) {
            return tan_fail_nomem(e);
        }
        if (w->n_told == 0) {
            continue; /* the target has no setting for this direction */
        }
        if (weigh && weigh_draws(problem, &w->told[0].setting, w, e) < 0) {
            return -1;
        }
        used++;
    }
    return used;
}

int tan_target_cost(const struct tan_target_problem *problem, const struct tan_setting *setting,
                    struct tan_shape_cost *cost, struct tan_error *e)
{
    struct pricing p = pricing_of(problem, setting->knob->directions);
    *cost = price_setting(&p, setting);
    return p.failed ? tan_fail_nomem(e) : 0;
}

int tan_target_evaluate(const struct tan_target_problem *problem, const struct tan_setting *setting,
                        bool weigh, struct tan_target_way *way, struct tan_error *e)
{
    *way = empty_way(setting->knob->directions);
    struct pricing p = pricing_of(problem, way->direction);
    way->least = least_tree(&p);
    way->told[0].setting = *setting;
    way->told[0].cost = price_setting(&p, setting);
    way->told[0].slower = slower_by(way, way->told[0].cost.wave);
    way->n_told = 1;
    find_default(&p, way);
    if (p.failed) {
        return tan_fail_nomem(e);
    }
    return weigh ? weigh_draws(problem, setting, way, e) : 0;
}
