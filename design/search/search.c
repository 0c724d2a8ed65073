/* search.c - exact search for the best trees with a given number of leaves
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of space.h contains every tree whose cost is within a limit. The search starts with a
 * limit slightly above the lower bound for all trees and doubles the distance until the k-th best
 * path lies within the limit: then no tree left out can be among the k best. */
#include "design/search/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "design/search/bounds.h"
#include "design/search/limits.h"
#include "design/search/paths.h"
#include "design/search/space.h"
#include "model/wave/overlap.h"
#include "model/wave/payload.h"

/* Decide between equal costs by a tiny amount, added to each arc and growing with the number of
 * nodes in the level below: few nodes near the root mean few processes. It is at most log(10^12) =
 * 28 times `little` per level, so that a wave stays within TAN_SEARCH_EQUAL, but large enough to
 * separate neighbours such as 20000x50000 and 20001x49998 in a double. */
static void prefer_few_processes(struct tan_space *space, double level)
{
    const double little = 3e-11 * (level > 0.0 ? level : 1.0);
    const double all = log((double)space->leaves[TAN_SPACE_SOURCE]);
    for (size_t i = 0; i < space->n_arcs; i++) {
        const int64_t below = space->leaves[space->arcs[i].to];
        space->arcs[i].weight += below > 1 ? little * (all - log((double)below)) : 0.0;
    }
}

static int plans_from_paths(const struct tan_problem *p, const struct tan_space *space,
                            const struct tan_paths *paths, struct tan_plans *out,
                            struct tan_error *e)
{
    tan_plans_clear(out);
    out->plan = calloc(paths->n + 1, sizeof *out->plan);
    if (out->plan == NULL) {
        return tan_fail_nomem(e);
    }
    for (out->n = 0; out->n < paths->n; out->n++) {
        const size_t *arc = &paths->arc[paths->start[out->n]];
        const int height = (int)(paths->start[out->n + 1] - paths->start[out->n]);
        int64_t fanouts[TAN_PLAN_LEVELS] = {0};
        for (int i = 0; i < height; i++) {
            const int64_t above = space->leaves[space->arcs[arc[i]].from];
            const int64_t below = space->leaves[space->arcs[arc[i]].to];
            fanouts[i] = tan_ceil_div(above, below);
        }
        tan_plan_levels(&out->plan[out->n], p->leaves, fanouts, height);
        out->plan[out->n].wave = tan_plan_wave(&out->plan[out->n], p->model, p->params);
    }
    return 0;
}

static int by_wave(const void *left, const void *right)
{
    const struct tan_plan *a = left;
    const struct tan_plan *b = right;
    return a->wave != b->wave ? (a->wave > b->wave ? 1 : -1) : tan_plan_order(a, b);
}

static int by_processes(const void *left, const void *right)
{
    return tan_plan_order(left, right);
}

/* Fastest first; equal waves by processes. */
static void sort_plans(struct tan_plans *plans)
{
    qsort(plans->plan, plans->n, sizeof *plans->plan, by_wave);
    for (size_t i = 0, j; i < plans->n; i = j) {
        for (j = i + 1; j < plans->n &&
                        plans->plan[j].wave <= plans->plan[i].wave * (1.0 + TAN_SEARCH_EQUAL);) {
            j++;
        }
        qsort(&plans->plan[i], j - i, sizeof *plans->plan, by_processes);
    }
}

static const double rounding = 1.0 + 1e-12; /* equal waves, summed in a different order */

/* Result of a search round. */
struct round {
    bool overflow;         /* the graph was too large; nothing was found */
    bool complete;         /* the graph contained every tree within the limits */
    struct tan_plans best; /* the k best in the graph */
    size_t certain;        /* how many of them are certain to be the overall best */
};

/* Find the k best among at least those trees whose levels cost `most` or less. */
static int search_within(const struct tan_problem *p, const struct tan_bounds *bounds, double most,
                         int k, struct round *round, struct tan_error *e)
{
    const double longest = most + p->params->value[TAN_C0]; /* wave */
    *round = (struct round){0};
    struct tan_space space;
    struct tan_paths paths = {0};
    int result = -1;
    if (tan_space_build(p, bounds, most, k, &space, e) < 0) {
        return -1;
    }
    round->overflow = space.overflow;
    round->complete = space.complete;
    if (space.overflow) {
        result = 0;
        goto done;
    }
    prefer_few_processes(&space, tan_level_cost(p->model, p->params, 2, 1, 1));
    if (tan_paths_find(space.arcs, space.n_arcs, space.n_vertices, TAN_SPACE_SOURCE,
                       TAN_SPACE_TARGET, k, &paths, e) < 0 ||
        plans_from_paths(p, &space, &paths, &round->best, e) < 0) {
        goto done;
    }
    sort_plans(&round->best);
    while (round->certain < round->best.n &&
           (space.complete || round->best.plan[round->certain].wave * rounding <= longest)) {
        round->certain++;
    }
    result = 0;

done:
    tan_paths_clear(&paths);
    tan_space_clear(&space);
    return result;
}

/* Raise the limit until the k best are certain or the graph gets too large; then set out->cut
 * and return what was certain in the previous round. */
static int search_rounds(const struct tan_problem *p, const struct tan_bounds *bounds, double least,
                         int k, struct tan_plans *out, struct tan_error *e)
{
    const double first_share = 1.0 / 4096.0; /* of the least cost: initial distance of the limit */
    const double unit =
        least > 0.0 ? least : tan_level_cost(p->model, p->params, p->leaves, 1, p->leaves - 1);
    const double C = p->params->value[TAN_C0];
    const double known = p->known_wave * rounding * rounding - C;
    double most = least + first_share * unit;
    if (k == 1 && p->known_wave > 0.0 && known < least + 16.0 * first_share * unit) {
        most = known; /* so that the first round is the last */
    }
    for (double share = 2.0 * first_share;; share *= 2.0) {
        struct round round;
        if (search_within(p, bounds, most, k, &round, e) < 0) {
            return -1;
        }
        if (round.overflow) {
            out->cut = true;
            return 0;
        }
        tan_plans_clear(out);
        *out = (struct tan_plans){.n = round.certain, .plan = round.best.plan};
        if (round.complete || round.certain == (size_t)k) {
            return 0;
        }
        most = least + share * unit;
        if (round.best.n == (size_t)k) { /* the last of them, of equal ones, bounds the k best */
            most = fmin(most, round.best.plan[k - 1].wave * (1.0 + 2.0 * TAN_SEARCH_EQUAL) - C);
        }
    }
}

/* Find the k best trees, or at least the best one. */
static int find_best_trees(const struct tan_problem *p, const struct tan_bounds *bounds, int k,
                           struct tan_plans *out, struct tan_error *e)
{
    const struct tan_rest all = {.leaves = p->leaves, .nodes = 1};
    const double bound = tan_bound(bounds, &all);
    if (!isfinite(bound)) {
        return tan_limits_fail(p, e);
    }
    if (search_rounds(p, bounds, bound, k, out, e) < 0) {
        return -1;
    }
    if (out->n == 0 && out->cut && k > 1) {
        if (search_rounds(p, bounds, bound, 1, out, e) < 0) {
            return -1;
        }
        out->cut = true;
    }
    if (out->n > 0) {
        return 0;
    }
    enum { NARROW = 16 }; /* few sequences of such fanouts hold the same leaves */
    if (out->cut) {
        return tan_fail(e,
                        "too many trees of %" PRId64
                        " leaves come close to the best to tell them apart: ask for fewer leaves%s",
                        p->leaves,
                        p->max_fanout > 0 && p->max_fanout <= NARROW ? ""
                                                                     : ", or for --max-fanout 16");
    }
    return tan_limits_fail(p, e);
}

/* With one leaf there is only one tree. */
static int search_one_leaf(const struct tan_problem *p, struct tan_plans *out, struct tan_error *e)
{
    const int64_t fanout = 1;
    out->plan = calloc(1, sizeof *out->plan);
    if (out->plan == NULL) {
        return tan_fail_nomem(e);
    }
    out->n = 1;
    tan_plan_levels(&out->plan[0], 1, &fanout, 1);
    tan_plan_price(&out->plan[0], p->model, p->params);
    return 0;
}

static int search_levels(const struct tan_problem *p, int k, struct tan_plans *out,
                         struct tan_error *e)
{
    struct tan_bounds *bounds = tan_bounds_create(p, e);
    const int result = bounds == NULL ? -1 : find_best_trees(p, bounds, k, out, e);
    tan_bounds_destroy(bounds);
    return result;
}

/* The `most` best trees, or with `front` the first ones of it. */
static int search_trees(const struct tan_problem *p, const enum tan_front_cost *front, size_t most,
                        struct tan_plans *out, struct tan_error *e)
{
    *out = (struct tan_plans){0};
    if (tan_limits_check(p, e) < 0) {
        return -1;
    }
    if (p->leaves == 1) {
        return search_one_leaf(p, out, e);
    }
    const bool even = front != NULL || p->model->node != NULL;
    const int k = (int)most + (front != NULL ? 1 : 0);
    if ((even ? tan_even_search(p, front, k, out, e) : search_levels(p, k, out, e)) < 0) {
        const bool cut = out->cut;
        tan_plans_clear(out);
        out->cut = cut;
        return -1;
    }
    if (out->n == 0) {
        return tan_limits_fail(p, e);
    }
    for (size_t i = 0; i < out->n; i++) {
        tan_plan_price(&out->plan[i], p->model, p->params);
    }
    sort_plans(out);
    out->cut = out->cut || (front != NULL && out->n > most);
    out->n = out->n < most ? out->n : most;
    return 0;
}

int tan_search(const struct tan_problem *p, int k, struct tan_plans *out, struct tan_error *e)
{
    return search_trees(p, NULL, (size_t)k, out, e);
}

int tan_search_front(const struct tan_problem *p, enum tan_front_cost cost, size_t most,
                     struct tan_plans *out, struct tan_error *e)
{
    return search_trees(p, &cost, most, out, e);
}

bool tan_search_proves(const struct tan_problem *p)
{
    const struct tan_tiers tiers = tan_tiers_of(p->params);
    const struct tan_overlap overlap = tan_overlap_tiers(&tiers);
    const struct tan_overlap_pace pace = tan_overlap_pace(&overlap, 1, 1);
    return p->model->node == NULL || (!tan_payload_grows(p->params->payload) && !overlap.shared &&
                                      pace.sends <= pace.send && pace.receives <= pace.receive);
}

bool tan_plans_have(const struct tan_plans *plans, const struct tan_plan *plan)
{
    for (size_t i = 0; i < plans->n; i++) {
        if (tan_plan_order(&plans->plan[i], plan) == 0) {
            return true;
        }
    }
    return false;
}

int tan_search_best(const struct tan_problem *problem, struct tan_plan *best, struct tan_error *e)
{
    struct tan_plans plans;
    if (tan_search(problem, 1, &plans, e) < 0) {
        return -1;
    }
    *best = plans.plan[0];
    tan_plans_clear(&plans);
    return 0;
}
