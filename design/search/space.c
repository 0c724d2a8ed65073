/* space.c - candidate trees as paths in a graph
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Below a node with n leaves, fanout x leaves ceil(n / x) for the fullest child, and dividing twice
 * equals dividing once: ceil(ceil(N / x) / y) = ceil(N / xy). So only the about 2 sqrt(N) numbers
 * ceil(N / i) occur, and they decrease along a path. Expanded in descending order, each number is
 * expanded after all ways to reach it are known.
 *
 * Without limits on height and processes, the number of leaves alone determines how a tree can
 * continue. With them, height, nodes and internal processes so far matter, too, so a number has
 * several states. A state is useless if k others with the same number of leaves are no worse in
 * cost and all of these: k trees then beat each of its completions. */
#include "design/search/space.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "design/search/limits.h"

enum {
    MAX_ARCS = 2000000, /* about 300 MB in igraph */
    SMALL_SLACK = 3,    /* ceil(N / i) that occur only for i > sqrt(N) are <= sqrt(N) + 3 */
};

struct state {
    struct tan_rest rest; /* fields that no limit uses are 0, so that states merge */
    double cost;          /* of the cheapest path to this state */
    int64_t next;         /* next state with the same leaves, -1 if none */
};

struct ranked {
    double cost;
    size_t state;
};

struct builder {
    const struct tan_problem *problem;
    const struct tan_bounds *bounds;
    double most;
    double cheapest; /* cost of a level with two children */
    int k;
    int64_t root;   /* floor(sqrt(N)) */
    int64_t *large; /* by i = 1..root: first state with ceil(N / i) leaves; -1 if none */
    int64_t *small; /* by n = 1..root + SMALL_SLACK: first state with n leaves; -1 if none */
    struct state *states;
    size_t n_states;
    struct ranked *ranked; /* scratch space to compare the states with equal leaves */
    size_t room_ranked;
    struct tan_space *space;
};

/* Head of the list of states with `leaves` leaves. */
static int64_t *list_of(struct builder *b, int64_t leaves)
{
    const int64_t i = tan_ceil_div(b->problem->leaves, leaves);
    return i <= b->root ? &b->large[i] : &b->small[leaves];
}

/* Find or create the vertex of a state; -1 when memory is short. */
static int64_t enter_state(struct builder *b, const struct tan_rest *rest, double cost,
                           struct tan_error *e)
{
    int64_t *list = list_of(b, rest->leaves);
    for (int64_t i = *list; i >= 0; i = b->states[i].next) {
        struct state *s = &b->states[i];
        if (s->rest.height == rest->height && s->rest.nodes == rest->nodes &&
            s->rest.internal == rest->internal) {
            s->cost = fmin(s->cost, cost);
            return i;
        }
    }
    if (TAN_ONE_MORE(b->states, b->n_states) < 0) {
        return tan_fail_nomem(e);
    }
    b->states[b->n_states] = (struct state){*rest, cost, *list};
    *list = (int64_t)b->n_states;
    return (int64_t)b->n_states++;
}

/* What remains below a node if the state's node has this fanout. */
static struct tan_rest rest_below(const struct builder *b, const struct tan_rest *rest,
                                  int64_t fanout)
{
    const struct tan_problem *p = b->problem;
    struct tan_rest child = {.leaves = tan_ceil_div(rest->leaves, fanout)};
    if (child.leaves > 1 && p->max_height > 0) {
        child.height = rest->height + 1;
    }
    if (child.leaves > 1 && p->max_processes > 0) {
        child.nodes = rest->nodes * fanout;
        child.internal = rest->internal + child.nodes;
    }
    return child;
}

/* Add all useful arcs out of a state. */
static int extend_state(struct builder *b, size_t from, struct tan_error *e)
{
    const struct tan_problem *p = b->problem;
    struct tan_space *space = b->space;
    const struct state state = b->states[from];
    const int64_t leaves = state.rest.leaves;
    const int64_t limit = p->max_fanout;
    const int64_t least_root = leaves == p->leaves ? tan_limits_least_root(p) : 1;
    const int64_t widest = limit > 0 && limit < leaves ? limit : leaves;
    for (int64_t fanout = least_root > 2 ? least_root : 2; fanout <= widest;) {
        const struct tan_rest child = rest_below(b, &state.rest, fanout);
        const double level =
            tan_level_cost(p->model, p->params, fanout, child.leaves, (fanout - 1) * child.leaves);
        const double bound = tan_bound(b->bounds, &child);
        const double least = state.cost + level + bound;
        if (least <= b->most) {
            if (space->n_arcs == MAX_ARCS) {
                space->overflow = true;
                return 0;
            }
            const int64_t to = child.leaves == 1 ? TAN_SPACE_TARGET
                                                 : enter_state(b, &child, state.cost + level, e);
            if (to < 0) {
                return -1;
            }
            if (TAN_ONE_MORE(space->arcs, space->n_arcs) < 0) {
                return tan_fail_nomem(e);
            }
            space->arcs[space->n_arcs++] = (struct tan_arc){(int64_t)from, to, level};
        } else if (isfinite(bound)) {
            space->complete = false;
        }
        if (child.leaves == 1) {
            break;
        }
        /* the next fanout with fewer leaves below a child, or if a further level would be too
         * expensive, that of a node whose children are all leaves */
        const double any = tan_level_cost(p->model, p->params, fanout, 1, fanout - 1);
        const bool last = state.cost + any + b->cheapest > b->most;
        if (last) {
            space->complete = false;
        }
        fanout = last ? leaves : tan_ceil_div(leaves, child.leaves - 1);
    }
    return 0;
}

static int by_cost(const void *left, const void *right)
{
    const struct ranked *a = left;
    const struct ranked *b = right;
    return a->cost != b->cost ? (a->cost > b->cost ? 1 : -1)
                              : (a->state > b->state) - (a->state < b->state);
}

/* Whether ranked[i] is useless; the states before it cost no more. */
static bool is_beaten(const struct builder *b, size_t i)
{
    const struct tan_rest *own = &b->states[b->ranked[i].state].rest;
    int better = 0;
    for (size_t j = 0; j < i && better < b->k; j++) {
        const struct tan_rest *other = &b->states[b->ranked[j].state].rest;
        better += other->height <= own->height && other->nodes <= own->nodes &&
                  other->internal <= own->internal;
    }
    return better == b->k;
}

/* Expand all useful states with `leaves` leaves. */
static int extend_all(struct builder *b, int64_t leaves, struct tan_error *e)
{
    size_t n = 0;
    for (int64_t s = *list_of(b, leaves); s >= 0; s = b->states[s].next) {
        if (TAN_RESERVE(b->ranked, b->room_ranked, n + 1) < 0) {
            return tan_fail_nomem(e);
        }
        b->ranked[n++] = (struct ranked){b->states[s].cost, (size_t)s};
    }
    if (n > 1) {
        qsort(b->ranked, n, sizeof *b->ranked, by_cost);
    }
    for (size_t i = 0; i < n && !b->space->overflow; i++) {
        if (!is_beaten(b, i) && extend_state(b, b->ranked[i].state, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Process the numbers of leaves in descending order. */
static int extend_everything(struct builder *b, struct tan_error *e)
{
    const int64_t leaves = b->problem->leaves;
    const struct tan_rest all = {.leaves = leaves, .nodes = 1};
    const struct tan_rest single = {.leaves = 1};
    if (enter_state(b, &all, 0.0, e) != TAN_SPACE_SOURCE || enter_state(b, &single, 0.0, e) < 0) {
        return -1;
    }
    for (int64_t i = 1; i <= b->root; i++) {
        if (extend_all(b, tan_ceil_div(leaves, i), e) < 0) {
            return -1;
        }
    }
    for (int64_t n = b->root + SMALL_SLACK; n >= 2; n--) {
        if (tan_ceil_div(leaves, n) > b->root && extend_all(b, n, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int tan_space_build(const struct tan_problem *problem, const struct tan_bounds *bounds, double most,
                    int k, struct tan_space *out, struct tan_error *e)
{
    *out = (struct tan_space){.complete = true};
    struct builder b = {
        .problem = problem,
        .bounds = bounds,
        .most = most,
        .cheapest = tan_level_cost(problem->model, problem->params, 2, 1, 1),
        .k = k,
        .root = (int64_t)sqrt((double)problem->leaves),
        .space = out,
    };
    int result = -1;
    const size_t lists = (size_t)b.root + 1 + SMALL_SLACK;
    b.large = malloc(lists * sizeof *b.large);
    b.small = malloc(lists * sizeof *b.small);
    if (b.large == NULL || b.small == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    for (size_t i = 0; i < lists; i++) {
        b.large[i] = b.small[i] = -1;
    }
    if (extend_everything(&b, e) < 0) {
        goto done;
    }
    out->leaves = malloc(b.n_states * sizeof *out->leaves);
    if (out->leaves == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    out->n_vertices = (int64_t)b.n_states;
    for (size_t i = 0; i < b.n_states; i++) {
        out->leaves[i] = b.states[i].rest.leaves;
    }
    result = 0;

done:
    if (result < 0) {
        tan_space_clear(out);
    }
    free(b.large);
    free(b.small);
    free(b.states);
    free(b.ranked);
    return result;
}

void tan_space_clear(struct tan_space *space)
{
    free(space->arcs);
    free(space->leaves);
    *space = (struct tan_space){0};
}
