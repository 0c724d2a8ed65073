/* shape.c - trees of targets by subtree sizes, and as parent vectors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "model/wave/wave.h"

int tan_branches_add(struct tan_branch *out, int n, int64_t size, int64_t count)
{
    if (size > 0 && count > 0) {
        out[n++] = (struct tan_branch){.size = size, .count = count};
    }
    return n;
}

int tan_branches_even(int64_t size, int64_t count, struct tan_branch *out)
{
    const int64_t less = size / count;
    const int64_t more = size % count;
    const int n = tan_branches_add(out, 0, less + 1, more);
    return tan_branches_add(out, n, less, count - more);
}

struct tan_shape tan_shape_of(const struct tan_target *target, const struct tan_setting *setting,
                              int64_t members, const int64_t *fanout)
{
    return (struct tan_shape){.knob = setting->knob,
                              .value = setting->value,
                              .fanout = fanout,
                              .population = target->counts.population,
                              .size = members + target->counts.root_apart,
                              .senders = target->senders,
                              .by_child =
                                  target->operation[0] != NULL || target->operation[1] != NULL};
}

static int split_subtree(const struct tan_shape *shape, int64_t size, int depth,
                         struct tan_branch *out)
{
    if (shape->knob->split != NULL) {
        return shape->knob->split(shape->value, size, depth, out);
    }
    const int64_t shared = size - (shape->population == TAN_ALL_MEMBERS);
    const int64_t fanout = depth < TAN_LEAST_LEVELS ? shape->fanout[depth] : 1;
    return tan_branches_even(shared, fanout, out);
}

static int depth_below(const struct tan_branch *branch, int depth)
{
    return branch->depth != 0 ? branch->depth : depth + 1;
}

/* A tree that is numbered in preorder. */
struct preorder {
    int (*split)(int64_t value, int64_t size, int depth, struct tan_branch *out);
    int64_t value;
    int32_t *parents;
};

/* Number the subtree of `head`, which ends before `end`. Recurses below all children but the last,
 * so that chains do not exhaust the stack. */
static void number_subtree(const struct preorder *tree, int32_t head, int32_t end, int depth)
{
    while (end - head > 1) {
        struct tan_branch branch[TAN_BRANCHES];
        const int n = tree->split(tree->value, end - head, depth, branch);
        int32_t child = head + 1;
        int below = depth;
        for (int b = 0; b < n; b++) {
            below = depth_below(&branch[b], depth);
            for (int64_t k = 0; k < branch[b].count; k++) {
                const int32_t next = child + (int32_t)branch[b].size;
                tree->parents[child] = head;
                if (next < end) {
                    number_subtree(tree, child, next, below);
                    child = next;
                }
            }
        }
        head = child;
        depth = below;
    }
}

void tan_preorder_parents(int (*split)(int64_t value, int64_t size, int depth,
                                       struct tan_branch *out),
                          int64_t value, int32_t n, int32_t *parents)
{
    const struct preorder tree = {split, value, parents};
    parents[0] = -1;
    number_subtree(&tree, 0, n, 0);
}

/* The cost of all subtrees of one size at one depth. */
struct known {
    int64_t size;
    int depth;
    struct tan_shape_cost cost;
};

struct costing {
    const struct tan_shape *shape;
    const struct tan_model *model;
    const struct tan_params *params;
    struct known *known;
    int64_t n;
    struct tan_map by_hash; /* indices into `known` */
    int64_t fanout;         /* of the last process whose level was priced */
    double level, period;
    bool failed;
};

static uint64_t hash_of(int64_t size, int depth)
{
    return tan_hash((const int64_t[]){size, depth}, 2 * sizeof size);
}

static const struct known *find_known(const struct costing *c, int64_t size, int depth)
{
    const uint64_t hash = hash_of(size, depth);
    size_t tries = 0;
    int64_t i;
    do {
        i = tan_map_next(&c->by_hash, hash, &tries);
    } while (i >= 0 && (c->known[i].size != size || c->known[i].depth != depth));
    return i < 0 ? NULL : &c->known[i];
}

static void keep_cost(struct costing *c, int64_t size, int depth, const struct tan_shape_cost *cost)
{
    if (TAN_ONE_MORE(c->known, c->n) < 0 ||
        tan_map_add(&c->by_hash, hash_of(size, depth), c->n) < 0) {
        c->failed = true;
        return;
    }
    c->known[c->n++] = (struct known){size, depth, *cost};
}

/* A process's number of children, the size of its largest branch, and that of all. */
struct fork {
    int64_t fanout, fullest, shared;
};

static struct fork fork_of(const struct tan_branch *branch, int n)
{
    struct fork f = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        f.fanout += branch[i].count;
        f.shared += branch[i].count * branch[i].size;
        f.fullest = branch[i].size > f.fullest ? branch[i].size : f.fullest;
    }
    return f;
}

/* Price the level below a process; that of all processes of a chain is the same. */
static void price_level(struct costing *c, const struct fork *fork)
{
    const int64_t others = fork->shared - fork->fullest;
    if (fork->fanout != c->fanout || c->params->payload != NULL) {
        c->fanout = fork->fanout;
        c->level = tan_level_cost(c->model, c->params, fork->fanout, fork->fullest, others);
        c->period = tan_level_period(c->model, c->params, fork->fanout, fork->fullest, others);
    }
}

/* Children of a process, and the time their subtrees take. */
struct served {
    int64_t count;
    double below;
};

static int by_falling_below(const void *left, const void *right)
{
    const struct served *a = left;
    const struct served *b = right;
    return (a->below < b->below) - (a->below > b->below);
}

/* The wave of a process that serves its children one by one, those with the slowest subtrees
 * first. */
static double serve_in_turn(const struct costing *c, const struct tan_branch *branch,
                            const struct tan_shape_cost *below, int n)
{
    struct served served[TAN_BRANCHES] = {{0, 0.0}};
    double last = 0.0;
    int64_t before = 0;
    for (int i = 0; i < n; i++) {
        served[i] = (struct served){branch[i].count, below[i].in_turn};
    }
    qsort(served, (size_t)n, sizeof *served, by_falling_below);
    for (int i = 0; i < n; i++) {
        before += served[i].count;
        last = fmax(last, c->model->level(c->params, before) + served[i].below);
    }
    return last;
}

/* Whether a process's wave follows from those of its children one by one. */
static bool is_by_node(const struct costing *c)
{
    return c->model->node != NULL || (c->shape->by_child && c->params->one_way != 0);
}

static struct tan_shape_cost leaf_cost(const struct costing *c)
{
    const double wave = c->model->node != NULL ? c->model->leaf(c->params) : 0.0;
    return (struct tan_shape_cost){.wave = wave, .in_turn = wave, .processes = 1};
}

/* Add children to those of the kinds before, which are of the same kind if they take as long. */
static int add_round(struct tan_children *round, int n, int64_t count,
                     const struct tan_children *slowest)
{
    if (count > 0 && n > 0 && round[n - 1].below == slowest->below) {
        round[n - 1].count += count;
    } else if (count > 0) {
        round[n] = *slowest;
        round[n++].count = count;
    }
    return n;
}

/* Replace `n` kinds of children by rounds of `senders` children each that are sent to at the same
 * time, of which the slowest counts; returns the number of kinds of rounds, at most 2 n. */
static int children_in_rounds(const struct tan_children *kind, int n, int senders,
                              struct tan_children *round)
{
    int64_t left = 0; /* places that the last round has left */
    int rounds = 0;
    for (int i = 0; i < n; i++) {
        const int64_t joined = kind[i].count < left ? kind[i].count : left;
        const int64_t more = kind[i].count - joined;
        const int64_t begun = (more + senders - 1) / senders;
        if (joined > 0 && kind[i].below > round[rounds - 1].below) {
            round[rounds - 1].count--; /* the last round alone */
            rounds = add_round(round, rounds - (round[rounds - 1].count == 0), 1, &kind[i]);
        }
        rounds = add_round(round, rounds, begun, &kind[i]);
        left += begun * senders - kind[i].count;
    }
    return rounds;
}

/* Set the waves of a process from the costs `below` of its branches. */
static void set_waves(const struct costing *c, const struct tan_branch *branch,
                      const struct tan_shape_cost *below, int n, bool root,
                      struct tan_shape_cost *cost)
{
    if (is_by_node(c)) {
        struct tan_children kind[TAN_BRANCHES];
        struct tan_children round[2 * TAN_BRANCHES];
        for (int i = 0; i < n; i++) {
            kind[i] = (struct tan_children){branch[i].count, branch[i].size, below[i].wave};
        }
        const bool rounds = c->shape->senders > 1 && c->params->one_way == TAN_DOWN;
        if (rounds) {
            n = children_in_rounds(kind, n, c->shape->senders, round);
            n = n < TAN_BRANCHES ? n : TAN_BRANCHES;
        }
        const struct tan_children *children = rounds ? round : kind;
        cost->wave = c->model->node != NULL ? c->model->node(c->params, children, n, root)
                                            : tan_one_way_node(c->model, c->params, children, n);
        cost->in_turn = cost->wave;
        return;
    }
    for (int i = 0; i < n; i++) {
        cost->wave = fmax(cost->wave, below[i].wave);
    }
    cost->wave += c->level;
    cost->in_turn = n == 1 ? below[0].in_turn + c->level : serve_in_turn(c, branch, below, n);
}

static struct tan_shape_cost process_cost(struct costing *c, const struct tan_branch *branch,
                                          const struct tan_shape_cost *below, int n, bool root)
{
    const struct fork fork = fork_of(branch, n);
    struct tan_shape_cost all = {
        .processes = 1, .max_fanout = fork.fanout, .max_below = fork.fullest};
    price_level(c, &fork);
    all.period = c->period;
    set_waves(c, branch, below, n, root, &all);
    for (int i = 0; i < n; i++) {
        all.processes += branch[i].count * below[i].processes;
        all.hops += (double)branch[i].count * (below[i].hops + (double)below[i].processes);
        all.period = fmax(all.period, below[i].period);
        all.max_fanout =
            below[i].max_fanout > all.max_fanout ? below[i].max_fanout : all.max_fanout;
        all.height = below[i].height >= all.height ? below[i].height + 1 : all.height;
    }
    return all;
}

static struct tan_shape_cost cost_of(struct costing *c, int64_t size, int depth);

/* The costs of a process's branches. */
static void costs_below(struct costing *c, const struct tan_branch *branch, int n, int depth,
                        struct tan_shape_cost *below)
{
    for (int i = 0; i < n; i++) {
        below[i] =
            c->failed ? leaf_cost(c) : cost_of(c, branch[i].size, depth_below(&branch[i], depth));
    }
}

/* Recurs only below a process with several kinds of branches, and iterates otherwise, so that
 * chains do not exhaust the stack. */
static struct tan_shape_cost cost_of(struct costing *c, int64_t size, int depth)
{
    struct tan_branch branch[TAN_BRANCHES];
    const int64_t first = size;
    const int first_depth = depth;
    const bool root = size == c->shape->size && depth == 0;
    struct tan_branch *above = NULL;
    size_t n_above = 0;
    struct tan_shape_cost all = leaf_cost(c);
    if (size == 1) {
        return all;
    }
    const struct known *known = find_known(c, size, depth);
    if (known != NULL) {
        return known->cost;
    }
    while (size > 1) {
        const int n = split_subtree(c->shape, size, depth, branch);
        if (n > 1) {
            struct tan_shape_cost *below = malloc((size_t)n * sizeof *below);
            c->failed |= below == NULL;
            if (below != NULL) {
                costs_below(c, branch, n, depth, below);
                all = process_cost(c, branch, below, n, root && n_above == 0);
            }
            free(below);
            break;
        }
        if (TAN_ONE_MORE(above, n_above) < 0) {
            c->failed = true;
            break;
        }
        above[n_above++] = branch[0];
        depth = depth_below(&branch[0], depth);
        size = branch[0].size;
    }
    while (n_above-- > 0) {
        const struct tan_shape_cost below = all;
        all = process_cost(c, &above[n_above], &below, 1, root && n_above == 0);
    }
    free(above);
    keep_cost(c, first, first_depth, &all);
    return all;
}

int tan_shape_cost(const struct tan_shape *shape, const struct tan_model *model,
                   const struct tan_params *params, struct tan_shape_cost *out)
{
    struct costing c = {.shape = shape, .model = model, .params = params};
    const double once = model->node == NULL ? params->value[TAN_C0] : 0.0;
    *out = cost_of(&c, shape->size, 0);
    out->wave += once;
    out->in_turn += once;
    free(c.known);
    tan_map_clear(&c.by_hash);
    return c.failed ? -1 : 0;
}

double tan_shape_behind(const struct tan_shape_cost *cost)
{
    return cost->processes > 1 ? cost->hops / (double)(cost->processes - 1) : 0.0;
}

static const struct tan_branch *fullest_branch(const struct tan_branch *branch, int n)
{
    const struct tan_branch *fullest = branch;
    for (int i = 1; i < n; i++) {
        fullest = branch[i].size > fullest->size ? &branch[i] : fullest;
    }
    return fullest;
}

struct tan_shape_walk tan_shape_walk(const struct tan_shape *shape)
{
    return (struct tan_shape_walk){shape, shape->size, 0};
}

int64_t tan_shape_descend(struct tan_shape_walk *walk)
{
    struct tan_branch branch[TAN_BRANCHES];
    if (walk->size <= 1) {
        return 0;
    }
    const int n = split_subtree(walk->shape, walk->size, walk->depth, branch);
    const struct tan_branch *fullest = fullest_branch(branch, n);
    walk->depth = depth_below(fullest, walk->depth);
    walk->size = fullest->size;
    return fork_of(branch, n).fanout;
}

/* The processes of a tree, breadth first. */
struct place {
    int64_t size;
    int32_t parent;
    int depth;
};
struct walk {
    struct place *place;
    int64_t n;
};

static int add_place(struct walk *w, const struct place *place, struct tan_error *e)
{
    if (TAN_ONE_MORE(w->place, w->n) < 0) {
        return tan_fail_nomem(e);
    }
    if (w->n == TAN_TREE_MAX_NODES) {
        return tan_fail_usage(e, "a tree can have at most %" PRId32 " processes",
                              TAN_TREE_MAX_NODES);
    }
    w->place[w->n++] = *place;
    return 0;
}

static int walk_breadth_first(const struct tan_shape *shape, struct walk *w, struct tan_error *e)
{
    struct tan_branch branch[TAN_BRANCHES];
    const struct place root = {shape->size, -1, 0};
    if (add_place(w, &root, e) < 0) {
        return -1;
    }
    for (int64_t i = 0; i < w->n; i++) {
        const struct place at = w->place[i];
        const int n = at.size > 1 ? split_subtree(shape, at.size, at.depth, branch) : 0;
        for (int b = 0; b < n; b++) {
            const struct place child = {branch[b].size, (int32_t)i,
                                        depth_below(&branch[b], at.depth)};
            for (int64_t k = 0; k < branch[b].count; k++) {
                if (add_place(w, &child, e) < 0) {
                    return -1;
                }
            }
        }
    }
    return 0;
}

static int32_t *parents_in_order(const struct tan_shape *shape, int32_t *processes,
                                 struct tan_error *e)
{
    struct walk w = {NULL, 0};
    int32_t *parents = NULL;
    if (walk_breadth_first(shape, &w, e) == 0) {
        parents = malloc((size_t)w.n * sizeof *parents);
        if (parents == NULL) {
            tan_fail_nomem(e);
        }
    }
    for (int64_t i = 0; parents != NULL && i < w.n; i++) {
        parents[i] = w.place[i].parent;
    }
    *processes = (int32_t)w.n;
    free(w.place);
    return parents;
}

/* In the target's numbering; malloc'd. */
static int32_t *parents_of(const struct tan_shape *shape, int32_t *processes, struct tan_error *e)
{
    if (shape->knob->parents == NULL) {
        return parents_in_order(shape, processes, e);
    }
    if (shape->size > TAN_TREE_MAX_NODES) {
        tan_fail_usage(e, "a tree can have at most %" PRId32 " processes", TAN_TREE_MAX_NODES);
        return NULL;
    }
    int32_t *parents = malloc((size_t)shape->size * sizeof *parents);
    if (parents == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *processes = (int32_t)shape->size;
    shape->knob->parents(shape->value, *processes, parents);
    return parents;
}

/* List a node's children in the order of its branches, and note their depths. */
static void order_children(const struct tan_shape *shape, struct tan_tree *tree, int32_t node,
                           const int32_t *size, int *depth)
{
    struct tan_branch branch[TAN_BRANCHES];
    const int32_t *child = tan_tree_children(tree, node);
    const int32_t last = tan_tree_fanout(tree, node) - 1;
    const int n = last >= 0 ? split_subtree(shape, size[node], depth[node], branch) : 0;
    int32_t to = 0;
    for (int b = 0; b < n; b++) {
        for (int64_t k = 0; k < branch[b].count && to <= last; k++, to++) {
            int32_t from = branch[b].falling ? last : to;
            while ((branch[b].falling ? from > to : from < last) &&
                   size[child[from]] != branch[b].size) {
                from += branch[b].falling ? -1 : 1;
            }
            tan_tree_move_child(tree, node, from, to);
            depth[child[to]] = depth_below(&branch[b], depth[node]);
        }
    }
}

struct tan_tree *tan_shape_tree(const struct tan_shape *shape, struct tan_error *e)
{
    int32_t n = 0;
    int32_t *parents = parents_of(shape, &n, e);
    if (parents == NULL) {
        return NULL;
    }
    int32_t *size = malloc((size_t)n * sizeof *size);
    int *depth = calloc((size_t)n, sizeof *depth);
    struct tan_tree *tree = NULL;
    if (size == NULL || depth == NULL) {
        tan_fail_nomem(e);
    } else {
        tree = tan_tree_create(parents, n, NULL, e);
    }
    if (tree != NULL && shape->knob->parents != NULL) {
        tan_tree_subtree_sizes(tree, size);
        for (int32_t node = 0; node < n; node++) {
            order_children(shape, tree, node, size, depth);
        }
    }
    free(parents);
    free(size);
    free(depth);
    return tree;
}
