/* test_search.c - the search against exhaustive enumeration
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdlib.h>

#include "design/search/bounds.h"
#include "design/search/search.h"
#include "topo/spec.h"

#define US 1e-6

/* Machines that stress different ends of the formulas. */
static const struct tan_params machines[] = {
    {.method = TAN_METHOD_PAPER, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {20 * US, 30 * US, 0, 0, 0, 5 * US}},  /* b = c = 0 */
    {.method = TAN_METHOD_JOINT, .value = {0, 3 * US, 2 * US, 0.01 * US, 0, 0}}, /* L = 0 */
    {.method = TAN_METHOD_PAPER, .value = {0, 0, 0, 1 * US, 0, 0}},              /* only c */
    {.method = TAN_METHOD_JOINT, .value = {0, 0, 0, 1 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {0, 0, 1 * US, 0, 0, 0}}, /* only b: many equals */
    {.method = TAN_METHOD_PAPER, .value = {1 * US, 2 * US, 30 * US, 0.5 * US, 7 * US, 11 * US}},
    {.method = TAN_METHOD_JOINT, .value = {0, 0, 0, 0, 0, 0}}, /* everything ties */
};
enum { MACHINES = sizeof machines / sizeof machines[0] };
enum { MODELS = TAN_MODEL_OVERLAP }; /* that are sums of levels */

enum { MOST_LEAVES = 5000, FEWER_LEAVES = 1200 };

/* least[n]: the cheapest wave over n leaves, n = 1..most, by trying every fanout of every node of
 * the fullest path. */
static void try_everything(const struct tan_model *model, const struct tan_params *params, int most,
                           double *least)
{
    static double level[MOST_LEAVES + 1];
    for (int x = 1; x <= most; x++) {
        level[x] = model->level(params, x);
    }
    least[1] = params->value[TAN_C0];
    for (int n = 2; n <= most; n++) {
        least[n] = INFINITY;
        for (int x = 2; x <= n; x++) {
            least[n] = fmin(least[n], level[x] + least[(n + x - 1) / x]);
        }
    }
    least[1] += level[1]; /* a root is no leaf */
}

static void assert_equal_cost(double found, double wanted)
{
    assert_close(found, wanted, 1e-9 * wanted);
}

/* Every N up to 5000 (1200 in short) with Table I of the paper read by both methods; in turn also
 * with the other models, and up to 1200 with the other machines. */
TEST(every_small_number)
{
    enum { TABLE_I = 2, ALL = MODELS * MACHINES };
    struct tan_error e = TAN_ERROR_INIT;
    const int most_leaves = thorough() ? MOST_LEAVES : FEWER_LEAVES;
    double(*least)[MOST_LEAVES + 1] = malloc(ALL * sizeof *least);
    assert_non_null(least);
    for (int i = 0; i < ALL; i++) {
        const int most = i < MODELS * TABLE_I ? most_leaves : FEWER_LEAVES;
        try_everything(&tan_models[i % MODELS], &machines[i / MODELS], most, least[i]);
    }
    int checked = 0;
    for (int n = 1; n <= most_leaves; n++) {
        const int turn = n % (n <= FEWER_LEAVES ? ALL : MODELS * TABLE_I);
        const int combinations[] = {0, MODELS, turn}; /* TAN is the first model */
        for (int c = 0; c < 3; c++) {
            const int i = combinations[c];
            const struct tan_problem p = {
                .leaves = n, .model = &tan_models[i % MODELS], .params = &machines[i / MODELS]};
            struct tan_plans plans;
            tan_search(&p, 1, &plans, &e);
            assert_no_error(e);
            assert_int_equal(plans.n, 1);
            assert_equal_cost(plans.plan[0].wave, least[i][n]);
            tan_plans_clear(&plans);
            checked++;
        }
    }
    print_message("%d searches equal to trying everything\n", checked);
    free(least);
}

/* A tree counted out: built through topo/, priced by the recursion. */
struct counted {
    int32_t height, max_fanout, processes;
    double wave;
};

enum { MOST_COUNTED = 20000 };
struct count {
    const struct tan_problem *problem;
    struct counted *tree;
    size_t n;
};

static void count_tree(struct count *count, const char *fanouts)
{
    struct tan_error e = TAN_ERROR_INIT;
    char spec[320];
    snprintf(spec, sizeof spec, "levels:%s:%" PRId64, fanouts, count->problem->leaves);
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const struct tan_problem *p = count->problem;
    const struct counted c = {
        .height = tan_tree_height(tree),
        .max_fanout = tan_tree_max_fanout(tree),
        .processes = tan_tree_size(tree),
        .wave = tan_wave_time(p->model, p->params, tree),
    };
    tan_tree_destroy(tree);
    if ((p->max_height == 0 || c.height <= p->max_height) &&
        (p->max_fanout == 0 || c.max_fanout <= p->max_fanout) &&
        (p->max_processes == 0 || c.processes <= p->max_processes)) {
        assert_true(count->n < MOST_COUNTED);
        count->tree[count->n++] = c;
    }
}

/* All lists of fanouts after `fanouts`, which hold `room` nodes, that hold the leaves at the end
 * and not before. Lists with a larger fanout than their effect needs are left out when `lean`. */
static void count_lists(struct count *count, const char *fanouts, int64_t room, bool lean)
{
    const int64_t leaves = count->problem->leaves;
    if (room >= leaves) {
        count_tree(count, fanouts);
        return;
    }
    for (int64_t x = 2; x <= leaves; x++) {
        const int64_t above = (leaves + room - 1) / room;
        if (lean && (above + x - 2) / (x - 1) == (above + x - 1) / x) {
            continue; /* x - 1 does as much */
        }
        char longer[256];
        snprintf(longer, sizeof longer, "%s%s%" PRId64, fanouts, room == 1 ? "" : "x", x);
        count_lists(count, longer, room * x, lean);
    }
}

static int by_wave(const void *left, const void *right)
{
    const struct counted *a = left;
    const struct counted *b = right;
    return (a->wave > b->wave) - (a->wave < b->wave);
}

/* The k best of a search must have the waves of the k best of all trees that were counted, and each
 * must be the tree that it says it is. */
static void compare(const struct tan_problem *p, int k, struct count *lean)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans plans;
    if (tan_search(p, k, &plans, &e) < 0) {
        assert_error(e, TAN_INFEASIBLE, "");
        assert_int_equal(lean->n, 0);
        return;
    }
    qsort(lean->tree, lean->n, sizeof *lean->tree, by_wave);
    assert_int_equal(plans.n, lean->n < (size_t)k ? lean->n : (size_t)k);
    for (size_t i = 0; i < plans.n; i++) {
        const struct tan_plan *plan = &plans.plan[i];
        assert_equal_cost(plan->wave, lean->tree[i].wave);
        assert_true(i == 0 || plan->wave >= plan[-1].wave * (1 - 2 * TAN_SEARCH_EQUAL));
        struct tan_tree *tree = tan_spec_build(tan_plan_spec(plan).text, &e);
        assert_no_error(e);
        assert_int_equal(tan_tree_leaves(tree), p->leaves);
        assert_int_equal(tan_tree_height(tree), plan->height);
        assert_int_equal(tan_tree_max_fanout(tree), plan->max_fanout);
        assert_int_equal(tan_tree_size(tree), plan->processes);
        assert_int_equal(plan->internal + plan->leaves + 1, plan->processes);
        assert_equal_cost(tan_wave_time(p->model, p->params, tree), plan->wave);
        tan_tree_destroy(tree);
        for (size_t j = 0; j < i; j++) {
            assert_memory_not_equal(plan->fanout, plans.plan[j].fanout, sizeof plan->fanout);
        }
    }
    tan_plans_clear(&plans);
}

/* Small trees under random limits: the best of all lists of fanouts, the k best of the lean ones.
 */
TEST(limits)
{
    enum { ROUNDS = 250, MOST = 36 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct count all = {.tree = malloc(MOST_COUNTED * sizeof *all.tree)};
    struct count lean = {.tree = malloc(MOST_COUNTED * sizeof *lean.tree)};
    assert_true(rng != NULL && all.tree != NULL && lean.tree != NULL);
    gsl_rng_set(rng, 7);
    int without_tree = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t n = 2 + (int64_t)gsl_rng_uniform_int(rng, MOST - 1);
        struct tan_problem p = {
            .leaves = n,
            .model = &tan_models[gsl_rng_uniform_int(rng, MODELS)],
            .params = &machines[gsl_rng_uniform_int(rng, MACHINES)],
        };
        const unsigned long which = gsl_rng_uniform_int(rng, 8);
        const unsigned long span = (unsigned long)n;
        p.max_fanout = which & 1 ? 1 + (int64_t)gsl_rng_uniform_int(rng, span) : 0;
        p.max_height = which & 2 ? 1 + (int64_t)gsl_rng_uniform_int(rng, 5) : 0;
        p.max_processes = which & 4 ? n + (int64_t)gsl_rng_uniform_int(rng, span) : 0;
        all.problem = lean.problem = &p;
        all.n = lean.n = 0;
        count_lists(&all, "", 1, false);
        count_lists(&lean, "", 1, true);
        qsort(all.tree, all.n, sizeof *all.tree, by_wave);
        qsort(lean.tree, lean.n, sizeof *lean.tree, by_wave);
        assert_int_equal(all.n > 0, lean.n > 0);
        if (all.n > 0) {
            assert_equal_cost(lean.tree[0].wave, all.tree[0].wave);
        }
        without_tree += all.n == 0;
        compare(&p, 1 + (int)gsl_rng_uniform_int(rng, 40), &lean);
    }
    print_message("%d problems with limits, %d of them infeasible\n", ROUNDS, without_tree);
    assert_in_range(without_tree, 10, ROUNDS / 2);
    gsl_rng_free(rng);
    free(all.tree);
    free(lean.tree);
}

/* No bound may exceed what a tree within the limits really costs. */
TEST(bounds_hold)
{
    struct tan_error e = TAN_ERROR_INIT;
    static const int64_t limit[][3] = {{0, 0, 0},    {16, 0, 0},    {0, 2, 0},     {0, 4, 0},
                                       {0, 0, 4200}, {64, 0, 4300}, {100, 3, 4250}};
    for (int m = 0; m < MACHINES; m++) {
        for (size_t l = 0; l < sizeof limit / sizeof limit[0]; l++) {
            const struct tan_problem p = {.leaves = 4096,
                                          .model = &tan_models[TAN_MODEL_TAN],
                                          .params = &machines[m],
                                          .max_fanout = limit[l][0],
                                          .max_height = limit[l][1],
                                          .max_processes = limit[l][2]};
            const struct tan_rest all = {.leaves = p.leaves, .nodes = 1};
            struct tan_bounds *b = tan_bounds_create(&p, &e);
            struct tan_plans plans;
            tan_search(&p, 1, &plans, &e);
            assert_no_error(e);
            assert_true(tan_bound(b, &all) <=
                        plans.plan[0].wave - p.params->value[TAN_C0] + 1e-9 * US);
            tan_bounds_destroy(b);
            tan_plans_clear(&plans);
        }
    }
}

struct known {
    int64_t leaves;
    const char *fanouts;
    double wave_us;
    int64_t internal;
};

/* Table I of the paper: sums of level costs worked out by hand, e.g. for 16 children
 * 98 + 49.3 + 0.783 * 17 + 0.157 * 17^2 = 205.984 us. */
TEST(cab)
{
    static const struct known rows[] = {
        {1, "1", 149.494, 0},
        {2, "2", 151.062, 0},
        {4096, "16x16x16", 617.952, 16 + 256},
        {1000000, "16x16x16x16x16", 1029.92, 16 + 256 + 4096 + 65536},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        const struct tan_problem p = {
            .leaves = rows[i].leaves, .model = &tan_models[TAN_MODEL_TAN], .params = &machines[0]};
        struct tan_plans plans;
        tan_search(&p, 5, &plans, &e);
        assert_no_error(e);
        assert_string_equal(tan_plan_fanouts(&plans.plan[0]).text, rows[i].fanouts);
        assert_close(plans.plan[0].wave, rows[i].wave_us * US, 1e-9 * US);
        assert_int_equal(plans.plan[0].internal, rows[i].internal);
        assert_int_equal(plans.n, rows[i].leaves > 4 ? 5 : 1);
        tan_plans_clear(&plans);
    }
}

/* From 10^7 to 10^12 leaves the bounds say how good the best can be: the whole tree's for no limit
 * is within 1 % of what is found, and equal fanouts in every level are never better. */
TEST(huge)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (int64_t n = 10000000; n <= TAN_PLAN_MAX_LEAVES; n *= 100) {
        const struct tan_problem p = {
            .leaves = n, .model = &tan_models[TAN_MODEL_TAN], .params = &machines[0]};
        struct tan_plans plans;
        tan_search(&p, 64, &plans, &e);
        assert_no_error(e);
        assert_int_equal(plans.n, 64);
        const double best = plans.plan[0].wave;
        for (int64_t x = 2; x <= 64; x++) {
            double uniform = 0.0;
            for (int64_t rest = n; rest > 1; rest = (rest + x - 1) / x) {
                const int64_t fanout = rest < x ? rest : x;
                uniform += p.model->level(p.params, fanout);
            }
            assert_true(best <= uniform * (1 + 1e-12));
        }
        /* level(x) / ln x is least for x = 14: 73.65 us for each factor of e */
        const double least = p.model->level(p.params, 14) / log(14.0) * log((double)n);
        assert_true(best >= least && best < 1.01 * least);
        if (n == 1000000000) {
            assert_close(best, 1528.28 * US, 1e-9 * US);
        }
        tan_plans_clear(&plans);
    }
}

/* Of trees that cost the same the one with the fewest processes comes first. */
TEST(equals)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_problem logp = {.leaves = 1000000000,
                                     .model = &tan_models[TAN_MODEL_LOGP],
                                     .params = &machines[0],
                                     .max_fanout = 50000};
    struct tan_plans plans;
    tan_search(&logp, 3, &plans, &e);
    assert_no_error(e);
    assert_int_equal(plans.plan[0].fanout[0], 20000); /* 20000 x 50000 */
    assert_int_equal(plans.plan[0].internal, 20000);
    tan_plans_clear(&plans);
    const struct tan_problem free_of_charge = {
        .leaves = 100, .model = &tan_models[TAN_MODEL_TAN], .params = &machines[MACHINES - 1]};
    tan_search(&free_of_charge, 1, &plans, &e);
    assert_no_error(e);
    assert_int_equal(plans.plan[0].fanout[0], 100);
    assert_true(plans.plan[0].wave == 0.0);
    tan_plans_clear(&plans);
}

struct refusal {
    struct tan_problem problem;
    const char *part;
};

TEST(infeasible)
{
#define OF(...)                                                                                    \
    {                                                                                              \
        .model = &tan_models[TAN_MODEL_TAN], .params = &machines[0], __VA_ARGS__                   \
    }
    const struct refusal rows[] = {
        {OF(.leaves = 100, .max_fanout = 2, .max_height = 3), "--max-height 7 at --max-fanout 2"},
        {OF(.leaves = 100, .max_fanout = 2, .max_height = 3), "--max-fanout 5 at --max-height 3"},
        {OF(.leaves = 100, .max_fanout = 1), "--max-fanout 2 or more"},
        {OF(.leaves = 100, .max_processes = 100), "101 processes"},
        {OF(.leaves = 100, .max_fanout = 10, .max_processes = 110),
         "--max-processes 111 is enough (10x10)"},
        {OF(.leaves = 1000000000, .max_fanout = 16, .max_processes = 1000000100),
         "--max-processes 10"},
        {OF(.leaves = 100, .max_fanout = 16, .max_loss = 5),
         "7 leaves or more each: --max-loss 5 needs 20 children of the root"},
        {OF(.leaves = 100, .max_fanout = 20, .max_loss = 5, .max_processes = 110),
         "--max-processes 121 is enough (20x5)"},
    };
#undef OF
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_plans plans;
        assert_int_equal(tan_search(&rows[i].problem, 5, &plans, &e), -1);
        assert_error(e, TAN_INFEASIBLE, rows[i].part);
        assert_int_equal(plans.n, 0);
    }
}

/* A file may state fanouts whose product, 2^64 + 12, is 12 once it has overflowed. */
TEST(stated_fanouts)
{
    const struct tan_plan plan = {.leaves = 12, .height = 2, .fanout = {4, (INT64_C(1) << 62) + 3}};
    assert_string_equal(tan_plan_spec(&plan).text, "levels:4x4611686018427387907:12");
    const struct tan_plan full = {.leaves = 12, .height = 2, .fanout = {4, 3}};
    assert_string_equal(tan_plan_spec(&full).text, "levels:4x3");
}

RUN_TESTS(NULL, NULL)
