/* test_sensitivity.c - parameter ranges in which a tree stays the best
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <math.h>

#include "design/search/search.h"
#include "design/search/sensitivity.h"
#include "design/systems/least_tree.h"

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

/* Within the range of a parameter no other tree is better, and beyond its ends, as far as a tenth
 * and ten times the value, one is. */
TEST(ends)
{
    static const int64_t leaves[] = {7, 60, 1000, 4096, 99999};
    const double near = 2e-3;
    int inner = 0;
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        for (size_t k = 0; k < sizeof leaves / sizeof leaves[0]; k++) {
            const struct tan_problem p = {
                .leaves = leaves[k], .model = &tan_models[TAN_MODEL_TAN], .params = &machines[m]};
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_sensitivity rows[TAN_SENSITIVITIES];
            struct tan_plans plans;
            int n;
            assert_int_equal(tan_search(&p, 1, &plans, &e), 0);
            const struct tan_plan *plan = &plans.plan[0];
            assert_int_equal(tan_plan_sensitivities(&p, plan, rows, &n, &e), 0);
            for (int i = 0; i < n; i++) {
                const double now = rows[i].value;
                const struct tan_interval s = rows[i].stays;
                const double low = s.low > 0 ? s.low : now / 10;
                const double high = isfinite(s.high) ? s.high : now * 10;
                at_row("machine %zu, %lld leaves, parameter %d", m, (long long)leaves[k],
                       rows[i].param);
                assert_true(low <= now && now <= high);
                assert_true(is_best(plan, &machines[m], rows[i].param, low));
                assert_true(is_best(plan, &machines[m], rows[i].param, high));
                if (s.low > 0) {
                    assert_false(is_best(plan, &machines[m], rows[i].param, low * (1 - near)));
                    inner++;
                }
                if (isfinite(s.high)) {
                    assert_false(is_best(plan, &machines[m], rows[i].param, high * (1 + near)));
                    inner++;
                }
            }
            tan_plans_clear(&plans);
        }
    }
    assert_true(inner > 15);
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
    assert_string_equal(rows[0].twice.best.text, "9");
    assert_int_equal(rows[1].param, TAN_A);
    assert_true(rows[1].with_b);
    assert_close(rows[1].stays.low, 0.75 * US, 1e-3);
    assert_true(isinf(rows[1].stays.high));
    assert_close(rows[1].half.slower, 1.0 / 13.0, 1e-9);
    assert_close(rows[1].twice.slower, 0.0, 0.0);
    assert_string_equal(rows[1].twice.best.text, "3x3");
    /* b alone, though it is only assumed: 2 (L + 2a + 2b) <= L + 2a + 8b */
    assert_int_equal(rows[2].param, TAN_B);
    assert_close(rows[2].stays.low, 0.875 * US, 1e-3);
    assert_true(isinf(rows[2].stays.high));
    assert_close(rows[2].half.slower, 0.2, 1e-9);
    assert_string_equal(rows[2].half.best.text, "9");
}

RUN_TESTS(NULL, NULL)
