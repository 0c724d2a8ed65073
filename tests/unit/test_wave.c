/* test_wave.c - level costs worked by hand, and the recursion against an independent one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/wave/wave.h"
#include "topo/spec.h"

/* Table I of the paper; g and C are not 0 where a test wants to see them. */
static struct tan_params cab(enum tan_method method, double g, double C)
{
    return (struct tan_params){
        .method = method,
        .value = {98e-6, 49.3e-6, 0.783e-6, 0.157e-6, g, C},
    };
}

static const double exact = 1e-15;

static void levels_by_hand(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    static const struct {
        const char *model;
        enum tan_method method;
        double g_us;
        int64_t fanout;
        double cost_us;
    } rows[] = {
        /* 98 + 49.3 + 0.783 * 17 + 0.157 * 289 */
        {"tan", TAN_METHOD_PAPER, 0, 16, 205.984},
        /* 98 + 49.3 + 0.783 * 2 + 0.157 * 4, the chain's level in the published recursion */
        {"tan", TAN_METHOD_PAPER, 0, 1, 149.494},
        /* 98 + 49.3 + 0.783 * 129 + 0.157 * 16641, and g */
        {"tan", TAN_METHOD_PAPER, 7, 128, 2867.944},
        /* 98 + 98.6 + 0.783 * 15 + 0.157 * 255 */
        {"tan", TAN_METHOD_JOINT, 0, 16, 248.38},
        /* 98 + 98.6: the chain's level as measured */
        {"tan", TAN_METHOD_JOINT, 0, 1, 196.6},
        {"tan", TAN_METHOD_JOINT, 7, 1, 203.6},
        {"logp", TAN_METHOD_PAPER, 7, 1, 196.6},
        {"logp", TAN_METHOD_JOINT, 7, 128, 196.6},
        {"logp-recursion", TAN_METHOD_PAPER, 7, 128, 154.3},
        /* 98 + 98.6 + 15 * 49.3 */
        {"logp-serial", TAN_METHOD_PAPER, 7, 16, 936.1},
        /* 98 + 98.6 + 15 * 60: the gap rules */
        {"logp-serial", TAN_METHOD_PAPER, 60, 16, 1096.6},
        {"logp-serial", TAN_METHOD_PAPER, 60, 1, 196.6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_model *model = tan_model_find(rows[i].model, &e);
        assert_no_error(e);
        const struct tan_params params = cab(rows[i].method, rows[i].g_us * 1e-6, 0);
        assert_close(model->level(&params, rows[i].fanout), rows[i].cost_us * 1e-6, exact);
    }
    assert_string_equal(tan_models[0].name, "tan");
    assert_string_equal(tan_models[1].name, "logp");
    assert_null(tan_model_find("loggp", &e));
    assert_error(e, TAN_USAGE, "tan, logp, logp-recursion, logp-serial");
}

/* T of a node by the definition, from the root down. */
static double recursion(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_tree *tree, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(tree, node);
    if (fanout == 0) {
        return params->value[TAN_C0];
    }
    double latest = 0;
    for (int32_t i = 0; i < fanout; i++) {
        const int32_t child = tan_tree_children(tree, node)[i];
        latest = fmax(latest, recursion(model, params, tree, child));
    }
    return model->level(params, fanout) + latest;
}

static void waves_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *model;
        enum tan_method method;
        double C_us, wave_us, period_us;
        int levels;
    } rows[] = {
        {"levels:16x16x16", "tan", TAN_METHOD_PAPER, 0, 617.952, 205.984, 3},
        {"nto1:128", "tan", TAN_METHOD_PAPER, 5, 2865.944, 2860.944, 1},
        {"chain:32", "tan", TAN_METHOD_JOINT, 5, 32 * 196.6 + 5, 196.6, 32},
        {"chain:32", "logp", TAN_METHOD_PAPER, 0, 32 * 196.6, 196.6, 32},
        /* the root has 6 children with 6 or 5 leaves: twice level(6) = 147.3 + 5.481 + 7.693 */
        {"twolevel:32", "tan", TAN_METHOD_PAPER, 0, 320.948, 160.474, 2},
        /* nodes of the longest branch have 6, 5, 4, 3, 2, 1 children:
           6 * 147.3 + 0.783 * (7+6+5+4+3+2) + 0.157 * (49+36+25+16+9+4) */
        {"binomial:32", "tan", TAN_METHOD_PAPER, 0, 926.764, 160.474, 6},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        const struct tan_model *model = tan_model_find(rows[i].model, &e);
        assert_no_error(e);
        const struct tan_params params = cab(rows[i].method, 0, rows[i].C_us * 1e-6);
        struct tan_prediction p;
        assert_int_equal(tan_predict(model, &params, tree, &p, &e), 0);
        print_message("%-16s %-5s %s: %.3f us\n", rows[i].spec, rows[i].model,
                      tan_method_name(rows[i].method), p.wave * 1e6);
        assert_close(p.wave, rows[i].wave_us * 1e-6, exact * 100);
        assert_close(p.period, rows[i].period_us * 1e-6, exact);
        assert_int_equal(p.levels, rows[i].levels);
        assert_close(tan_wave_time(model, &params, tree), p.wave, 0);
        tan_prediction_clear(&p);
        tan_tree_destroy(tree);
    }
}

/* On trees of every kind: the time is the recursion's, and the levels are a path from the root to a
 * leaf whose costs and C sum up to it. */
static void paths_explain_the_time(void **state)
{
    (void)state;
    static const char *const specs[] = {"random:200:1", "random:200:2", "random:37:3",
                                        "binary:33",    "knomial:3:40", "kary:5:77",
                                        "nto1:1",       "chain:7",      "levels:2x3x4"};
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct tan_tree *tree = tan_spec_build(specs[i], &e);
        assert_no_error(e);
        for (const struct tan_model *m = tan_models; m->name != NULL; m++) {
            for (int method = 0; method < 2; method++) {
                const struct tan_params params = cab((enum tan_method)method, 3e-6, 11e-6);
                struct tan_prediction p;
                assert_int_equal(tan_predict(m, &params, tree, &p, &e), 0);
                assert_close(p.wave, recursion(m, &params, tree, 0), 1e-12);
                double sum = params.value[TAN_C0];
                double dearest = 0;
                for (int32_t k = 0; k < p.levels; k++) {
                    const struct tan_level *level = &p.level[k];
                    const int32_t above = k == 0 ? -1 : p.level[k - 1].node;
                    assert_int_equal(tan_tree_parent(tree, level->node), above);
                    assert_int_equal(tan_tree_fanout(tree, level->node), level->fanout);
                    assert_close(level->cost, level->latency + level->overhead + level->gap, exact);
                    assert_close(level->gap, m->gap ? 3e-6 : 0, 0);
                    assert_true(level->overhead > 0);
                    sum += level->cost;
                }
                assert_close(sum, p.wave, 1e-12);
                for (int32_t node = 0; node < tan_tree_size(tree); node++) {
                    const int32_t fanout = tan_tree_fanout(tree, node);
                    dearest = fanout > 0 ? fmax(dearest, m->level(&params, fanout)) : dearest;
                }
                assert_close(p.period, dearest, 0);
                tan_prediction_clear(&p);
            }
        }
        tan_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_by_hand),
        cmocka_unit_test(waves_by_hand),
        cmocka_unit_test(paths_explain_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
