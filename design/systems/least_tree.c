/* least_tree.c - the best of all trees for N leaves or N members
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/least_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"

/* A size with the best tree below a node of that size. */
struct entry {
    int64_t size;
    int64_t fanout;
    double wave; /* without C, except for models with `node`, whose leaves include it */
    int64_t height;
};

struct search {
    enum tan_population population;
    int64_t whole; /* size of the whole tree */
    const struct tan_model *model;
    const struct tan_params *params;
    struct entry *known;
    int64_t n;
    struct tan_map by_size; /* indices into `known` */
    bool failed;
};

static void keep_entry(struct search *s, const struct entry *entry)
{
    if (TAN_ONE_MORE(s->known, s->n) < 0 ||
        tan_map_set(&s->by_size, (uint64_t)entry->size, s->n) < 0) {
        s->failed = true;
        return;
    }
    s->known[s->n++] = *entry;
}

static struct entry best_below(struct search *s, int64_t size);

/* The wave of a node of that size, given its fanout and its fullest child's size and wave. */
static double wave_of(const struct search *s, int64_t size, int64_t fanout, int64_t below,
                      double rest)
{
    const int64_t shared = size - (s->population == TAN_ALL_MEMBERS);
    const struct tan_children all = {fanout, below, rest};
    return s->model->node != NULL
               ? s->model->node(s->params, &all, 1, size == s->whole)
               : tan_level_cost(s->model, s->params, fanout, below, shared - below) + rest;
}

static double leaf_wave(const struct search *s)
{
    return s->model->node != NULL ? s->model->leaf(s->params) : 0.0;
}

/* The tree with `fanout` children, the fullest of size `below`. */
static struct entry with_fanout(struct search *s, int64_t size, int64_t fanout, int64_t below)
{
    const struct entry rest = best_below(s, below);
    return (struct entry){
        .size = size,
        .fanout = fanout,
        .wave = wave_of(s, size, fanout, below, rest.wave),
        .height = rest.height + 1,
    };
}

/* A chain. Of all orders of the same fanouts, decreasing from the root down holds the most members,
 * so a node with one child only needs to have a chain below it. Long chains that would have to be
 * followed level by level are skipped: they never pay. */
static struct entry chain_of(const struct search *s, int64_t size)
{
    enum { LONGEST = 64 };
    struct entry e = {.size = size, .fanout = 1, .wave = leaf_wave(s), .height = size - 1};
    const bool plain = s->params->payload == NULL && s->model->node == NULL;
    if (s->population != TAN_ALL_MEMBERS || (!plain && size > LONGEST)) {
        return (struct entry){.size = size, .wave = INFINITY};
    }
    if (plain) {
        e.wave = (double)(size - 1) * s->model->level(s->params, 1);
        return e;
    }
    for (int64_t below = 1; below < size; below++) {
        e.wave = wave_of(s, below + 1, 1, below, e.wave);
    }
    return e;
}

/* Only the least fanout for each size of the fullest child can be best. */
static struct entry best_below(struct search *s, int64_t size)
{
    if (size <= 1 || s->failed) {
        return (struct entry){.size = size, .wave = leaf_wave(s)};
    }
    const int64_t known = tan_map_find(&s->by_size, (uint64_t)size);
    if (known >= 0) {
        return s->known[known];
    }
    const int64_t shared = size - (s->population == TAN_ALL_MEMBERS);
    const bool plain = s->params->payload == NULL;
    struct entry best = chain_of(s, size);
    for (int64_t fanout = 2; fanout <= shared;) {
        const int64_t below = tan_ceil_div(shared, fanout);
        const double near = isfinite(best.wave) ? TAN_SEARCH_EQUAL * best.wave : 0.0;
        if (plain && s->model->level(s->params, fanout) > best.wave + near) {
            break; /* levels do not get cheaper with fanout */
        }
        const struct entry tree = with_fanout(s, size, fanout, below);
        if (tree.wave < best.wave - near ||
            (tree.wave <= best.wave + near && tree.height < best.height)) {
            best = tree;
        }
        fanout = below == 1 ? shared + 1 : (shared + below - 2) / (below - 1);
    }
    keep_entry(s, &best);
    return best;
}

int tan_least_tree(enum tan_population population, int64_t size, const struct tan_model *model,
                   const struct tan_params *params, struct tan_least_tree *out)
{
    struct search s = {.population = population, .whole = size, .model = model, .params = params};
    *out = (struct tan_least_tree){.height = 0};
    out->wave = best_below(&s, size).wave + (model->node == NULL ? params->value[TAN_C0] : 0.0);
    while (!s.failed && size > 1 && out->height < TAN_LEAST_LEVELS) {
        const struct entry e = best_below(&s, size);
        const int64_t shared = size - (population == TAN_ALL_MEMBERS);
        out->fanout[out->height++] = e.fanout;
        size = tan_ceil_div(shared, e.fanout);
    }
    free(s.known);
    tan_map_clear(&s.by_size);
    return s.failed ? -1 : 0;
}

static bool is_flat_best(enum tan_population population, int64_t size,
                         const struct tan_model *model, const struct tan_params *params)
{
    struct tan_least_tree tree;
    return tan_least_tree(population, size, model, params, &tree) == 0 && tree.height <= 1;
}

static int64_t flat_until(enum tan_population population, bool root_apart,
                          const struct tan_model *model, const struct tan_params *params)
{
    int64_t flat = 1;
    int64_t deep = 2;
    while (deep <= TAN_FLAT_MOST && is_flat_best(population, deep + root_apart, model, params)) {
        flat = deep;
        deep *= 2;
    }
    while (deep <= TAN_FLAT_MOST && deep - flat > 1) {
        const int64_t middle = flat + (deep - flat) / 2;
        if (is_flat_best(population, middle + root_apart, model, params)) {
            flat = middle;
        } else {
            deep = middle;
        }
    }
    return flat;
}

int64_t tan_flat_until(enum tan_population population, bool root_apart,
                       const struct tan_model *model, const struct tan_params *params,
                       struct tan_interval *ci95)
{
    enum { DRAWS = 200 };
    double found[DRAWS];
    int n = DRAWS;
    if (params->n_draws < n) {
        n = params->n_draws;
    }
    *ci95 = TAN_INTERVAL_UNKNOWN;
    for (int i = 0; i < n; i++) {
        const struct tan_params drawn =
            tan_params_drawn(params, (int)((int64_t)i * params->n_draws / n));
        found[i] = (double)flat_until(population, root_apart, model, &drawn);
    }
    if (n > 0) {
        const struct tan_interval central = tan_central_interval(found, (size_t)n);
        *ci95 = (struct tan_interval){floor(central.low), ceil(central.high)};
    }
    return flat_until(population, root_apart, model, params);
}
