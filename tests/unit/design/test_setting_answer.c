/* test_setting_answer.c - whether an answer keeps the default
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/setting_answer.h"

#include <math.h>
#include <stdlib.h>

#include "design/systems/setting.h"
#include "model/machine/given.h"
#include "tests/unit/check.h"

#define US 1e-6

/* The default stays unless it takes longer, by the best setting, than two predictions may differ
 * that are each wrong by the model's error: (1 + e) / (1 - e) times as long. */
TEST(default_is_kept)
{
    static const double errors[] = {0.0, 0.001, 0.01, 0.05, 0.2, 0.5};
    static const char *const targets[] = {"slurm", "flux", "prrte", "openmpi", "ucc"};
    const struct tan_params params = {.method = TAN_METHOD_PAPER,
                                      .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US}};
    int kept = 0;
    int set = 0;
    for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        for (int64_t members = 3; members < 1200; members = members * 2 + 1) {
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_target_problem problem = {.target = tan_target_find(targets[t], &e),
                                                 .members = members,
                                                 .model = &tan_models[TAN_MODEL_TAN],
                                                 .up = &params,
                                                 .down = &params};
            struct tan_target_way best[2];
            const int n = tan_target_choose(&problem, best, &e);
            for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
                struct tan_target_answer answer;
                problem.error = errors[i];
                assert_int_equal(tan_target_answer(&problem,
                                                   &(struct tan_target_wish){.setting = NULL},
                                                   &answer, &e),
                                 0);
                for (int w = 0; w < n; w++) {
                    const struct tan_priced *first = &best[w].priced[0];
                    const struct tan_priced *other = &best[w].by_default;
                    const double ratio = (1 + errors[i]) / (1 - errors[i]);
                    const bool keeps = other->setting.knob != NULL &&
                                       other->cost.wave <= first->cost.wave * ratio * (1 + 1e-9);
                    at_row("%s, %lld members, error %g", targets[t], (long long)members, errors[i]);
                    assert_true(tan_setting_same(&answer.way[w].priced[0].setting,
                                                 keeps ? &other->setting : &first->setting));
                    const bool instead =
                        keeps && !tan_setting_same(&other->setting, &first->setting);
                    assert_int_equal(answer.instead[w].setting.knob != NULL, instead);
                    kept += instead;
                    set += !keeps;
                }
                tan_target_answer_clear(&answer);
            }
        }
    }
    assert_true(kept > 20 && set > 20);
}

/* Broadcasts over links that children share or not: what is set gains by both prices, and where the
 * default is kept no value of any setting does. */
TEST(gains_by_both_prices)
{
    static const char *const targets[] = {"openmpi", "openmpi-rules", "ucc", "mpich"};
    static const int64_t members[] = {8, 16, 30, 60, 100, 200};
    const struct tan_network network = {1e9, 0, 4000};
    struct tan_params params = {.method = TAN_METHOD_JOINT};
    int kept = 0;
    int set = 0;
    tan_network_apply(&network, &params);
    for (size_t i = 0; i < 4 * sizeof members / sizeof *members; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_target_answer answer;
        const struct tan_target_problem p = {.target = tan_target_find(targets[i % 4], &e),
                                             .members = members[i / 4],
                                             .model = &tan_models[TAN_MODEL_TAN],
                                             .up = &params,
                                             .down = &params,
                                             .ways = TAN_DOWN,
                                             .error = NAN,
                                             .network = true};
        at_row("%s, %lld ranks", targets[i % 4], (long long)p.members);
        assert_int_equal(
            tan_target_answer(&p, &(struct tan_target_wish){.setting = NULL}, &answer, &e), 0);
        const struct tan_priced *first = &answer.way[0].priced[0];
        const struct tan_priced *other = &answer.way[0].by_default;
        if (other->setting.knob != NULL && !tan_setting_same(&first->setting, &other->setting)) {
            assert_true(first->cost.wave < other->cost.wave);
            assert_true(first->cost.in_turn < other->cost.in_turn);
            set++;
        }
        for (const struct tan_knob *k = p.target->knobs; k->name != NULL; k++) {
            const bool decides = k->split != NULL && other->setting.knob != NULL &&
                                 k->directions == other->setting.knob->directions;
            /* beyond 30 not all values are tried */
            for (int64_t v = k->least; v <= tan_setting_widest(k, p.members) && v <= 30; v++) {
                struct tan_shape_cost cost;
                const struct tan_setting setting = {k, v};
                if (!decides || answer.instead[0].setting.knob == NULL) {
                    continue;
                }
                assert_int_equal(tan_target_cost(&p, &setting, TAN_DOWN, &cost, &e), 0);
                assert_false(cost.wave < other->cost.wave * (1 - 1e-6) &&
                             cost.in_turn < other->cost.in_turn * (1 - 1e-6));
            }
        }
        kept += answer.instead[0].setting.knob != NULL;
        tan_target_answer_clear(&answer);
    }
    assert_true(kept >= 3 && set >= 3);
}

/* Messages whose bytes take 4 us, of processes that need 5 us for each, meet on no link; from 5 us
 * of bytes on they do. */
TEST(processors_slower_than_links)
{
    const struct tan_network network = {1e9, 0, 4000};
    const struct tan_network slower = {1e9, 0, 6000};
    struct tan_params params = {.method = TAN_METHOD_JOINT, .value[TAN_A] = 5e-6};
    struct tan_params limited = params;
    struct tan_error e = TAN_ERROR_INIT;
    tan_network_apply(&network, &params);
    tan_network_apply(&slower, &limited);
    for (int64_t radix = 2; radix < 20; radix++) {
        struct tan_shape_cost cost;
        struct tan_shape_cost alone;
        struct tan_target_problem p = {.target = tan_target_find("openmpi", &e),
                                       .members = 60,
                                       .model = &tan_models[TAN_MODEL_TAN],
                                       .up = &params,
                                       .down = &params,
                                       .ways = TAN_DOWN};
        const struct tan_knob *knob = p.target->knobs;
        while (strcmp(knob->name, "bcast=knomial:") != 0) {
            knob++;
        }
        const struct tan_setting setting = {knob, radix};
        assert_int_equal(tan_target_cost(&p, &setting, TAN_DOWN, &alone, &e), 0);
        p.network = true;
        assert_int_equal(tan_target_cost(&p, &setting, TAN_DOWN, &cost, &e), 0);
        assert_close(cost.wave, alone.wave, 1e-12);
        assert_close(cost.in_turn, alone.wave, 1e-12);
        p.up = p.down = &limited;
        assert_int_equal(tan_target_cost(&p, &setting, TAN_DOWN, &cost, &e), 0);
        assert_true(cost.in_turn < cost.wave);
    }
}

/* One way, whoever has the message sends it on until all have it: each process as often as it can,
 * and none waits [Karp, Sahay, Santos, Schauser, Optimal broadcast and summation, 1993]. */
static double broadcast(const struct tan_params *params, int64_t n)
{
    const double *v = params->value;
    double *sent = calloc((size_t)n, sizeof *sent); /* when a process can send next */
    double last = 0.0;
    assert_non_null(sent);
    for (int64_t known = 1; known < n; known++) {
        int64_t first = 0;
        for (int64_t i = 1; i < known; i++) {
            first = sent[i] < sent[first] ? i : first;
        }
        last = fmax(last, sent[known] = sent[first] + v[TAN_A] + v[TAN_L] + v[TAN_B]);
        sent[first] += fmax(v[TAN_A], v[TAN_G]);
    }
    free(sent);
    return last;
}

/* Flux takes any tree: that of the fastest broadcast, unless the default is no slower than the
 * model may err. */
TEST(any_tree_one_way)
{
    static const struct tan_params machines[] = {
        {.method = TAN_METHOD_OVERLAP, .value = {2 * US, 1.8 * US, 1.5 * US, 0, 0, 0}},
        {.method = TAN_METHOD_OVERLAP, .value = {20 * US, 1 * US, 3 * US, 0, 2 * US, 0}},
        {.method = TAN_METHOD_OVERLAP, .value = {1 * US, 5 * US, 4 * US, 0, 0, 0}},
    };
    static const int64_t sizes[] = {5, 60, 512, 1000};
    int kept = 0;
    for (int i = 0; i < 3 * 4 * 2; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_target_answer answer;
        const struct tan_params *params = &machines[i % 3];
        const struct tan_target_problem problem = {.target = tan_target_find("flux", &e),
                                                   .members = sizes[i / 3 % 4],
                                                   .model = &tan_models[TAN_MODEL_OVERLAP],
                                                   .up = params,
                                                   .down = params,
                                                   .error = i < 12 ? 0.0 : 0.7};
        const double best = broadcast(params, problem.members);
        at_row("%lld members, machine %d", (long long)problem.members, i % 3);
        assert_int_equal(
            tan_target_answer(&problem, &(struct tan_target_wish){.setting = NULL}, &answer, &e),
            0);
        const struct tan_priced *priced = &answer.way[0].priced[0];
        assert_int_equal(tan_tree_size(answer.tree[0]), problem.members);
        assert_int_equal(tan_tree_max_fanout(answer.tree[0]), priced->cost.max_fanout);
        if (answer.instead[0].setting.knob == NULL) {
            assert_true(priced->cost.wave >= best * (1 - 1e-9));
            assert_true(priced->cost.wave <= best * 1.004);
        } else {
            assert_string_equal(priced->setting.knob->name, "kary:");
            assert_int_equal(priced->setting.value, 32);
            kept++;
        }
        tan_target_answer_clear(&answer);
    }
    assert_in_range(kept, 6, 18);
}

RUN_TESTS(NULL, NULL)
