/* test_compare.c - given trees compared with the best one, and the cost of fanouts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "answer/design_trees.h"
#include "design/choice/forecast.h"
#include "topo/spec.h"

#define US 1e-6

/* a = b = 1 us, c = 0: a level with x children costs L + x + 1. L is 2 us; where there are draws,
 * 1, 2 and 3 us. */
static double draws[3][TAN_PARAMS] = {
    {1 * US, US, US, 0, 0, 0}, {2 * US, US, US, 0, 0, 0}, {3 * US, US, US, 0, 0, 0}};

static struct tan_params parameters(bool drawn)
{
    struct tan_params p = {.method = TAN_METHOD_JOINT, .value = {2 * US, US, US, 0, 0, 0}};
    for (int i = 0; i < TAN_PARAMS; i++) {
        p.ci95[i] = TAN_INTERVAL_UNKNOWN;
    }
    p.n_draws = drawn ? 3 : 0;
    p.draws = drawn ? draws[0] : NULL;
    return p;
}

static void design(const struct tan_params *params, struct tan_design *d)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_problem p = {
        .leaves = 4, .model = &tan_models[TAN_MODEL_TAN], .params = params};
    tan_design(&p, 1, d, &e);
    assert_no_error(e);
    assert_int_equal(d->fastest.height, 1); /* L + 5 = 7 us */
}

/* levels:2x2 takes 2 (L + 3) = 10 us, L + 1 = 3 us more than the flat tree. Over the draws 8, 10,
 * 12 and 2, 3, 4; quantiles of three values lie 5 % of the way from the outer to the middle one. */
TEST(beside_the_best)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (int drawn = 0; drawn < 2; drawn++) {
        const struct tan_params params = parameters(drawn);
        struct tan_design d;
        struct tan_compared c;
        design(&params, &d);
        tan_compare(&d, "levels:2x2", &c, &e);
        assert_no_error(e);
        assert_int_equal(c.leaves, 4);
        assert_int_equal(c.processes, 7);
        assert_int_equal(c.height, 2);
        assert_int_equal(c.max_fanout, 2);
        assert_close(c.wave, 10 * US, 1e-9 * US);
        assert_close(c.difference, 3 * US, 1e-9 * US);
        assert_close(c.slower, 3.0 / 7.0, 1e-9);
        assert_false(c.tied);
        assert_int_equal(c.ci95.low <= c.ci95.high, drawn);
        assert_int_equal(c.difference_ci95.low <= c.difference_ci95.high, drawn);
        if (drawn) {
            assert_close(c.ci95.low, 8.1 * US, 1e-9 * US);
            assert_close(c.ci95.high, 11.9 * US, 1e-9 * US);
            assert_close(c.difference_ci95.low, 2.05 * US, 1e-9 * US);
            assert_close(c.difference_ci95.high, 3.95 * US, 1e-9 * US);
        }
        tan_compare(&d, "nto1:4", &c, &e);
        assert_no_error(e);
        assert_true(c.tied);
        assert_close(c.difference, 0, 1e-12 * US);
        tan_compare(&d, "nto1:3", &c, &e); /* fewer leaves: L + 4, and surely 1 us less */
        assert_no_error(e);
        assert_int_equal(c.leaves, 3);
        assert_close(c.difference, -1 * US, 1e-9 * US);
        assert_false(c.tied);
        assert_int_equal(tan_compare(&d, "kray:2:4", &c, &e), -1);
        assert_error(e, TAN_USAGE, "kray");
        tan_design_clear(&d);
    }
}

/* Over 4096 leaves: fanout 2 has 12 levels of 5 us; 128 a level of 32 and one of 128. */
TEST(costs_of_fanouts)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params params = parameters(true);
    struct tan_fanout rows[TAN_FANOUTS];
    tan_fanouts(&tan_models[TAN_MODEL_TAN], &params, 4096, rows, &e);
    assert_no_error(e);
    assert_int_equal(rows[0].fanout, TAN_LEAST_FANOUT);
    assert_close(rows[0].level, 5 * US, 1e-9 * US);
    assert_close(rows[0].ci95.low, 4.05 * US, 1e-9 * US);
    assert_close(rows[0].ci95.high, 5.95 * US, 1e-9 * US);
    assert_int_equal(rows[0].plan.height, 12);
    assert_close(rows[0].plan.wave, 60 * US, 1e-9 * US);
    assert_close(rows[0].wave_ci95.low, 12 * 4.05 * US, 1e-9 * US);
    assert_string_equal(tan_plan_spec(&rows[0].plan).text, "kary:2:4096");
    assert_int_equal(rows[TAN_FANOUTS - 1].fanout, TAN_MOST_FANOUT);
    assert_close(rows[TAN_FANOUTS - 1].level, 131 * US, 1e-9 * US);
    assert_int_equal(rows[TAN_FANOUTS - 1].plan.height, 2);
    assert_close(rows[TAN_FANOUTS - 1].plan.wave, (35 + 131) * US, 1e-9 * US);

    tan_fanouts(&tan_models[TAN_MODEL_LOGP], &params, 0, rows, &e); /* logp: L + 2a */
    assert_no_error(e);
    for (int i = 0; i < TAN_FANOUTS; i++) {
        assert_close(rows[i].level, 4 * US, 1e-9 * US);
        assert_int_equal(rows[i].plan.height, 0);
    }
}

static double wave_of(const char *spec, const struct tan_params *params)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(spec, &e);
    assert_no_error(e);
    const double wave = tan_wave_time(&tan_models[TAN_MODEL_OVERLAP], params, tree);
    tan_tree_destroy(tree);
    return wave;
}

/* Under tan-overlap a wave depends on all nodes of a level: those of k-ary and binomial trees
 * differ from those of trees by levels with the same fanouts on the critical path. */
TEST(uneven_levels_of_rules)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params params = {.method = TAN_METHOD_OVERLAP,
                                      .value = {2 * US, US, 0.5 * US}};
    const struct tan_problem p = {
        .leaves = 20, .model = &tan_models[TAN_MODEL_OVERLAP], .params = &params};
    struct tan_fanout rows[TAN_FANOUTS];
    tan_fanouts(p.model, &params, p.leaves, rows, &e);
    assert_no_error(e);
    for (int i = 0; i < TAN_FANOUTS; i++) {
        assert_close(rows[i].plan.wave, wave_of(tan_plan_spec(&rows[i].plan).text, &params),
                     1e-9 * US);
    }

    struct tan_design d;
    struct tan_json_writer w = {false};
    tan_design(&p, 1, &d, &e);
    assert_no_error(e);
    json_t *top = tan_json_new_object(&w);
    const struct tan_machine machine = {.tan = params};
    tan_design_set(&w, top, &d, 1, NULL, 0,
                   &(struct tan_basis){.machine = &machine, .model = p.model});
    const json_t *curves = json_object_get(json_object_get(top, "figures"), "by_leaves");
    const json_t *leaves = json_object_get(curves, "leaves");
    const json_t *rule = json_array_get(json_object_get(curves, "rules"), 3);
    assert_string_equal(json_string_value(json_object_get(rule, "name")), "binomial");
    for (size_t i = 0; i < json_array_size(leaves); i++) {
        char spec[32];
        snprintf(spec, sizeof spec, "binomial:%d",
                 (int)json_integer_value(json_array_get(leaves, i)));
        assert_close(json_real_value(json_array_get(json_object_get(rule, "wave_us"), i)) * US,
                     wave_of(spec, &params), 1e-9 * US);
    }
    json_decref(tan_json_finish(&w, top));
    tan_design_clear(&d);
}

/* Where messages share the NIC they are followed one by one: no figure has a tree of very many. */
TEST(wide_trees_that_share_the_NIC)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params params = {.method = TAN_METHOD_OVERLAP,
                                      .nic_shared = true,
                                      .value = {[TAN_L] = 7 * US, [TAN_A] = US, [TAN_G] = 5 * US}};
    const struct tan_problem p = {
        .leaves = 100000, .model = &tan_models[TAN_MODEL_OVERLAP], .params = &params};
    const struct tan_machine machine = {.tan = params};
    struct tan_design d;
    struct tan_json_writer w = {false};
    tan_design(&p, 1, &d, &e);
    assert_no_error(e);
    json_t *top = tan_json_new_object(&w);
    tan_design_set(&w, top, &d, 1, NULL, 0,
                   &(struct tan_basis){.machine = &machine, .model = p.model});
    const json_t *figures = json_object_get(top, "figures");
    const json_t *by_fanout = json_object_get(json_object_get(figures, "by_fanout"), "wave_us");
    assert_true(json_is_real(json_array_get(by_fanout, 0)));
    assert_true(json_is_null(json_array_get(by_fanout, json_array_size(by_fanout) - 1)));

    const json_t *curves = json_object_get(figures, "by_leaves");
    const json_t *leaves = json_object_get(curves, "leaves");
    const json_t *rules = json_object_get(curves, "rules");
    const json_t *flat = json_object_get(json_array_get(rules, 0), "wave_us");
    const json_t *narrow = json_object_get(json_array_get(rules, 1), "wave_us");
    for (size_t i = 0; i < json_array_size(leaves); i++) {
        const bool few = json_integer_value(json_array_get(leaves, i)) <= 50000;
        assert_int_equal(json_is_real(json_array_get(flat, i)), few);
        assert_true(json_is_real(json_array_get(narrow, i)));
    }
    const json_t *beaten = json_object_get(json_array_get(rules, 1), "beats_flat");
    assert_int_equal(json_integer_value(json_object_get(beaten, "leaves")), 17);
    json_decref(tan_json_finish(&w, top));
    tan_design_clear(&d);
}

RUN_TESTS(NULL, NULL)
