/* hosted.c - the best tree and its placement on hosts with several processes each
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/hosted.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "design/search/any_shape.h"
#include "design/search/baselines.h"
#include "design/search/limits.h"
#include "design/search/search.h"
#include "model/machine/machine.h"
#include "model/stats/stats.h"
#include "model/wave/payload.h"
#include "topo/spec.h"

static const double near_share = 0.01; /* ties closer to the fastest may be recommended */

struct hosting {
    const struct tan_hosted_problem *problem;
    struct tan_hosted_design *design;
    struct tan_error *e;
};

/* Trees */

/* Whether it adds nothing: a tree takes as long in another placement, or another tree of the same
 * size, height and fanout in this one. */
static bool is_known(const struct hosting *h, const struct tan_hosted *candidate)
{
    for (size_t i = 0; i < h->design->n_choices; i++) {
        const struct tan_hosted *c = &h->design->choices[i];
        const bool same = c->parents == candidate->parents && strcmp(c->spec, candidate->spec) == 0;
        const bool alike = c->place == candidate->place && c->processes == candidate->processes &&
                           c->height == candidate->height && c->max_fanout == candidate->max_fanout;
        if ((same && alike) || ((same || alike) && fabs(c->wave - candidate->wave) <=
                                                       TAN_SEARCH_EQUAL * candidate->wave)) {
            return true;
        }
    }
    return false;
}

/* Entries for each node: its host, and spare ones for its site in each tier. */
enum { SITES = 1 + TAN_INNER_TIERS };

/* Price a placement, and add it to the choices unless it adds nothing. host[] has SITES entries for
 * each node, of which the hosts come first. */
static int add_placed(const struct hosting *h, const struct tan_tree *tree, int32_t *host,
                      struct tan_hosted *candidate)
{
    const struct tan_hosted_problem *p = h->problem;
    struct tan_hosted_design *d = h->design;
    const struct tan_racks *racks = &p->room.racks;
    const int32_t n = candidate->processes;
    int32_t *const spare = host + n;
    for (int32_t i = 0; i < n && racks->n > 0; i++) {
        spare[i] = racks->rack[0][host[i]];
    }
    candidate->hosts = tan_place_hosts(host, n, p->room.hosts);
    candidate->racks = racks->n == 0 ? 0 : tan_place_hosts(spare, n, racks->n);
    const struct tan_sites sites = tan_sites_of(&p->tiers, racks, host, n, spare);
    candidate->wave = tan_wave_time_at(p->tree.model, &p->tiers, &sites, tree);
    if (candidate->hosts < 0 || candidate->racks < 0 || isnan(candidate->wave)) {
        return tan_fail_nomem(h->e);
    }
    if (is_known(h, candidate)) {
        return 0;
    }
    if (TAN_ONE_MORE(d->choices, d->n_choices) < 0) {
        return tan_fail_nomem(h->e);
    }
    d->choices[d->n_choices++] = *candidate;
    return 0;
}

/* The tree, if it is within the limits, in every placement that fits; `parents`: of its nodes, if
 * `spec` does not say them. */
static int add_placements(const struct hosting *h, const char *spec, const int32_t *parents,
                          const struct tan_tree *tree)
{
    const struct tan_hosted_problem *p = h->problem;
    struct tan_hosted candidate = {.parents = parents,
                                   .processes = tan_tree_size(tree),
                                   .leaves = tan_tree_leaves(tree),
                                   .height = tan_tree_height(tree),
                                   .max_fanout = tan_tree_max_fanout(tree),
                                   .ci95 = TAN_INTERVAL_UNKNOWN};
    snprintf(candidate.spec, sizeof candidate.spec, "%s", spec);
    if (p->specs == NULL && !tan_limits_allow(&p->tree, candidate.max_fanout, candidate.height,
                                              candidate.processes, tan_tree_max_below(tree))) {
        return 0;
    }
    int32_t *host = calloc(SITES * (size_t)candidate.processes, sizeof *host);
    int result = host == NULL ? tan_fail_nomem(h->e) : 0;
    for (const struct tan_place *place = tan_places; result == 0 && place->name != NULL; place++) {
        const int fits = place->place(tree, &p->room, host);
        candidate.place = place;
        if (fits < 0) {
            result = tan_fail_nomem(h->e);
        } else if (fits > 0) {
            result = add_placed(h, tree, host, &candidate);
        }
    }
    free(host);
    return result;
}

static int add_tree(const struct hosting *h, const char *spec)
{
    struct tan_tree *tree = tan_spec_build(spec, h->e);
    const int result = tree == NULL ? -1 : add_placements(h, spec, NULL, tree);
    tan_tree_destroy(tree);
    return result;
}

/* The tree with these fanouts, if it is within the limits. */
static int add_levels(const struct hosting *h, const int64_t *fanouts, int height)
{
    const struct tan_problem *p = &h->problem->tree;
    struct tan_plan plan;
    tan_plan_levels(&plan, p->leaves, fanouts, height);
    if (!tan_limits_allow(p, plan.max_fanout, plan.height, plan.processes, plan.below[0])) {
        return 0;
    }
    return add_tree(h, tan_plan_spec(&plan).text);
}

/* kary:K, as levels if all nodes of a level have the same fanout. */
static int add_kary(const struct hosting *h, int64_t k)
{
    struct tan_plan plan;
    int64_t room = 1;
    tan_baseline_kary(k, h->problem->tree.leaves, &plan);
    for (int i = 0; i < plan.height; i++) {
        room *= plan.fanout[i];
    }
    return room == plan.leaves ? add_levels(h, plan.fanout, plan.height)
                               : add_tree(h, tan_plan_spec(&plan).text);
}

enum {
    UPPER = 4,   /* trees per search that are priced */
    FIRST = 16,  /* the same for searches by a single tier */
    WIDEST = 16, /* of kary trees */
    FEW = 16,    /* processes per host, up to which both ends of a tree vary together */
};

/* The best trees with that many leaves by a single tier; finding none is not an error. */
static int search_tier(const struct hosting *h, int64_t leaves, const struct tan_params *params,
                       int64_t processes, int k, struct tan_plans *plans)
{
    struct tan_error infeasible = TAN_ERROR_INIT;
    struct tan_problem problem = h->problem->tree;
    problem.leaves = leaves;
    problem.params = params;
    problem.max_processes = processes;
    *plans = (struct tan_plans){.n = 0};
    if (tan_search(&problem, k, plans, &infeasible) == 0 || infeasible.status == TAN_INFEASIBLE) {
        return 0;
    }
    *h->e = infeasible;
    return -1;
}

/* Append parts[1] below each leaf of parts[0], and so on; NULL parts are skipped. */
static int add_joined(const struct hosting *h, const struct tan_plan *const parts[3])
{
    int64_t fanouts[TAN_PLAN_LEVELS];
    int height = 0;
    for (int i = 0; i < 3; i++) {
        const int more = parts[i] == NULL ? 0 : parts[i]->height;
        if (height + more > TAN_PLAN_LEVELS) {
            return 0;
        }
        for (int k = 0; k < more; k++) {
            fanouts[height++] = parts[i]->fanout[k];
        }
    }
    return height > 0 ? add_levels(h, fanouts, height) : 0;
}

/* Trees with `top` nodes on the root's host, each above a tree of hosts, and `each` leaves on every
 * host, below a node of its own; 1: no such part. */
static int add_parts(const struct hosting *h, int64_t top, int64_t each)
{
    const struct tan_hosted_problem *p = h->problem;
    const struct tan_params *near = p->tiers.params[0];
    const struct tan_params *far = p->tiers.params[p->tiers.n - 1];
    const int64_t hosts = tan_ceil_div(p->tree.leaves, each);
    struct tan_plans upper = {.n = 0};
    struct tan_plans middle = {.n = 0};
    struct tan_plans lower = {.n = 0};
    int result = 0;
    if ((top > 1 && search_tier(h, top, near, p->room.per_host, 1, &upper) < 0) ||
        search_tier(h, tan_ceil_div(hosts, top), far, 0, UPPER, &middle) < 0 ||
        (each > 1 && search_tier(h, each, near, p->room.per_host, 1, &lower) < 0)) {
        result = -1;
    }
    for (size_t i = 0; i < middle.n && result == 0; i++) {
        const struct tan_plan *const parts[3] = {upper.plan, &middle.plan[i], lower.plan};
        result = add_joined(h, parts);
    }
    tan_plans_clear(&upper);
    tan_plans_clear(&middle);
    tan_plans_clear(&lower);
    return result;
}

/* The best tree of any shape by a single tier, if it is faster than `wave` there. */
static int add_any_shape(const struct hosting *h, const struct tan_params *params, double wave,
                         int32_t **parents)
{
    struct tan_problem problem = h->problem->tree;
    struct tan_any_shape any;
    problem.params = params;
    int result = tan_any_shape(&problem, false, wave, &any, h->e);
    if (result == 0 && any.tree != NULL) {
        *parents = calloc((size_t)tan_tree_size(any.tree), sizeof **parents);
        result = *parents == NULL ? tan_fail_nomem(h->e) : 0;
    }
    if (*parents != NULL) {
        tan_tree_parents(any.tree, *parents);
        result = add_placements(h, "any shape", *parents, any.tree);
    }
    tan_tree_destroy(any.tree);
    return result;
}

/* The best trees by the parameters of a single tier. */
static int add_best_of(const struct hosting *h, int tier)
{
    const struct tan_params *params = h->problem->tiers.params[tier];
    struct tan_plans plans;
    int result = search_tier(h, h->problem->tree.leaves, params, h->problem->tree.max_processes,
                             FIRST, &plans);
    for (size_t i = 0; i < plans.n && result == 0; i++) {
        const struct tan_plan *plan = &plans.plan[i];
        result = add_tree(h, tan_plan_spec(plan).text);
        if (result == 0 && plan->rule != TAN_RULE_LEVELS) { /* which tiers may tell apart */
            result = add_levels(h, plan->fanout, plan->height);
        }
    }
    if (plans.n > 0 && result == 0) {
        result = add_any_shape(h, params, plans.plan[0].wave, &h->design->shapes[tier]);
    }
    tan_plans_clear(&plans);
    return result;
}

static int add_trees(const struct hosting *h)
{
    const struct tan_hosted_problem *p = h->problem;
    int result = 0;
    for (size_t i = 0; i < p->n_specs && result == 0; i++) {
        result = add_tree(h, p->specs[i]);
    }
    if (p->specs != NULL) {
        return result;
    }
    for (int t = 0; t < p->tiers.n && result == 0; t++) {
        result = add_best_of(h, t);
    }
    for (int64_t k = 2; k <= WIDEST && k < p->tree.leaves && result == 0; k++) {
        result = add_kary(h, k);
    }
    const int64_t most =
        p->room.per_host <= p->tree.leaves ? p->room.per_host - 1 : p->tree.leaves - 1;
    for (int64_t top = 1; top <= most && result == 0; top++) {
        for (int64_t each = 1; each <= most && result == 0; each++) {
            if ((top == 1 || each == 1 || most < FEW) && top * each > 1 &&
                top * each < p->tree.leaves) {
                result = add_parts(h, top, each);
            }
        }
    }
    return result;
}

/* Uncertainty */

/* The wave times of a choice under every draw; NULL if memory is short. */
static double *waves_of(const struct tan_hosted_problem *p, const struct tan_hosted *choice,
                        struct tan_error *e)
{
    const int n = tan_tiers_draws(&p->tiers);
    int32_t *host;
    struct tan_tree *tree = tan_hosted_tree(p, choice, &host, e);
    double *waves = calloc((size_t)n + 1, sizeof *waves);
    if (tree != NULL && waves != NULL) {
        const struct tan_sites sites = tan_sites_of(&p->tiers, &p->room.racks, host,
                                                    choice->processes, host + choice->processes);
        for (int i = 0; i < n; i++) {
            struct tan_params drawn[TAN_TIERS];
            const struct tan_tiers tiers = tan_tiers_drawn(&p->tiers, i, drawn);
            waves[i] = tan_wave_time_at(p->tree.model, &tiers, &sites, tree);
        }
    } else {
        tan_fail_nomem(e);
        free(waves);
        waves = NULL;
    }
    free(host);
    tan_tree_destroy(tree);
    return waves;
}

/* Interval of a choice, and whether its difference from the fastest one, whose waves under every
 * draw are `fastest`, may be 0. */
static int weigh_choice(const struct tan_hosted_problem *p, struct tan_hosted *choice,
                        const double *fastest, struct tan_error *e)
{
    const size_t n = (size_t)tan_tiers_draws(&p->tiers);
    choice->tied = choice->slower <= TAN_SEARCH_EQUAL;
    if (n < 2) {
        return 0;
    }
    double *waves = waves_of(p, choice, e);
    double *longer = waves == NULL ? NULL : calloc(n, sizeof *longer);
    if (longer == NULL) {
        free(waves);
        return waves == NULL ? -1 : tan_fail_nomem(e);
    }
    for (size_t i = 0; i < n; i++) {
        longer[i] = waves[i] - fastest[i];
    }
    choice->tied = choice->tied || tan_central_interval(longer, n).low <= 0.0;
    choice->ci95 = tan_central_interval(waves, n);
    free(longer);
    free(waves);
    return 0;
}

static int by_size(const void *left, const void *right)
{
    const struct tan_hosted *a = left;
    const struct tan_hosted *b = right;
    return a->processes != b->processes
               ? (a->processes > b->processes) - (a->processes < b->processes)
           : a->hosts != b->hosts ? (a->hosts > b->hosts) - (a->hosts < b->hosts)
           : a->place != b->place ? (a->place > b->place) - (a->place < b->place)
                                  : strcmp(a->spec, b->spec);
}

static int by_wave(const void *left, const void *right)
{
    const struct tan_hosted *a = left;
    const struct tan_hosted *b = right;
    return a->wave != b->wave ? (a->wave > b->wave ? 1 : -1) : by_size(a, b);
}

/* Fastest first; waves that are equal up to rounding, by size. */
static void sort_choices(struct tan_hosted_design *d)
{
    qsort(d->choices, d->n_choices, sizeof *d->choices, by_wave);
    for (size_t i = 0, j; i < d->n_choices; i = j) {
        for (j = i + 1; j < d->n_choices &&
                        d->choices[j].wave <= d->choices[i].wave * (1 + TAN_SEARCH_EQUAL);) {
            j++;
        }
        qsort(&d->choices[i], j - i, sizeof *d->choices, by_size);
    }
}

size_t tan_hosted_first(const struct tan_hosted_design *d, const struct tan_place *place, bool even)
{
    size_t first = 0;
    while (first < d->n_choices &&
           (d->choices[first].place != place || (d->choices[first].parents == NULL) != even)) {
        first++;
    }
    return first;
}

/* Whether links may be shared, which no model prices: by hosts of several racks or by long
 * messages, but for a fastest tree on so few hosts that check trees on as many have shown that it
 * is not so. */
static bool may_share(const struct tan_hosted_problem *p, const struct tan_hosted *fastest)
{
    enum { LONG = 16384 };
    const struct tan_params *far = p->tiers.params[p->tiers.n - 1];
    const int64_t bytes = tan_params_bytes(far);
    return (p->room.racks.n > 1 || bytes > LONG) && fastest->hosts > p->checked_hosts;
}

/* The choice, or, unless it is faster by more than the margin, the best even tree in its placement.
 */
static size_t even_instead(const struct tan_hosted_design *d, size_t choice, double margin)
{
    const struct tan_hosted *c = &d->choices[choice];
    const size_t even = tan_hosted_first(d, c->place, true);
    return even < d->n_choices && c->wave * (1.0 + margin) >= d->choices[even].wave ? even : choice;
}

/* Where links may be shared subtrees are put on consecutive hosts, unless that is slower by more
 * than trusted models may err; elsewhere, unless it is by more than this one errs in both. */
static void put_recommended_first(const struct tan_hosted_problem *p, struct tan_hosted_design *d)
{
    const double margin =
        fmin(tan_checks_margin(p->tree.error), tan_checks_margin(TAN_CHECKS_MOST));
    const double slower =
        may_share(p, &d->choices[0]) ? TAN_CHECKS_MOST : fmax(margin, TAN_SEARCH_EQUAL);
    size_t best = 0;
    while (best < d->n_choices && d->choices[best].place != tan_places) {
        best++;
    }
    const bool by_depth = best < d->n_choices && d->choices[best].slower <= slower;
    best = even_instead(d, by_depth ? best : 0, margin);
    const double most = d->choices[best].slower + near_share;
    for (size_t i = best + 1; i < d->n_choices && d->choices[i].slower <= most; i++) {
        const struct tan_hosted *c = &d->choices[i];
        const struct tan_hosted *b = &d->choices[best];
        if (c->tied && c->parents == NULL && (!by_depth || c->place == tan_places) &&
            (c->processes < b->processes ||
             (c->processes == b->processes && c->hosts < b->hosts))) {
            best = i;
        }
    }
    const struct tan_hosted choice = d->choices[best];
    memmove(d->choices + 1, d->choices, best * sizeof choice);
    d->choices[0] = choice;
}

static int weigh_choices(const struct hosting *h, int listed)
{
    struct tan_hosted_design *d = h->design;
    sort_choices(d);
    const double fastest = d->choices[0].wave;
    double *waves = waves_of(h->problem, &d->choices[0], h->e);
    int result = waves == NULL ? -1 : 0;
    for (size_t i = 0; i < d->n_choices && result == 0; i++) {
        struct tan_hosted *c = &d->choices[i];
        c->slower = fastest > 0.0 ? c->wave / fastest - 1.0 : 0.0;
        c->first = tan_hosted_first(d, c->place, c->parents == NULL) == i;
        c->weighed = c->first || i < (size_t)listed;
        if (c->weighed) {
            result = weigh_choice(h->problem, c, waves, h->e);
        }
    }
    free(waves);
    if (result == 0) {
        put_recommended_first(h->problem, d);
    }
    return result;
}

int tan_hosted_design(const struct tan_hosted_problem *problem, int listed,
                      struct tan_hosted_design *out, struct tan_error *e)
{
    *out = (struct tan_hosted_design){.n_choices = 0};
    const struct hosting h = {problem, out, e};
    const int64_t ranks = (int64_t)problem->room.hosts * problem->room.per_host;
    if (problem->specs == NULL && problem->tree.leaves >= ranks) {
        return tan_fail_infeasible(e,
                                   "%" PRId64 " leaves and a root do not fit on %" PRId32
                                   " hosts with %" PRId32 " processes each",
                                   problem->tree.leaves, problem->room.hosts,
                                   problem->room.per_host);
    }
    int result = problem->specs == NULL ? tan_limits_check(&problem->tree, e) : 0;
    result = result < 0 ? -1 : add_trees(&h);
    if (result == 0 && out->n_choices == 0) {
        result = tan_fail_infeasible(
            e, "no such tree fits on %" PRId32 " hosts with %" PRId32 " processes each",
            problem->room.hosts, problem->room.per_host);
    }
    result = result < 0 ? -1 : weigh_choices(&h, listed);
    if (result < 0) {
        tan_hosted_clear(out);
    }
    return result;
}

void tan_hosted_clear(struct tan_hosted_design *d)
{
    free(d->choices);
    for (int t = 0; t < TAN_TIERS; t++) {
        free(d->shapes[t]);
    }
    *d = (struct tan_hosted_design){.n_choices = 0};
}

struct tan_tree *tan_hosted_tree(const struct tan_hosted_problem *problem,
                                 const struct tan_hosted *choice, int32_t **host,
                                 struct tan_error *e)
{
    struct tan_tree *tree = choice->parents != NULL
                                ? tan_tree_create(choice->parents, choice->processes, NULL, e)
                                : tan_spec_build(choice->spec, e);
    *host = calloc(SITES * (size_t)choice->processes, sizeof **host);
    if (tree != NULL && (*host == NULL || choice->place->place(tree, &problem->room, *host) < 1)) {
        tan_fail_nomem(e);
        tan_tree_destroy(tree);
        tree = NULL;
    }
    return tree;
}
