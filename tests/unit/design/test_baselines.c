/* test_baselines.c - rules of thumb: plans match the trees built by topo/
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "design/systems/setting.h"
#include "topo/spec.h"

#define US 1e-6

static const struct tan_params cab = {.method = TAN_METHOD_PAPER,
                                      .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}};
/* L, o_s, o_r, c, g, C of waves whose requests and answers overlap; with the second, answers are
 * taken between requests */
static const struct tan_params overlapping[] = {
    {.method = TAN_METHOD_OVERLAP,
     .value = {2 * US, 1.8 * US, 1.5 * US, 0.01 * US, 0.2 * US, 0.3 * US}},
    {.method = TAN_METHOD_OVERLAP, .value = {1 * US, 0.5 * US, 0.8 * US, 0, 1.1 * US, 0}},
};

/* Compare one rule's plan with the real tree, node by node built and priced by the recursion. */
static void compare(const struct tan_thumb *rule, int64_t leaves)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plan plan;
    tan_thumb_tree(rule, leaves, &plan);
    struct tan_tree *tree = tan_spec_build(tan_plan_spec(&plan).text, &e);
    assert_no_error(e);
    assert_int_equal(tan_tree_leaves(tree), leaves);
    assert_int_equal(plan.leaves, leaves);
    assert_int_equal(tan_tree_size(tree), plan.processes);
    assert_int_equal(plan.internal + leaves + 1, plan.processes);
    assert_int_equal(tan_tree_height(tree), plan.height);
    assert_int_equal(tan_tree_max_fanout(tree), plan.max_fanout);
    for (int m = 0; tan_models[m].name != NULL; m++) {
        struct tan_prediction prediction;
        if (tan_models[m].node != NULL) {
            continue; /* of other parameters: below */
        }
        tan_plan_price(&plan, &tan_models[m], &cab);
        tan_predict(&tan_models[m], &cab, tree, &prediction, &e);
        assert_no_error(e);
        assert_close(plan.wave, prediction.wave, 1e-9 * prediction.wave);
        assert_close(plan.period, prediction.period, 1e-9 * prediction.period);
        tan_prediction_clear(&prediction);
    }
    const struct tan_model *overlap = &tan_models[TAN_MODEL_OVERLAP];
    for (size_t i = 0; i < sizeof overlapping / sizeof overlapping[0]; i++) {
        const double wave = tan_wave_time(overlap, &overlapping[i], tree);
        tan_plan_price(&plan, overlap, &overlapping[i]);
        assert_close(plan.wave, wave, 1e-9 * wave);
    }
    assert_true(plan.rule == TAN_RULE_BINOMIAL || plan.rule == TAN_RULE_BINARY ||
                plan.height == 1 || plan.below[0] == tan_tree_max_below(tree));
    tan_tree_destroy(tree);
}

TEST(plans_are_the_trees)
{
    int checked = 0;
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = tan_thumbs(thumbs);
    for (const struct tan_thumb *rule = thumbs; rule < thumbs + n; rule++) {
        for (int64_t leaves = 1; leaves <= 300; leaves++, checked++) {
            compare(rule, leaves);
        }
        for (int64_t leaves = 301; leaves <= 200000; leaves = leaves * 3 + 1, checked++) {
            compare(rule, leaves);
        }
    }
    print_message("%d trees\n", checked);
}

struct known {
    const char *name;
    int64_t leaves;
    const char *spec, *fanouts;
    int64_t internal;
};

/* Worked out by hand. */
TEST(known_plans)
{
    static const struct known rows[] = {
        {"Slurm, TreeWidth 16", 4096, "kary:16:4096", "16x16x16", 272},
        {"Slurm, TreeWidth 50", 4096, "kary:50:4096", "2x41x50", 2 + 82},
        {"Slurm, TreeWidth 16", 5000, "kary:16:5000", "2x10x16x16", 2 + 20 + 313},
        {"Slurm, cube root", 1000, "kary:10:1000", "10x10x10", 110},
        {"Slurm, cube root", 1001, "kary:11:1001", "9x11x11", 9 + 91},
        {"STAT, fanout 64", 64, "levels:64", "64", 0},
        {"STAT, fanout 64", 65, "levels:9x8:65", "9x8", 9},
        {"STAT, fanout 64", 4096, "levels:64x64", "64x64", 64},
        {"STAT, fanout 64", 4097, "levels:17x17x15:4097", "17x17x15", 17 + 289},
        {"STAT, square root", 1000000, "levels:1000x1000", "1000x1000", 1000},
        {"PRRTE, radix 64", 4096, "kary:64:4096", "64x64", 64},
        {"Flux, kary:32", 1000, "kary:32:1000", "32x32", 32},
        {"flat", 1000000000000, "levels:1000000000000", "1000000000000", 0},
        {"binary", 5, "binary:5", "2x2x2", 3},
        {"binary", 1000000000, "binary:1000000000",
         "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", 999999998},
        {"binomial", 8, "binomial:8", "4x3x2x1", 7},
        {"binomial", 5, "binomial:5", "4x2x1", 4}, /* 0 has 1, 2, 4, 8; 4 has 5, 6; 6 has 7 */
    };
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = tan_thumbs(thumbs);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_thumb *rule = thumbs;
        while (rule < thumbs + n && strcmp(rule->name, rows[i].name) != 0) {
            rule++;
        }
        assert_true(rule < thumbs + n);
        struct tan_plan plan;
        tan_thumb_tree(rule, rows[i].leaves, &plan);
        assert_string_equal(tan_plan_spec(&plan).text, rows[i].spec);
        plan.rule = TAN_RULE_LEVELS;
        assert_string_equal(tan_plan_fanouts(&plan).text, rows[i].fanouts);
        assert_int_equal(plan.internal, rows[i].internal);
    }
}

RUN_TESTS(NULL, NULL)
