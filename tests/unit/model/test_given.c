/* test_given.c - parameters from the command line, and what they imply for fanout
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "answer/phrases.h"
#include "design/choice/design.h"
#include "model/machine/given.h"
#include "tests/unit/scratch_file.h"

#define US 1e-6

static void check_5x5x5x8(const struct tan_params *params)
{
    struct tan_error e = TAN_ERROR_INIT;
    const struct tan_problem p = {
        .leaves = 1000, .model = &tan_models[TAN_MODEL_TAN], .params = params};
    struct tan_design d;
    tan_design(&p, 1, &d, &e);
    assert_no_error(e);
    assert_string_equal(tan_plan_fanouts(&d.choices[0].plan).text, "5x5x5x8");
    assert_close(d.choices[0].plan.wave, 35 * US, 1e-9 * US);
    tan_design_clear(&d);
}

static struct tan_machine *load(const char *block)
{
    struct tan_error e = TAN_ERROR_INIT;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "{\"schema\": \"tan-machine/1\", \"name\": \"m\", %s}", block);
    fclose(file);
    struct tan_machine *m = tan_machine_load(path, &e);
    assert_no_error(e);
    return m;
}

/* L = 2 us and o = 1 us in three spellings: a level with x children costs L + 2 o + (x - 1) o, x +
 * 3 us, so that 5x5x5x8 takes 8 + 8 + 8 + 11 = 35 us. */
TEST(three_spellings)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_given given = TAN_GIVEN_NOTHING;
    char *file;
    assert_false(tan_given_any(&given));
    given.value[TAN_L] = 2 * US;
    given.value[TAN_A] = 1 * US;
    assert_true(tan_given_any(&given));
    struct tan_machine *machines[] = {
        tan_given_machine(&given, NULL, &file, &e),
        load("\"tan\": {\"L_us\": 2, \"a_us\": 1}"),
        load("\"p2p\": {\"sections\": [{\"L_us\": 2, \"o_s_us\": 1, \"o_r_us\": 1}]}"),
    };
    assert_no_error(e);
    assert_null(file);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(machines[i]->tan.method, TAN_METHOD_JOINT);
        for (int p = 0; p < TAN_PARAMS; p++) {
            const double wanted[TAN_PARAMS] = {2 * US, 1 * US, 1 * US, 0, 0, 0};
            assert_close(machines[i]->tan.value[p], wanted[p], 1e-9 * US);
        }
        check_5x5x5x8(&machines[i]->tan);
        tan_machine_destroy(machines[i]);
    }
}

TEST(instead_of_a_file)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_given given = TAN_GIVEN_NOTHING;
    char *file;
    given.value[TAN_L] = 2 * US;
    given.value[TAN_A] = 1 * US;
    given.value[TAN_B] = 0.25 * US;
    assert_string_equal(tan_given_text(&given).text, "L = 2 us, a = 1 us, b = 0.25 us");
    struct tan_machine *m = tan_given_machine(&given, NULL, &file, &e);
    assert_no_error(e);
    assert_close(m->tan.value[TAN_B], 0.25 * US, 0);
    assert_false(m->tan.unidentified[TAN_B] || m->tan.unidentified[TAN_C2]);
    tan_machine_destroy(m);

    given.value[TAN_B] = NAN;
    given.value[TAN_C2] = 0.5 * US; /* b is still as much as a */
    m = tan_given_machine(&given, NULL, &file, &e);
    assert_no_error(e);
    assert_close(m->tan.value[TAN_B], 1 * US, 0);
    assert_close(m->tan.value[TAN_C2], 0.5 * US, 0);
    assert_true(m->tan.unidentified[TAN_B] && !m->tan.unidentified[TAN_C2]);
    tan_machine_destroy(m);

    given.value[TAN_L] = 1e10;
    assert_null(tan_given_machine(&given, NULL, &file, &e));
    assert_error(e, TAN_USAGE, "L = 1e+10 s: the times of a machine are at most 1e+09 s");
}

/* 1 MB/s. A way down with 2000 bytes takes 2 ms a message, and 2 ms for every further child. Half a
 * round trip with 1000 bytes up besides takes (2 + 1) / 2 ms, and, as answers come while requests
 * still leave, max(2, 1) / 2 ms for a further child, but never less than its processor's a. Where
 * messages overlap, 2000 bytes one way or both keep their link for 2 ms, and processors as given.
 */
TEST(networks)
{
    static const struct {
        struct tan_network network;
        double L, a; /* given, seconds; NaN: not */
        double wanted_L, wanted_b;
        int one_way;
        const char *text;
    } rows[] = {
        {{1e6, 0, 2000}, NAN, NAN, 2e-3, 2e-3, TAN_DOWN, "8 Mbit/s, 2000 bytes down"},
        {{1e6, 2000, 0}, NAN, NAN, 2e-3, 2e-3, TAN_UP, "8 Mbit/s, 2000 bytes up"},
        {{1e6, 2000, 2000}, NAN, NAN, 2e-3, 1e-3, 0, "8 Mbit/s, 2000 bytes each way"},
        {{1e6, 1000, 2000}, NAN, NAN, 1.5e-3, 1e-3, 0, "8 Mbit/s, 1000 bytes up and 2000 down"},
        {{1e6, 2000, 2000},
         20e-3,
         5e-3,
         22e-3,
         5e-3,
         0,
         "8 Mbit/s, 2000 bytes each way, L = 20000 us, a = 5000 us"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_given given = TAN_GIVEN_NOTHING;
        char *file;
        given.network = rows[i].network;
        given.value[TAN_L] = rows[i].L;
        given.value[TAN_A] = rows[i].a;
        assert_true(tan_given_any(&given));
        struct tan_machine *m = tan_given_machine(&given, NULL, &file, &e);
        assert_no_error(e);
        assert_null(file);
        assert_close(m->tan.value[TAN_L], rows[i].wanted_L, 1e-15);
        assert_close(m->tan.value[TAN_B], rows[i].wanted_b, 1e-15);
        struct tan_params grown = {.method = TAN_METHOD_JOINT, .value = {[TAN_C2] = 1e-3}};
        tan_network_apply(&rows[i].network, &grown);
        assert_close(grown.value[TAN_C2], 0, 0);
        assert_close(m->tan.value[TAN_C2], 0, 0);
        assert_false(m->tan.unidentified[TAN_B]);
        assert_int_equal(m->tan.one_way, rows[i].one_way);
        assert_string_equal(tan_given_text(&given).text, rows[i].text);
        const bool overlaps = rows[i].network.up == rows[i].network.down || rows[i].one_way != 0;
        const double a = isnan(rows[i].a) ? 0.0 : rows[i].a;
        assert_int_equal(m->overlap_known, overlaps);
        assert_int_equal(m->overlap.one_way, rows[i].one_way);
        assert_close(m->overlap.value[TAN_L], overlaps ? rows[i].wanted_L : 0, 1e-15);
        assert_close(m->overlap.value[TAN_A], overlaps ? a : 0, 1e-15);
        assert_close(m->overlap.value[TAN_B], overlaps ? a : 0, 1e-15);
        assert_close(m->overlap.value[TAN_G], overlaps ? 2e-3 : 0, 1e-15);
        tan_machine_destroy(m);
    }
}

/* One number needs a file to complete it, and Cab's is no user's. */
TEST(beside_a_file)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_given given = TAN_GIVEN_NOTHING;
    char *file;
    setenv("HOME", absent, 1);
    unsetenv("XDG_CONFIG_HOME");
    given.value[TAN_L] = 2 * US;
    assert_null(tan_given_machine(&given, NULL, &file, &e));
    assert_null(file);
    assert_error(e, TAN_USAGE, "give both --latency and --overhead");
    struct tan_machine *m = tan_given_machine(&given, "cab", &file, &e);
    assert_no_error(e);
    assert_non_null(strstr(file, "cab.json"));
    assert_close(m->tan.value[TAN_L], 2 * US, 0);
    assert_close(m->tan.value[TAN_A], 49.3 * US, 1e-15);
    assert_int_equal(m->tan.method, TAN_METHOD_PAPER);
    tan_machine_destroy(m);
    free(file);
}

/* L is not in the file, which raises a doubt about it alone; giving it settles that one. */
TEST(doubts)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_given given = TAN_GIVEN_NOTHING;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"schema\": \"tan-machine/1\", \"name\": \"m\", \"oversubscribed\": true, "
          "\"tan\": {\"a_us\": 1}}",
          file);
    fclose(file);
    for (int i = 0; i < 3; i++) {
        char *used;
        given.value[i == 1 ? TAN_L : TAN_B] = i == 0 ? NAN : 1 * US;
        struct tan_machine *m = tan_given_machine(&given, path, &used, &e);
        assert_no_error(e);
        assert_int_equal(m->doubts.n, i == 0 ? 2 : 1);
        assert_string_equal(m->doubts.row[0].kind, "oversubscribed");
        tan_machine_destroy(m);
        free(used);
    }
}

/* What is given is exact; the other parameters keep their draws, while there are any that differ.
 */
TEST(draws)
{
    struct tan_given given = TAN_GIVEN_NOTHING;
    const double rows[2][TAN_PARAMS] = {{1, 2, 3, 0, 0, 0}, {5, 2, 4, 0, 0, 0}};
    struct tan_params p = {.value = {3, 2, 3, 0, 0, 0}, .n_draws = 2, .draws = malloc(sizeof rows)};
    for (int i = 0; i < TAN_PARAMS; i++) {
        p.ci95[i] = (struct tan_interval){1, 5};
    }
    memcpy(p.draws, rows, sizeof rows);
    given.value[TAN_L] = 7;
    tan_given_apply(&given, &p);
    assert_true(p.ci95[TAN_L].low > p.ci95[TAN_L].high);
    assert_true(p.ci95[TAN_B].low < p.ci95[TAN_B].high);
    assert_int_equal(p.n_draws, 2);
    assert_true(p.draws[TAN_L] == 7 && p.draws[TAN_PARAMS + TAN_L] == 7);
    assert_true(p.draws[TAN_B] == 3 && p.draws[TAN_PARAMS + TAN_B] == 4);
    given.value[TAN_B] = 1;
    tan_given_apply(&given, &p);
    assert_int_equal(p.n_draws, 0);
    assert_null(p.draws);
}

/* b that is not known follows a new a, in the draws, too. */
TEST(assumed_draws)
{
    struct tan_given given = TAN_GIVEN_NOTHING;
    const double rows[2][TAN_PARAMS] = {{1, 2, 2, 0, 0, 0}, {5, 2, 2, 0, 0, 0}};
    struct tan_params p = {.value = {3, 2, 2, 0, 0, 0}, .n_draws = 2, .draws = malloc(sizeof rows)};
    for (int i = 0; i < TAN_PARAMS; i++) {
        p.ci95[i] = TAN_INTERVAL_UNKNOWN;
    }
    p.unidentified[TAN_B] = p.unidentified[TAN_C2] = true;
    memcpy(p.draws, rows, sizeof rows);
    given.value[TAN_A] = 6;
    tan_given_apply(&given, &p);
    assert_true(p.value[TAN_B] == 6 && p.draws[TAN_B] == 6 && p.draws[TAN_PARAMS + TAN_B] == 6);
    assert_true(p.draws[TAN_L] == 1 && p.draws[TAN_PARAMS + TAN_L] == 5);
    free(p.draws);
}

/* A fit without a latency knows L + 2a = 14 us: L takes its part of that and leaves a the rest. */
TEST(split)
{
    struct tan_params params = {.method = TAN_METHOD_JOINT,
                                .n = 100,
                                .value = {0, 7e-6, 1e-6, 0, 0, 0},
                                .unidentified = {[TAN_L] = true}};
    double draws[2 * TAN_PARAMS] = {3e-6, 5e-6, 1e-6, 0, 0, 0, 12e-6, 2e-6, 1.1e-6, 0, 0, 0};
    struct tan_given given = TAN_GIVEN_NOTHING;
    params.draws = draws;
    params.n_draws = 2;
    given.value[TAN_L] = 10e-6;
    tan_given_apply(&given, &params);
    assert_close(params.value[TAN_L], 10e-6, 1e-15);
    assert_close(params.value[TAN_A], 2e-6, 1e-15);
    assert_close(draws[TAN_A], 1.5e-6, 1e-15);
    assert_close(draws[TAN_PARAMS + TAN_A], 3e-6, 1e-15);
    assert_close(draws[TAN_PARAMS + TAN_L], 10e-6, 1e-15);
    assert_false(params.unidentified[TAN_L]);
}

static void assert_says(const struct tan_model *model, const struct tan_params *params,
                        enum tan_reading reading, const char *part)
{
    const struct tan_text text = tan_reading_text(model, params);
    assert_int_equal(*text.text != '\0', part[0] != '\0');
    assert_int_equal(tan_reading_of(model, params), reading);
    assert_non_null(strstr(text.text, part));
}

/* Draws without a known range follow the assumption, so that intervals contain the value. */
TEST(draws_without_range)
{
    double draws[] = {0, 2 * US, 0, 0, 0, 0, 0, 3 * US, 7 * US, 0, 5 * US, 0};
    struct tan_params p = {.method = TAN_METHOD_JOINT,
                           .value = {0, 2 * US, 0, 0, 0, 0},
                           .unidentified = {[TAN_B] = true},
                           .draws = draws,
                           .n_draws = 2};
    p.ci95[TAN_B] = TAN_INTERVAL_UNKNOWN;
    tan_params_assume(&p);
    assert_close(p.value[TAN_B], 2 * US, 0);
    assert_close(draws[TAN_B], 2 * US, 0);
    assert_close(draws[TAN_PARAMS + TAN_B], 5 * US, 0); /* g is more than a */
    p.ci95[TAN_B] = (struct tan_interval){0, 9 * US};
    draws[TAN_B] = 4 * US;
    tan_params_assume(&p);
    assert_close(draws[TAN_B], 4 * US, 0);
}

TEST(readings)
{
    struct tan_params p = {.method = TAN_METHOD_JOINT, .value = {2 * US, US, 0, 0, 0, 0}};
    assert_says(&tan_models[TAN_MODEL_TAN], &p, TAN_READING_NOTHING,
                "(b = c = 0), so that the flat tree");
    assert_says(&tan_models[TAN_MODEL_LOGP], &p, TAN_READING_NOTHING,
                "nothing under model logp, so");
    assert_says(&tan_models[TAN_MODEL_LOGP_SERIAL], &p, TAN_READING_KNOWN, "");
    p.unidentified[TAN_B] = true;
    tan_params_assume(&p);
    assert_says(&tan_models[TAN_MODEL_TAN], &p, TAN_READING_SERIAL,
                "1 us is assumed, as if messages came one after the other (b = a)");
    p.value[TAN_G] = 3 * US;
    tan_params_assume(&p);
    assert_says(&tan_models[TAN_MODEL_TAN], &p, TAN_READING_SERIAL,
                "3 us is assumed, as if messages came one after the other (b = g)");
    p.unidentified[TAN_B] = false;
    assert_says(&tan_models[TAN_MODEL_TAN], &p, TAN_READING_KNOWN, "");
}

RUN_TESTS(make_scratch, remove_scratch)
