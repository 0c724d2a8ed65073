/* test_wave.c - level costs worked out by hand, and the recursion against an independent one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

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

TEST(levels_by_hand)
{
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
        /* 98 + 49.3 + 7 */
        {"logp", TAN_METHOD_PAPER, 7, 1, 154.3},
        {"logp", TAN_METHOD_PAPER, 7, 128, 154.3},
        /* 98 + 2 * 49.3 + 7 */
        {"logp", TAN_METHOD_JOINT, 7, 1, 203.6},
        {"logp", TAN_METHOD_JOINT, 7, 128, 203.6},
        /* 98 + 98.6 + 15 * 49.3 */
        {"logp-serial", TAN_METHOD_PAPER, 7, 16, 936.1},
        /* 98 + 98.6 + 15 * 60: the gap rules */
        {"logp-serial", TAN_METHOD_PAPER, 60, 16, 1096.6},
        {"logp-serial", TAN_METHOD_PAPER, 60, 1, 196.6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        const struct tan_model *model = tan_model_find(rows[i].model, &e);
        assert_no_error(e);
        const struct tan_params params = cab(rows[i].method, rows[i].g_us * 1e-6, 0);
        assert_close(model->level(&params, rows[i].fanout), rows[i].cost_us * 1e-6, exact);
    }
    assert_string_equal(tan_models[TAN_MODEL_TAN].name, "tan");
    assert_string_equal(tan_models[TAN_MODEL_LOGP].name, "logp");
    assert_null(tan_model_find("loggp", &e));
    assert_error(e, TAN_USAGE, "tan, logp");
}

/* The trees of the paper's Figures 7 and 8 with the parameters of its Table I, by its method. LogP
 * is below TAN, least so on the binary trees and most on N-to-1. By TAN a level costs 98 + 49.3 +
 * 0.783 (x + 1) + 0.157 (x + 1)^2: 160.474 us at fanout 6, 151.062 at 2, 179.304 at 11, 184.012 at
 * 12; by LogP 147.3. */
TEST(the_papers_figures)
{
    static const struct {
        const char *tree;
        double tan_us, logp_us;
    } rows[] = {
        {"twolevel:32", 2 * 160.474, 2 * 147.3},        {"binomial:32", 926.764, 6 * 147.3},
        {"binary:32", 5 * 151.062, 5 * 147.3},          {"nto1:32", 344.112, 147.3},
        {"twolevel:128", 179.304 + 184.012, 2 * 147.3}, {"binomial:128", 1257.44, 8 * 147.3},
        {"binary:128", 7 * 151.062, 7 * 147.3},         {"nto1:128", 2860.944, 147.3},
    };
    const struct tan_params params = cab(TAN_METHOD_PAPER, 0, 0);
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        struct tan_tree *tree = tan_spec_build(rows[i].tree, &e);
        assert_no_error(e);
        assert_close(tan_wave_time(&tan_models[TAN_MODEL_TAN], &params, tree),
                     rows[i].tan_us * 1e-6, 1e-12);
        assert_close(tan_wave_time(&tan_models[TAN_MODEL_LOGP], &params, tree),
                     rows[i].logp_us * 1e-6, 1e-12);
        tan_tree_destroy(tree);
    }
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

TEST(waves_by_hand)
{
    static const struct {
        const char *spec, *model;
        enum tan_method method;
        double C_us, wave_us, period_us;
        int levels;
    } rows[] = {
        {"levels:16x16x16", "tan", TAN_METHOD_PAPER, 0, 617.952, 205.984, 3},
        {"nto1:128", "tan", TAN_METHOD_PAPER, 5, 2865.944, 2860.944, 1},
        {"chain:32", "tan", TAN_METHOD_JOINT, 5, 32 * 196.6 + 5, 196.6, 32},
        {"chain:32", "logp", TAN_METHOD_PAPER, 0, 32 * 147.3, 147.3, 32},
        /* the root has 6 children with 6 or 5 leaves: twice level(6) = 147.3 + 5.481 + 7.693 */
        {"twolevel:32", "tan", TAN_METHOD_PAPER, 0, 320.948, 160.474, 2},
        /* nodes of the longest branch have 6, 5, 4, 3, 2, 1 children:
           6 * 147.3 + 0.783 * (7+6+5+4+3+2) + 0.157 * (49+36+25+16+9+4) */
        {"binomial:32", "tan", TAN_METHOD_PAPER, 0, 926.764, 160.474, 6},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
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
TEST(paths_explain_the_time)
{
    static const char *const specs[] = {"random:200:1", "random:200:2", "random:37:3",
                                        "binary:33",    "knomial:3:40", "kary:5:77",
                                        "nto1:1",       "chain:7",      "levels:2x3x4"};
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        at_row("specs[%zu]", i);
        struct tan_tree *tree = tan_spec_build(specs[i], &e);
        assert_no_error(e);
        for (const struct tan_model *m = tan_models; m->name != NULL && m->node == NULL; m++) {
            for (int method = 0; method < 2; method++) {
                const struct tan_params params = cab((enum tan_method)method, 3e-6, 11e-6);
                struct tan_prediction p;
                assert_int_equal(tan_predict(m, &params, tree, &p, &e), 0);
                assert_close(p.wave, recursion(m, &params, tree, 0), 1e-12);
                double sum = params.value[TAN_C0];
                double dearest = 0;
                for (int32_t k = 0; k < p.levels; k++) {
                    const struct tan_level *level = &p.level[k];
                    const int32_t above = k == 0 ? 0 : p.level[k - 1].child;
                    assert_int_equal(tan_tree_parent(tree, level->child), above);
                    assert_int_equal(tan_tree_fanout(tree, above), level->fanout);
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

/* Two hosts: L, a, b differ, c, g and C are shared. */
static struct tan_params tier(double L, double a, double b)
{
    return (struct tan_params){.method = TAN_METHOD_JOINT,
                               .value = {L * 1e-6, a * 1e-6, b * 1e-6, 0.5e-6, 0, 3e-6}};
}

/* 2 hosts with 2 processes each. */
TEST(two_tiers_by_hand)
{
    static const int32_t block[] = {0, 0, 1, 1};
    static const int32_t cyclic[] = {0, 1, 0, 1};
    static const int32_t apart[] = {0, 0, 1, 0, 1};
    static const int32_t late[] = {0, 0, 1, 1, 1};
    static const struct {
        const char *spec;
        const int32_t *host;
        double wave_us, period_us;
    } rows[] = {
        /* 10 + 2*5, 200 + 2*20, 10 + 2*5, and C */
        {"chain:3", block, 20 + 240 + 20 + 3, 240},
        {"chain:3", cyclic, 3 * 240 + 3, 240},
        /* the last is remote: 240, and of the others one local and one remote, 1 + 4 + 2 c (3+1) */
        {"nto1:3", block, 240 + 1 + 4 + 2 * 0.5 * 4 + 3, 249},
        {"nto1:3", cyclic, 240 + 1 + 4 + 2 * 0.5 * 4 + 3, 249},
        /* the root shares its host with one subtree, the other is on the other host:
           240 + 1 + c 3 over its link, then 20 */
        {"parents:-1,0,0,1,2", apart, 242.5 + 20 + 3, 242.5},
        /* the near child's remote leaf is last: 20 + 4 + c 3, then 240 */
        {"parents:-1,0,0,1,2", late, 25.5 + 240 + 3, 242.5},
    };
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params near = tier(10, 5, 1);
    const struct tan_params far = tier(200, 20, 4);
    const struct tan_tiers tiers = {.n = 2, .params = {&near, &far}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        at_row("rows[%zu]", i);
        static const int32_t pairs[] = {-1, 0, 0, 1, 2};
        struct tan_tree *tree = strncmp(rows[i].spec, "parents", 7) != 0
                                    ? tan_spec_build(rows[i].spec, &e)
                                    : tan_tree_create(pairs, 5, NULL, &e);
        const struct tan_sites sites = {.at = {rows[i].host}};
        struct tan_prediction p;
        assert_no_error(e);
        assert_int_equal(tan_predict_at(&tan_models[TAN_MODEL_TAN], &tiers, &sites, tree, &p, &e),
                         0);
        print_message("%-20s %.3f us\n", rows[i].spec, p.wave * 1e6);
        assert_close(p.wave, rows[i].wave_us * 1e-6, exact * 100);
        assert_close(p.period, rows[i].period_us * 1e-6, exact);
        tan_prediction_clear(&p);
        tan_tree_destroy(tree);
    }
}

/* The definition of joint, from the root down, over racks (2 hosts each), hosts and the rest. */
static double naive(const struct tan_tiers *tiers, const int32_t *host, const int32_t *parents,
                    int32_t n, int32_t node)
{
    double latest = -1;
    int32_t x = 0;
    for (int32_t k = node + 1; k < n; k++) {
        x += parents[k] == node;
    }
    for (int32_t k = node + 1; k < n; k++) {
        if (parents[k] != node) {
            continue;
        }
        double cost = 0;
        for (int32_t j = node + 1; j < n; j++) {
            const int t = host[j] == host[node] ? 0 : host[j] / 2 == host[node] / 2 ? 1 : 2;
            const double *v = tiers->params[t]->value;
            if (j == k) {
                cost += v[TAN_L] + 2 * v[TAN_A] + v[TAN_G];
            } else if (parents[j] == node) {
                cost += v[TAN_B] + v[TAN_C2] * (x + 1);
            }
        }
        latest = fmax(latest, cost + naive(tiers, host, parents, n, k));
    }
    return x == 0 ? tiers->params[2]->value[TAN_C0] : latest;
}

/* Every tree of up to five processes with every placement on four hosts in two racks. */
TEST(every_small_placement)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params near = tier(10, 5, 1);
    const struct tan_params middle = tier(70, 3, 9);
    const struct tan_params far = tier(200, 20, 4);
    const struct tan_tiers tiers = {.n = 3, .params = {&near, &middle, &far}};
    int64_t placements = 0;
    for (int32_t n = 2; n <= 5; n++) {
        int32_t parents[5] = {-1};
        int32_t trees = 1;
        for (int32_t i = 2; i < n; i++) {
            trees *= i;
        }
        for (int32_t number = 0; number < trees; number++) {
            for (int32_t i = 1, rest = number; i < n; rest /= i, i++) {
                parents[i] = rest % i;
            }
            struct tan_tree *tree = tan_tree_create(parents, n, NULL, &e);
            assert_no_error(e);
            for (int32_t place = 0; place < 1 << 2 * n; place++) {
                int32_t host[5];
                int32_t rack[5];
                for (int32_t i = 0; i < n; i++) {
                    host[i] = place >> 2 * i & 3;
                    rack[i] = host[i] / 2;
                }
                const struct tan_sites sites = {.at = {host, rack}};
                assert_close(tan_wave_time_at(&tan_models[TAN_MODEL_TAN], &tiers, &sites, tree),
                             naive(&tiers, host, parents, n, 0), 1e-15);
                placements++;
            }
            tan_tree_destroy(tree);
        }
    }
    assert_int_equal(placements, 16 + 2 * 64 + 6 * 256 + 24 * 1024);
}

/* L = 10, o_s = 2, o_r = 1: of five children the last has its request after 5 * 2 + 10 us and has
 * it received at 21; one way up, all answers are there at 12 and are taken until 17. A wave down
 * begins every 1 + 5 * 2 us, one up every 5 * 1 + 2. Each of a chain's hops takes 13. */
TEST(overlap_one_way)
{
    static const struct {
        int one_way;
        const char *spec;
        double wave, period; /* us */
    } rows[] = {{TAN_DOWN, "nto1:5", 21, 11},
                {TAN_UP, "nto1:5", 17, 7},
                {TAN_DOWN, "chain:3", 39, 3},
                {TAN_UP, "chain:3", 39, 3}};
    const struct tan_model *model = &tan_models[TAN_MODEL_OVERLAP];
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tan_params params = {.method = TAN_METHOD_OVERLAP,
                                          .value = {10e-6, 2e-6, 1e-6, 0, 0, 0},
                                          .one_way = rows[i].one_way};
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        struct tan_prediction p;
        at_row("%s", rows[i].spec);
        assert_int_equal(tan_predict(model, &params, tree, &p, &e), 0);
        assert_close(p.wave, rows[i].wave * 1e-6, 1e-15);
        assert_close(tan_wave_time(model, &params, tree), p.wave, 0);
        assert_close(p.period, rows[i].period * 1e-6, 1e-15);
        double sum = 0;
        for (int32_t level = 0; level < p.levels; level++) {
            sum += p.level[level].cost;
        }
        assert_close(sum, p.wave, 1e-15);
        tan_prediction_clear(&p);
        tan_tree_destroy(tree);
    }
}

/* The path follows the answer that a node receives last. L = 10, o_s = 2, o_r = 1, and between
 * hosts L = 500: a leaf has the k-th request at 10 + 2 k, and its answer arrives 1 + 2 + 10 us
 * later. */
TEST(overlap_paths)
{
    static const struct {
        int32_t parents[8], size;
        int32_t host[8];
        int32_t path[2], levels;
    } rows[] = {
        /* all alike, but node 1 has a child */
        {{-1, 0, 0, 1}, 4, {0}, {1, 3}, 2},
        {{-1, 0, 0}, 3, {0}, {2}, 1},
        /* leaf 2 is far away */
        {{-1, 0, 0, 1}, 4, {0, 0, 1, 0}, {2}, 1},
        {{-1, 0, 0}, 3, {0, 1, 0}, {1}, 1},
    };
    static const struct tan_params near = {.method = TAN_METHOD_OVERLAP,
                                           .value = {10e-6, 2e-6, 1e-6, 0, 0, 0}};
    static const struct tan_params far = {.method = TAN_METHOD_OVERLAP,
                                          .value = {500e-6, 2e-6, 1e-6, 0, 0, 0}};
    const struct tan_tiers tiers = {.n = 2, .params = {&near, &far}};
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_tree *tree = tan_tree_create(rows[i].parents, rows[i].size, NULL, &e);
        struct tan_prediction p;
        const struct tan_sites sites = {.at = {rows[i].host}};
        at_row("%zu", i);
        assert_no_error(e);
        assert_int_equal(
            tan_predict_at(&tan_models[TAN_MODEL_OVERLAP], &tiers, &sites, tree, &p, &e), 0);
        assert_int_equal(p.levels, rows[i].levels);
        double sum = 0;
        for (int32_t k = 0; k < p.levels; k++) {
            assert_int_equal(p.level[k].child, rows[i].path[k]);
            sum += p.level[k].cost;
        }
        assert_close(sum, p.wave, 1e-15);
        tan_prediction_clear(&p);
        tan_tree_destroy(tree);
    }
}

/* L = 2, a = b = 1, and a filter of 6 us for each child's message: a level of fanout x takes
 * 4 + x - 1 us down, and 6 x more up. Half a round trip is the mean, and waves follow each other at
 * the pace of the way up. */
TEST(work_by_hand)
{
    static const struct {
        const char *spec;
        int one_way;
        double wave, period; /* us */
    } rows[] = {{"nto1:4", 0, 7 + 12, 7 + 24},
                {"nto1:4", TAN_UP, 7 + 24, 7 + 24},
                {"nto1:4", TAN_DOWN, 7, 7},
                {"levels:2x2", 0, 2 * (5 + 6), 5 + 12},
                {"levels:2x2", TAN_UP, 2 * (5 + 12), 5 + 12}};
    const struct tan_model *model = &tan_models[TAN_MODEL_TAN];
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tan_params params = {.method = TAN_METHOD_JOINT,
                                          .value = {2e-6, 1e-6, 1e-6, 0, 0, 0},
                                          .work = 6e-6,
                                          .one_way = rows[i].one_way};
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        struct tan_prediction p;
        at_row("%s, direction %d", rows[i].spec, rows[i].one_way);
        assert_int_equal(tan_predict(model, &params, tree, &p, &e), 0);
        assert_close(p.wave, rows[i].wave * 1e-6, 1e-15);
        assert_close(p.period, rows[i].period * 1e-6, 1e-15);
        const int64_t x = tan_tree_fanout(tree, 0);
        assert_close(tan_level_period(model, &params, x, 1, x - 1), p.period, 1e-15);
        tan_prediction_clear(&p);
        tan_tree_destroy(tree);
    }
}

/* With all links of one tier it is the recursion of that tier, to the last bit: on one host, and on
 * a host for each process. */
TEST(one_tier_is_tan)
{
    static const char *const specs[] = {"random:200:1", "binomial:33", "levels:5x7x9", "nto1:57"};
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_params near = cab(TAN_METHOD_PAPER, 2e-6, 5e-6);
    const struct tan_params far = cab(TAN_METHOD_PAPER, 3e-6, 5e-6);
    const struct tan_tiers tiers = {.n = 2, .params = {&near, &far}};
    const int32_t *here = calloc(1000, sizeof *here);
    const struct tan_sites together = {.at = {here}};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        at_row("specs[%zu]", i);
        struct tan_tree *tree = tan_spec_build(specs[i], &e);
        assert_no_error(e);
        for (const struct tan_model *m = tan_models; m->name != NULL; m++) {
            assert_close(tan_wave_time_at(m, &tiers, NULL, tree), tan_wave_time(m, &far, tree), 0);
            assert_close(tan_wave_time_at(m, &tiers, &together, tree),
                         tan_wave_time(m, &near, tree), 0);
        }
        tan_tree_destroy(tree);
    }
    free((void *)here);
}

RUN_TESTS(NULL, NULL)
