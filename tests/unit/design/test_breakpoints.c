/* test_breakpoints.c - parameter ranges in which a tree stays the best
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tests/unit/response_at.h"
#include "tests/unit/check.h"

#include <math.h>

#include "design/search/sensitivity.h"
#include "design/systems/least_tree.h"
#include "sim/schedule/tree_wave.h"
#include "sim/sensitivity/response.h"
#include "topo/spec.h"

#define US 1e-6

static const struct tan_params machines[] = {
    {.method = TAN_METHOD_PAPER, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {5 * US, 3 * US, 2 * US, 0.01 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {20 * US, 30 * US, 1 * US, 0, 0, 5 * US}},
};

/* Whether the plan is as fast as the best of all trees, which another search finds. */
static bool is_best(const struct tan_plan *plan, const struct tan_params *machine, int param,
                    double value)
{
    struct tan_params params = *machine;
    struct tan_least_tree least;
    params.value[param] = value;
    assert_int_equal(
        tan_least_tree(TAN_LEAVES_APART, plan->leaves, &tan_models[TAN_MODEL_TAN], &params, &least),
        0);
    return tan_plan_wave(plan, &tan_models[TAN_MODEL_TAN], &params) <= least.wave * (1 + 1e-9);
}

TEST(ends)
{
    static const int64_t leaves[] = {7, 60, 1000, 4096, 99999};
    const double near = 1e-3;
    int inner = 0;
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        for (size_t n = 0; n < sizeof leaves / sizeof leaves[0]; n++) {
            const struct tan_problem p = {
                .leaves = leaves[n], .model = &tan_models[TAN_MODEL_TAN], .params = &machines[m]};
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_interval stays[TAN_BREAKPOINTS];
            struct tan_plans plans;
            assert_int_equal(tan_search(&p, 1, &plans, &e), 0);
            const struct tan_plan *plan = &plans.plan[0];
            assert_int_equal(tan_breakpoints(&p, plan, stays, &e), 0);
            for (int i = 0; i < TAN_BREAKPOINTS; i++) {
                const int param = tan_breakpoint_params[i];
                const double now = machines[m].value[param];
                const double wide = stays[i].low > 0 ? stays[i].low * near : 1e-12;
                assert_true(stays[i].low <= now && now <= stays[i].high);
                assert_true(is_best(plan, &machines[m], param, stays[i].low + wide) ||
                            stays[i].low + wide > stays[i].high);
                if (stays[i].low > 0) {
                    assert_false(is_best(plan, &machines[m], param, stays[i].low - wide));
                    inner++;
                }
                if (isfinite(stays[i].high)) {
                    const double step = fmax(stays[i].high * near, 1e-10);
                    assert_true(is_best(plan, &machines[m], param, stays[i].high * (1 - near)));
                    assert_false(is_best(plan, &machines[m], param, stays[i].high + step));
                    inner++;
                } else {
                    assert_true(is_best(plan, &machines[m], param, 0.5));
                }
            }
            tan_plans_clear(&plans);
        }
    }
    assert_true(inner > 20);
}

/* Under tan-overlap a tree may be the best in several ranges: none is claimed. */
TEST(bent_lines)
{
    const struct tan_params params = {.method = TAN_METHOD_OVERLAP,
                                      .value = {2.492 * US, 2.992 * US, 1.67 * US, 0.00564 * US}};
    const struct tan_problem p = {
        .leaves = 300, .model = &tan_models[TAN_MODEL_OVERLAP], .params = &params};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_interval stays[TAN_BREAKPOINTS];
    struct tan_plans plans;
    assert_int_equal(tan_search(&p, 64, &plans, &e), 0);
    assert_int_equal(tan_breakpoints(&p, &plans.plan[0], stays, &e), 0);
    for (int i = 0; i < TAN_BREAKPOINTS; i++) {
        assert_true(stays[i].low > stays[i].high);
    }
    tan_plans_clear(&plans);
}

/* The time of a simulated wave over the plan's tree as a function of L, from 0 to `most`. */
static struct tan_response simulated(const struct tan_plan *plan, const struct tan_params *params,
                                     double most)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params free = *params;
    struct tan_sim_params p = {.S = UINT64_MAX};
    struct tan_response r;
    char spec[280];
    const struct tan_cost_range range = {TAN_COST_L, ceil(most * 1e12)};
    free.value[TAN_L] = 0;
    struct tan_tree *tree = tan_spec_build(tan_plan_spec(plan, spec, sizeof spec), &e);
    assert_no_error(e);
    struct tan_schedule *s = tan_wave_schedule_tan(tree, TAN_SWEEP_UP, 8, &free, &e);
    assert_no_error(e);
    assert_int_equal(tan_response_find(s, &p, NULL, &range, 0, &r, &e), 0);
    tan_schedule_destroy(s);
    tan_tree_destroy(tree);
    return r;
}

/* At both ends of L the best tree and that beyond take equally long when they are simulated. */
TEST(waves)
{
    static const int64_t leaves[] = {7, 60, 200, 1000};
    const double rounding = 20e-12; /* each level is rounded to picoseconds */
    int compared = 0;
    for (size_t i = 0; i < 3 * sizeof leaves / sizeof leaves[0]; i++) {
        struct tan_params params = machines[i % 3];
        const struct tan_problem p = {
            .leaves = leaves[i / 3], .model = &tan_models[TAN_MODEL_TAN], .params = &params};
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_interval stays[TAN_BREAKPOINTS];
        struct tan_plans plans, beyond;
        assert_int_equal(tan_search(&p, 1, &plans, &e), 0);
        assert_int_equal(tan_breakpoints(&p, &plans.plan[0], stays, &e), 0);
        assert_int_equal(tan_breakpoint_params[0], TAN_L);
        for (int side = 0; side < 2; side++) {
            const double end = side == 0 ? stays[0].low : stays[0].high;
            if (!(end > 0) || isinf(end)) {
                continue;
            }
            params.value[TAN_L] = end * (side == 0 ? 1 - 1e-6 : 1 + 1e-6);
            assert_int_equal(tan_search(&p, 1, &beyond, &e), 0);
            params = machines[i % 3];
            struct tan_response here = simulated(&plans.plan[0], &params, 2 * end);
            struct tan_response there = simulated(&beyond.plan[0], &params, 2 * end);
            double low = 0, high = 2 * end * 1e12;
            const bool longer = here.start > there.start;
            while (high - low > 1e-3) {
                const double L = (low + high) / 2;
                const bool first = (response_at(&here, L) > response_at(&there, L)) == longer;
                *(first ? &low : &high) = L;
            }
            at_row("%d leaves, machine %d, side %d", (int)p.leaves, (int)(i % 3), side);
            assert_true(here.exact >= 1 && there.exact >= 1);
            assert_close(low / 1e12, end, rounding);
            tan_response_clear(&here);
            tan_response_clear(&there);
            tan_plans_clear(&beyond);
            compared++;
        }
        tan_plans_clear(&plans);
    }
    assert_true(compared > 8);
}

/* The best tree, those with the next best times, and the best ones beyond both ends of L. */
enum { PLANS = 9 };
struct grove {
    struct tan_plan plan[PLANS];
    struct tan_response r[PLANS];
    size_t n;
};

static void add_plans(struct grove *g, const struct tan_problem *p, int n, double least)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans plans;
    assert_int_equal(tan_search(p, n, &plans, &e), 0);
    for (size_t i = 0; i < plans.n; i++) {
        /* with the same times as the best one, rounding would decide */
        if (tan_plan_wave(&plans.plan[i], p->model, p->params) > least * (1 + 1e-9)) {
            g->plan[g->n++] = plans.plan[i];
        }
    }
    tan_plans_clear(&plans);
}

/* Between both ends of L no simulated wave takes less time than that over the best tree. */
TEST(between_ends)
{
    static const int64_t leaves[] = {7, 60, 200, 1000};
    const double rounding = 20; /* picoseconds */
    int compared = 0;
    for (size_t i = 0; i < 3 * sizeof leaves / sizeof leaves[0]; i++) {
        struct tan_params params = machines[i % 3];
        const struct tan_problem p = {
            .leaves = leaves[i / 3], .model = &tan_models[TAN_MODEL_TAN], .params = &params};
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_interval stays[TAN_BREAKPOINTS];
        struct tan_plans best;
        static struct grove g;
        assert_int_equal(tan_search(&p, 1, &best, &e), 0);
        assert_int_equal(tan_breakpoints(&p, &best.plan[0], stays, &e), 0);
        const double now = params.value[TAN_L], low = stays[0].low, high = stays[0].high;
        g.n = 0;
        g.plan[g.n++] = best.plan[0];
        add_plans(&g, &p, 6, tan_plan_wave(&best.plan[0], p.model, p.params));
        const double ends[] = {low * (1 - 1e-6), high * (1 + 1e-6)};
        for (int side = 0; side < 2; side++) {
            params.value[TAN_L] = ends[side];
            if (ends[side] > 0 && isfinite(ends[side])) {
                add_plans(&g, &p, 1, 0);
            }
        }
        params.value[TAN_L] = now;
        const double most = isfinite(high) ? 2 * high : 10 * now;
        for (size_t k = 0; k < g.n; k++) {
            g.r[k] = simulated(&g.plan[k], &params, most);
            assert_true(g.r[k].exact >= 1);
        }
        at_row("%d leaves, machine %d", (int)p.leaves, (int)(i % 3));
        const double wide = (isfinite(high) ? high : most) - low;
        for (size_t k = 0; k < g.n; k++) {
            for (int part = 0; part <= 10; part++) {
                const double L = (low + wide * part / 10) * 1e12;
                assert_true(response_at(&g.r[0], L) <= response_at(&g.r[k], L) + rounding);
            }
        }
        compared += (low > 0) + (int)isfinite(high);
        for (size_t k = 0; k < g.n; k++) {
            tan_response_clear(&g.r[k]);
        }
        tan_plans_clear(&best);
    }
    assert_true(compared > 8);
}

/* 9 leaves, b = a: 3x3 takes 2 L + 8 a and the flat tree L + 10 a, so that L = 2 a decides. */
TEST(sensitivity)
{
    struct tan_params params = {.method = TAN_METHOD_JOINT,
                                .value = {1.5 * US, 1 * US},
                                .unidentified = {[TAN_B] = true, [TAN_C2] = true}};
    const struct tan_problem p = {
        .leaves = 9, .model = &tan_models[TAN_MODEL_TAN], .params = &params};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sensitivity rows[TAN_SENSITIVITIES];
    struct tan_plans plans;
    int n;
    tan_params_assume(&params);
    assert_int_equal(tan_search(&p, 1, &plans, &e), 0);
    assert_int_equal(tan_plan_sensitivities(&p, &plans.plan[0], rows, &n, &e), 0);
    tan_plans_clear(&plans);
    assert_int_equal(n, 3);
    assert_int_equal(rows[0].param, TAN_L);
    assert_false(rows[0].with_b);
    assert_close(rows[0].stays.low, 0.0, 0.0);
    assert_close(rows[0].stays.high, 2 * US, 1e-3);
    assert_close(rows[0].half.slower, 0.0, 0.0);
    assert_close(rows[0].twice.slower, 1.0 / 13.0, 1e-9);
    assert_string_equal(rows[0].twice.best, "9");
    assert_int_equal(rows[1].param, TAN_A);
    assert_true(rows[1].with_b);
    assert_close(rows[1].stays.low, 0.75 * US, 1e-3);
    assert_true(isinf(rows[1].stays.high));
    assert_close(rows[1].half.slower, 1.0 / 13.0, 1e-9);
    assert_close(rows[1].twice.slower, 0.0, 0.0);
    assert_string_equal(rows[1].twice.best, "3x3");
    /* b alone, though it is only assumed: 2 (L + 2a + 2b) <= L + 2a + 8b */
    assert_int_equal(rows[2].param, TAN_B);
    assert_close(rows[2].stays.low, 0.875 * US, 1e-3);
    assert_true(isinf(rows[2].stays.high));
    assert_close(rows[2].half.slower, 0.2, 1e-9);
    assert_string_equal(rows[2].half.best, "9");
}

RUN_TESTS(NULL, NULL)
