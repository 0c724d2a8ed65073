/* test_design.c - recommendations: ties within error bars, comparisons, and reasons
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "design/choice/design.h"
#include "design/choice/forecast.h"
#include "topo/spec.h"

#define US 1e-6

static struct tan_params cab(void)
{
    struct tan_params p = {.method = TAN_METHOD_PAPER,
                           .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}};
    for (int i = 0; i < TAN_PARAMS; i++) {
        p.ci95[i] = TAN_INTERVAL_UNKNOWN;
    }
    return p;
}

static void design(const struct tan_problem *p, int listed, struct tan_design *d)
{
    struct tan_error e = TAN_ERROR_INIT;
    tan_design(p, listed, d, &e);
    assert_no_error(e);
}

/* 16x16x16 of Table I: neighbours in height by hand. Four levels are best as 8x8x8x8, whose nodes
 * cost a + 9b + 81c = 69.064 us of overhead each, 276.256 us; three of 16 cost 323.952 us. So the
 * fourth level pays while L < 47.696 us. Two of 64: 2 (49.3 + 65b + 4225c) = 1527.04 us, which pays
 * from L = 1203.088 us on. */
TEST(rivals)
{
    const struct tan_params params = cab();
    const struct tan_problem p = {
        .leaves = 4096, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_design d;
    design(&p, 5, &d);
    assert_int_equal(d.n_tied, 1);
    assert_int_equal(d.n_choices, TAN_DESIGN_COMPARED);
    assert_close(d.choices[0].plan.wave, 617.952 * US, 1e-9 * US);
    assert_close(d.choices[0].plan.period, 205.984 * US, 1e-9 * US);
    assert_true(d.more_levels.height > 0 && d.fewer_levels.height > 0);
    assert_string_equal(tan_plan_fanouts(&d.more_levels).text, "8x8x8x8");
    assert_string_equal(tan_plan_fanouts(&d.fewer_levels).text, "64x64");
    tan_design_clear(&d);
}

/* A level costs 10 us and a further child 1 us. In one of six draws children are free, so that the
 * flat tree is the best; to fall back on, it would be useless. */
TEST(fall_back)
{
    enum { DRAWS = 60 };
    double draws[DRAWS * TAN_PARAMS] = {0};
    for (size_t i = 0; i < DRAWS; i++) {
        draws[i * TAN_PARAMS + TAN_L] = 10 * US;
        draws[i * TAN_PARAMS + TAN_B] = i % 6 == 0 ? 0 : 1 * US;
    }
    const struct tan_params params = {.method = TAN_METHOD_JOINT,
                                      .value = {10 * US, 0, 1 * US},
                                      .draws = draws,
                                      .n_draws = DRAWS};
    const struct tan_problem p = {
        .leaves = 4096, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_design d;
    design(&p, 5, &d);
    assert_true(d.runner_up.exists);
    assert_in_range(d.runner_up.plan.height, 3, 5);
    assert_true(d.runner_up.plan.wave < 1.2 * d.choices[0].plan.wave);
    tan_design_clear(&d);
}

/* The best wave when the latency is `latency`, and what `plan` takes then. */
static double best_at(const struct tan_problem *problem, double latency,
                      const struct tan_plan *plan, double *wave)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params moved = *problem->params;
    moved.value[TAN_L] = latency;
    struct tan_problem p = *problem;
    p.params = &moved;
    struct tan_plans plans;
    tan_search(&p, 1, &plans, &e);
    assert_no_error(e);
    const double best = plans.plan[0].wave;
    tan_plans_clear(&plans);
    *wave = tan_plan_wave(plan, p.model, &moved);
    return best;
}

/* No tree with fewer levels than the fastest is faster than the rival with fewer, by a search of
 * its own; no choice with more levels is faster than the rival with more. */
TEST(rivals_are_best)
{
    static const int64_t leaves[] = {10, 100, 1000, 4096, 9973, 123456, 10000000};
    const struct tan_params params = cab();
    int checked = 0;
    for (size_t i = 0; i < sizeof leaves / sizeof leaves[0]; i++) {
        at_row("leaves[%zu]", i);
        for (int64_t max_fanout = 0; max_fanout <= 20; max_fanout += 10) {
            for (int m = 0; tan_models[m].name != NULL && tan_models[m].node == NULL; m++) {
                const struct tan_problem p = {.leaves = leaves[i],
                                              .model = &tan_models[m],
                                              .params = &params,
                                              .max_fanout = max_fanout};
                struct tan_design d;
                double wave;
                design(&p, 1, &d);
                if (d.more_levels.height > 0) {
                    const struct tan_plan *more = &d.more_levels;
                    assert_true(more->height > d.fastest.height && more->wave >= d.fastest.wave);
                    for (size_t c = 0; c < d.n_choices; c++) {
                        assert_true(d.choices[c].plan.height <= d.fastest.height ||
                                    d.choices[c].plan.wave >= more->wave);
                    }
                    checked++;
                }
                if (d.fewer_levels.height > 0) {
                    struct tan_problem lower = p;
                    lower.max_height = d.fastest.height - 1;
                    const double least =
                        best_at(&lower, params.value[TAN_L], &d.fewer_levels, &wave);
                    assert_close(wave, least, 1e-9 * least);
                    assert_true(d.fewer_levels.height < d.fastest.height);
                    checked++;
                }
                tan_design_clear(&d);
            }
        }
    }
    assert_in_range(checked, 30, 1000);
}

/* Draws in which c is known to 20 %: the more alike two trees' fanouts, the surer their order. */
TEST(draws)
{
    enum { DRAWS = 500 };
    struct tan_params params = cab();
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    params.draws = malloc(DRAWS * TAN_PARAMS * sizeof *params.draws);
    assert_true(rng != NULL && params.draws != NULL);
    params.n_draws = DRAWS;
    for (size_t i = 0; i < (size_t)DRAWS; i++) {
        double *row = params.draws + i * TAN_PARAMS;
        memcpy(row, params.value, sizeof params.value);
        row[TAN_C2] *= 1.0 + 0.2 * gsl_ran_gaussian(rng, 1.0);
    }
    gsl_rng_free(rng);
    const struct tan_problem p = {
        .leaves = 5400, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_design d;
    design(&p, 5, &d);
    assert_int_equal(d.spread, TAN_SPREAD_DRAWS);
    assert_true(d.n_tied > 1);
    assert_true(d.choices[0].plan.processes <= d.fastest.processes);
    bool fastest_seen = false;
    for (size_t i = 0; i < d.n_choices; i++) {
        const struct tan_choice *c = &d.choices[i];
        assert_true(c->tied == (i < d.n_tied));
        assert_true(c->slower >= 0.0);
        assert_true(c->ci95.low < c->plan.wave && c->plan.wave < c->ci95.high);
        assert_true(i == 0 || i >= d.n_tied || c[-1].plan.processes <= c->plan.processes);
        assert_true(i <= d.n_tied || c[-1].plan.wave <= c->plan.wave);
        fastest_seen = fastest_seen || (c->tied && c->slower == 0.0);
        /* only c varies: a share of the draws prefers the other tree, and a tie is one of 2.5 % to
         * 97.5 %, or equal times */
        int faster = 0;
        for (size_t j = 0; j < (size_t)DRAWS; j++) {
            struct tan_params drawn = params;
            memcpy(drawn.value, params.draws + j * TAN_PARAMS, sizeof drawn.value);
            faster += tan_plan_wave(&c->plan, p.model, &drawn) <
                      tan_plan_wave(&d.fastest, p.model, &drawn);
        }
        if (fabs(c->slower) > TAN_SEARCH_EQUAL && (faster < DRAWS / 50 || faster > DRAWS / 30)) {
            assert_true(c->tied == (faster > DRAWS / 40 && faster < DRAWS - DRAWS / 40));
        }
    }
    assert_true(fastest_seen);
    /* what is recommended does not depend on how many are listed */
    struct tan_design other;
    design(&p, 1, &other);
    assert_memory_equal(&other.choices[0].plan, &d.choices[0].plan, sizeof d.choices[0].plan);
    tan_design_clear(&other);
    tan_design_clear(&d);
    free(params.draws);
}

/* L +- 10 us and a +- 3 us: a tree of height h is known to h sqrt(10^2 + 3^2) us; with heights that
 * differ by 1 their difference is known to sqrt(109) = 10.44 us. 1000 draws find the ends of their
 * own interval to 8 % of that (a standard error of 4 %). */
TEST(intervals)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params params = cab();
    params.ci95[TAN_L] = (struct tan_interval){88 * US, 108 * US};
    params.ci95[TAN_A] = (struct tan_interval){46.3 * US, 52.3 * US};
    assert_int_equal(tan_params_draw(&params, &e), 0);
    struct tan_plan three;
    struct tan_plan four;
    tan_plan_levels(&three, 4096, (const int64_t[]){16, 16, 16}, 3);
    tan_plan_levels(&four, 4096, (const int64_t[]){8, 8, 8, 8}, 4);
    struct tan_interval ci95;
    tan_spread_wave(&three, NULL, &tan_models[TAN_MODEL_TAN], &params, &ci95, &e);
    assert_no_error(e);
    assert_close(ci95.low, (617.952 - 3 * sqrt(109)) * US, 2.5 * US);
    assert_close(ci95.high, (617.952 + 3 * sqrt(109)) * US, 2.5 * US);
    tan_spread_wave(&four, &three, &tan_models[TAN_MODEL_TAN], &params, &ci95, &e);
    assert_close(ci95.low, (50.304 - sqrt(109)) * US, 0.85 * US);
    assert_close(ci95.high, (50.304 + sqrt(109)) * US, 0.85 * US);
    const struct tan_params exact = cab();
    tan_spread_wave(&three, NULL, &tan_models[TAN_MODEL_TAN], &exact, &ci95, &e);
    assert_true(ci95.low > ci95.high);
    assert_int_equal(tan_spread_of(&exact), TAN_SPREAD_UNKNOWN);
    assert_int_equal(tan_spread_of(&params), TAN_SPREAD_CI95);
    assert_no_error(e);
    free(params.draws);
}

/* Rules of thumb are never faster than the best, except by breaking its limits. */
TEST(comparisons)
{
    const struct tan_params params = cab();
    for (int64_t leaves = 1; leaves <= 1000000000; leaves = leaves * 7 + 2) {
        struct tan_problem p = {
            .leaves = leaves, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
        struct tan_design d;
        design(&p, 1, &d);
        assert_int_equal(d.n_comparisons, 10);
        for (size_t i = 0; i < d.n_comparisons; i++) {
            const struct tan_comparison *c = &d.comparisons[i];
            assert_true(c->within_limits && c->slower >= -1e-12);
            assert_close(c->plan.wave, d.fastest.wave * (1.0 + c->slower), 1e-12 * c->plan.wave);
        }
        tan_design_clear(&d);
        if (leaves > 8) {
            p.max_fanout = 3;
            design(&p, 1, &d);
            for (size_t i = 0; i < d.n_comparisons; i++) {
                const struct tan_comparison *c = &d.comparisons[i];
                assert_int_equal(c->within_limits, c->plan.max_fanout <= 3);
                assert_true(c->slower >= -1e-12 || !c->within_limits);
            }
            tan_design_clear(&d);
        }
    }
}

/* Cab, method paper: by LogP a level costs 98 + 49.3 us, so that three levels take 441.9 us and the
 * flat tree 147.3; by TAN that takes 98 + 49.3 + 0.783 * 4097 + 0.157 * 4097^2 us. Under limits
 * LogP takes as few levels and processes as they leave. */
TEST(what_logp_says)
{
    const struct tan_params params = cab();
    struct tan_problem p = {.leaves = 4096, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_design d;
    design(&p, 1, &d);
    assert_int_equal(d.choices[0].plan.height, 3);
    assert_true(d.by.logp.exists);
    assert_close(d.by.logp.wave, 3 * 147.3 * US, 1e-9 * US);
    assert_string_equal(tan_plan_spec(&d.by.logp.best.plan).text, "levels:4096");
    assert_close(d.by.logp.best_wave, 147.3 * US, 1e-9 * US);
    assert_close(d.by.logp.best.plan.wave, 2638664.464 * US, 1e-6 * US);
    assert_close(d.by.logp.best.slower, d.by.logp.best.plan.wave / d.fastest.wave - 1, 1e-9);
    assert_false(d.by.logp.best.tied);
    tan_design_clear(&d);
    p.max_fanout = 64;
    design(&p, 1, &d);
    assert_string_equal(tan_plan_spec(&d.by.logp.best.plan).text, "levels:64x64");
    assert_true(d.by.logp.best.within_limits);
    assert_close(d.by.logp.best_wave, 2 * 147.3 * US, 1e-9 * US);
    tan_design_clear(&d);
    p.model = &tan_models[TAN_MODEL_LOGP];
    design(&p, 1, &d);
    assert_false(d.by.logp.exists);
    tan_design_clear(&d);
}

TEST(nothing_to_choose)
{
    struct tan_params params = cab();
    memset(params.value, 0, sizeof params.value);
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_design d;
    struct tan_problem p = {.leaves = 100, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    assert_int_equal(tan_design(&p, 5, &d, &e), -1);
    assert_error(e, TAN_FAILED, "costs nothing under model tan");
    p.leaves = 1;
    design(&p, 5, &d);
    assert_int_equal(d.n_choices, 1);
    tan_design_clear(&d);
}

/* Where requests and answers overlap, the flat tree is the fastest for so many leaves, and no more
 * for one more. */
TEST(flat_where_waves_overlap)
{
    static const double sets[][4] = {
        {2, 1, 0.5, 0}, {2.1, 1.8, 1.5, 0}, {20, 0.4, 1.5, 0}, {10, 2, 2, 0.05}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_params params = cab();
        params.method = TAN_METHOD_OVERLAP;
        for (int k = 0; k < 4; k++) {
            params.value[k] = sets[i][k] * US;
        }
        struct tan_problem p = {
            .leaves = 64, .model = tan_model_find("tan-overlap", &e), .params = &params};
        struct tan_design d;
        design(&p, 1, &d);
        const int64_t flat = d.flat.until;
        tan_design_clear(&d);
        for (p.leaves = flat; p.leaves <= flat + 1; p.leaves++) {
            design(&p, 1, &d);
            assert_int_equal(d.fastest.height == 1, p.leaves == flat);
            tan_design_clear(&d);
        }
    }
}

/* All models side by side, by hand: binary:4 is two levels of two. */
TEST(forecasts)
{
    const struct tan_params params = cab();
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_forecast f;
    struct tan_tree *tree = tan_spec_build("binary:4", &e);
    assert_no_error(e);
    tan_forecast("binary:4", tree, &tan_models[TAN_MODEL_LOGP],
                 &(struct tan_machine){.tan = params, .tan_known = true}, &f, &e);
    tan_tree_destroy(tree);
    assert_no_error(e);
    assert_int_equal(f.processes, 7);
    assert_int_equal(f.leaves, 4);
    assert_close(f.by_model[0].wave, 302.124 * US, 1e-9 * US);
    assert_close(f.by_model[1].wave, 294.6 * US, 1e-9 * US);
    assert_close(f.by_model[2].wave, 491.8 * US, 1e-9 * US);
    assert_close(f.by_model[0].period, 151.062 * US, 1e-9 * US);
    assert_int_equal(f.prediction.levels, 2);
    assert_true(f.prediction.wave == f.by_model[1].wave);
    tan_forecast_clear(&f);
}

RUN_TESTS(NULL, NULL)
