/* bounds.c - lower bounds for the cost of completing a tree
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree over n leaves with fanouts x1, ..., xh holds them: ln x1 + ... + ln xh >= ln n. Let f be
 * the largest convex function with f(ln x) <= level(x) for every fanout. Since f is non-decreasing,
 *
 *     level(x1) + ... + level(xh)  >=  f(ln x1) + ... + f(ln xh)  >=  h f(ln n / h)
 *
 * (Jensen's inequality). As a function of h this is convex, too, with its minimum at h = ln n / t,
 * where t minimises the slope f(t) / t from the origin: the best number of levels is one of the two
 * integers around it, or the largest allowed.
 *
 * With at most B internal processes, m of them left, the last level has at most m nodes (parents of
 * leaves), so one of them has y >= N / m leaves. Unless the node itself is that parent, completing
 * the tree costs at least rate ln n + the minimum of level(y) - rate ln y over those y, where rate
 * is the minimum of f(t) / t.
 *
 * Where nodes divide their leaves evenly, and a node has n, the emptiest parent of leaves below it
 * has y = floor(n / P), with P the product of the fanouts between: these cost at least rate ln(n /
 * (y + 1)). */
#include "design/search/bounds.h"

#include <gsl/gsl_interp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "design/search/plan.h"

/* Fanouts from..to, all of which cost at least `cost`. */
struct block {
    int64_t from;
    double cost;   /* level(from) */
    double ln_to;  /* ln(to) */
    double excess; /* minimum of cost - rate ln_to over this and all later blocks */
};

struct tan_bounds {
    const struct tan_problem *problem;
    int64_t widest; /* maximum fanout */
    size_t n;
    struct block *block; /* ascending fanouts from 2 to widest */
    double *ln, *cost;   /* of the corners between which f interpolates linearly */
    size_t n_corners;
    double ln_1; /* t above */
    double rate; /* f(t) / t */
    double even; /* minimum of level(y) - rate ln(y + 1) */
};

double tan_bounds_level(const struct tan_problem *p, int64_t fanout)
{
    enum { SIMULATED = 256 }; /* of nodes whose NIC is shared, each takes O(fanout) */
    const double rounding = 1.0 - 1e-12;
    const double level = tan_level_cost(p->model, p->params, fanout, 1, fanout - 1);
    if (p->model->node == NULL || (p->params->nic_shared && fanout > SIMULATED)) {
        return level;
    }
    /* whole picoseconds, and so long that all requests come before all answers */
    const double long_time = ceil(1e14 * level) * 1e-12;
    const struct tan_children all = {fanout, 1, long_time};
    const double time = p->model->node(p->params, &all, 1, false) - long_time;
    return fmax(level, time * rounding);
}

/* The lower convex hull of the blocks. */
static void find_corners(struct tan_bounds *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct block *next = &b->block[i];
        size_t last = b->n_corners - 1;
        while (b->n_corners > 1 &&
               (b->cost[last] - b->cost[last - 1]) * (next->ln_to - b->ln[last]) >
                   (next->cost - b->cost[last]) * (b->ln[last] - b->ln[last - 1])) {
            b->n_corners = last--; /* it lies above the line between its neighbours */
        }
        b->ln[b->n_corners] = next->ln_to;
        b->cost[b->n_corners++] = next->cost;
    }
}

/* f, continued horizontally before the first and after the last corner. */
static double least_level(const struct tan_bounds *b, double ln)
{
    const size_t last = b->n_corners - 1;
    if (ln <= b->ln[0] || ln >= b->ln[last]) {
        return b->cost[ln <= b->ln[0] ? 0 : last];
    }
    const size_t l = gsl_interp_bsearch(b->ln, ln, 0, last);
    return b->cost[l] + (b->cost[l + 1] - b->cost[l]) * (ln - b->ln[l]) / (b->ln[l + 1] - b->ln[l]);
}

struct tan_bounds *tan_bounds_create(const struct tan_problem *problem, struct tan_error *e)
{
    enum { SINGLE = 256 };             /* fanouts below this get a block each */
    const double growth = 1.0 / 128.0; /* relative width of the other blocks */
    struct tan_bounds *b = calloc(1, sizeof *b);
    if (b == NULL) {
        goto fail;
    }
    b->problem = problem;
    const int64_t limit = problem->max_fanout;
    b->widest = limit > 0 && limit < problem->leaves ? limit : problem->leaves;
    const size_t most_blocks = SINGLE + (size_t)(log((double)b->widest) / log1p(growth / 2.0));
    b->block = malloc(most_blocks * sizeof *b->block);
    b->ln = malloc(most_blocks * sizeof *b->ln);
    b->cost = malloc(most_blocks * sizeof *b->cost);
    if (b->block == NULL || b->ln == NULL || b->cost == NULL) {
        goto fail;
    }
    for (int64_t from = 2; from <= b->widest;) {
        int64_t to = from < SINGLE ? from : from + (int64_t)((double)from * growth);
        to = to < b->widest ? to : b->widest;
        b->block[b->n++] = (struct block){
            .from = from,
            .cost = tan_bounds_level(problem, from),
            .ln_to = log((double)to),
        };
        if (b->n > 1) { /* where nodes are no longer simulated */
            b->block[b->n - 1].cost = fmax(b->block[b->n - 1].cost, b->block[b->n - 2].cost);
        }
        from = to + 1;
    }
    find_corners(b);
    b->rate = INFINITY;
    for (size_t i = 0; i < b->n_corners; i++) {
        if (b->cost[i] / b->ln[i] < b->rate) {
            b->rate = b->cost[i] / b->ln[i];
            b->ln_1 = b->ln[i];
        }
    }
    double excess = INFINITY;
    for (size_t i = b->n; i-- > 0;) {
        excess = fmin(excess, b->block[i].cost - b->rate * b->block[i].ln_to);
        b->block[i].excess = excess;
    }
    b->even = tan_bounds_level(problem, 1) - b->rate * log(2);
    for (size_t i = 0; i < b->n; i++) {
        b->even = fmin(b->even, b->block[i].cost - b->rate * log1p(exp(b->block[i].ln_to)));
    }
    return b;

fail:
    tan_fail_nomem(e);
    tan_bounds_destroy(b);
    return NULL;
}

void tan_bounds_destroy(struct tan_bounds *b)
{
    if (b != NULL) {
        free(b->block);
        free(b->ln);
        free(b->cost);
        free(b);
    }
}

/* Least number of internal processes below a node over `leaves` leaves, excluding the node: levels
 * filled from the leaves up. */
static int64_t least_internal(const struct tan_bounds *b, int64_t leaves)
{
    int64_t total = 0;
    for (int64_t nodes = leaves; nodes > b->widest;) {
        nodes = tan_ceil_div(nodes, b->widest);
        total += nodes;
    }
    return total;
}

/* Whether `levels` levels can hold `leaves` leaves. */
static bool can_reach(const struct tan_bounds *b, int64_t leaves, int64_t levels)
{
    double room = 1.0;
    for (int64_t i = 0; i < levels && room < (double)leaves; i++) {
        room *= (double)b->widest;
    }
    return room >= (double)leaves;
}

/* The minimum excess over fanouts >= `fanout`, which is at least 2. */
static double excess_from(const struct tan_bounds *b, int64_t fanout)
{
    if (fanout > b->widest) {
        return INFINITY;
    }
    size_t low = 0;
    size_t high = b->n; /* the block is one of low..high - 1 */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(b->block[middle].from <= fanout ? &low : &high) = middle;
    }
    return b->block[low].excess;
}

/* The bound from the number of levels. */
static double bound_by_levels(const struct tan_bounds *b, double ln_leaves, int64_t most_levels)
{
    const double best = fmax(1.0, floor(ln_leaves / b->ln_1));
    if (best >= (double)most_levels) {
        const double levels = (double)most_levels;
        return levels * least_level(b, ln_leaves / levels);
    }
    return fmin(best * least_level(b, ln_leaves / best),
                (best + 1.0) * least_level(b, ln_leaves / (best + 1.0)));
}

/* The bound from the number of internal processes. */
static double bound_by_processes(const struct tan_bounds *b, const struct tan_rest *rest,
                                 double ln_leaves)
{
    const struct tan_problem *p = b->problem;
    const int64_t left = p->max_processes - 1 - p->leaves - rest->internal;
    if (left < 0 ||
        (rest->leaves > b->widest && least_internal(b, rest->leaves) > left / rest->nodes)) {
        return INFINITY;
    }
    double bound = rest->leaves <= b->widest
                       ? tan_level_cost(p->model, p->params, rest->leaves, 1, rest->leaves - 1)
                       : INFINITY;
    if (left >= 2 * rest->nodes) { /* enough processes for at least one more level between */
        const int64_t last = tan_ceil_div(p->leaves, left);
        bound = fmin(bound, b->rate * ln_leaves + excess_from(b, last));
    }
    return bound;
}

double tan_bound(const struct tan_bounds *b, const struct tan_rest *rest)
{
    const double rounding = 1.0 - 1e-12; /* rounds down, so that it stays a lower bound */
    const struct tan_problem *p = b->problem;
    if (rest->leaves == 1) {
        return 0.0;
    }
    const int64_t levels = p->max_height > 0 ? p->max_height - rest->height : INT64_MAX;
    if (b->n == 0 || !can_reach(b, rest->leaves, levels)) {
        return INFINITY;
    }
    const double ln_leaves = log((double)rest->leaves);
    double bound = bound_by_levels(b, ln_leaves, levels);
    if (p->max_processes > 0) {
        bound = fmax(bound, bound_by_processes(b, rest, ln_leaves));
    }
    return bound * rounding;
}

double tan_bound_even(const struct tan_bounds *b, int64_t leaves)
{
    const double rounding = 1.0 - 1e-12;
    const struct tan_rest half = {.leaves = leaves / 2 + 1};
    return leaves == 1
               ? 0.0
               : fmax(tan_bound(b, &half), (b->rate * log((double)leaves) + b->even) * rounding);
}
