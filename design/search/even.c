/* even.c - exact search for the best even trees, and for fronts of them
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In a tree over N leaves whose nodes divide their leaves evenly, a node at a depth with P nodes
 * has q = floor(N / P) leaves below it, or q + 1 if P does not divide N; and floor(floor(N / x) /
 * y) = floor(N / xy). So the trees below such nodes depend on q alone, and there are about 2
 * sqrt(N) of these states. The time of a node follows from its fanout and the times of children
 * with q and with q + 1 leaves, and does not decrease with either. Therefore only those pairs of
 * times matter that no other pair of the same state is as good as (labels), with the number of
 * processes as a third value where that is limited, or weighed against the wave.
 *
 * Labels that lead to a wave longer than a limit are left out. The limit starts slightly above the
 * lower bound for all trees and rises until a tree is found; then no tree left out is faster.
 *
 * Where waves are sums of levels only the fullest node of a depth counts: both times of a label are
 * its, and of the fanouts that leave it as many leaves below a child the least is as good as any.
 */
#include "design/search/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "design/search/baselines.h"
#include "design/search/bounds.h"
#include "design/search/growing.h"
#include "design/search/limits.h"
#include "model/wave/payload.h"

/* The tree below a node. */
struct label {
    double time, more; /* with as many leaves as the state has, and with one more */
    int64_t fanout;
    int64_t parents; /* number of processes but leaves, including the node */
    int64_t narrow;  /* fanout above the leaves */
    int height;
    int64_t rest; /* label of its children; -1: leaves */
};

struct state {
    int64_t leaves;
    bool exact;      /* no node at this depth has a leaf more */
    int levels;      /* at most so many from here, if that is limited; else 0 */
    double above;    /* at least so much longer than the node takes the wave */
    size_t start, n; /* its labels */
};

/* What is often needed of a number n, computed when it first is; 0 until then. */
struct known {
    double level;     /* least cost of a level with n children */
    double leaves[2]; /* time of a node above n leaves, and of a root */
    double bound;     /* of the costs of levels over n leaves */
    double below;     /* of those below a node over n leaves */
};
enum { KNOWN = 1 << 16 };

/* Nodes take whole picoseconds, but C does not. */
#define SLACK 1e-12

struct search {
    const struct tan_problem *p;
    const struct tan_bounds *bounds;  /* of fanouts alone */
    struct known *known;              /* KNOWN entries */
    double leaf, own;                 /* time of a leaf, and of that the receive of its request */
    double most;                      /* no wave that takes longer is sought */
    double little;                    /* see children_of */
    bool last;                        /* fuller children are asked last */
    bool levels;                      /* the model is a sum of levels */
    bool diverse;                     /* trees of other height or `narrow` do not compete */
    const enum tan_front_cost *front; /* trees that cost less do not either; NULL: they do */
    bool counts;                      /* processes are limited or the cost */
    bool cut;                         /* something was left out because of `most` */
    int64_t priced;                   /* nodes whose messages were followed */
    struct state *state;
    size_t n_states;
    struct tan_map by_key; /* of states */
    struct label *label;
    size_t n_labels;
    struct tan_growing *growing; /* NULL: messages do not grow */
};

static bool is_root(const struct search *s, const struct state *state)
{
    return state->leaves == s->p->leaves;
}

/* Whether b is useless beside a. */
static bool is_as_good(const struct search *s, const struct state *state, const struct label *a,
                       const struct label *b)
{
    const bool equal = a->time == b->time && a->more == b->more;
    const bool by_loss = s->front != NULL && *s->front == TAN_COST_LOSS && is_root(s, state);
    const bool rival = (!s->diverse || (a->height == b->height && a->narrow == b->narrow)) &&
                       (!by_loss || tan_ceil_div(s->p->leaves, a->fanout) <=
                                        tan_ceil_div(s->p->leaves, b->fanout));
    return rival && a->time <= b->time && a->more <= b->more &&
           (a->parents <= b->parents || (!s->counts && !equal));
}

/* Index of the first label of the last state with more parents; the labels are in this order. */
static size_t place_of(const struct search *s, const struct state *state, int64_t parents)
{
    size_t low = state->start;
    size_t high = s->n_labels;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool before = s->label[middle].parents <= parents;
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    return low;
}

/* Whether a label of the last state would be useless beside its others. */
static bool is_useless(const struct search *s, const struct state *state, const struct label *new)
{
    const size_t place = place_of(s, state, new->parents);
    bool useless = false;
    for (size_t i = place; i-- > state->start && !useless;) {
        useless = is_as_good(s, state, &s->label[i], new);
    }
    for (size_t i = place; i < s->n_labels && !s->counts && !useless; i++) {
        useless = is_as_good(s, state, &s->label[i], new);
    }
    return useless;
}

/* Add a label to those of the last state, unless it is useless. */
static int add_label(struct search *s, const struct state *state, const struct label *new,
                     struct tan_error *e)
{
    if (is_useless(s, state, new)) {
        return 0;
    }
    size_t n = state->start;
    for (size_t i = n; i < s->n_labels; i++) {
        if (!is_as_good(s, state, new, &s->label[i])) {
            s->label[n++] = s->label[i];
        }
    }
    s->n_labels = n;
    if (TAN_ONE_MORE(s->label, s->n_labels) < 0) {
        return tan_fail_nomem(e);
    }
    size_t at = s->n_labels++;
    for (; at > state->start && s->label[at - 1].parents > new->parents; at--) {
        s->label[at] = s->label[at - 1];
    }
    s->label[at] = *new;
    return 0;
}

static double bound_of(const struct search *s, int64_t leaves)
{
    const struct tan_rest rest = {.leaves = leaves};
    double *known = leaves < KNOWN ? &s->known[leaves].bound : NULL;
    const double bound = known == NULL || *known <= 0.0 ? tan_bound(s->bounds, &rest) : *known;
    return known == NULL ? bound : (*known = bound);
}

static double bound_below(const struct search *s, int64_t leaves)
{
    double *known = leaves < KNOWN ? &s->known[leaves].below : NULL;
    const double below =
        known == NULL || *known <= 0.0 ? tan_bound_even(s->bounds, leaves) : *known;
    return known == NULL ? below : (*known = below);
}

static double level_of(const struct search *s, int64_t fanout)
{
    const struct tan_problem *p = s->p;
    double *known = fanout < KNOWN ? &s->known[fanout].level : NULL;
    const double level = known == NULL || *known <= 0.0 ? tan_bounds_level(p, fanout) : *known;
    return known == NULL ? level : (*known = level);
}

/* The time of a node whose `fanout` children are leaves. */
static double leaves_time(const struct search *s, bool root, int64_t fanout)
{
    const struct tan_children all = {fanout, 1, s->leaf};
    double *known = fanout < KNOWN ? &s->known[fanout].leaves[root] : NULL;
    const double time = known != NULL && *known > 0.0 ? *known
                        : s->levels                   ? s->leaf + level_of(s, fanout)
                                    : s->p->model->node(s->p->params, &all, 1, root);
    return known == NULL ? time : (*known = time);
}

/* The number of nodes at the depth of a state, at least. */
static int64_t nodes_of(const struct search *s, const struct state *state)
{
    return is_root(s, state) ? 1 : s->p->leaves / (state->leaves + 1) + 1;
}

/* Whether a wave can be short enough if a node of the state takes `time`. */
static bool is_within(struct search *s, const struct state *state, double time)
{
    const bool within = time + state->above <= s->most;
    s->cut = s->cut || !within;
    return within;
}

static double above_of(const struct search *s, const struct state *state)
{
    const double above = bound_of(s, nodes_of(s, state));
    return is_root(s, state) ? 0.0
           : s->growing == NULL
               ? above - s->own
               : fmax(above, tan_growing_above(s->growing, state->leaves)) - s->own;
}

/* Leaves below the fullest nodes of a state. */
static int64_t most_leaves(const struct state *state)
{
    return state->leaves + (state->exact ? 0 : 1);
}

/* The children of a node with some fanout, and least costs of levels above them. */
struct children {
    int64_t fanout;
    int64_t leaves; /* below a child; some have one more */
    int64_t fuller; /* how many of them, if the node has as many leaves as the state */
    /* If the node has as many leaves as the state, and if it has one more: */
    double all[2];  /* of all of them */
    double busy[2]; /* at least so long takes the node, even if they are leaves */
    double more[2]; /* of those with a leaf more */
};

/* Where messages grow. */
static void bound_grown(const struct search *s, struct children *c, double own)
{
    for (int i = 0; i < 2; i++) {
        const int64_t x = c->fuller + i;
        const struct tan_growing_node all = tan_growing_node(s->growing, c->fanout, c->leaves, x);
        c->all[i] = all.adds;
        c->busy[i] = fmax(c->busy[i], all.busy + own);
        c->more[i] = x == 0 ? -INFINITY : tan_growing_node(s->growing, x, c->leaves + 1, 0).adds;
    }
}

static struct children children_of(const struct search *s, const struct state *state,
                                   int64_t fanout)
{
    const struct tan_problem *p = s->p;
    const int64_t below =
        s->levels ? tan_ceil_div(most_leaves(state), fanout) : state->leaves / fanout;
    struct children c = {
        .fanout = fanout, .leaves = below, .fuller = state->leaves - fanout * below};
    c.busy[0] = c.busy[1] = leaves_time(s, is_root(s, state), fanout);
    if (s->levels) { /* among equal costs few nodes near the root, which mean few processes */
        c.all[0] = c.all[1] =
            tan_level_cost(p->model, p->params, fanout, below, (fanout - 1) * below) +
            s->little * log((double)p->leaves / (double)below);
    } else if (s->growing != NULL) {
        bound_grown(s, &c, is_root(s, state) ? 0.0 : s->own);
    } else {
        c.all[0] = c.all[1] = level_of(s, fanout);
        c.more[0] = c.fuller == 0 ? -INFINITY : level_of(s, c.fuller);
        c.more[1] = level_of(s, c.fuller + 1);
    }
    return c;
}

/* A lower bound of the time of a node with `more` leaves than the state; the time itself if the
 * model is a sum of levels. */
static double least_above(const struct search *s, const struct state *state,
                          const struct children *c, const struct label *child, int more)
{
    const double own = is_root(s, state) ? s->own : 0.0;
    return fmax(fmax(child->time + c->all[more], child->more + c->more[more]) - own, c->busy[more]);
}

static double even_time(struct search *s, const struct state *state, const struct children *c,
                        const struct label *child, int more)
{
    const struct tan_even_node node = {.fanout = c->fanout,
                                       .fuller = c->fuller + more,
                                       .leaves = c->leaves,
                                       .last = s->last,
                                       .root = is_root(s, state)};
    s->priced++;
    return tan_even_time(s->p->model, s->p->params, &node, child->time, child->more);
}

/* A label of a node above such children of the label `rest`. Bounds come first, since they take far
 * less time than to follow the messages of a node. */
static int extend_label(struct search *s, const struct state *state, const struct children *c,
                        int64_t rest, struct tan_error *e)
{
    const struct label child = s->label[rest];
    const int64_t limit = s->p->max_processes;
    const int more = state->exact ? 0 : 1;
    struct label new = {.time = least_above(s, state, c, &child, 0),
                        .more = least_above(s, state, c, &child, more),
                        .fanout = c->fanout,
                        .parents = 1 + c->fanout * child.parents,
                        .narrow = child.narrow,
                        .height = child.height + 1,
                        .rest = rest};
    if ((limit > 0 && new.parents > (limit - s->p->leaves) / nodes_of(s, state)) ||
        !is_within(s, state, new.time) || is_useless(s, state, &new)) {
        return 0;
    }
    if (!s->levels) {
        new.time = even_time(s, state, c, &child, 0);
        new.more = more == 0 ? new.time : new.more;
        if (!is_within(s, state, new.time) || (more > 0 && is_useless(s, state, &new))) {
            return 0;
        }
        new.more = more == 0 ? new.time : even_time(s, state, c, &child, more);
    }
    return add_label(s, state, &new, e);
}

static bool is_allowed(const struct search *s, const struct state *state, int64_t fanout)
{
    const int64_t limit = s->p->max_fanout;
    return (limit == 0 || fanout <= limit) &&
           (!is_root(s, state) || fanout >= tan_limits_least_root(s->p));
}

/* A lower bound of the time of a node with that fanout, if levels below take at least `below`. */
static double least_time(const struct search *s, const struct state *state, int64_t fanout,
                         double below)
{
    return level_of(s, fanout) + below + s->leaf - (is_root(s, state) ? s->own : 0.0);
}

/* The label of a node above leaves. */
static int add_leaves(struct search *s, const struct state *state, struct tan_error *e)
{
    const int64_t widest = most_leaves(state);
    const int64_t narrowest = s->levels ? widest : state->leaves;
    struct label new = {.fanout = widest, .parents = 1, .narrow = widest, .height = 1, .rest = -1};
    if (!is_allowed(s, state, widest) ||
        !is_within(s, state, least_time(s, state, narrowest, 0.0))) {
        return 0;
    }
    new.time = leaves_time(s, is_root(s, state), narrowest);
    new.more = leaves_time(s, is_root(s, state), widest);
    return is_within(s, state, new.time) ? add_label(s, state, &new, e) : 0;
}

/* Where messages grow: the first fanout from one on with which a wave can be short enough. */
static int64_t skip_alike(struct search *s, const struct state *state, int64_t fanout)
{
    const double own = is_root(s, state) ? 0.0 : s->own;
    const int64_t limit = s->p->max_fanout;
    while (s->growing != NULL && !s->levels && fanout < state->leaves &&
           (limit == 0 || fanout <= limit)) {
        const struct tan_growing_alike alike = tan_growing_alike(s->growing, state->leaves, fanout);
        if (is_within(s, state, alike.time + own)) {
            break;
        }
        fanout = alike.last + 1;
    }
    return fanout;
}

/* The next larger fanout of a node above other nodes that may be part of a wave that is sought; 0
 * if there is none. */
static int64_t next_fanout(struct search *s, const struct state *state, int64_t fanout)
{
    const struct tan_problem *p = s->p;
    const int64_t most = most_leaves(state);
    for (;;) {
        /* the least that leaves a child fewer leaves */
        fanout = s->levels ? tan_ceil_div(most, tan_ceil_div(most, fanout) - 1) : fanout + 1;
        fanout = skip_alike(s, state, fanout);
        if (fanout >= most || (p->max_fanout > 0 && fanout > p->max_fanout) ||
            !is_within(s, state, leaves_time(s, is_root(s, state), fanout))) {
            return 0;
        }
        const double below = s->levels ? bound_of(s, tan_ceil_div(most, fanout))
                                       : bound_below(s, state->leaves / fanout);
        if (is_allowed(s, state, fanout) &&
            is_within(s, state, least_time(s, state, fanout, below))) {
            return fanout;
        }
    }
}

static struct state state_below(const struct search *s, const struct state *state, int64_t fanout)
{
    return (struct state){.leaves = state->leaves / fanout,
                          .exact = state->exact && state->leaves % fanout == 0,
                          .levels = s->p->max_height > 0 ? state->levels - 1 : 0};
}

static uint64_t key_of(const struct state *state)
{
    return ((uint64_t)state->leaves * (TAN_PLAN_LEVELS + 1) + (uint64_t)state->levels) * 2 +
           (state->exact ? 1 : 0);
}

static int keep_state(struct search *s, const struct state *state, struct tan_error *e)
{
    if (TAN_ONE_MORE(s->state, s->n_states) < 0 ||
        tan_map_set(&s->by_key, key_of(state), (int64_t)s->n_states) < 0) {
        return tan_fail_nomem(e);
    }
    s->state[s->n_states++] = *state;
    return 0;
}

/* Find the labels of a state, after those of all states below it. */
static int label_state(struct search *s, struct state state, struct tan_error *e)
{
    state.above = above_of(s, &state);
    const bool deeper = s->p->max_height == 0 || state.levels > 1;
    for (int64_t x = 1; deeper && (x = next_fanout(s, &state, x)) > 0;) {
        const struct state below = state_below(s, &state, x);
        if (tan_map_find(&s->by_key, key_of(&below)) < 0 && label_state(s, below, e) < 0) {
            return -1;
        }
    }
    state.start = s->n_labels;
    if (add_leaves(s, &state, e) < 0) {
        return -1;
    }
    for (int64_t x = 1; deeper && (x = next_fanout(s, &state, x)) > 0;) {
        const struct state below = state_below(s, &state, x);
        const struct state *found = &s->state[tan_map_find(&s->by_key, key_of(&below))];
        const struct children children = children_of(s, &state, x);
        for (size_t i = 0; i < found->n; i++) {
            if (extend_label(s, &state, &children, (int64_t)(found->start + i), e) < 0) {
                return -1;
            }
        }
    }
    state.n = s->n_labels - state.start;
    return keep_state(s, &state, e);
}

/* Whether b is not wanted beside a. */
static bool is_as_good_plan(const struct search *s, const struct tan_plan *a,
                            const struct tan_plan *b)
{
    const int64_t less =
        s->front != NULL ? tan_plan_cost(b, *s->front) - tan_plan_cost(a, *s->front) : 0;
    const bool rival = s->front != NULL ? less >= 0
                                        : a->height == b->height &&
                                              a->fanout[a->height - 1] == b->fanout[b->height - 1];
    return rival &&
           (a->wave != b->wave ? a->wave < b->wave : less > 0 || tan_plan_order(a, b) <= 0);
}

static bool is_beaten(const struct search *s, const struct tan_plans *out,
                      const struct tan_plan *plan)
{
    bool beaten = false;
    for (size_t i = 0; i < out->n && !beaten; i++) {
        beaten = is_as_good_plan(s, &out->plan[i], plan);
    }
    return beaten;
}

/* Add a tree, in place of slower ones of the same height and fanout above the leaves, or of those
 * that cost no less. */
static int add_plan(const struct search *s, struct tan_plans *out, const struct tan_plan *plan,
                    struct tan_error *e)
{
    size_t n = 0;
    if (is_beaten(s, out, plan)) {
        return 0;
    }
    for (size_t i = 0; i < out->n; i++) {
        if (!is_as_good_plan(s, plan, &out->plan[i])) {
            out->plan[n++] = out->plan[i];
        }
    }
    out->n = n;
    if (TAN_ONE_MORE(out->plan, out->n) < 0) {
        return tan_fail_nomem(e);
    }
    out->plan[out->n++] = *plan;
    return 0;
}

static int by_wave(const void *left, const void *right)
{
    const struct tan_plan *a = left;
    const struct tan_plan *b = right;
    return (a->wave > b->wave) - (a->wave < b->wave);
}

/* Sort a front; of trees that are as fast as each other but for rounding that of the least cost
 * stays. */
static void thin_front(struct tan_plans *out)
{
    size_t n = 0;
    if (out->n > 0) {
        qsort(out->plan, out->n, sizeof *out->plan, by_wave);
    }
    for (size_t i = 0; i < out->n; i++) {
        const bool equal =
            n > 0 && out->plan[i].wave <= out->plan[n - 1].wave * (1 + TAN_SEARCH_EQUAL);
        out->plan[equal ? n - 1 : n++] = out->plan[i];
    }
    out->n = n;
}

/* Add the trees of the root's labels, the last ones. */
static int add_labels(const struct search *s, struct tan_plans *out, struct tan_error *e)
{
    const struct state *root = &s->state[s->n_states - 1];
    for (size_t i = 0; i < root->n; i++) {
        int64_t fanouts[TAN_PLAN_LEVELS];
        int height = 0;
        for (int64_t l = (int64_t)(root->start + i); l >= 0; l = s->label[l].rest) {
            fanouts[height++] = s->label[l].fanout;
        }
        struct tan_plan plan;
        tan_plan_levels(&plan, s->p->leaves, fanouts, height);
        plan.rule = s->last ? TAN_RULE_LAST : TAN_RULE_LEVELS;
        plan.wave = s->levels ? tan_plan_wave(&plan, s->p->model, s->p->params)
                              : s->label[root->start + i].time;
        if (add_plan(s, out, &plan, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int search_order(struct search *s, bool last, struct tan_plans *out, struct tan_error *e)
{
    const int64_t height = s->p->max_height;
    const struct state root = {.leaves = s->p->leaves,
                               .exact = true,
                               .levels = height < TAN_PLAN_LEVELS ? (int)height : TAN_PLAN_LEVELS};
    s->last = last;
    s->n_states = s->n_labels = 0;
    const int result = label_state(s, root, e) < 0 ? -1 : add_labels(s, out, e);
    free(s->state);
    free(s->label);
    s->state = NULL;
    s->label = NULL;
    tan_map_clear(&s->by_key);
    return result;
}

/* The time of a node with equal children, or where messages grow a lower bound without its own
 * receive. */
static double equal_time(const struct search *s, const struct tan_children *all, bool root)
{
    if (s->growing == NULL) {
        return s->p->model->node(s->p->params, all, 1, root);
    }
    const struct tan_growing_node node = tan_growing_node(s->growing, all->count, all->leaves, 0);
    return fmax(node.busy, node.adds + all->below);
}

/* A lower bound for the wave of a k-ary tree: as if all nodes of a level were as empty as the
 * emptiest. */
static double least_kary(const struct search *s, const struct tan_plan *plan)
{
    double time = s->growing == NULL ? s->leaf : s->leaf - s->own;
    int64_t leaves = 1;
    for (int64_t nodes = plan->leaves; nodes > 1;) {
        const int64_t above = tan_ceil_div(nodes, plan->width);
        const struct tan_children all = {nodes / above, leaves, time};
        time = equal_time(s, &all, above == 1);
        leaves *= all.count;
        nodes = above;
    }
    return time;
}

/* Add the k-ary trees that are fast enough. */
static int search_kary(struct search *s, struct tan_plans *out, struct tan_error *e)
{
    const struct tan_problem *p = s->p;
    const struct state any = {.above = -s->own};
    int64_t above;
    /* of trees of two levels only the least k with as many processes above the leaves */
    for (int64_t k = 2; k < p->leaves;
         k = above <= k ? tan_ceil_div(p->leaves, above - 1) : k + 1) {
        above = tan_ceil_div(p->leaves, k);
        const struct tan_children emptiest = {p->leaves / above, 1, s->leaf - s->own};
        const double time = s->growing == NULL ? leaves_time(s, false, emptiest.count)
                                               : equal_time(s, &emptiest, false) + s->own;
        if (!is_within(s, &any, time)) {
            break;
        }
        struct tan_plan plan;
        tan_baseline_kary(k, p->leaves, &plan);
        if (plan.max_fanout < k ||
            !tan_limits_allow(p, k, plan.height, plan.processes, plan.below[0])) {
            continue;
        }
        plan.wave = least_kary(s, &plan);
        if (plan.wave <= s->most && !is_beaten(s, out, &plan)) {
            plan.wave = tan_plan_wave(&plan, p->model, p->params);
        }
        s->cut = s->cut || plan.wave > s->most;
        if (plan.wave <= s->most && add_plan(s, out, &plan, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Of at least one. */
static const struct tan_plan *best_plan(const struct tan_plans *plans)
{
    const struct tan_plan *best = plans->plan;
    for (size_t i = 1; i < plans->n; i++) {
        best = plans->plan[i].wave < best->wave ? &plans->plan[i] : best;
    }
    return best;
}

/* Everything whose wave is within the limit. */
static int search_round(struct search *s, double most, struct tan_plans *out, struct tan_error *e)
{
    const bool all = !s->p->only_levels && !s->levels;
    s->most = most + SLACK;
    s->cut = false;
    tan_plans_clear(out);
    if (s->growing != NULL) {
        tan_growing_limit(s->growing, s->most);
    }
    if (search_order(s, false, out, e) < 0 ||
        (all && (search_order(s, true, out, e) < 0 || search_kary(s, out, e) < 0))) {
        return -1;
    }
    if (s->front != NULL) {
        thin_front(out);
    }
    return 0;
}

/* The shortest wave of trees with about equal fanouts within the limits; INFINITY if none is. */
static double capped_wave(const struct tan_problem *p)
{
    enum { WIDE = 1024 };
    double wave = INFINITY;
    for (int64_t width = 2; width <= WIDE; width *= 2) {
        struct tan_plan plan;
        tan_baseline_capped(width, p->leaves, &plan);
        if (tan_limits_allow(p, plan.max_fanout, plan.height, plan.processes, plan.below[0])) {
            wave = fmin(wave, tan_plan_wave(&plan, p->model, p->params));
        }
    }
    return wave;
}

/* The first relative distance of the limit; where messages grow all trees come close to the bound,
 * and thousands within the usual distance. */
static double nearest_limit(const struct search *s, double usual)
{
    return s->growing != NULL ? 0x1p-20 : usual;
}

/* Raise the limit from the best wave on, until there are k trees, or a front is complete. Trees
 * of other kinds than the best one are many: no more are looked for once that takes long. */
static int add_others(struct search *s, int k, struct tan_plans *out, struct tan_error *e)
{
    enum { MANY = 50000 };
    const double close = nearest_limit(s, 1.0 / 1024.0), far = 0.5; /* of the limit */
    const double farthest = s->front != NULL ? INFINITY : far;
    const struct tan_plan best = *best_plan(out);
    bool more = true;
    for (double share = close; more && share <= farthest; share *= 2.0) {
        s->priced = 0;
        if (search_round(s, best.wave * (1.0 + share), out, e) < 0) {
            return -1;
        }
        more = s->cut && out->n < (size_t)k && (!s->diverse || s->priced < MANY);
    }
    return s->diverse ? add_plan(s, out, &best, e) : 0; /* where bounds are no proof it may lack */
}

/* Raise the limit from `least` on. */
static int search_rounds(struct search *s, double least, int k, struct tan_plans *out,
                         struct tan_error *e)
{
    const double rounding = 1.0 + 1e-12;
    const int64_t leaves = s->p->leaves;
    const double unit =
        least > 0.0 ? least : tan_level_cost(s->p->model, s->p->params, leaves, 1, leaves - 1);
    const bool grows = s->growing != NULL;
    const double known = s->p->known_wave > 0.0 ? s->p->known_wave
                         : grows                ? capped_wave(s->p)
                                                : INFINITY;
    const double from = isfinite(known) && !grows ? INFINITY : least;
    double share = nearest_limit(s, 1.0 / 128.0);
    s->diverse = false;
    if (search_round(s, fmin(from + share * unit, known * rounding), out, e) < 0) {
        return -1;
    }
    while (s->cut && out->n == 0) {
        share *= 2.0;
        const double limit = fmin(from + share * unit, known * (1.0 + share));
        if (search_round(s, limit, out, e) < 0) {
            return -1;
        }
    }
    s->diverse = k > 1 && s->front == NULL;
    return out->n > 0 && (s->diverse || (s->cut && out->n < (size_t)k)) ? add_others(s, k, out, e)
                                                                        : 0;
}

int tan_even_search(const struct tan_problem *problem, const enum tan_front_cost *front, int k,
                    struct tan_plans *out, struct tan_error *e)
{
    const bool levels = problem->model->node == NULL;
    const double C = problem->params->value[TAN_C0];
    const bool limited = problem->max_height > 0 || problem->max_processes > 0;
    struct tan_problem by_fanout = *problem;
    by_fanout.max_height = by_fanout.max_processes = 0;
    const struct tan_rest all = {.leaves = problem->leaves, .nodes = 1};
    struct tan_bounds *bounds = tan_bounds_create(&by_fanout, e);
    struct tan_bounds *whole =
        bounds != NULL && limited ? tan_bounds_create(problem, e) : bounds; /* within all limits */
    struct search s = {.p = problem,
                       .bounds = bounds,
                       .known = calloc(KNOWN, sizeof *s.known),
                       .leaf = levels ? C : problem->model->leaf(problem->params),
                       .levels = levels,
                       .front = front,
                       .counts = problem->max_processes > 0 ||
                                 (front != NULL && *front == TAN_COST_PROCESSES)};
    s.own = s.leaf - C;
    const bool grows = tan_payload_grows(problem->params->payload);
    if (whole != NULL && grows) {
        s.growing = tan_growing_create(problem, e);
    }
    int result = -1;
    if (s.known == NULL) {
        tan_fail_nomem(e);
    } else if (whole != NULL && (s.growing != NULL || !grows)) {
        s.little = levels ? 3e-11 * level_of(&s, 2) : 0.0;
        const double by_fanout_alone = tan_bound(whole, &all) + C;
        const double least = s.growing == NULL
                                 ? by_fanout_alone
                                 : fmax(by_fanout_alone, tan_growing_least(s.growing));
        result = isfinite(least) ? search_rounds(&s, least, k, out, e) : 0;
        if (s.growing != NULL && out->n > 0) {
            out->bound = fmin(tan_growing_least(s.growing), best_plan(out)->wave);
        }
    }
    tan_bounds_destroy(limited ? whole : NULL);
    tan_bounds_destroy(bounds);
    free(s.known);
    tan_growing_destroy(s.growing);
    return result;
}
