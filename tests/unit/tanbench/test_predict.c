/* test_predict.c - model predictions for measured cells, against sums worked out by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <stdlib.h>

#include "base/json.h"
#include "model/machine/p2p.h"
#include "model/wave/wave.h"
#include "tanbench/results/distance.h"
#include "tests/unit/check.h"

static const double us = 1e-6;

/* Seconds, to a picosecond. */
#define assert_time(value, wanted_us) assert_close(value, (wanted_us)*us, 1e-12)

/* L = 10, a = 5, b = 3, c = 0.5 by method joint, for messages of 101 bytes: a level of fanout x
 * costs 20 + 3 (x-1) + 0.5 (x^2-1): 20 for 1, 24.5 for 2, 36.5 for 4. */
static struct tan_machine joint(void)
{
    return (struct tan_machine){.tan_known = true,
                                .tan = {.method = TAN_METHOD_JOINT,
                                        .bytes = 101,
                                        .value = {10 * us, 5 * us, 3 * us, 0.5 * us, 0, 0}}};
}

/* Messages that take 0.1 us a byte: Tc(k) = 13 + 0.1 (k-1). */
static struct tan_p2p *line(void)
{
    static const char text[] = "{\"sections\": [{\"L_us\": 10, \"o_s_us\": 0, \"o_r_us\": 2, "
                               "\"g_us\": 1, \"G_us_per_byte\": 0.1}]}";
    struct tan_error e = TAN_ERROR_INIT;
    json_t *object = tan_json_parse(text, sizeof text - 1, "m.json", &e);
    struct tan_p2p *p2p = tan_p2p_parse(object, "m.json", &e);

    assert_no_error(e);
    json_decref(object);
    return p2p;
}

/* One result for each of the plan's cells. */
struct bench {
    struct plan plan;
    struct results results;
    struct result list[4];
};

static struct bench *bench(const struct tan_machine *machine, int64_t bytes,
                           const char *const specs[], int n)
{
    struct bench *b = calloc(1, sizeof *b);
    struct tan_error e = TAN_ERROR_INIT;

    assert_non_null(b);
    tan_settings_default(&b->plan.settings);
    strcpy(b->plan.settings.filter, "null"); /* whose parents do nothing with a byte */
    b->plan.settings.sizes[0] = bytes;
    for (int i = 0; i < n; i++) {
        tan_plan_add(&b->plan, specs[i], &e);
    }
    tan_plan_add_sizes(&b->plan, &e);
    assert_no_error(e);
    for (int i = 0; i < n; i++) {
        b->list[i] = (struct result){.cell = &b->plan.cells[i], .tree = b->plan.trees[i]};
    }
    b->results = (struct results){.plan = &b->plan, .machine = machine, .list = b->list, .n = n};
    return b;
}

static void end(struct bench *b)
{
    tan_plan_clear(&b->plan);
    free(b);
}

/* L = 10, o_s = 2, o_r = 1: a hop takes 13. The root of a star sends 4 times until 8; the last
 * request is there at 18, its answer from 19 to 21 and at 31, taken at 32. One way up, all answers
 * are there at 12, and are taken until 16. A request of 1 byte is 10 us shorter. */
TEST(waves_that_overlap)
{
    static const char *const specs[] = {"chain:3", "nto1:4", "chain:1"};
    static const double wave_us[] = {39, 16, 13}, up_us[] = {39, 16, 13};
    const struct tan_model *model = &tan_models[TAN_MODEL_OVERLAP];
    struct tan_machine m = joint();

    m.overlap = (struct tan_params){
        .method = TAN_METHOD_OVERLAP, .bytes = 101, .value = {10 * us, 2 * us, 1 * us, 0, 0, 0}};
    struct bench *b = bench(&m, 101, specs, 3);
    assert_non_null(model->node);
    assert_true(isnan(tan_predict_wave(&b->results, &b->list[0], model))); /* the file has none */
    m.overlap_known = true;
    for (int i = 0; i < 3; i++) {
        at_row("%s", specs[i]);
        assert_time(tan_predict_wave(&b->results, &b->list[i], model), wave_us[i]);
        assert_time(tan_predict_up(&b->results, &b->list[i], model), up_us[i]);
    }
    m.messages = line();
    b->plan.settings.request_bytes = 1;
    assert_time(tan_predict_wave(&b->results, &b->list[2], model), 13 - 10.0 / 2);
    assert_time(tan_predict_up(&b->results, &b->list[2], model), 13);
    tan_p2p_destroy(m.messages);
    end(b);
}

/* Eager messages end at 150 bytes, so the measured 101 are eager and those of 201 are not. With
 * concat only inner nodes send more than a leaf. */
TEST(handshakes)
{
    static const struct {
        const char *spec, *filter;
        int64_t bytes;
        int64_t eager;
        bool known, doubted;
    } rows[] = {{"nto1:4", "null", 201, 150, true, true},
                {"nto1:4", "null", 201, 150, false, false},
                {"nto1:4", "null", 150, 150, true, false},
                {"nto1:4", "null", 201, 201, true, false},
                {"nto1:4", "null", 201, 100, true, false},
                {"nto1:4", "concat", 101, 150, true, false},
                {"levels:2x2", "concat", 101, 150, true, true},
                {"levels:4x1", "concat", 101, 150, true, false}};
    struct tan_machine m = joint();

    m.messages = line();
    m.overlap = (struct tan_params){
        .method = TAN_METHOD_OVERLAP, .bytes = 101, .value = {10 * us, 2 * us, 1 * us, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench *b = bench(&m, rows[i].bytes, &rows[i].spec, 1);
        strcpy(b->plan.settings.filter, rows[i].filter);
        at_row("%zu", i);
        m.messages->eager = rows[i].eager;
        m.overlap_known = rows[i].known;
        assert_int_equal(tan_predict_handshakes(&b->results), rows[i].doubted);
        end(b);
    }
    tan_p2p_destroy(m.messages);
}

/* The parameters are those of 101 bytes. */
TEST(disturbed)
{
    static const char *const specs[] = {"nto1:4"};
    struct tan_machine m = joint();

    m.messages = line();
    for (int i = 0; i < 4; i++) {
        const bool other = i % 2 == 1;
        struct bench *b = bench(&m, other ? 201 : 101, specs, 1);
        at_row("%d", i);
        m.messages->disturbed = i >= 2;
        assert_int_equal(tan_predict_disturbed(&b->results), other && i >= 2);
        end(b);
    }
    tan_p2p_destroy(m.messages);
}

/* Racks of the machine file, but not of the run's hosts, where links between them are predicted. */
TEST(racks)
{
    static const char *const specs[] = {"nto1:4"};
    static const int32_t one_host[] = {2, 2, 2, 2, 2}, last_elsewhere[] = {2, 2, 2, 2, 0};
    static const struct distance distance = {.n = 2};
    struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 101, specs, 1);
    assert_false(tan_predict_lacks_racks(&b->results));
    machine.n_tiers = 1; /* only hosts */
    assert_false(tan_predict_lacks_racks(&b->results));
    machine.tier[0].level = 1;
    assert_true(tan_predict_lacks_racks(&b->results));
    b->results.host_of = one_host;
    assert_false(tan_predict_lacks_racks(&b->results));
    b->results.host_of = last_elsewhere;
    assert_true(tan_predict_lacks_racks(&b->results));
    b->plan.settings.mode = MODE_FAILURES; /* whose table has no predictions */
    assert_false(tan_predict_lacks_racks(&b->results));
    b->plan.settings.mode = MODE_WAVES;
    b->plan.settings.request_bytes = 1; /* of a size that the file does not know */
    assert_false(tan_predict_lacks_racks(&b->results));
    b->plan.settings.request_bytes = -1;
    assert_true(tan_predict_lacks_racks(&b->results));
    b->results.distance = &distance;
    assert_false(tan_predict_lacks_racks(&b->results));
    end(b);
}

TEST(messages_as_measured)
{
    static const char *const specs[] = {"chain:3", "nto1:4", "levels:2x2", "pingpong"};
    /* tan, L + 2a, L + 2a + (x-1) max(g, a) for every level */
    static const enum tan_model_row rows[] = {TAN_MODEL_TAN, TAN_MODEL_LOGP, TAN_MODEL_LOGP_SERIAL};
    static const double wave_us[][3] = {{60, 60, 60}, {36.5, 20, 35}, {49, 40, 50}};
    const struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 101, specs, 4);

    for (int i = 0; i < 3; i++) {
        for (int m = 0; m < 3; m++) {
            const struct result *result = &b->list[i];
            const struct tan_model *model = &tan_models[rows[m]];
            assert_time(tan_predict_wave(&b->results, result, model), wave_us[i][m]);
            assert_time(tan_predict_up(&b->results, result, model), wave_us[i][m]);
            assert_close(tan_predict_wave(&b->results, result, model),
                         tan_wave_time(model, &machine.tan, result->tree), 1e-18);
        }
    }
    /* In steady state the dearest level sets the pace. */
    assert_close(tan_predict_rate(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]),
                 1 / (20 * us), 1e-6);
    assert_close(tan_predict_rate(&b->results, &b->list[1], &tan_models[TAN_MODEL_TAN]),
                 1 / (36.5 * us), 1e-6);
    assert_close(tan_predict_rate(&b->results, &b->list[2], &tan_models[TAN_MODEL_LOGP]),
                 1 / (20 * us), 1e-6);
    assert_false(tan_predict_lacks_size(&b->results, &b->list[0]));
    end(b);
}

/* 201 bytes take 10 us longer than 101, and so does receiving each but the first: nto1:4 takes
 * 36.5 + 10 + 3 * 10. */
TEST(other_sizes)
{
    static const char *const specs[] = {"nto1:4", "chain:3"};
    struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 201, specs, 2);

    machine.messages = line();
    assert_time(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 76.5);
    assert_time(tan_predict_wave(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 76.5);
    assert_time(tan_predict_wave(&b->results, &b->list[1], &tan_models[TAN_MODEL_TAN]),
                90); /* 3 (20 + 10) */
    assert_close(tan_predict_rate(&b->results, &b->list[1], &tan_models[TAN_MODEL_TAN]),
                 1 / (30 * us), 1e-6);
    /* The request has the measured size, so only the way up is longer: (36.5 + 76.5) / 2. */
    b->plan.settings.request_bytes = 101;
    assert_time(tan_predict_wave(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 56.5);
    assert_time(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 76.5);
    assert_false(tan_predict_lacks_size(&b->results, &b->list[0]));
    tan_p2p_destroy(machine.messages);
    end(b);
}

/* Concatenated answers grow on their way up, requests do not. The root of levels:2x2:3 has children
 * with 2 leaves and 1: its level takes 24.5 and the 10.1 us of 101 more bytes, the one below 24.5.
 */
TEST(answers_that_grow)
{
    static const char *const specs[] = {"levels:2x2:3"};
    struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 101, specs, 1);

    machine.messages = line();
    strcpy(b->plan.settings.filter, "concat");
    b->plan.settings.emulation.n_tiers = 1; /* no work of this machine's parents */
    assert_time(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 59.1);
    assert_time(tan_predict_wave(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]),
                (49 + 59.1) / 2);
    assert_close(tan_predict_rate(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]),
                 1 / (34.6 * us), 1e-6);
    tan_p2p_destroy(machine.messages);
    end(b);
}

/* A parent's filter takes 7 us for each child's answer, so on the way up a level of two children
 * takes 14 us longer, one of four 28; requests have no filter. */
TEST(filters_that_take_time)
{
    static const char *const specs[] = {"nto1:4", "levels:2x2"};
    const struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 101, specs, 2);
    struct tan_params works = machine.tan; /* as tan-design prices the same waves */

    works.work = b->plan.settings.work = 7 * us;
    for (int i = 0; i < 2; i++) {
        assert_close(tan_wave_time(&tan_models[TAN_MODEL_TAN], &works, b->list[i].tree),
                     tan_predict_wave(&b->results, &b->list[i], &tan_models[TAN_MODEL_TAN]), 1e-15);
    }
    assert_time(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 36.5 + 28);
    assert_time(tan_predict_wave(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 36.5 + 14);
    assert_time(tan_predict_up(&b->results, &b->list[1], &tan_models[TAN_MODEL_TAN]), 49 + 2 * 14);
    assert_time(tan_predict_up(&b->results, &b->list[1], &tan_models[TAN_MODEL_LOGP]), 40 + 2 * 14);
    assert_close(tan_predict_rate(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]),
                 1 / (64.5 * us), 1e-6);
    end(b);
}

/* A stream has no more waves than were asked for. */
TEST(limited_rates)
{
    static const char *const specs[] = {"chain:3"};
    const struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 101, specs, 1);

    b->plan.settings.frequency = 50;
    assert_close(tan_predict_rate(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 50, 0);
    b->plan.settings.frequency = 60000; /* 50000 a second are possible */
    assert_close(tan_predict_rate(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 50000,
                 1e-6);
    end(b);
}

/* Parents take so long for every byte more of a child's answer, but for the first child's. */
TEST(filters_that_work)
{
    static const char *const specs[] = {"nto1:4"};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_machine machine = joint();
    struct bench *b = bench(&machine, 201, specs, 1);

    machine.messages = line();
    strcpy(b->plan.settings.filter, "sum");
    const double work = tan_filter_speed(tan_filter_find("sum", &e));
    assert_no_error(e);
    assert_true(work > 0);
    assert_close(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]),
                 76.5 * us + 3 * 100 * work, 1e-12);
    b->plan.settings.emulation.n_tiers = 1; /* the machine played has its own */
    assert_time(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN]), 76.5);
    tan_p2p_destroy(machine.messages);
    end(b);
}

TEST(unknown)
{
    static const char *const specs[] = {"nto1:4", "pingpong", "mpi:4"};
    const struct tan_machine machine = joint();
    struct bench *b = bench(NULL, 201, specs, 3);

    for (int m = 0; m < TAN_MODELS; m++) {
        assert_true(isnan(tan_predict_wave(&b->results, &b->list[0], &tan_models[m])));
    }
    assert_true(isnan(tan_predict_up(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN])));
    assert_true(isnan(tan_predict_rate(&b->results, &b->list[0], &tan_models[TAN_MODEL_TAN])));
    assert_false(tan_predict_lacks_size(&b->results, &b->list[0]));
    /* A machine that knows one size only says nothing of others. */
    b->results.machine = &machine;
    assert_true(tan_predict_lacks_size(&b->results, &b->list[0]));
    assert_false(tan_predict_lacks_size(&b->results, &b->list[1]));
    for (int m = 0; m < TAN_MODELS; m++) {
        assert_true(isnan(tan_predict_wave(&b->results, &b->list[0], &tan_models[m])));
        assert_true(isnan(tan_predict_up(&b->results, &b->list[0], &tan_models[m])));
        assert_true(isnan(tan_predict_rate(&b->results, &b->list[0], &tan_models[m])));
        assert_true(isnan(tan_predict_wave(&b->results, &b->list[1], &tan_models[m])));
        assert_true(isnan(tan_predict_wave(&b->results, &b->list[2], &tan_models[m])));
    }
    end(b);
}

RUN_TESTS(NULL, NULL)
