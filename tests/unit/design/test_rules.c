/* test_rules.c - rules for ranges against every member count and size of them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "design/systems/rules.h"
#include "design/systems/setting.h"
#include "model/machine/given.h"

enum { SIZES = TAN_RULES_TRIED };

/* Messages over links of a rate, one way. */
struct network {
    struct tan_rules_size size[SIZES];
    struct tan_params up[SIZES], down[SIZES];
};

static void price(double rate, int64_t bytes, struct tan_params *up, struct tan_params *down)
{
    struct tan_given given = TAN_GIVEN_NOTHING;
    given.value[TAN_L] = 2e-6;
    given.value[TAN_A] = 5e-7;
    *up = *down = (struct tan_params){.method = TAN_METHOD_JOINT};
    tan_given_network(&given, &(struct tan_network){rate, bytes, 0}, up);
    tan_given_network(&given, &(struct tan_network){rate, 0, bytes}, down);
}

static size_t price_all(struct network *n, double rate, const int64_t *bytes, size_t sizes)
{
    for (size_t i = 0; i < sizes; i++) {
        price(rate, bytes[i], &n->up[i], &n->down[i]);
        n->size[i] = (struct tan_rules_size){bytes[i], &n->up[i], &n->down[i]};
    }
    return sizes;
}

TEST(ends)
{
    const struct tan_target *openmpi = tan_target_find("openmpi-rules", NULL);
    int64_t out[TAN_RULES_ENDS];
    int64_t tried[TAN_RULES_TRIED];
    /* 16 to 100 ranks: its tables change at 32 and 64 */
    static const int64_t members[] = {16, 100};
    static const int64_t wanted[] = {16, 32, 64, 101};
    assert_int_equal(tan_rules_ends(openmpi, TAN_RULES_MEMBERS, members, 2, out), 4);
    assert_memory_equal(out, wanted, sizeof wanted);
    /* one value: the range of this value alone */
    assert_int_equal(tan_rules_ends(openmpi, TAN_RULES_MEMBERS, &wanted[2], 1, out), 2);
    assert_int_equal(out[0], 64);
    assert_int_equal(out[1], 65);
    assert_int_equal(tan_rules_grid(wanted, 4, tried), 9);
    static const int64_t points[] = {16, 22, 31, 32, 45, 63, 64, 80, 100};
    assert_memory_equal(tried, points, sizeof points);
    assert_int_equal(
        tan_rules_ends(openmpi, TAN_RULES_BYTES, (const int64_t[]){1000, 3000}, 2, out), 4);
    assert_int_equal(out[1], 1024);
    assert_int_equal(out[2], 2048);
}

TEST(margins)
{
    assert_close(tan_default_margin(0.1), 0.2 / 0.9, 1e-12); /* (1 + e) / (1 - e) - 1 */
    assert_true(isinf(tan_default_margin(1.0)));
    assert_true(isinf(tan_default_margin(1.5)));
    assert_true(tan_default_margin(NAN) == 0.01 && tan_default_margin(0.001) == 0.01);
}

/* The wave of a setting, and of the best and the default one, at a point that may not be tried. */
static void measure(const struct tan_target *t, const struct tan_rule *rule, int direction,
                    int64_t members, int64_t bytes, double rate, double *gain, double *regret)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_params up;
    struct tan_params down;
    struct tan_target_way way[2];
    price(rate, bytes, &up, &down);
    const struct tan_target_problem problem = {.target = t,
                                               .members = members,
                                               .model = &tan_models[TAN_MODEL_TAN],
                                               .up = &up,
                                               .down = &down,
                                               .ways = direction};
    assert_int_equal(tan_target_choose(&problem, way, &e), 1);
    const double best = way[0].priced[0].cost.wave;
    const bool known = way[0].by_default.setting.knob != NULL;
    double wave = known ? way[0].by_default.cost.wave : NAN;
    const double by_default = wave;
    if (rule->ruling == TAN_RULE_SETTING) {
        assert_int_equal(tan_target_evaluate(&problem, &rule->setting, &way[1], &e), 0);
        wave = way[1].priced[0].cost.wave;
    }
    *gain = by_default / wave - 1;
    *regret = wave / best - 1;
}

/* At the first, middle and last points of all ranges gain and regret are what the rules say. */
TEST(rules)
{
    static const int64_t members[] = {4, 40, 300};
    static const int64_t bytes[] = {8, 1000, 40000};
    static const double errors[] = {NAN, 0.0, 0.05, 0.4};
    static const double rates[] = {1e9, 1e7};
    const struct tan_target *t = tan_target_find("openmpi-rules", NULL);
    for (size_t i = 0; i < 4; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct network *network = calloc(1, sizeof *network);
        assert_non_null(network);
        const double error = errors[i];
        const double rate = rates[i % 2];
        int64_t member_ends[TAN_RULES_ENDS];
        int64_t byte_ends[TAN_RULES_ENDS];
        int64_t tried[SIZES];
        const size_t n = tan_rules_ends(t, TAN_RULES_MEMBERS, members, 3, member_ends);
        const size_t sizes = tan_rules_grid(
            byte_ends, tan_rules_ends(t, TAN_RULES_BYTES, bytes, 3, byte_ends), tried);
        const struct tan_rules_problem problem = {t,
                                                  &tan_models[TAN_MODEL_TAN],
                                                  false,
                                                  member_ends,
                                                  n,
                                                  network->size,
                                                  price_all(network, rate, tried, sizes),
                                                  error};
        struct tan_rules out;
        assert_int_equal(tan_rules_choose(&problem, &out, &e), 0);
        assert_no_error(e);
        assert_int_equal(out.n_ways, 2);
        size_t written = 0;
        for (int way = 0; way < 2; way++) {
            for (size_t k = 0; k < out.n[way]; k++) {
                const struct tan_rule *rule = &out.rule[way][k];
                const int64_t ranks[] = {rule->members, rule->members_most};
                const int64_t lengths[] = {rule->bytes, rule->bytes_most};
                at_row("%zu, way %d, rule %zu", i, way, k);
                for (int at = 0; at < 4; at++) {
                    double gain;
                    double regret;
                    measure(t, rule, out.direction[way], ranks[at % 2], lengths[at / 2], rate,
                            &gain, &regret);
                    if (rule->ruling == TAN_RULE_SETTING) {
                        assert_true(gain >= rule->gain - 1e-9);
                        assert_true(rule->gain > tan_default_margin(error));
                        written++;
                    }
                    assert_true(isnan(rule->regret) || regret <= rule->regret + 1e-9);
                }
            }
            /* all members and sizes, without gaps */
            assert_int_equal(out.rule[way][0].members, 4);
            assert_int_equal(out.rule[way][0].bytes, 8);
            assert_int_equal(out.rule[way][out.n[way] - 1].members_most, 300);
            for (size_t k = 1; k < out.n[way]; k++) {
                const struct tan_rule *before = &out.rule[way][k - 1];
                const struct tan_rule *rule = &out.rule[way][k];
                const bool row = rule->members == before->members;
                assert_int_equal(rule->bytes, row ? before->bytes_most + 1 : 8);
                assert_int_equal(rule->members, row ? before->members : before->members_most + 1);
                assert_int_equal(before->bytes_most, row ? rule->bytes - 1 : 40000);
            }
        }
        assert_true(written > 0 || error > 0.3);
        tan_rules_clear(&out);
        free(network);
    }
}

RUN_TESTS(NULL, NULL)
