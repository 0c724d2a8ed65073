/* choose.c - finding the best setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/choose.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design/search/search.h"
#include "design/targets/setting.h"
#include "model/stats/stats.h"
#include "model/wave/payload.h"

/* One direction of a problem with certain parameters and one division of its messages. */
struct pricing {
    const struct tan_target_problem *problem;
    const struct tan_params *params[2];   /* up and down; both are priced only if they differ */
    int64_t chunk;                        /* bytes; 0: not divided */
    double count;                         /* of chunks */
    const struct tan_least_tree *written; /* borrowed; see price_setting */
    bool failed;
};

static struct pricing pricing_of(const struct tan_target_problem *problem, int direction)
{
    struct pricing p = {.problem = problem, .count = 1};
    p.params[0] = direction == TAN_DOWN ? problem->down : problem->up;
    p.params[1] = direction == (TAN_UP | TAN_DOWN) ? problem->down : p.params[0];
    return p;
}

/* All divisions of the messages, first none. */
struct divisions {
    struct pricing way[1 + TAN_CHUNK_SIZES];
    size_t n;
};

static struct divisions divisions_of(const struct tan_target_problem *problem, int direction)
{
    struct divisions all = {.way = {pricing_of(problem, direction)}, .n = 1};
    for (size_t i = 0; i < problem->n_chunks; i++) {
        const struct tan_chunks *c = &problem->chunks[i];
        const bool down = direction == TAN_DOWN;
        const double count = down ? c->down_count : c->up_count;
        const struct tan_params *params = down ? c->down : c->up;
        if (count > 1) {
            all.way[all.n++] =
                (struct pricing){problem, {params, params}, c->bytes, count, false, NULL};
        }
    }
    return all;
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

/* Half a round trip over a setting's tree; if the target takes any tree, over the one that is
 * written, or else over the best. */
static struct tan_shape_cost price_setting(struct pricing *p, const struct tan_setting *setting)
{
    const struct tan_target_problem *problem = p->problem;
    struct tan_shape_cost cost = {.wave = INFINITY};
    struct tan_least_tree tree = {.height = 0};
    if (setting->knob->split == NULL) {
        tree = p->written != NULL ? *p->written : least_tree(p);
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
    const double more = (p->count - 1) * cost.period;
    cost.wave += more;
    cost.in_turn += more;
    cost.period += more;
    return cost;
}

static double level_both_ways(const struct pricing *p, int64_t fanout)
{
    const struct tan_model *model = p->problem->model;
    const double up = model->level(p->params[0], fanout);
    return p->params[1] == p->params[0] ? up : (up + model->level(p->params[1], fanout)) / 2;
}

/* Whether a wave over the setting's tree may be as short as `wave`: it lasts at least as long as
 * the levels down the largest subtrees. Levels may overlap in models with `node`; then a wave costs
 * at least the root's, and that of the root of its largest subtree. Each further chunk costs at
 * least the root's period. */
static bool may_beat(const struct pricing *p, const struct tan_setting *setting, double wave)
{
    const struct tan_target_problem *problem = p->problem;
    const struct tan_shape shape = tan_shape_of(problem->target, setting, problem->members, NULL);
    if (p->params[0]->payload != NULL || p->params[1]->payload != NULL) {
        return true;
    }
    const bool overlap = problem->model->node != NULL;
    struct tan_shape_walk walk = tan_shape_walk(&shape);
    int64_t fanout = tan_shape_descend(&walk);
    double bound = 0.0;
    if (p->count > 1) {
        bound =
            (p->count - 1) * tan_level_period(problem->model, p->params[0], fanout, 1, fanout - 1);
    }
    for (int hops = 0; fanout > 0 && (!overlap || hops < 2); hops++) {
        const double level = level_both_ways(p, fanout);
        if (bound + level > wave * (1 + TAN_SEARCH_EQUAL)) {
            return false;
        }
        bound += overlap ? 0.0 : level;
        fanout = tan_shape_descend(&walk);
    }
    return true;
}

/* Ties go to the tree that is faster if children are served one by one. */
static bool is_better(const struct pricing *p, const struct tan_shape_cost *a,
                      const struct tan_shape_cost *b)
{
    return a->wave < b->wave * (1 - TAN_SEARCH_EQUAL) ||
           (tan_target_shares_link(p->problem) && a->wave <= b->wave * (1 + TAN_SEARCH_EQUAL) &&
            a->in_turn < b->in_turn * (1 - TAN_SEARCH_EQUAL));
}

/* A wave that the best value of a knob does not exceed. With it most values, among them the long
 * chains of small ones, are ruled out without pricing their trees. */
static double attainable_wave(struct pricing *p, const struct tan_knob *knob, int64_t most)
{
    double wave = INFINITY;
    for (int64_t value = most; value >= knob->least && value > 0 && !p->failed; value /= 2) {
        const struct tan_setting setting = {knob, value};
        if (may_beat(p, &setting, wave)) {
            wave = fmin(wave, price_setting(p, &setting).wave);
        }
    }
    return wave;
}

/* The best value of a knob. Values beyond the tree's size build the same tree as that size. */
static struct tan_told best_value(struct pricing *p, const struct tan_knob *knob)
{
    struct tan_told best = {
        .setting = {knob, knob->least}, .chunk = p->chunk, .cost = {.wave = INFINITY}};
    if (knob->split == NULL) {
        best.cost = price_setting(p, &best.setting);
        return best;
    }
    const int64_t size = size_of(p->problem);
    int64_t most = knob->most < size ? knob->most : size;
    most = most > knob->least ? most : knob->least;
    const double attainable = attainable_wave(p, knob, most);
    for (int64_t value = knob->least; value <= most && !p->failed; value++) {
        const struct tan_setting setting = {knob, value};
        if (may_beat(p, &setting, fmin(attainable, best.cost.wave))) {
            const struct tan_shape_cost cost = price_setting(p, &setting);
            if (is_better(p, &cost, &best.cost)) {
                best.setting = setting;
                best.cost = cost;
            }
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

/* The better one; of equals the first. */
static void keep_better(const struct pricing *p, const struct tan_told *other,
                        struct tan_told *best)
{
    if (is_better(p, &other->cost, &best->cost)) {
        *best = *other;
    }
}

static void find_best(struct divisions *all, struct tan_target_way *way)
{
    struct pricing *whole = &all->way[0];
    const struct tan_target *target = whole->problem->target;
    way->least = least_tree(whole);
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        if (decides_direction(target, k, way->direction) && way->n_told < TAN_TOLD) {
            struct tan_told told = best_value(whole, k);
            for (size_t i = 1; i < all->n && target->divides(k); i++) {
                const struct tan_told divided = best_value(&all->way[i], k);
                keep_better(whole, &divided, &told);
            }
            told.slower = slower_by(way, told.cost.wave);
            sort_in(whole, way, &told);
        }
    }
}

/* The best division of messages for a given setting. */
static struct tan_told price_given(struct divisions *all, const struct tan_setting *setting)
{
    const struct tan_target *target = all->way[0].problem->target;
    struct tan_told best = {.setting = *setting, .cost = price_setting(&all->way[0], setting)};
    for (size_t i = 1; i < all->n && target->divides(setting->knob); i++) {
        struct pricing *p = &all->way[i];
        const struct tan_told divided = {*setting, p->chunk, price_setting(p, setting), 0.0};
        keep_better(&all->way[0], &divided, &best);
    }
    return best;
}

static bool any_failed(const struct divisions *all)
{
    bool failed = false;
    for (size_t i = 0; i < all->n; i++) {
        failed |= all->way[i].failed;
    }
    return failed;
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
    const int64_t each = (pays ? 100 : p->model->node != NULL ? 10 : 1) * p->members;
    const int64_t size = each * (int64_t)(1 + p->n_chunks);
    const int most = size <= 5000 ? MANY : size <= 100000 ? SOME : FEW;
    return p->up->n_draws < most ? p->up->n_draws : most;
}

/* The same divisions under a draw of the parameters, which are stored in `drawn`. */
static void draw_divisions(struct divisions *all, int draw,
                           struct tan_params drawn[1 + TAN_CHUNK_SIZES][2])
{
    for (size_t i = 0; i < all->n; i++) {
        struct pricing *p = &all->way[i];
        const bool same = p->params[0] == p->params[1];
        for (int way = 0; way < 2; way++) {
            drawn[i][way] = tan_params_drawn(p->params[way], draw);
            p->params[way] = &drawn[i][same ? 0 : way];
        }
    }
}

static struct pricing *division_into(struct divisions *all, int64_t chunk)
{
    size_t i = 0;
    while (all->way[i].chunk != chunk) {
        i++;
    }
    return &all->way[i];
}

/* The best setting under a draw, and its wave. */
struct drawn_best {
    struct tan_setting setting;
    double wave;
};

static int draw_of(const struct tan_target_problem *problem, int i, int n)
{
    return (int)((int64_t)i * problem->up->n_draws / n);
}

static int find_drawn(const struct tan_target_problem *problem, int direction, int n,
                      struct drawn_best *best, struct tan_error *e)
{
    bool failed = false;
    for (int i = 0; i < n && !failed; i++) {
        struct tan_params params[1 + TAN_CHUNK_SIZES][2];
        struct divisions all = divisions_of(problem, direction);
        struct tan_target_way drawn = {.direction = direction};
        draw_divisions(&all, draw_of(problem, i, n), params);
        find_best(&all, &drawn);
        best[i] = (struct drawn_best){drawn.told[0].setting, drawn.told[0].cost.wave};
        failed = any_failed(&all);
    }
    return failed ? tan_fail_nomem(e) : 0;
}

/* Waves of a setting under `n` draws, and by how much they exceed the best. */
struct drawn_waves {
    double *wave, *regret; /* owned by the caller */
    double share;          /* of draws in which no other setting is better */
};

static int price_drawn(const struct tan_target_problem *problem, const struct tan_target_way *way,
                       const struct tan_told *told, const struct drawn_best *best, int n,
                       struct drawn_waves *out, struct tan_error *e)
{
    bool failed = false;
    int undefeated = 0;
    for (int i = 0; i < n && !failed; i++) {
        struct tan_params params[1 + TAN_CHUNK_SIZES][2];
        struct divisions all = divisions_of(problem, way->direction);
        draw_divisions(&all, draw_of(problem, i, n), params);
        struct pricing *division = division_into(&all, told->chunk);
        division->written = problem->n_chunks == 0 ? &way->least : NULL;
        out->wave[i] = price_setting(division, &told->setting).wave;
        out->regret[i] = best[i].wave > 0.0 ? fmax(0.0, out->wave[i] / best[i].wave - 1.0) : 0.0;
        undefeated += out->regret[i] <= 2 * TAN_SEARCH_EQUAL;
        failed = any_failed(&all);
    }
    out->share = n > 0 ? (double)undefeated / n : NAN;
    return failed ? tan_fail_nomem(e) : 0;
}

/* The setting that is the best in most of the draws in which `regret` is not 0; no knob if there
 * are none. */
static struct tan_setting most_frequent(const struct drawn_best *best, const double *regret, int n)
{
    struct tan_setting frequent = {NULL, 0};
    int most = 0;
    for (int i = 0; i < n; i++) {
        int times = 0;
        for (int k = i; k < n && regret[i] > 2 * TAN_SEARCH_EQUAL; k++) {
            times += tan_setting_same(&best[k].setting, &best[i].setting);
        }
        if (times > most) {
            most = times;
            frequent = best[i].setting;
        }
    }
    return frequent;
}

static bool is_same_tree(const struct tan_shape_cost *a, const struct tan_shape_cost *b)
{
    return a->hops == b->hops && a->processes == b->processes && a->max_fanout == b->max_fanout;
}

/* Keep a setting as runner-up if its tree is another one than the best setting's, and faster than
 * that of the runner-up so far. */
static void try_runner_up(struct pricing *p, const struct tan_setting *setting,
                          const struct tan_shape_cost *best, double *wave,
                          struct tan_setting *runner_up)
{
    if (may_beat(p, setting, *wave)) {
        const struct tan_shape_cost other = price_setting(p, setting);
        if (other.wave < *wave * (1 - TAN_SEARCH_EQUAL) && !is_same_tree(&other, best)) {
            *wave = other.wave;
            *runner_up = *setting;
        }
    }
}

/* The setting with the shortest wave whose tree is not that of the best one. */
static struct tan_setting next_best(struct pricing *p, const struct tan_target_way *way)
{
    const struct tan_target *target = p->problem->target;
    const int64_t size = size_of(p->problem);
    struct tan_setting runner_up = {NULL, 0};
    double wave = INFINITY;
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        const int64_t most = k->most < size ? k->most : size;
        if (k->split == NULL || !decides_direction(target, k, way->direction)) {
            continue;
        }
        for (int64_t value = k->least; value == k->least || value <= most; value++) {
            try_runner_up(p, &(struct tan_setting){k, value}, &way->told[0].cost, &wave,
                          &runner_up);
        }
    }
    return runner_up;
}

static int price_runner_up(const struct tan_target_problem *problem, const struct drawn_best *best,
                           int n, struct drawn_waves *waves, const struct tan_target_way *way,
                           struct tan_runner_up *next, struct tan_error *e)
{
    struct pricing p = pricing_of(problem, way->direction);
    const struct tan_told told = {.setting = next->setting};
    next->slower = fmax(0.0, price_setting(&p, &told.setting).wave / way->told[0].cost.wave - 1.0);
    if (p.failed) {
        return tan_fail_nomem(e);
    }
    if (n > 0 && price_drawn(problem, way, &told, best, n, waves, e) < 0) {
        return -1;
    }
    next->share = n > 0 ? waves->share : NAN;
    next->mean_regret = n > 0 ? gsl_stats_mean(waves->regret, 1, (size_t)n) : NAN;
    return 0;
}

/* Of draws in which the best setting is not the best, most may be at an edge of the parameters,
 * where a tree wins that is useless otherwise. */
static int find_runner_up(const struct tan_target_problem *problem, const struct drawn_best *best,
                          int n, struct drawn_waves *waves, struct tan_target_way *way,
                          struct tan_error *e)
{
    struct pricing p = pricing_of(problem, way->direction);
    struct tan_runner_up frequent = {.setting = most_frequent(best, waves->regret, n)};
    struct tan_runner_up fastest = {.setting = next_best(&p, way)};
    if (p.failed) {
        return tan_fail_nomem(e);
    }
    if ((frequent.setting.knob != NULL &&
         price_runner_up(problem, best, n, waves, way, &frequent, e) < 0) ||
        (fastest.setting.knob != NULL &&
         price_runner_up(problem, best, n, waves, way, &fastest, e) < 0)) {
        return -1;
    }
    const bool is_frequent =
        frequent.setting.knob != NULL &&
        (fastest.setting.knob == NULL || frequent.mean_regret <= fastest.mean_regret);
    way->runner_up = is_frequent ? frequent : fastest;
    return 0;
}

/* Compare a setting with all others under the draws of the parameters, and if it is the best of
 * them find the one after it. */
static int weigh_draws(const struct tan_target_problem *problem, const struct tan_told *told,
                       bool is_best, struct tan_target_way *way, struct tan_error *e)
{
    const int n = draws_of(problem);
    struct drawn_best *best = calloc((size_t)n + 1, sizeof *best);
    double *numbers = calloc(3 * (size_t)n + 1, sizeof *numbers);
    int result = -1;
    if (best == NULL || numbers == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    struct drawn_waves waves = {numbers, numbers + n, 0.0};
    double *sorted = numbers + 2 * (ptrdiff_t)n;
    if (find_drawn(problem, way->direction, n, best, e) < 0 ||
        price_drawn(problem, way, told, best, n, &waves, e) < 0) {
        goto done;
    }
    if (n > 0) {
        memcpy(sorted, waves.regret, (size_t)n * sizeof *sorted);
        gsl_sort(sorted, 1, (size_t)n);
        way->ci95 = tan_central_interval(waves.wave, (size_t)n);
        way->share = waves.share;
        way->mean_regret = gsl_stats_mean(sorted, 1, (size_t)n);
        way->regret95 = gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)n, 0.95);
    }
    result =
        is_best && problem->n_chunks == 0 ? find_runner_up(problem, best, n, &waves, way, e) : 0;

done:
    free(best);
    free(numbers);
    return result;
}

/* A setting to judge for other values of the parameters. */
struct setting_question {
    const struct tan_target_problem *problem;
    const struct tan_target_way *way;
};

static int judge_setting(const void *question, const double value[TAN_PARAMS],
                         struct tan_moved *moved, struct tan_error *e)
{
    const struct setting_question *q = question;
    struct tan_params params = *q->problem->up;
    struct tan_target_problem problem = *q->problem;
    memcpy(params.value, value, sizeof params.value);
    problem.up = problem.down = &params;
    struct divisions all = divisions_of(&problem, q->way->direction);
    struct tan_target_way best = {.direction = q->way->direction};
    find_best(&all, &best);
    const double least = best.told[0].cost.wave;
    const bool any_tree = best.told[0].setting.knob->split == NULL;
    char name[TAN_SETTING_TEXT];
    all.way[0].written = &q->way->least;
    const double wave = price_setting(&all.way[0], &q->way->told[0].setting).wave;
    moved->slower =
        least > 0.0 && wave / least - 1.0 > 2 * TAN_SEARCH_EQUAL ? wave / least - 1.0 : 0.0;
    snprintf(moved->best, sizeof moved->best, "%s%s", tan_setting_text(&best.told[0].setting, name),
             any_tree ? " with another tree" : "");
    return any_failed(&all) ? tan_fail_nomem(e) : 0;
}

/* Only where both directions have the same parameters. */
static int find_sensitivities(const struct tan_target_problem *problem, struct tan_target_way *way,
                              struct tan_error *e)
{
    const struct setting_question question = {problem, way};
    const struct tan_params *params = problem->up;
    return problem->n_chunks > 0 || problem->down != params
               ? 0
               : tan_sensitivities(params, judge_setting, &question, way->sensitivity,
                                   &way->n_sensitivities, e);
}

bool tan_target_shares_link(const struct tan_target_problem *problem)
{
    return problem->network && problem->up->one_way;
}

bool tan_told_is_uncertain(const struct tan_target_problem *problem, const struct tan_told *told)
{
    return tan_target_shares_link(problem) &&
           told->cost.in_turn < told->cost.wave * (1 - TAN_SEARCH_EQUAL);
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
        struct divisions all = divisions_of(problem, w->direction);
        find_best(&all, w);
        find_default(&all.way[0], w);
        if (any_failed(&all)) {
            return tan_fail_nomem(e);
        }
        if (w->n_told == 0) {
            continue; /* the target has no setting for this direction */
        }
        if (weigh && (weigh_draws(problem, &w->told[0], true, w, e) < 0 ||
                      find_sensitivities(problem, w, e) < 0)) {
            return -1;
        }
        used++;
    }
    return used;
}

int tan_target_cost(const struct tan_target_problem *problem, const struct tan_setting *setting,
                    int direction, struct tan_shape_cost *cost, struct tan_error *e)
{
    struct pricing p = pricing_of(problem, direction);
    *cost = price_setting(&p, setting);
    return p.failed ? tan_fail_nomem(e) : 0;
}

int tan_target_evaluate(const struct tan_target_problem *problem, const struct tan_setting *setting,
                        bool weigh, struct tan_target_way *way, struct tan_error *e)
{
    *way = empty_way(setting->knob->directions);
    struct divisions all = divisions_of(problem, way->direction);
    way->least = least_tree(&all.way[0]);
    way->told[0] = price_given(&all, setting);
    way->told[0].slower = slower_by(way, way->told[0].cost.wave);
    way->n_told = 1;
    find_default(&all.way[0], way);
    if (any_failed(&all)) {
        return tan_fail_nomem(e);
    }
    return weigh ? weigh_draws(problem, &way->told[0], false, way, e) : 0;
}
