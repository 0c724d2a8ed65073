/* test_any_shape.c - best trees of any shape against all rooted trees, and matchings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "design/search/any_shape.h"
#include "design/search/search.h"

#define US 1e-6

static const struct tan_model *overlap(void)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_model *model = tan_model_find("tan-overlap", &e);
    assert_no_error(e);
    return model;
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

/* The fastest of all ordered rooted trees: nodes are parted one after the other, `open` of them
 * have still to be given children. */
struct trees {
    const struct tan_params *params;
    int64_t max_fanout; /* 0: any */
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
        if (x == 0 && n == left && left > 1) {
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
        add_children(t, node, t->size, t->leaves[node]);
        return;
    }
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(t->parent, t->size, NULL, &e);
    assert_no_error(e);
    const double wave = tan_wave_time(overlap(), t->params, tree);
    t->best = wave < t->best ? wave : t->best;
    t->n++;
    tan_tree_destroy(tree);
}

static double best_of_all(const struct tan_params *params, int32_t leaves, int64_t max_fanout,
                          int64_t *n)
{
    struct trees t = {.params = params, .max_fanout = max_fanout, .size = 1, .best = INFINITY};
    t.parent[0] = -1;
    t.leaves[0] = leaves;
    part(&t, 0);
    *n = t.n;
    return t.best;
}

static double any_shape(const struct tan_problem *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree;
    double wave;
    tan_any_shape(p, &tree, &wave, &e);
    assert_no_error(e);
    assert_int_equal(tan_tree_leaves(tree), p->leaves);
    assert_true(p->max_fanout == 0 || tan_tree_max_fanout(tree) <= p->max_fanout);
    assert_close(tan_wave_time(p->model, p->params, tree), wave, 0);
    tan_tree_destroy(tree);
    return wave;
}

/* Schroeder's numbers count ordered trees without single children. */
TEST(all_trees)
{
    static const int64_t schroeder[] = {0, 1, 1, 3, 11, 45, 197, 903, 4279, 20793};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int set = 0; set < 20; set++) {
        const struct tan_params params = random_params(rng);
        const int32_t most = set < 2 ? 9 : set < 5 ? 8 : 7;
        for (int32_t leaves = 2; leaves <= most; leaves++) {
            const int64_t limit = set % 4 == 3 ? 3 : 0;
            struct tan_problem p = {
                .leaves = leaves, .model = overlap(), .params = &params, .max_fanout = limit};
            int64_t n;
            const double best = best_of_all(&params, leaves, limit, &n);
            assert_true(limit > 0 || n == schroeder[leaves]);
            assert_close(any_shape(&p), best, 1e-13);
        }
    }
    gsl_rng_free(rng);
}

/* No level-uniform tree is faster. */
TEST(levels)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int set = 0; set < 20; set++) {
        const struct tan_params params = random_params(rng);
        const struct tan_problem p = {
            .leaves = 2 + (int64_t)gsl_rng_uniform_int(rng, set == 0 ? 300 : 60),
            .model = overlap(),
            .params = &params};
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_plans plans;
        tan_search(&p, 1, &plans, &e);
        assert_no_error(e);
        assert_true(any_shape(&p) <= plans.plan[0].wave + 1e-12);
        tan_plans_clear(&plans);
    }
    gsl_rng_free(rng);
}

TEST(refused)
{
    struct tan_params params = {.method = TAN_METHOD_OVERLAP, .value = {US, US, US}};
    const struct tan_problem good = {.leaves = 9, .model = overlap(), .params = &params};
    struct tan_problem p[5];
    static const char *const why[] = {"under model tan-overlap only", "within limits on height",
                                      "within limits on height", "from 2 to 4096 leaves",
                                      "from 2 to 4096 leaves"};
    for (int i = 0; i < 5; i++) {
        p[i] = good;
    }
    p[0].model = &tan_models[TAN_MODEL_TAN];
    p[1].max_height = 3;
    p[2].max_processes = 30;
    p[3].leaves = 4097;
    p[4].leaves = 1;
    for (int i = 0; i < 5; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree;
        double wave;
        assert_int_equal(tan_any_shape(&p[i], &tree, &wave, &e), -1);
        assert_error(e, TAN_USAGE, why[i]);
    }
}

/* The heaviest of all orders. */
static int64_t heaviest(const int64_t *weight, int32_t n, int32_t row, unsigned used)
{
    int64_t best = row == n ? 0 : INT64_MIN;
    for (int32_t c = 0; c < n && row < n; c++) {
        if ((used >> c & 1u) == 0) {
            const int64_t rest = heaviest(weight, n, row + 1, used | 1u << c);
            const int64_t sum = weight[row * n + c] + rest;
            best = sum > best ? sum : best;
        }
    }
    return best;
}

TEST(matchings)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 500; i++) {
        const int32_t n = 1 + (int32_t)gsl_rng_uniform_int(rng, 6);
        int64_t weight[36];
        int32_t column[6];
        unsigned used = 0;
        for (int32_t k = 0; k < n * n; k++) {
            weight[k] = (int64_t)gsl_rng_uniform_int(rng, i % 2 == 0 ? 4 : 1000) - 2;
        }
        int64_t sum = tan_match(weight, n, column);
        assert_int_equal(sum, heaviest(weight, n, 0, 0));
        for (int32_t row = 0; row < n; row++) {
            sum -= weight[row * n + column[row]];
            used |= 1u << column[row];
        }
        assert_int_equal(sum, 0);
        assert_int_equal(used, (1u << n) - 1);
    }
    gsl_rng_free(rng);
}

RUN_TESTS(NULL, NULL)
