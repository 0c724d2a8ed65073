/* choose.c - finding the best setting of a target
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/choose.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design/search/search.h"
#include "design/systems/setting.h"
#include "model/machine/machine.h"
#include "model/stats/stats.h"
#include "model/wave/payload.h"
#include "model/wave/wave.h"

/* The settings of one direction, or of both, under certain parameters. */
struct pricing {
    const struct tan_target_problem *problem;
    struct tan_params params[2];          /* of each pass over the tree */
    struct tan_params near[TAN_TIERS];    /* of the tiers but the last, where hosts are shared */
    int passes;                           /* 1 or 2 */
    double share;                         /* of the sum over the passes that counts */
    const struct tan_least_tree *written; /* borrowed; see price_setting */
    double known; /* a wave that the best setting does not exceed; INFINITY to know that of each
                     knob */
    bool failed;
};

bool tan_target_one_way(const struct tan_target *target)
{
    return target->operation[0] != NULL || target->operation[1] != NULL;
}

bool tan_target_halves(const struct tan_target_problem *problem)
{
    return !tan_target_one_way(problem->target) && problem->up->one_way == 0;
}

int tan_target_passes(const struct tan_target_problem *problem, int direction)
{
    const int asked = direction & problem->ways;
    return asked != 0 ? asked : direction;
}

const char *tan_target_priced(const struct tan_target_problem *problem, int direction)
{
    const bool both = tan_target_passes(problem, direction) == (TAN_UP | TAN_DOWN);
    return tan_target_halves(problem)                    ? "half a round trip"
           : both && tan_target_one_way(problem->target) ? "up, then down"
                                                         : "one way";
}

/* What half a round trip takes, with equal or different messages up and down; or what goes one way,
 * or first up and then down. */
static struct pricing pricing_of(const struct tan_target_problem *problem, int direction)
{
    struct pricing p = {.problem = problem, .passes = 1, .share = 1.0, .known = INFINITY};
    direction = tan_target_passes(problem, direction);
    const bool both = direction == (TAN_UP | TAN_DOWN);
    for (int t = 0; problem->shared != NULL && t < problem->shared->tiers.n - 1; t++) {
        p.near[t] = *problem->shared->tiers.params[t];
    }
    p.params[0] = direction == TAN_DOWN ? *problem->down : *problem->up;
    p.params[1] = *problem->down;
    if (tan_target_one_way(problem->target)) {
        p.params[0].one_way = both ? TAN_UP : direction;
        p.params[1].one_way = TAN_DOWN;
        p.passes = both ? 2 : 1;
    } else if (both && problem->up != problem->down) {
        p.passes = 2;
        p.share = 0.5;
    }
    return p;
}

static int64_t size_of(const struct tan_target_problem *p)
{
    return p->members + p->target->counts.root_apart;
}

/* With separate leaves and a model with `node`, the search is exact for trees that tan_shape
 * describes by fanouts. */
static struct tan_least_tree searched_tree(struct pricing *p)
{
    const struct tan_problem problem = {.leaves = size_of(p->problem),
                                        .model = p->problem->model,
                                        .params = &p->params[0],
                                        .only_levels = true};
    struct tan_least_tree tree = {.height = 0};
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_plan plan;
    if (tan_search_best(&problem, &plan, &ignored) < 0) {
        p->failed = true;
        return tree;
    }
    tree.wave = plan.wave;
    tree.height = plan.height;
    memcpy(tree.fanout, plan.fanout, (size_t)plan.height * sizeof *tree.fanout);
    return tree;
}

/* What comes up a link has all come at the same time, whether messages share it or pass in the
 * order of their arrival. */
bool tan_target_shares_link(const struct tan_target_problem *problem,
                            const struct tan_params *params)
{
    return problem->network && problem->model->node == NULL && params->one_way != TAN_UP &&
           params->value[TAN_B] > params->child;
}

/* The shape for one pass over the tree. */
static struct tan_shape shape_of(const struct pricing *p, int pass,
                                 const struct tan_setting *setting, const int64_t *fanout)
{
    const struct tan_target_problem *problem = p->problem;
    struct tan_shape shape = tan_shape_of(problem->target, setting, problem->members, fanout);
    shape.by_child &= !tan_target_shares_link(problem, &p->params[pass]);
    return shape;
}

static struct tan_least_tree least_tree(struct pricing *p)
{
    const struct tan_target_problem *problem = p->problem;
    struct tan_least_tree tree;
    struct tan_least_tree down;
    const enum tan_population population = problem->target->counts.population;
    const int64_t size = size_of(problem);
    const bool nodes = problem->model->node != NULL;
    if (nodes && population == TAN_LEAVES_APART) {
        return searched_tree(p);
    }
    p->failed |= tan_least_tree(population, size, problem->model, &p->params[0], &tree) < 0;
    if (nodes) { /* use the actual subtrees instead of assuming the fullest */
        static const struct tan_knob every_tree = {.split = NULL};
        const struct tan_setting setting = {.knob = &every_tree};
        const struct tan_shape shape = shape_of(p, 0, &setting, tree.fanout);
        struct tan_shape_cost cost = {.wave = INFINITY};
        p->failed |= tan_shape_cost(&shape, problem->model, &p->params[0], &cost) < 0;
        tree.wave = cost.wave;
        return tree;
    }
    if (p->passes > 1) {
        p->failed |= tan_least_tree(population, size, problem->model, &p->params[1], &down) < 0;
        tree.wave = p->share * (tree.wave + down.wave);
    }
    return tree;
}

/* What failures add to the setting's wave. */
static double wait_of(const struct tan_target_problem *problem, const struct tan_setting *setting)
{
    for (int i = 0; i < problem->n_among; i++) {
        if (tan_setting_same(&problem->among[i].setting, setting)) {
            return problem->among[i].wait;
        }
    }
    return 0.0;
}

/* The wave over a tree, in which children are served in their order. */
static double price_tree(const struct pricing *p, const struct tan_tree *tree)
{
    const struct tan_target_problem *problem = p->problem;
    double sum = 0.0;
    for (int i = 0; i < p->passes; i++) {
        const bool by_child = tan_target_one_way(problem->target) && problem->model->node == NULL &&
                              !tan_target_shares_link(problem, &p->params[i]);
        struct tan_tiers tiers = tan_tiers_of(&p->params[i]);
        struct tan_sites sites = {.at = {NULL}};
        if (problem->shared != NULL) {
            tiers = problem->shared->tiers;
            tiers.params[tiers.n - 1] = &p->params[i];
            sites = problem->shared->sites;
        }
        for (int t = 0; t < tiers.n - 1; t++) {
            tiers.params[t] = &p->near[t];
        }
        sum += by_child ? tan_one_way_time_at(problem->model, &tiers, &sites, tree)
                        : tan_wave_time_at(problem->model, &tiers, &sites, tree);
    }
    return p->share * sum;
}

/* The wave over a shape whose ranks share hosts, on its real tree. */
static double price_shared(struct pricing *p, const struct tan_shape *shape)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_shape_tree(shape, &ignored);
    const double wave = tree == NULL ? NAN : price_tree(p, tree);
    p->failed |= isnan(wave);
    tan_tree_destroy(tree);
    return wave;
}

/* The wave over a setting's tree; if the target takes any tree, over the one that is written, or
 * else over the best. */
static struct tan_shape_cost price_setting(struct pricing *p, const struct tan_setting *setting)
{
    const struct tan_target_problem *problem = p->problem;
    struct tan_shape_cost cost = {.wave = INFINITY};
    struct tan_shape_cost down;
    struct tan_least_tree tree = {.height = 0};
    if (setting->knob->split == NULL) {
        tree = p->written != NULL ? *p->written : least_tree(p);
    }
    const struct tan_shape shape = shape_of(p, 0, setting, tree.fanout);
    p->failed |= tan_shape_cost(&shape, problem->model, &p->params[0], &cost) < 0;
    if (p->passes > 1) {
        const struct tan_shape second = shape_of(p, 1, setting, tree.fanout);
        p->failed |= tan_shape_cost(&second, problem->model, &p->params[1], &down) < 0;
        cost.wave = p->share * (cost.wave + down.wave);
        cost.in_turn = p->share * (cost.in_turn + down.in_turn);
        cost.period = fmax(cost.period, down.period);
    }
    if (problem->shared != NULL) {
        cost.wave = cost.in_turn = price_shared(p, &shape);
        cost.period = NAN;
    }
    cost.wave += wait_of(problem, setting);
    return cost;
}

/* Of the parameters of all tiers the least. */
static struct tan_params cheapest_link(const struct pricing *p, const struct tan_params *last)
{
    const struct tan_shared_hosts *shared = p->problem->shared;
    struct tan_params least = *last;
    for (int t = 0; shared != NULL && t < shared->tiers.n - 1; t++) {
        for (int v = 0; v < TAN_PARAMS; v++) {
            least.value[v] = fmin(least.value[v], p->near[t].value[v]);
        }
    }
    return least;
}

/* The least that a process with that many children, all of them leaves, adds to a wave. */
static double level_of(const struct pricing *p, int64_t fanout)
{
    const struct tan_model *model = p->problem->model;
    const int senders = p->problem->target->senders;
    double sum = 0.0;
    for (int i = 0; i < p->passes; i++) {
        const struct tan_params least = cheapest_link(p, &p->params[i]);
        const bool rounds = senders > 1 && p->params[i].one_way == TAN_DOWN;
        const int64_t x = rounds ? (fanout + senders - 1) / senders : fanout;
        sum += tan_level_cost(model, &least, x, 1, x - 1);
    }
    return p->share * sum;
}

/* Whether a wave over the setting's tree may be as short as `wave`: it lasts at least as long as
 * the levels down the largest subtrees. Where levels overlap, or the largest subtrees are not
 * served last, a wave costs at least the root's, and that of the root of its largest subtree. Of
 * any tree nothing is known before it has been searched. */
static bool may_beat(const struct pricing *p, const struct tan_setting *setting, double wave)
{
    if (setting->knob->split == NULL) {
        return true;
    }
    const struct tan_target_problem *problem = p->problem;
    const struct tan_shape shape = shape_of(p, 0, setting, NULL);
    const bool overlap = problem->model->node != NULL || shape.by_child;
    struct tan_shape_walk walk = tan_shape_walk(&shape);
    int64_t fanout = tan_shape_descend(&walk);
    double bound = 0.0;
    for (int hops = 0; fanout > 0 && (!overlap || hops < 2); hops++) {
        const double level = level_of(p, fanout);
        if (bound + level > wave * (1 + TAN_SEARCH_EQUAL)) {
            return false;
        }
        bound += overlap ? 0.0 : level;
        fanout = tan_shape_descend(&walk);
    }
    return true;
}

/* Whether times are those of one direction in which children share a link. */
static bool is_one_way_network(const struct tan_target_problem *problem)
{
    return problem->network && problem->up->one_way;
}

/* Ties go to the tree that is faster if children are served one by one, then to the lower one, in
 * which one that is down delays a wave less. */
static bool is_better(const struct pricing *p, const struct tan_shape_cost *a,
                      const struct tan_shape_cost *b)
{
    if (a->wave < b->wave * (1 - TAN_SEARCH_EQUAL) ||
        !(a->wave <= b->wave * (1 + TAN_SEARCH_EQUAL))) {
        return a->wave < b->wave;
    }
    if (is_one_way_network(p->problem) &&
        fabs(a->in_turn - b->in_turn) > b->in_turn * TAN_SEARCH_EQUAL) {
        return a->in_turn < b->in_turn;
    }
    return a->height < b->height;
}

/* A wave that the best value of a knob does not exceed. With it most values, among them the long
 * chains of small ones, are ruled out without pricing their trees. */
static double attainable_wave(struct pricing *p, const struct tan_knob *knob, int64_t most)
{
    double wave = p->known;
    for (int64_t value = most; value >= knob->least && value > 0 && !p->failed; value /= 2) {
        const struct tan_setting setting = {knob, value};
        if (may_beat(p, &setting, wave)) {
            wave = fmin(wave, price_setting(p, &setting).wave);
        }
    }
    return wave;
}

bool tan_target_shares_hosts(const struct tan_target_problem *problem)
{
    return problem->shared != NULL && problem->shared->n < problem->members;
}

bool tan_target_is_vast(const struct tan_target_problem *problem)
{
    enum { MANY = 10000 };
    return problem->shared != NULL && problem->members > MANY;
}

/* The best value of a knob. Values beyond the tree's size build the same tree as that size. */
static struct tan_priced best_value(struct pricing *p, const struct tan_knob *knob)
{
    struct tan_priced best = {.setting = {knob, knob->least}, .cost = {.wave = INFINITY}};
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

/* The same; where trees of processes that share hosts or racks are too large to price all of
 * them that for links of one kind. */
static struct tan_priced chosen_value(struct pricing *p, const struct tan_knob *knob)
{
    struct tan_target_problem apart = *p->problem;
    struct pricing q = *p;
    if (!tan_target_is_vast(p->problem)) {
        return best_value(p, knob);
    }
    apart.shared = NULL;
    q.problem = &apart;
    struct tan_priced best = best_value(&q, knob);
    best.cost = price_setting(p, &best.setting);
    p->failed |= q.failed;
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
                    const struct tan_priced *priced)
{
    size_t at = way->n_priced;
    while (at > 0 && is_better(p, &priced->cost, &way->priced[at - 1].cost)) {
        way->priced[at] = way->priced[at - 1];
        at--;
    }
    way->priced[at] = *priced;
    way->n_priced++;
}

bool tan_target_outdone(const struct tan_target_way *way)
{
    return way->n_priced > 1 &&
           way->priced[1].cost.wave < way->priced[0].cost.wave * (1 - TAN_SEARCH_EQUAL);
}

double tan_slower_than_least(const struct tan_target_way *way, double wave)
{
    return way->least.wave > 0.0 ? wave / way->least.wave - 1.0 : 0.0;
}

/* The best of the problem's settings. */
static void find_among(struct pricing *p, struct tan_target_way *way)
{
    way->priced[0].cost.wave = INFINITY;
    way->n_priced = 1;
    for (int i = 0; i < p->problem->n_among && !p->failed; i++) {
        const struct tan_setting *setting = &p->problem->among[i].setting;
        const struct tan_shape_cost cost = price_setting(p, setting);
        if (i == 0 || is_better(p, &cost, &way->priced[0].cost)) {
            way->priced[0] = (struct tan_priced){.setting = *setting, .cost = cost};
        }
    }
}

/* One way, and where links are of several kinds, the least tree is not searched: settings are
 * compared with the best of them. */
static void find_best(struct pricing *p, struct tan_target_way *way)
{
    const struct tan_target *target = p->problem->target;
    const bool settings = tan_target_one_way(target) || p->problem->shared != NULL;
    if (p->problem->among != NULL) {
        find_among(p, way);
        return;
    }
    if (!settings) {
        way->least = least_tree(p);
    }
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        if (decides_direction(target, k, way->direction) && way->n_priced < TAN_PRICED &&
            !(settings && k->split == NULL)) {
            const struct tan_priced priced = chosen_value(p, k);
            sort_in(p, way, &priced);
        }
    }
    if (settings && way->n_priced > 0) {
        way->least.wave = way->priced[0].cost.wave;
    }
    for (size_t i = 0; i < way->n_priced; i++) {
        way->priced[i].slower = tan_slower_than_least(way, way->priced[i].cost.wave);
    }
}

double tan_default_margin(double error)
{
    return fmax(tan_checks_margin(error), TAN_DEFAULT_LEAST);
}

/* What comes in place of the default where ranks share hosts; NULL if it holds. */
static const char *replaced_default(const struct tan_target_problem *problem, int direction)
{
    const struct tan_shared_hosts *shared = problem->shared;
    const bool replaced = tan_target_shares_hosts(problem) && shared->n > 1 &&
                          (shared->even || !problem->target->shared.evenly);
    return replaced ? problem->target->shared.by[direction == TAN_DOWN] : NULL;
}

static void find_default(struct pricing *p, struct tan_target_way *way)
{
    const struct tan_target_problem *problem = p->problem;
    way->default_name =
        tan_target_default(problem->target, way->direction, problem->members,
                           tan_params_bytes(&p->params[0]), &way->by_default.setting);
    const struct tan_knob *knob = way->by_default.setting.knob;
    if (problem->shared != NULL && replaced_default(problem, way->direction) != NULL) {
        way->default_name = replaced_default(problem, way->direction);
        way->by_default.setting.knob = NULL;
    } else if (problem->shared != NULL && knob != NULL && knob->help == NULL) {
        way->default_name = knob->name; /* in which order its ranks are is not known */
        way->by_default.setting.knob = NULL;
    }
    if (way->by_default.setting.knob != NULL) {
        way->by_default.cost = price_setting(p, &way->by_default.setting);
        way->by_default.slower = tan_slower_than_least(way, way->by_default.cost.wave);
    }
}

/* Number of draws to search. */
static int draws_of(const struct tan_target_problem *p)
{
    enum { MANY = 400, SOME = 100, FEW = 20 };
    const bool pays = p->up->payload != NULL || p->down->payload != NULL;
    const int64_t each = (pays ? 100 : p->model->node != NULL ? 10 : 1) * p->members;
    const int most = each <= 5000 ? MANY : each <= 100000 ? SOME : FEW;
    return p->up->n_draws < most ? p->up->n_draws : most;
}

static struct pricing drawn_pricing(const struct tan_target_problem *problem, int direction,
                                    int draw)
{
    struct pricing p = pricing_of(problem, direction);
    for (int i = 0; i < p.passes; i++) {
        p.params[i] = tan_params_drawn(&p.params[i], draw);
    }
    for (int t = 0; problem->shared != NULL && t < problem->shared->tiers.n - 1; t++) {
        p.near[t] = tan_params_drawn(&p.near[t], draw);
    }
    return p;
}

/* The best setting under a draw, and its wave. */
struct drawn_best {
    struct tan_setting setting;
    double wave;
    bool is_chosen; /* whether the draw counts for the chosen setting, which is no worse */
};

static int draw_of(const struct tan_target_problem *problem, int i, int n)
{
    return (int)((int64_t)i * problem->up->n_draws / n);
}

static int find_drawn(const struct tan_target_problem *problem, const struct tan_target_way *way,
                      int n, struct drawn_best *best, struct tan_error *e)
{
    bool failed = false;
    for (int i = 0; i < n && !failed; i++) {
        struct pricing p = drawn_pricing(problem, way->direction, draw_of(problem, i, n));
        struct tan_target_way drawn = {.direction = way->direction};
        p.known = price_setting(&p, &way->priced[0].setting).wave;
        find_best(&p, &drawn);
        best[i] = (struct drawn_best){drawn.priced[0].setting, drawn.priced[0].cost.wave, false};
        failed = p.failed;
    }
    return failed ? tan_fail_nomem(e) : 0;
}

/* Waves of a setting under `n` draws, and by how much they exceed the best. */
struct drawn_waves {
    double *wave, *regret; /* owned by the caller */
    double share; /* of draws in which no other setting is better, nor the chosen one as good */
};

static int price_drawn(const struct tan_target_problem *problem, const struct tan_target_way *way,
                       const struct tan_priced *priced, const struct drawn_best *best, int n,
                       struct drawn_waves *out, struct tan_error *e)
{
    bool failed = false;
    int undefeated = 0;
    for (int i = 0; i < n && !failed; i++) {
        struct pricing p = drawn_pricing(problem, way->direction, draw_of(problem, i, n));
        p.written = &way->least;
        out->wave[i] = price_setting(&p, &priced->setting).wave;
        out->regret[i] = best[i].wave > 0.0 ? fmax(0.0, out->wave[i] / best[i].wave - 1.0) : 0.0;
        undefeated += out->regret[i] <= 2 * TAN_SEARCH_EQUAL && !best[i].is_chosen;
        failed = p.failed;
    }
    out->share = n > 0 ? (double)undefeated / n : NAN;
    return failed ? tan_fail_nomem(e) : 0;
}

/* The setting, other than `chosen`, that is the best in most of the draws in which `regret` is not
 * 0; no knob if there are none. (Where any tree can be set, that may be `chosen` with another.) */
static struct tan_setting most_frequent(const struct drawn_best *best, const double *regret, int n,
                                        const struct tan_setting *chosen)
{
    struct tan_setting frequent = {NULL, 0};
    int most = 0;
    for (int i = 0; i < n; i++) {
        int times = 0;
        const bool counts =
            regret[i] > 2 * TAN_SEARCH_EQUAL && !tan_setting_same(&best[i].setting, chosen);
        for (int k = i; k < n && counts; k++) {
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
    const struct tan_shape_cost *best = &way->priced[0].cost;
    for (int i = 0; i < p->problem->n_among; i++) {
        try_runner_up(p, &p->problem->among[i].setting, best, &wave, &runner_up);
    }
    for (const struct tan_knob *k = target->knobs; k->name != NULL && p->problem->among == NULL;
         k++) {
        const int64_t most = k->most < size ? k->most : size;
        if (k->split == NULL || !decides_direction(target, k, way->direction)) {
            continue;
        }
        for (int64_t value = k->least; value == k->least || value <= most; value++) {
            try_runner_up(p, &(struct tan_setting){k, value}, best, &wave, &runner_up);
        }
    }
    return runner_up;
}

static int price_runner_up(const struct tan_target_problem *problem, const struct drawn_best *best,
                           int n, struct drawn_waves *waves, const struct tan_target_way *way,
                           struct tan_runner_up *next, struct tan_error *e)
{
    struct pricing p = pricing_of(problem, way->direction);
    const struct tan_priced priced = {.setting = next->setting};
    const double wave = price_setting(&p, &way->priced[0].setting).wave;
    next->slower = fmax(0.0, price_setting(&p, &priced.setting).wave / wave - 1.0);
    if (p.failed) {
        return tan_fail_nomem(e);
    }
    if (n > 0 && price_drawn(problem, way, &priced, best, n, waves, e) < 0) {
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
    struct tan_runner_up frequent = {
        .setting = most_frequent(best, waves->regret, n, &way->priced[0].setting)};
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

/* Compare the first setting with all others under the draws of the parameters, and if it is the
 * best of them find the one after it. */
static int weigh_draws(const struct tan_target_problem *problem, bool is_best,
                       struct tan_target_way *way, struct tan_error *e)
{
    const struct tan_priced *priced = &way->priced[0];
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
    if (find_drawn(problem, way, n, best, e) < 0 ||
        price_drawn(problem, way, priced, best, n, &waves, e) < 0) {
        goto done;
    }
    for (int i = 0; i < n; i++) {
        best[i].is_chosen = waves.regret[i] <= 2 * TAN_SEARCH_EQUAL;
    }
    if (n > 0) {
        memcpy(sorted, waves.regret, (size_t)n * sizeof *sorted);
        gsl_sort(sorted, 1, (size_t)n);
        way->ci95 = tan_central_interval(waves.wave, (size_t)n);
        way->ci95.low -= wait_of(problem, &priced->setting);
        way->ci95.high -= wait_of(problem, &priced->setting);
        way->share = waves.share;
        way->mean_regret = gsl_stats_mean(sorted, 1, (size_t)n);
        way->regret95 = gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)n, 0.95);
    }
    result = is_best ? find_runner_up(problem, best, n, &waves, way, e) : 0;

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
    struct pricing p = pricing_of(&problem, q->way->direction);
    struct tan_target_way best = {.direction = q->way->direction};
    p.known = price_setting(&p, &q->way->priced[0].setting).wave;
    find_best(&p, &best);
    const double least = best.priced[0].cost.wave;
    const bool any_tree = best.priced[0].setting.knob->split == NULL;
    p.written = &q->way->least;
    const double wave = price_setting(&p, &q->way->priced[0].setting).wave;
    moved->slower =
        least > 0.0 && wave / least - 1.0 > 2 * TAN_SEARCH_EQUAL ? wave / least - 1.0 : 0.0;
    moved->best = tan_printed("%.64s%s", tan_setting_text(&best.priced[0].setting).text,
                              any_tree ? " with another tree" : "");
    return p.failed ? tan_fail_nomem(e) : 0;
}

bool tan_priced_is_uncertain(const struct tan_target_problem *problem,
                             const struct tan_priced *priced)
{
    return is_one_way_network(problem) &&
           priced->cost.in_turn < priced->cost.wave * (1 - TAN_SEARCH_EQUAL);
}

static double share_above(double wave, double other)
{
    return wave == other ? 0.0 : other > 0.0 ? wave / other - 1.0 : INFINITY;
}

double tan_priced_longer(const struct tan_target_problem *problem, const struct tan_priced *one,
                         const struct tan_priced *other, bool most)
{
    const double shared = share_above(one->cost.wave, other->cost.wave);
    if (!tan_priced_is_uncertain(problem, one) && !tan_priced_is_uncertain(problem, other)) {
        return shared;
    }
    const double in_turn = share_above(one->cost.in_turn, other->cost.in_turn);
    return most ? fmax(shared, in_turn) : fmin(shared, in_turn);
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

/* The value of a knob that surely gains most over the default, in steps of a thirtieth; without a
 * knob if none gains. */
static struct tan_priced largest_sure_gain(struct pricing *p, const struct tan_knob *knob,
                                           const struct tan_priced *by_default)
{
    const int64_t most = tan_setting_widest(knob, p->problem->members);
    struct tan_priced best = {.setting = {NULL, 0}};
    double gain = TAN_SEARCH_EQUAL;
    for (int64_t value = knob->least; value <= most; value += 1 + value / 30) {
        struct tan_priced priced = {.setting = {knob, value}};
        priced.cost = price_setting(p, &priced.setting);
        const double gains = tan_priced_longer(p->problem, by_default, &priced, false);
        if (gains > gain) {
            gain = gains;
            best = priced;
        }
    }
    return best;
}

/* Where prices are uncertain, add these values of all knobs. */
static void add_sure_gains(struct pricing *p, struct tan_target_way *way)
{
    const struct tan_target *target = p->problem->target;
    if (!is_one_way_network(p->problem) || way->by_default.setting.knob == NULL) {
        return;
    }
    for (const struct tan_knob *k = target->knobs; k->name != NULL; k++) {
        if (k->split == NULL || !decides_direction(target, k, way->direction)) {
            continue;
        }
        struct tan_priced best = largest_sure_gain(p, k, &way->by_default);
        bool add = best.setting.knob != NULL && way->n_priced < TAN_PRICED;
        for (size_t i = 0; i < way->n_priced; i++) {
            add &= !tan_setting_same(&way->priced[i].setting, &best.setting);
        }
        if (add) {
            best.slower = tan_slower_than_least(way, best.cost.wave);
            sort_in(p, way, &best);
        }
    }
}

int tan_target_choose(const struct tan_target_problem *problem, struct tan_target_way way[2],
                      struct tan_error *e)
{
    const bool apart = tan_target_apart(problem->target);
    const int direction[] = {apart ? TAN_UP : TAN_UP | TAN_DOWN, TAN_DOWN};
    int used = 0;
    for (int i = 0; i < (apart ? 2 : 1); i++) {
        struct tan_target_way *w = &way[used];
        if (problem->ways != 0 && (problem->ways & direction[i]) == 0) {
            continue;
        }
        *w = empty_way(direction[i]);
        struct pricing p = pricing_of(problem, w->direction);
        find_best(&p, w);
        find_default(&p, w);
        add_sure_gains(&p, w);
        if (p.failed) {
            return tan_fail_nomem(e);
        }
        used += w->n_priced > 0; /* else the target has no setting for this direction */
    }
    return used;
}

int tan_target_weigh(const struct tan_target_problem *problem, bool is_best,
                     struct tan_target_way *way, struct tan_error *e)
{
    const struct setting_question question = {problem, way};
    if (tan_target_is_vast(problem)) {
        return 0;
    }
    if (weigh_draws(problem, is_best, way, e) < 0) {
        return -1;
    }
    /* only where both directions have the same parameters */
    return is_best && problem->up == problem->down
               ? tan_sensitivities(problem->up, judge_setting, &question, way->sensitivity,
                                   &way->n_sensitivities, e)
               : 0;
}

int tan_target_cost(const struct tan_target_problem *problem, const struct tan_setting *setting,
                    int direction, struct tan_shape_cost *cost, struct tan_error *e)
{
    struct pricing p = pricing_of(problem, direction);
    *cost = price_setting(&p, setting);
    return p.failed ? tan_fail_nomem(e) : 0;
}

double tan_target_wave(const struct tan_target_problem *problem, int direction,
                       const struct tan_tree *tree)
{
    const struct pricing p = pricing_of(problem, direction);
    return price_tree(&p, tree);
}

int tan_target_evaluate(const struct tan_target_problem *problem, const struct tan_setting *setting,
                        struct tan_target_way *way, struct tan_error *e)
{
    struct tan_target_way best = empty_way(setting->knob->directions);
    struct pricing p = pricing_of(problem, best.direction);
    find_best(&p, &best);
    *way = empty_way(best.direction);
    way->least = best.least;
    way->priced[0] = (struct tan_priced){.setting = *setting, .cost = price_setting(&p, setting)};
    way->priced[0].slower = tan_slower_than_least(way, way->priced[0].cost.wave);
    way->n_priced = 1;
    find_default(&p, way);
    return p.failed ? tan_fail_nomem(e) : 0;
}
