/* test_setting_answer.c - whether an answer keeps the default
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/setting_answer.h"

#include <math.h>

#include "design/systems/setting.h"
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
        for (int64_t members = 3; members < 5000; members = members * 2 + 1) {
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_target_problem problem = {.target = tan_target_find(targets[t], &e),
                                                 .members = members,
                                                 .model = &tan_models[TAN_MODEL_TAN],
                                                 .up = &params,
                                                 .down = &params};
            struct tan_target_way best[2];
            const int n = tan_target_choose(&problem, false, best, &e);
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

RUN_TESTS(NULL, NULL)
