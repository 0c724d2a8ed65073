/* search.c - exact search for the best trees with a given number of leaves
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The graph of space.h contains every tree whose cost is within a limit. The search starts with a
 * limit slightly above the lower bound for all trees and doubles the distance until the k-th best
 * path lies within the limit: then no tree left out can be among the k best. */
#include "design/search/search.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "design/search/bounds.h"
#include "design/search/limits.h"
#include "design/search/paths.h"
#include "design/search/space.h"

/* A partial tree below a vertex. */
struct label {
    double time;      /* of its root; if level costs add up, their sum */
    double processes; /* including its root, assuming every node of a level is as full as the
                         fullest */
    int64_t internal; /* processes but leaves, including its root; 0 if they do not matter */
    size_t arc;       /* its first level */
    size_t rest;      /* number of the label at the arc's end */
};

struct labels {
    const struct tan_problem *problem;
    const struct tan_space *space;
    size_t k;
    bool front;
    struct label *label;
    size_t n_labels;   /* the last of which are those of the present vertex */
    size_t *start, *n; /* per vertex: its labels, fastest first */
    int64_t *fewest;   /* scratch space: the fewest `internal`, k at most, ascending */
};

static int compare_labels(const void *left, const void *right)
{
    const struct label *a = left;
    const struct label *b = right;
    return a->time != b->time             ? (a->time > b->time ? 1 : -1)
           : a->internal != b->internal   ? (a->internal > b->internal ? 1 : -1)
           : a->processes != b->processes ? (a->processes > b->processes ? 1 : -1)
           : a->arc != b->arc             ? (a->arc > b->arc ? 1 : -1)
                                          : (a->rest > b->rest) - (a->rest < b->rest);
}

static int add_label(struct labels *l, const struct label *new, struct tan_error *e)
{
    if (TAN_ONE_MORE(l->label, l->n_labels) < 0) {
        return tan_fail_nomem(e);
    }
    l->label[l->n_labels++] = *new;
    return 0;
}

/* Whether k faster labels have no more internal processes; those are the n fewest, which the
 * label's own join otherwise. */
static bool is_beaten(struct labels *l, const struct label *label, size_t *n)
{
    if (*n == l->k && l->fewest[l->k - 1] <= label->internal) {
        return true;
    }
    size_t i = *n < l->k ? (*n)++ : l->k - 1;
    for (; i > 0 && l->fewest[i - 1] > label->internal; i--) {
        l->fewest[i] = l->fewest[i - 1];
    }
    l->fewest[i] = label->internal;
    return false;
}

/* Sort the labels from `start` on, and leave those of `vertex` that are not beaten. */
static void keep_labels(struct labels *l, int64_t vertex, size_t start)
{
    size_t n_fewest = 0;
    size_t n = start;
    qsort(&l->label[start], l->n_labels - start, sizeof *l->label, compare_labels);
    for (size_t i = start; i < l->n_labels; i++) {
        if (!is_beaten(l, &l->label[i], &n_fewest)) {
            l->label[n++] = l->label[i];
        }
    }
    l->n_labels = n;
    l->start[vertex] = start;
    l->n[vertex] = n - start;
}

/* Extend the labels at the end of an arc by that arc. */
static int extend_by(struct labels *l, size_t arc, struct tan_error *e)
{
    const struct tan_problem *p = l->problem;
    const struct tan_arc *a = &l->space->arcs[arc];
    const int64_t leaves = l->space->leaves[a->to];
    const int64_t fanout = tan_ceil_div(l->space->leaves[a->from], leaves);
    const bool root = a->from == TAN_SPACE_SOURCE;
    for (size_t i = 0; i < l->n[a->to]; i++) {
        const struct label *below = &l->label[l->start[a->to] + i];
        const struct tan_children all = {fanout, leaves, below->time};
        const struct label new = {
            .time = p->model->node != NULL ? p->model->node(p->params, &all, 1, root)
                                           : a->weight + below->time,
            .processes = 1 + (double)fanout * below->processes,
            .internal = l->front ? 1 + fanout * below->internal : 0,
            .arc = arc,
            .rest = i,
        };
        if (add_label(l, &new, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Arcs are sorted by descending leaves of their start, so that from the last to the first all
 * labels at an arc's end are known. */
static int label_vertices(struct labels *l, struct tan_error *e)
{
    const struct tan_model *model = l->problem->model;
    const struct label leaf = {
        .time = model->node != NULL ? model->leaf(l->problem->params) : 0.0,
        .processes = 1,
    };
    if (add_label(l, &leaf, e) < 0) {
        return -1;
    }
    keep_labels(l, TAN_SPACE_TARGET, 0);
    for (size_t arc = l->space->n_arcs; arc > 0;) {
        const size_t start = l->n_labels;
        const int64_t from = l->space->arcs[arc - 1].from;
        while (arc > 0 && l->space->arcs[arc - 1].from == from) {
            if (extend_by(l, --arc, e) < 0) {
                return -1;
            }
        }
        keep_labels(l, from, start);
    }
    return 0;
}

static int write_paths(const struct labels *l, struct tan_paths *out, struct tan_error *e)
{
    const size_t n = l->n[TAN_SPACE_SOURCE];
    *out = (struct tan_paths){.start = calloc(n + 1, sizeof *out->start),
                              .arc = malloc((n * TAN_PLAN_LEVELS + 1) * sizeof *out->arc)};
    if (out->start == NULL || out->arc == NULL) {
        tan_paths_clear(out);
        return tan_fail_nomem(e);
    }
    for (out->n = 0; out->n < n; out->n++) {
        size_t end = out->start[out->n];
        size_t number = out->n;
        for (int64_t at = TAN_SPACE_SOURCE; at != TAN_SPACE_TARGET;) {
            const struct label *label = &l->label[l->start[at] + number];
            out->arc[end++] = label->arc;
            at = l->space->arcs[label->arc].to;
            number = label->rest;
        }
        out->start[out->n + 1] = end;
    }
    return 0;
}

/* The paths of the graph with the least wave time under the problem's model, in which a node's time
 * need not be a sum of level costs (`node`), if all nodes of a level are as full as the fullest;
 * ties go to fewer processes. The best `k` >= 1, or if `front` is set all those than which fewer
 * than k others are no worse in both time and processes. Exact, since a node's time and processes
 * do not decrease with its child's: the trees to keep below a node consist of those to keep below
 * its children. Without `front` at most k evaluations of `node` per arc. */
static int find_node_paths(const struct tan_problem *problem, const struct tan_space *space, int k,
                           bool front, struct tan_paths *out, struct tan_error *e)
{
    const size_t vertices = (size_t)space->n_vertices;
    struct labels l = {.problem = problem, .space = space, .k = (size_t)k, .front = front};
    int result = -1;
    l.start = calloc(vertices, sizeof *l.start);
    l.n = calloc(vertices, sizeof *l.n);
    l.fewest = malloc(l.k * sizeof *l.fewest);
    if (l.start == NULL || l.n == NULL || l.fewest == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    if (label_vertices(&l, e) == 0) {
        result = write_paths(&l, out, e);
    }

done:
    free(l.label);
    free(l.start);
    free(l.n);
    free(l.fewest);
    return result;
}

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

/* The wave time without C, comparable with the search's limits. */
static double levels_cost(const struct tan_problem *p, const struct tan_plan *plan)
{
    double cost = 0.0;
    if (p->model->node != NULL) {
        return plan->wave - p->params->value[TAN_C0];
    }
    for (int i = 0; i < plan->height; i++) {
        cost += tan_plan_level(plan, i, p->model, p->params);
    }
    return cost;
}

static double dearest_cost(const struct tan_problem *p, const struct tan_plans *plans)
{
    double most = 0.0;
    for (size_t i = 0; i < plans->n; i++) {
        most = fmax(most, levels_cost(p, &plans->plan[i]));
    }
    return most;
}

static const double rounding = 1.0 + 1e-12; /* equal costs, summed in a different order */

/* What is sought: the k best trees, or the front, with all trees that fewer than k others beat. */
struct aim {
    int k;
    size_t front;       /* that many trees of it; 0: the k best */
    int64_t fewer_than; /* processes of its trees */
};

/* Result of a search round. */
struct round {
    bool overflow;         /* the graph was too large; nothing was found */
    bool complete;         /* the graph contained every tree within the limits */
    struct tan_plans best; /* the k best in the graph */
    size_t certain;        /* how many of them are certain to be the overall best */
};

/* Label nodes, which finds the best tree even if level costs do not add up, or a front; if they
 * do, the next best are further shortest paths. */
static int find_paths(const struct tan_problem *p, struct tan_space *space, const struct aim *aim,
                      struct tan_paths *paths, struct tan_error *e)
{
    if (p->model->node == NULL) {
        prefer_few_processes(space, tan_level_cost(p->model, p->params, 2, 1, 1));
    }
    if (p->model->node != NULL || aim->k == 1) {
        return find_node_paths(p, space, aim->k, aim->front > 0, paths, e);
    }
    return tan_paths_find(space->arcs, space->n_arcs, space->n_vertices, TAN_SPACE_SOURCE,
                          TAN_SPACE_TARGET, aim->k, paths, e);
}

/* Find what is sought among at least those trees whose levels cost `most` or less. */
static int search_within(const struct tan_problem *p, const struct tan_bounds *bounds, double most,
                         const struct aim *aim, struct round *round, struct tan_error *e)
{
    /* what is slower up to a node may have fewer processes */
    const int beaten_by = aim->front > 0 ? INT_MAX : aim->k;
    *round = (struct round){0};
    struct tan_space space;
    struct tan_paths paths = {0};
    int result = -1;
    if (tan_space_build(p, bounds, most, beaten_by, &space, e) < 0) {
        return -1;
    }
    round->overflow = space.overflow;
    round->complete = space.complete;
    if (space.overflow) {
        result = 0;
        goto done;
    }
    if (find_paths(p, &space, aim, &paths, e) < 0 ||
        plans_from_paths(p, &space, &paths, &round->best, e) < 0) {
        goto done;
    }
    sort_plans(&round->best);
    while (
        round->certain < round->best.n &&
        (space.complete || levels_cost(p, &round->best.plan[round->certain]) * rounding <= most)) {
        round->certain++;
    }
    result = 0;

done:
    tan_paths_clear(&paths);
    tan_space_clear(&space);
    return result;
}

/* Whether a plan has fewer processes than all that are faster, `least` at the fewest. */
static bool is_on_front(const struct tan_plan *plan, int64_t *least)
{
    const bool fewer = plan->processes < *least;
    *least = fewer ? plan->processes : *least;
    return fewer;
}

/* Whether all that is sought is certain. That of a front, if each of its trees must be chosen from
 * several that are not priced yet, only when all trees are known. */
static bool is_enough(const struct round *round, const struct aim *aim)
{
    int64_t least = aim->fewer_than;
    size_t n = 0;
    if (round->complete || aim->front == 0) {
        return round->complete || round->certain == (size_t)aim->k;
    }
    for (size_t i = 0; i < round->certain; i++) {
        n += is_on_front(&round->best.plan[i], &least);
    }
    return aim->k == 1 && n > aim->front;
}

/* Raise the limit until what is sought is certain or the graph gets too large; then set out->cut
 * and return what was certain in the previous round. */
static int search_rounds(const struct tan_problem *p, const struct tan_bounds *bounds, double least,
                         const struct aim *aim, struct tan_plans *out, struct tan_error *e)
{
    const double first_share = 1.0 / 4096.0; /* of the least cost: initial distance of the limit */
    const double unit =
        least > 0.0 ? least : tan_level_cost(p->model, p->params, p->leaves, 1, p->leaves - 1);
    double most = least + first_share * unit;
    for (double share = 2.0 * first_share;; share *= 2.0) {
        struct round round;
        if (search_within(p, bounds, most, aim, &round, e) < 0) {
            return -1;
        }
        if (round.overflow) {
            out->cut = true;
            return 0;
        }
        tan_plans_clear(out);
        *out = (struct tan_plans){.n = round.certain, .plan = round.best.plan};
        if (is_enough(&round, aim)) {
            out->cut = aim->front > 0 && !round.complete;
            return 0;
        }
        most = least + share * unit;
        if (aim->front == 0 && round.best.n == (size_t)aim->k) {
            /* their costs bound that of the k best */
            most = fmin(most, dearest_cost(p, &round.best) * rounding);
        }
    }
}

/* Find what is sought, or at least the best tree. */
static int find_best_trees(const struct tan_problem *p, const struct tan_bounds *bounds,
                           const struct aim *aim, struct tan_plans *out, struct tan_error *e)
{
    const struct tan_rest all = {.leaves = p->leaves, .nodes = 1};
    const struct aim one = {.k = 1};
    const double bound = tan_bound(bounds, &all);
    if (!isfinite(bound)) {
        return tan_limits_fail(p, e);
    }
    const double least = fmax(bound, p->least_wave - p->params->value[TAN_C0]);
    if (search_rounds(p, bounds, least, aim, out, e) < 0) {
        return -1;
    }
    if (out->n == 0 && out->cut && aim->k > 1) {
        if (search_rounds(p, bounds, least, &one, out, e) < 0) {
            return -1;
        }
        out->cut = true;
    }
    if (out->n > 0) {
        return 0;
    }
    if (out->cut) {
        return tan_fail(e,
                        "too many trees of %" PRId64
                        " leaves come close to the best to tell them apart: ask for fewer leaves",
                        p->leaves);
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

/* Under a model with `node` the search ranks trees as if all nodes of a level were as full as the
 * fullest, so the actual best may be one of the next: find several, to be priced as they are. */
static int candidate_count(const struct tan_problem *p, int k)
{
    enum { FEW = 64, SMALL = 256 };
    const bool alone = k == 1 && p->leaves > SMALL; /* a frequent request */
    return p->model->node == NULL || alone || k >= FEW ? k : FEW;
}

/* Find what is sought; it is priced and sorted. */
static int search_trees(const struct tan_problem *p, const struct aim *aim, struct tan_plans *out,
                        struct tan_error *e)
{
    *out = (struct tan_plans){0};
    if (tan_limits_check(p, e) < 0) {
        return -1;
    }
    if (p->leaves == 1) {
        return search_one_leaf(p, out, e);
    }
    struct tan_bounds *bounds = tan_bounds_create(p, e);
    if (bounds == NULL) {
        return -1;
    }
    const int result = find_best_trees(p, bounds, aim, out, e);
    tan_bounds_destroy(bounds);
    if (result < 0) {
        tan_plans_clear(out);
        return -1;
    }
    for (size_t i = 0; i < out->n; i++) {
        tan_plan_price(&out->plan[i], p->model, p->params);
    }
    sort_plans(out);
    return 0;
}

int tan_search(const struct tan_problem *p, int k, struct tan_plans *out, struct tan_error *e)
{
    const struct aim aim = {.k = candidate_count(p, k)};
    if (search_trees(p, &aim, out, e) < 0) {
        return -1;
    }
    out->n = out->n < (size_t)k ? out->n : (size_t)k;
    return 0;
}

int tan_search_front(const struct tan_problem *p, size_t most, struct tan_plans *out,
                     struct tan_error *e)
{
    struct tan_problem any = *p; /* a limit on processes would only make the graph larger */
    const struct aim aim = {
        .k = candidate_count(p, 1),
        .front = most,
        .fewer_than = p->max_processes > 0 ? p->max_processes + 1 : INT64_MAX,
    };
    int64_t least = aim.fewer_than;
    size_t n = 0;
    any.max_processes = 0;
    *out = (struct tan_plans){0};
    if (tan_limits_check(p, e) < 0 || search_trees(&any, &aim, out, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < out->n; i++) {
        if (is_on_front(&out->plan[i], &least)) {
            out->plan[n++] = out->plan[i];
        }
    }
    if (n == 0) {
        tan_plans_clear(out);
        return tan_limits_fail(p, e);
    }
    out->cut = out->cut || n > most;
    out->n = n < most ? n : most;
    return 0;
}

bool tan_plans_have(const struct tan_plans *plans, const struct tan_plan *plan)
{
    for (size_t i = 0; i < plans->n; i++) {
        if (tan_plan_is(&plans->plan[i], plan)) {
            return true;
        }
    }
    return false;
}

void tan_plans_clear(struct tan_plans *plans)
{
    free(plans->plan);
    *plans = (struct tan_plans){0};
}
