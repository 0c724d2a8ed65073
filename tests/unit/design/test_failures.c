/* test_failures.c - waits for failed processes against all sets of them, and against random ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "design/systems/failures.h"
#include "topo/spec.h"
#include "topo/tree.h"

#define US 1e-6

enum { MOST = 64, WAITS = 3 };

/* A tree as this test sees it: parents before their children. */
struct small {
    int n;
    int32_t parent[MOST];
    int height[MOST]; /* of the subtree */
    int fanout[MOST];
    int size[MOST];
    int widest; /* fanout */
};

static void finish(struct small *s)
{
    for (int i = 0; i < s->n; i++) {
        s->height[i] = s->fanout[i] = 0;
        s->size[i] = 1;
    }
    s->widest = 0;
    for (int i = s->n - 1; i > 0; i--) {
        const int p = s->parent[i];
        s->fanout[p]++;
        s->size[p] += s->size[i];
        s->widest = s->widest > s->fanout[p] ? s->widest : s->fanout[p];
        s->height[p] = s->height[p] > s->height[i] + 1 ? s->height[p] : s->height[i] + 1;
    }
}

/* Timeouts for a process that is down: one; one for each level; two more for each F nodes. */
static int64_t by_levels(int32_t height, int32_t processes, int32_t fanout)
{
    (void)processes;
    (void)fanout;
    return height + 1;
}

static int64_t by_nodes(int32_t height, int32_t processes, int32_t fanout)
{
    return height == 0 ? 1 : 1 + 2 * (processes / fanout);
}

static tan_timeouts *const rules[WAITS] = {NULL, by_levels, by_nodes};

/* The longest waits of a wave if these processes are down, in timeouts. */
struct outcome {
    int waits[WAITS];
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static struct outcome run_wave(const struct small *s, const bool *down)
{
    struct outcome o = {{0}};
    bool reached[MOST] = {true};
    for (int i = 1; i < s->n; i++) {
        const int p = s->parent[i];
        reached[i] = reached[p] && !down[i];
        if (reached[p] && down[i]) { /* its parent waits */
            o.waits[0] = 1;
            o.waits[1] = larger(o.waits[1], s->height[i] + 1);
            o.waits[2] =
                larger(o.waits[2], s->fanout[i] == 0 ? 1 : 1 + 2 * (s->size[i] / s->widest));
        }
    }
    return o;
}

static struct tan_tree *tree_of(const struct small *s)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_tree_create(s->parent, s->n, NULL, &e);
    assert_non_null(tree);
    return tree;
}

static double expected_wait(const struct tan_tree *tree, double p, int rule)
{
    struct tan_error e = TAN_ERROR_INIT;
    double one;
    double mean;
    double expected;
    assert_int_equal(tan_failure_waits(tree, rules[rule], p, &one, &mean, &expected, &e), 0);
    return expected;
}

/* All sets of processes that are down, each with its probability. */
static void check_all_sets(const struct small *s, double p)
{
    struct tan_tree *tree = tree_of(s);
    double waits[WAITS] = {0.0};
    for (uint32_t set = 0; set < UINT32_C(1) << (s->n - 1); set++) {
        bool down[MOST] = {false};
        double share = 1.0;
        for (int i = 1; i < s->n; i++) {
            down[i] = (set >> (i - 1) & 1) != 0;
            share *= down[i] ? p : 1.0 - p;
        }
        const struct outcome o = run_wave(s, down);
        for (int w = 0; w < WAITS; w++) {
            waits[w] += share * o.waits[w];
        }
    }
    for (int w = 0; w < WAITS; w++) {
        assert_close(expected_wait(tree, p, w), waits[w], 1e-11 * s->n);
    }
    tan_tree_destroy(tree);
}

/* One process after the other is down. */
static void check_single(const struct small *s)
{
    struct tan_tree *tree = tree_of(s);
    int longest[WAITS] = {0};
    double mean[WAITS] = {0.0};
    for (int i = 1; i < s->n; i++) {
        bool down[MOST] = {false};
        down[i] = true;
        const struct outcome o = run_wave(s, down);
        for (int w = 0; w < WAITS; w++) {
            longest[w] = larger(longest[w], o.waits[w]);
            mean[w] += (double)o.waits[w] / (s->n - 1);
        }
    }
    for (int w = 0; w < WAITS; w++) {
        struct tan_error e = TAN_ERROR_INIT;
        double one;
        double on_average;
        double expected;
        assert_int_equal(tan_failure_waits(tree, rules[w], 0.1, &one, &on_average, &expected, &e),
                         0);
        assert_int_equal(one, longest[w]);
        assert_close(on_average, mean[w], 1e-12);
    }
    tan_tree_destroy(tree);
}

/* All trees whose internal processes have two children or more: a process that is given `leaves`
 * divides them into parts of at most `part`, and then the next process of the list is divided. */
struct listing {
    struct small tree;
    int leaves[MOST]; /* given to each process */
    int trees;
};

static void divide_next(struct listing *l, int node, double p);

static void add_parts(struct listing *l, int node, int left, int part, double p)
{
    if (left == 0) {
        divide_next(l, node + 1, p);
        return;
    }
    for (int size = part < left ? part : left; size >= 1; size--) {
        const int child = l->tree.n++;
        l->tree.parent[child] = node;
        l->leaves[child] = size;
        add_parts(l, node, left - size, size, p);
        l->tree.n--;
    }
}

static void divide_next(struct listing *l, int node, double p)
{
    while (node < l->tree.n && l->leaves[node] == 1) {
        node++;
    }
    if (node < l->tree.n) {
        add_parts(l, node, l->leaves[node], l->leaves[node] - 1, p);
        return;
    }
    finish(&l->tree);
    check_single(&l->tree);
    check_all_sets(&l->tree, p);
    l->trees++;
}

TEST(trees_up_to_nine_leaves)
{
    /* siblings with equally many leaves, but different subtrees below, are listed in either order
     */
    static const int known[] = {0, 0, 1, 2, 5, 12, 34};
    for (int leaves = 2; leaves <= 9; leaves++) {
        struct listing l = {.tree = {.n = 1, .parent = {-1}}, .leaves = {leaves}};
        divide_next(&l, 0, 0.03 * leaves);
        if (leaves <= 6) {
            assert_int_equal(l.trees, known[leaves]);
        }
        assert_true(leaves < 9 || l.trees >= 766); /* different ones, OEIS A000669 */
    }
}

/* Chains end in leaves, and processes have a single child. */
TEST(chains)
{
    struct small s = {.n = 1, .parent = {-1}};
    for (; s.n < 9; s.n++) {
        s.parent[s.n] = s.n - 1;
        struct small chain = s;
        chain.n++;
        finish(&chain);
        check_single(&chain);
        check_all_sets(&chain, 0.2);
    }
}

/* A random tree, in some of which most processes are near the root. */
static void make_random(struct small *s, gsl_rng *random)
{
    const int reach = 1 + (int)gsl_rng_uniform_int(random, 20);
    s->n = 3 + (int)gsl_rng_uniform_int(random, MOST - 3);
    s->parent[0] = -1;
    for (int i = 1; i < s->n; i++) {
        const int low = i > reach && gsl_rng_uniform(random) < 0.7 ? i - reach : 0;
        s->parent[i] = low + (int)gsl_rng_uniform_int(random, (unsigned long)(i - low));
    }
    finish(s);
}

struct sum {
    double value, square;
};

static void add_sample(struct sum *s, double value)
{
    s->value += value;
    s->square += value * value;
}

/* Within four standard errors of the mean; what happens less often than once in n is not seen. */
static void check_mean(const struct sum *s, int n, double expected)
{
    const double mean = s->value / n;
    const double variance = fmax(0.0, s->square / n - mean * mean);
    assert_close(mean, expected, 4.0 * sqrt((variance + 1.0 / n) / n));
}

TEST(random_failures)
{
    enum { TREES = 30, WAVES = 100000 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 20261128);
    for (int t = 0; t < TREES; t++) {
        const double p = 0.3 * pow(gsl_rng_uniform(random), 3.0) + 1e-3;
        struct sum waits[WAITS] = {{0, 0}};
        struct small s;
        make_random(&s, random);
        at_row("tree %d of %d processes, p = %g", t, s.n, p);
        for (int w = 0; w < WAVES; w++) {
            bool down[MOST] = {false};
            for (int i = 1; i < s.n; i++) {
                down[i] = gsl_rng_uniform(random) < p;
            }
            const struct outcome o = run_wave(&s, down);
            for (int k = 0; k < WAITS; k++) {
                add_sample(&waits[k], o.waits[k]);
            }
        }
        struct tan_tree *tree = tree_of(&s);
        for (int k = 0; k < WAITS; k++) {
            check_mean(&waits[k], WAVES, expected_wait(tree, p, k));
        }
        tan_tree_destroy(tree);
    }
    gsl_rng_free(random);
}

/* A wave with timers that start with the request: the time of a process's answer, from a recursion
 * in which a child that is down answers when the wait for it is over. */
static double timed_wave(const struct small *s, const bool *down, double timeout,
                         const struct tan_params *params)
{
    const struct tan_model *model = &tan_models[TAN_MODEL_TAN];
    double time[MOST] = {0.0};
    for (int i = s->n - 1; i >= 0; i--) {
        time[i] += s->fanout[i] > 0 ? model->level(params, s->fanout[i]) : params->value[TAN_C0];
        if (i > 0) {
            double *above = &time[s->parent[i]];
            *above = fmax(*above, down[i] ? timeout : time[i]);
        }
    }
    return time[0];
}

/* The expected wave is not shorter than with such timers, and by less than a wave longer, times the
 * probability that any process is down. */
TEST(timers)
{
    enum { WAVES = 100000 };
    static const char *const specs[] = {"levels:3x3x2", "levels:2x2x2x2", "nto1:20", "levels:6x5"};
    static const struct tan_params params = {
        .method = TAN_METHOD_JOINT, .value = {98 * US, 49 * US, 0.8 * US, 0.2 * US, 0, 10 * US}};
    const double timeout = 0.01;
    const double p = 0.02;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(specs[k], &e);
        struct small s = {.n = tan_tree_size(tree)};
        struct sum times = {0, 0};
        tan_tree_parents(tree, s.parent);
        finish(&s);
        for (int w = 0; w < WAVES; w++) {
            bool down[MOST] = {false};
            for (int i = 1; i < s.n; i++) {
                down[i] = gsl_rng_uniform(random) < p;
            }
            add_sample(&times, timed_wave(&s, down, timeout, &params));
        }
        const double healthy = tan_wave_time(&tan_models[TAN_MODEL_TAN], &params, tree);
        const double mean = times.value / WAVES;
        const double error = 4.0 * sqrt((times.square / WAVES - mean * mean) / WAVES);
        const double wait = timeout * expected_wait(tree, p, 0);
        assert_true(healthy + wait >= mean - error);
        assert_true(healthy + wait <= mean + error + healthy * wait / timeout);
        tan_tree_destroy(tree);
    }
    gsl_rng_free(random);
}

/* 16x16x16 with one process in ten thousand down: numbers by hand. */
TEST(by_hand)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("levels:16x16x16", &e);
    assert_close(expected_wait(tree, 1e-4, 0), 1 - pow(0.9999, 4368), 1e-9);
    assert_close(expected_wait(tree, 1e-4, 1),
                 3 - pow(0.9999, 16) - pow(0.9999, 272) - pow(0.9999, 4368), 1e-9);
    tan_tree_destroy(tree);
}

/* Two ranges of 17: a parent waits for three timeouts for their first ones, for one for the others.
 */
TEST(two_ranges)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("levels:2x16", &e);
    assert_close(expected_wait(tree, 0.01, 2), (1 - pow(0.99, 34)) + 2 * (1 - pow(0.99, 2)), 1e-12);
    tan_tree_destroy(tree);
}

RUN_TESTS(NULL, NULL)
