/* test_any_shape.c - best trees of any shape against all trees, bounds, and simulated waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "design/search/any_shape.h"
#include "design/search/search.h"
#include "model/wave/overlap.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/tree_wave.h"

#define US 1e-6
#define PS 1e-12

static const struct tan_model *const overlap = &tan_models[TAN_MODEL_OVERLAP];

/* A tree with the problem's leaves, which takes as long as said. */
static struct tan_any_shape search_shape(const struct tan_problem *p, double wave)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_any_shape shape;
    assert_int_equal(tan_any_shape(p, false, wave, &shape, &e), 0);
    assert_no_error(e);
    if (shape.tree != NULL) {
        assert_int_equal(tan_tree_leaves(shape.tree), p->leaves);
        assert_close(tan_wave_time(p->model, p->params, shape.tree), shape.wave, 0);
    }
    return shape;
}

/* L, o_s, o_r, c, g, C: gaps are not above overheads. */
static struct tan_params random_params(gsl_rng *rng)
{
    struct tan_params p = {.method = TAN_METHOD_OVERLAP};
    double *v = p.value;
    v[TAN_L] = gsl_rng_uniform(rng) * 12 * US;
    v[TAN_A] = (0.1 + 3 * gsl_rng_uniform(rng)) * US;
    v[TAN_B] = (0.1 + 3 * gsl_rng_uniform(rng)) * US;
    v[TAN_C2] = gsl_rng_uniform_int(rng, 3) == 0 ? gsl_rng_uniform(rng) * 0.2 * US : 0;
    v[TAN_G] = gsl_rng_uniform_int(rng, 3) == 0 ? fmin(v[TAN_A], v[TAN_B]) * 0.9 : 0;
    v[TAN_C0] = gsl_rng_uniform_int(rng, 3) == 0 ? gsl_rng_uniform(rng) * US : 0;
    return p;
}

/* In turn round trips, down and up; one way, gaps may be above overheads. */
static struct tan_params random_ways(gsl_rng *rng, int set)
{
    static const int ways[] = {0, TAN_DOWN, TAN_UP};
    struct tan_params p = random_params(rng);
    p.one_way = ways[set % 3];
    p.value[TAN_G] *= p.one_way != 0 ? 3 * gsl_rng_uniform(rng) : 1;
    return p;
}

/* The fastest of all ordered rooted trees: nodes are parted one after the other, `open` of them
 * have still to be given children. */
struct trees {
    const struct tan_params *params;
    int64_t max_fanout; /* 0: any */
    int32_t itself;     /* 1 if all nodes are counted, instead of leaves */
    int32_t parent[32];
    int32_t leaves[32]; /* below a node */
    int32_t size;
    double best;
    int64_t n;
};

static void part(struct trees *t, int32_t node);

/* Give `node` children for `left` more leaves. */
static void add_children(struct trees *t, int32_t node, int32_t first, int32_t left)
{
    const int32_t x = t->size - first;
    if (left == 0) {
        part(t, node + 1);
        return;
    }
    if (t->max_fanout > 0 && x == t->max_fanout) {
        return;
    }
    for (int32_t n = 1; n <= left; n++) {
        if (x == 0 && n == left && left > 1 && t->itself == 0) {
            continue; /* one child with all of them: never better */
        }
        t->parent[t->size] = node;
        t->leaves[t->size++] = n;
        add_children(t, node, first, left - n);
        t->size--;
    }
}

static void part(struct trees *t, int32_t node)
{
    while (node < t->size && t->leaves[node] == 1 && node > 0) {
        node++;
    }
    if (node < t->size) {
        add_children(t, node, t->size, t->leaves[node] - t->itself);
        return;
    }
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(t->parent, t->size, NULL, &e);
    assert_no_error(e);
    const double wave = tan_wave_time(overlap, t->params, tree);
    t->best = wave < t->best ? wave : t->best;
    t->n++;
    tan_tree_destroy(tree);
}

static double best_of_all(const struct tan_params *params, int32_t leaves, bool members,
                          int64_t max_fanout, int64_t *n)
{
    struct trees t = {.params = params,
                      .max_fanout = max_fanout,
                      .itself = members ? 1 : 0,
                      .size = 1,
                      .best = INFINITY};
    t.parent[0] = -1;
    t.leaves[0] = leaves;
    part(&t, 0);
    *n = t.n;
    return t.best;
}

/* Schroeder's numbers count ordered trees without single children. */
TEST(all_trees)
{
    static const int64_t schroeder[] = {0, 1, 1, 3, 11, 45, 197, 903, 4279, 20793};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int set = 0; set < 20; set++) {
        const struct tan_params params = random_ways(rng, set);
        const int32_t most = set < 2 ? 9 : set < 5 ? 8 : 7;
        for (int32_t leaves = 2; leaves <= most; leaves++) {
            const int64_t limit = set % 4 == 3 ? 3 : 0;
            const struct tan_problem p = {
                .leaves = leaves, .model = overlap, .params = &params, .max_fanout = limit};
            int64_t n;
            const double best = best_of_all(&params, leaves, false, limit, &n);
            assert_true(limit > 0 || n == schroeder[leaves]);
            struct tan_any_shape shape = search_shape(&p, 1.5 * best);
            assert_true(shape.bound <= best + PS && shape.wave >= best - PS);
            assert_true(shape.wave - shape.bound <= 0.004 * best);
            tan_tree_destroy(shape.tree);
        }
    }
    gsl_rng_free(rng);
}

/* Catalan's numbers count ordered trees of all nodes. */
TEST(all_trees_of_members)
{
    static const int64_t catalan[] = {0, 0, 1, 2, 5, 14, 42, 132, 429, 1430};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int set = 0; set < 60; set++) {
        const struct tan_params params = random_ways(rng, set);
        for (int32_t n = 2; n <= 9; n++) {
            const int64_t limit = set % 4 == 3 ? 3 : 0;
            const struct tan_problem p = {
                .leaves = n, .model = overlap, .params = &params, .max_fanout = limit};
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_any_shape shape;
            int64_t trees;
            const double best = best_of_all(&params, n, true, limit, &trees);
            assert_true(limit > 0 || trees == catalan[n]);
            at_row("set %d, %d members", set, n);
            assert_int_equal(tan_any_shape(&p, true, 1.5 * best, &shape, &e), 0);
            assert_int_equal(tan_tree_size(shape.tree), n);
            assert_true(shape.bound <= best + PS && shape.wave >= best - PS);
            assert_true(shape.wave - shape.bound <= 0.004 * best);
            tan_tree_destroy(shape.tree);
        }
    }
    gsl_rng_free(rng);
}

/* Machines of few picoseconds, of which the grid leaves out none: each node's best time from those
 * of its children, in all numbers and orders. */

enum { MOST = 12, HEIGHTS = 5, NEVER = 1 << 28 };

struct machine {
    int32_t L, o_s, o_r, c, g, leaf;
};

static struct machine random_machine(gsl_rng *rng, bool grows)
{
    static const int32_t latency[] = {80, 20, 4}; /* far more than overheads to less */
    const int32_t longest = latency[gsl_rng_uniform_int(rng, 3)];
    struct machine m = {.L = (int32_t)gsl_rng_uniform_int(rng, (unsigned long)longest),
                        .o_s = 1 + (int32_t)gsl_rng_uniform_int(rng, 12),
                        .o_r = 1 + (int32_t)gsl_rng_uniform_int(rng, 12),
                        .c = grows ? (int32_t)gsl_rng_uniform_int(rng, 3) : 0};
    const int32_t least = m.o_s < m.o_r ? m.o_s : m.o_r;
    m.g = (int32_t)gsl_rng_uniform_int(rng, (unsigned long)least + 1);
    m.leaf = 2 * (int32_t)gsl_rng_uniform_int(rng, 3);
    return m;
}

static struct tan_params params_of(const struct machine *m)
{
    return (struct tan_params){.method = TAN_METHOD_OVERLAP,
                               .value = {[TAN_L] = m->L * PS,
                                         [TAN_A] = m->o_s * PS,
                                         [TAN_B] = m->o_r * PS,
                                         [TAN_C2] = m->c * PS,
                                         [TAN_G] = m->g * PS,
                                         [TAN_C0] = m->leaf * PS / 2}};
}

static int by_time(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

/* A node with x children of these times: requests leave one after the other, and answers are served
 * as they come once all requests are sent. */
static int32_t node_time(const struct machine *m, int32_t x, const int32_t *below, bool root)
{
    const int32_t grown = m->c * (x - 1);
    const int32_t s = m->o_s + grown;
    const int32_t r = m->o_r + grown;
    int32_t comes[MOST] = {0};
    for (int32_t i = 0; i < x; i++) {
        comes[i] = (i + 1) * s + m->L + below[i] + m->o_s + m->L;
    }
    qsort(comes, (size_t)x, sizeof *comes, by_time);
    int32_t done = x * s;
    for (int32_t i = 0; i < x; i++) {
        done = (comes[i] > done ? comes[i] : done) + r;
    }
    const int32_t sent = (x - 1) * s + m->g;
    return root ? done : m->o_r + (sent > done ? sent : done);
}

struct table {
    const struct machine *machine;
    int64_t max_fanout, max_loss;
    int32_t time[HEIGHTS][MOST + 1]; /* by height and leaves; NEVER: impossible */
};

/* The best node with `left` more leaves below further children of a height less 1. */
static int32_t least_time(const struct table *t, int height, int32_t *below, int32_t x,
                          int32_t left, bool root)
{
    if (left == 0) {
        return node_time(t->machine, x, below, root);
    }
    int32_t least = NEVER;
    for (int32_t n = 1; n <= left && (t->max_fanout == 0 || x < t->max_fanout); n++) {
        below[x] = t->time[height - 1][n];
        if (below[x] < NEVER && (t->max_loss == 0 || n <= t->max_loss)) {
            const int32_t time = least_time(t, height, below, x + 1, left - n, root);
            least = time < least ? time : least;
        }
    }
    return least;
}

/* The best wave in picoseconds, half a round trip; higher trees never pay so soon. */
static double best_wave(struct table *t, int32_t leaves, int64_t max_height)
{
    const int height = max_height > 0 ? (int)max_height : HEIGHTS;
    int32_t below[MOST];
    for (int h = 0; h < height; h++) {
        t->time[h][1] = t->machine->o_r + t->machine->leaf;
        for (int32_t n = 2; n <= leaves; n++) {
            t->time[h][n] = h == 0 ? NEVER : least_time(t, h, below, 0, n, false);
        }
    }
    return least_time(t, height, below, 0, leaves, true) / 2.0;
}

TEST(exact)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int set = 0; set < 400; set++) {
        const struct machine m = random_machine(rng, set % 3 == 2);
        const struct tan_params params = params_of(&m);
        const int32_t leaves = 2 + (int32_t)gsl_rng_uniform_int(rng, set < 40 ? MOST - 1 : 8);
        const bool limited = set % 2 == 1;
        struct table t = {.machine = &m};
        struct tan_problem p = {.leaves = leaves, .model = overlap, .params = &params};
        if (limited) {
            p.max_fanout = t.max_fanout = (int64_t[]){0, 3, 4, 5}[gsl_rng_uniform_int(rng, 4)];
            p.max_loss = t.max_loss = (int64_t[]){0, 3, 4, 5}[gsl_rng_uniform_int(rng, 4)];
            p.max_height = (int64_t[]){0, 2, 3, 4}[gsl_rng_uniform_int(rng, 4)];
        }
        const double best = best_wave(&t, leaves, p.max_height);
        if (best >= NEVER / 2.0) {
            continue;
        }
        struct tan_any_shape shape = search_shape(&p, (best + 100) * PS);
        at_row("set %d, %d leaves", set, leaves);
        assert_non_null(shape.tree);
        assert_close(shape.wave / PS, best, 1e-6);
        assert_close(shape.bound / PS, best, 1e-6);
        assert_true(p.max_fanout == 0 || tan_tree_max_fanout(shape.tree) <= p.max_fanout);
        assert_true(p.max_height == 0 || tan_tree_height(shape.tree) <= p.max_height);
        assert_true(p.max_loss == 0 || tan_tree_max_below(shape.tree) <= p.max_loss);
        tan_tree_destroy(shape.tree);
    }
    gsl_rng_free(rng);
}

/* Many leaves */

static double simulated(const struct tan_params *params, const struct tan_tree *tree)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sim_params p = tan_sim_defaults;
    struct tan_simulation r;
    const double *v = params->value;
    p.between = (struct tan_link){
        .L = (uint64_t)llround(v[TAN_L] / PS),
        .o = (uint64_t)llround(v[TAN_A] / PS),
        .g = (uint64_t)llround(v[TAN_G] / PS),
        .o_more = llround((v[TAN_B] - v[TAN_A]) / PS),
    };
    p.within = p.between;
    struct tan_schedule *s = tan_wave_schedule(tree, TAN_SWEEP_ROUND, 1, NULL, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
    const double half = (double)r.rank_finish[0] * PS / 2;
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    return half;
}

/* Latency like the overheads, and less, and more; and 4096 leaves as matchings of every fanout and
 * of every step of a finer grid found them. */
TEST(many_leaves)
{
    static const struct {
        double L, o_s, o_r, g;
        int64_t leaves;
        double wave;
    } rows[] = {
        {2.08703590096203, 1.82430974260692, 1.52431920814381, 1.07629491744978, 4096, 40.722837},
        {2.08703590096203, 1.82430974260692, 1.52431920814381, 1.07629491744978, 100000, 0},
        {5, 12, 17, 3, 100000, 0},
        {4, 0.04, 0.06, 0.02, 5000, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_params params = {.method = TAN_METHOD_OVERLAP,
                                          .value = {[TAN_L] = rows[i].L * US,
                                                    [TAN_A] = rows[i].o_s * US,
                                                    [TAN_B] = rows[i].o_r * US,
                                                    [TAN_G] = rows[i].g * US}};
        const struct tan_problem p = {
            .leaves = rows[i].leaves, .model = overlap, .params = &params};
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_plans plans;
        tan_search(&p, 1, &plans, &e);
        assert_no_error(e);
        struct tan_any_shape shape = search_shape(&p, plans.plan[0].wave);
        at_row("row %zu", i);
        assert_non_null(shape.tree);
        assert_true(shape.wave < plans.plan[0].wave);
        assert_true(shape.bound <= shape.wave && shape.wave <= 1.004 * shape.bound);
        assert_close(simulated(&params, shape.tree), shape.wave, 1e-12 * US);
        assert_true(rows[i].wave == 0 || fabs(shape.wave / US - rows[i].wave) < 1e-3);
        tan_plans_clear(&plans);
        tan_tree_destroy(shape.tree);
    }
}

/* Where gaps are longer than overheads a tree is only found, but its time is exact. */
TEST(gaps)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int found = 0;
    enum { SETS = 200 };
    for (int set = 0; set < SETS; set++) {
        struct tan_params params = random_params(rng);
        params.value[TAN_C2] = params.value[TAN_C0] = 0;
        params.value[TAN_G] = fmax(params.value[TAN_A], params.value[TAN_B]) *
                              (1.01 + 3 * gsl_rng_uniform(rng) * (set % 2));
        params.nic_shared = set % 4 > 1;
        for (int i = 0; i < TAN_PARAMS; i++) {
            params.value[i] = round(params.value[i] / PS) * PS;
        }
        const struct tan_problem p = {.leaves = 5 + (int64_t)gsl_rng_uniform_int(rng, 300),
                                      .model = overlap,
                                      .params = &params};
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_plans plans;
        tan_search(&p, 1, &plans, &e);
        assert_no_error(e);
        const double even = plans.plan[0].wave;
        struct tan_any_shape shape = search_shape(&p, even);
        at_row("set %d, %d leaves", set, (int)p.leaves);
        assert_true(isnan(shape.bound));
        if (shape.tree != NULL) {
            found++;
            assert_true(shape.wave < even);
            assert_true(params.nic_shared ||
                        fabs(simulated(&params, shape.tree) - shape.wave) < 1e-6 * even);
        }
        tan_plans_clear(&plans);
        tan_tree_destroy(shape.tree);
    }
    print_message("%d of %d are faster than even levels\n", found, SETS);
    assert_true(found > SETS / 2);
    gsl_rng_free(rng);
}

TEST(too_many_processes)
{
    const struct tan_params params = {.method = TAN_METHOD_OVERLAP, .value = {2 * US, US, US}};
    struct tan_problem p = {
        .leaves = 200, .model = overlap, .params = &params, .max_processes = 205};
    struct tan_any_shape shape = search_shape(&p, 200 * US);
    assert_null(shape.tree);
    assert_true(shape.bound > 0 && shape.bound < 200 * US);
    p.max_processes = 300;
    shape = search_shape(&p, 200 * US);
    assert_in_range(tan_tree_size(shape.tree), 206, 300);
    tan_tree_destroy(shape.tree);
}

/* A tree has to gain more than the model errs in two waves; what is not known to err does not. */
TEST(worth_it)
{
    const struct tan_params params = {.method = TAN_METHOD_OVERLAP, .value = {2 * US, US, US}};
    struct tan_problem p = {.leaves = 200, .model = overlap, .params = &params, .error = NAN};
    struct tan_any_shape shape = search_shape(&p, 200 * US);
    const double least = shape.wave;
    tan_tree_destroy(shape.tree);
    for (int i = 0; i < 2; i++) {
        p.error = (double[]){0.04, 0.1}[i];
        shape = search_shape(&p, 1.1 * least);
        assert_int_equal(shape.tree != NULL, i == 0);
        assert_true(shape.bound <= least);
        tan_tree_destroy(shape.tree);
    }
}

TEST(not_searched)
{
    const struct tan_params params = {.method = TAN_METHOD_OVERLAP, .value = {US, US, US}};
    const struct tan_problem good = {.leaves = 9, .model = overlap, .params = &params};
    struct tan_problem p[3] = {good, good, good};
    p[0].model = &tan_models[TAN_MODEL_TAN];
    p[1].leaves = TAN_ANY_SHAPE_LEAVES + 1;
    p[2].leaves = 1;
    for (int i = 0; i < 3; i++) {
        struct tan_any_shape shape = search_shape(&p[i], 1.0);
        assert_null(shape.tree);
        assert_true(isnan(shape.bound));
    }
}

RUN_TESTS(NULL, NULL)
