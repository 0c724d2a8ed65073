/* test_recovery.c - predicted recoveries, worked out by hand; recoveries in journals and results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/recovery_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "bench/results/journal_failures.h"
#include "bench/results/predict.h"
#include "model/machine/p2p.h"
#include "tests/unit/check.h"

static const double us = 1e-6;

/* Seconds, to a picosecond. */
#define assert_time(value, wanted_us) assert_close(value, (wanted_us)*us, 1e-12)

/* A level of fanout x costs 20 + 3 (x-1) + 0.5 (x^2-1) us: 20, 24.5, 30 for 1 to 3. */
static const struct tan_machine machine = {
    .tan_known = true,
    .tan = {.method = TAN_METHOD_JOINT, .bytes = 1024, .value = {10e-6, 5e-6, 3e-6, 0.5e-6, 0, 0}}};

/* levels:2x2: 0 - 1 - 3 4, 0 - 2 - 5 6. Process 1 fails in wave 3, then 5; in a second pass
 * 2, in a later wave. */
static struct step steps_of_1[] = {
    {STEP_WAVE, 1, 2001e-6}, {STEP_TREE, 0, 110e-6}, {STEP_RESEND, 0, 111e-6}};
static struct silent silent_1[] = {{1, 0, 2000e-6}};
static struct step steps_of_5[] = {{STEP_WAVE, 1, 1041e-6}};
static struct silent silent_5[] = {{5, 2, 1000e-6}};
static struct step steps_of_2[] = {{STEP_WAVE, 1, 2001e-6},
                                   {STEP_TREE, 1, 1001e-6},
                                   {STEP_TREE, 0, 110e-6},
                                   {STEP_RESEND, 0, 111e-6}};
static struct silent silent_2[] = {{2, 0, 2000e-6}, {6, 0, 1000e-6}};
static struct leaf_range right[] = {{2, 3}};
static struct leaf_range all[] = {{0, 3}};
static struct leaf_range parts[] = {{0, 1}, {3, 3}};

static struct recovery recoveries[] = {
    {3, 3, 1, steps_of_1, silent_1, {right, 1, 1}, {all, 1, 1}, 0},
    {4, 1, 1, steps_of_5, silent_5, {parts, 2, 2}, {parts, 2, 2}, 0},
    {5, 4, 2, steps_of_2, silent_2, {parts, 1, 1}, {parts, 2, 2}, 1},
};
enum { RECOVERIES = sizeof recoveries / sizeof *recoveries };

struct bench {
    struct plan plan;
    struct results results;
    struct result result;
};

static struct bench *bench(void)
{
    struct bench *b = calloc(1, sizeof *b);
    struct tan_error e = TAN_ERROR_INIT;
    assert_non_null(b);
    tan_settings_default(&b->plan.settings);
    b->plan.settings.mode = MODE_FAILURES;
    b->plan.settings.detect = 1e-3;
    strcpy(b->plan.settings.filter, "null"); /* whose parents do nothing with a byte */
    tan_plan_add(&b->plan, "levels:2x2", &e);
    tan_plan_add_sizes(&b->plan, &e);
    assert_no_error(e);
    b->result = (struct result){.cell = b->plan.cells, .tree = b->plan.trees[0]};
    b->result.waves.heal.recoveries = recoveries;
    b->result.waves.heal.n_recoveries = RECOVERIES;
    b->results =
        (struct results){.plan = &b->plan, .machine = &machine, .list = &b->result, .n = 1};
    return b;
}

static void predictions(void **state)
{
    (void)state;
    /* Healed: 0 has 3 children, and 2 its two: 30 + 24.5 each way. Process 5 is a leaf below 2, to
     * which a message and the answer take 2 x 20. In the second pass, without 2 the root has the
     * children 1, 5 and 6; 6 fails then, which leaves 0 - 1 - 3 4, 0 - 5. */
    static const struct {
        double step[STEPS], after;
    } wanted[RECOVERIES] = {
        {{2000, 2 * 54.5, 2 * 54.5}, 54.5},
        {{1000 + 2 * 20, 0, 0}, 30 + 20},
        {{2000, 1000 + 2 * 49, 2 * 49}, 24.5 + 24.5},
    };
    const struct tan_model *tan = &tan_models[TAN_MODEL_TAN];
    struct bench *b = bench();
    for (int i = 0; i < RECOVERIES; i++) {
        struct damage damage = {.last = NULL};
        double seconds[STEPS];
        at_row("wanted[%d]", i);
        assert_int_equal(tan_damage_open(&damage, &b->results, &b->result, i), 0);
        assert_int_equal(
            tan_recovery_predict(&b->results, &b->result, tan, &recoveries[i], &damage, seconds),
            0);
        for (int kind = 0; kind < STEPS; kind++) {
            assert_time(seconds[kind], wanted[i].step[kind]);
        }
        assert_time(tan_damage_wave(&b->results, &b->result, tan, &damage), wanted[i].after);
        assert_true(isnan(
            tan_damage_wave(&b->results, &b->result, &tan_models[TAN_MODEL_OVERLAP], &damage)));
        tan_damage_close(&damage);
    }
    tan_plan_clear(&b->plan);
    free(b);
}

/* Messages without payload count as those of 1 byte and take 1.023 us less than those of 1024, once
 * for each level: further ones queue at the receiver, for a time that is the same for all sizes. 2
 * fails, then 3, before it has its parent: the message that waits for it has no payload either. The
 * tree that is left: 0 - 1 - 4, 0 - 5, 0 - 6. */
static void without_payload(void **state)
{
    static const char text[] = "{\"sections\": [{\"L_us\": 10, \"o_s_us\": 0, \"o_r_us\": 2, "
                               "\"g_us\": 1, \"G_us_per_byte\": 0.001}]}";
    static struct step steps[] = {{STEP_WAVE, 1, 2001e-6},
                                  {STEP_TREE, 1, 1040e-6},
                                  {STEP_TREE, 0, 110e-6},
                                  {STEP_RESEND, 0, 111e-6}};
    static struct silent silent[] = {{2, 0, 2000e-6}, {3, 1, 1000e-6}};
    struct recovery recovery = {3, 4, 2, steps, silent, {right, 1, 1}, {all, 1, 1}, 0};
    const double shorter = 1.023;
    struct tan_machine with_sizes = machine;
    struct tan_error e = TAN_ERROR_INIT;
    json_t *block = tan_json_parse(text, sizeof text - 1, "m.json", &e);
    struct bench *b = bench();
    struct damage damage = {.last = NULL};
    double seconds[STEPS];
    (void)state;
    with_sizes.messages = tan_p2p_parse(block, "m.json", &e);
    assert_no_error(e);
    b->result.waves.heal.recoveries = &recovery;
    b->result.waves.heal.n_recoveries = 1;
    assert_false(tan_predict_knows_size(&b->results, 0));
    assert_true(tan_predict_knows_size(&b->results, 1024));
    b->results.machine = &with_sizes;
    assert_true(tan_predict_knows_size(&b->results, 0));
    assert_int_equal(tan_damage_open(&damage, &b->results, &b->result, 0), 0);
    assert_int_equal(tan_recovery_predict(&b->results, &b->result, &tan_models[TAN_MODEL_TAN],
                                          &recovery, &damage, seconds),
                     0);
    assert_time(seconds[STEP_WAVE], 2000);
    assert_time(seconds[STEP_TREE], 1000 + 2 * (20 - shorter) + 2 * (50 - 2 * shorter));
    assert_time(seconds[STEP_RESEND], 2 * 50);
    tan_damage_close(&damage);
    tan_p2p_destroy(with_sizes.messages);
    json_decref(block);
    tan_plan_clear(&b->plan);
    free(b);
}

static void sums(void **state)
{
    (void)state;
    assert_time(tan_recovery_seconds(&recoveries[2], STEP_TREE), 1001 + 110);
    assert_time(tan_recovery_seconds(&recoveries[2], STEPS), 2001 + 1001 + 110 + 111);
}

static void assert_same(const struct recovery *a, const struct recovery *b)
{
    assert_int_equal(a->wave, b->wave);
    assert_int_equal(a->n_steps, b->n_steps);
    assert_int_equal(a->n_silent, b->n_silent);
    for (int i = 0; i < a->n_steps; i++) {
        assert_int_equal(a->steps[i].kind, b->steps[i].kind);
        assert_int_equal(a->steps[i].found, b->steps[i].found);
        assert_close(a->steps[i].seconds, b->steps[i].seconds, 0);
    }
    for (int i = 0; i < a->n_silent; i++) {
        assert_int_equal(a->silent[i].node, b->silent[i].node);
        assert_int_equal(a->silent[i].parent, b->silent[i].parent);
        assert_close(a->silent[i].waited, b->silent[i].waited, 0);
    }
    assert_true(tan_leaf_set_equal(&a->partial, &b->partial));
    assert_true(tan_leaf_set_equal(&a->complete, &b->complete));
}

static void in_journals(void **state)
{
    (void)state;
    double healed[] = {5e-5, 6e-5};
    const struct heal_result written = {.recoveries = recoveries,
                                        .n_recoveries = RECOVERIES,
                                        .healed = healed,
                                        .n_healed = 2,
                                        .leaves = {parts, 2, 2},
                                        .suspected = 1,
                                        .late = 7,
                                        .overrun = 3e-6};
    struct measurement read = {.n = 0};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_json_writer w = {.failed = false};
    json_t *line = tan_json_new_object(&w);
    const struct tan_json_at at = {.source = "j", .path = "", .object = line};
    tan_journal_set_failures(&w, line, &written);
    assert_int_equal(tan_journal_read_failures(&at, &read.heal, &e), 0);
    assert_int_equal(read.heal.n_recoveries, RECOVERIES);
    for (int i = 0; i < RECOVERIES; i++) {
        at_row("recoveries[%d]", i);
        assert_same(&read.heal.recoveries[i], &recoveries[i]);
    }
    assert_int_equal(read.heal.n_healed, 2);
    assert_close(read.heal.healed[1], 6e-5, 1e-15);
    assert_true(tan_leaf_set_equal(&read.heal.leaves, &written.leaves));
    assert_int_equal(read.heal.suspected, 1);
    assert_int_equal(read.heal.late, 7);
    assert_close(read.heal.overrun, 3e-6, 0);
    tan_measurement_clear(&read);

    json_array_clear(json_object_get(
        json_array_get(json_object_get(json_object_get(line, "failures"), "recoveries"), 1),
        "silent"));
    assert_int_equal(tan_journal_read_failures(&at, &read.heal, &e), -1);
    assert_error(e, TAN_FAILED, "found");
    tan_measurement_clear(&read);
    json_decref(line);
}

/* Two passes are joined: recoveries and samples follow each other, and the last one's leaves count.
 */
static void passes_join(void **state)
{
    (void)state;
    struct bench *b = bench();
    struct results r = {.plan = &b->plan, .machine = &machine};
    struct tan_error e = TAN_ERROR_INIT;
    for (int pass = 0; pass < 2; pass++) {
        struct measurement m = {.n = 1, .batch = 1};
        m.round_trips = malloc(sizeof *m.round_trips);
        m.heal.healed = malloc(sizeof *m.heal.healed);
        m.heal.recoveries = malloc(sizeof *m.heal.recoveries);
        m.round_trips[0] = 1e-4;
        m.heal.healed[0] = (1 + pass) * 1e-4;
        m.heal.n_healed = 1;
        m.heal.suspected = 1;
        assert_int_equal(tan_recovery_copy(m.heal.recoveries, &recoveries[pass]), 0);
        m.heal.n_recoveries = 1;
        assert_int_equal(
            tan_leaf_set_add(&m.heal.leaves, (struct leaf_range){0, 2 + (uint32_t)pass}, &e), 0);
        assert_int_equal(tan_results_add(&r, 0, 0, pass, &m, true, &e), 0);
    }
    const struct heal_result *heal = &r.list[0].waves.heal;
    assert_int_equal(heal->n_recoveries, 2);
    assert_close(r.list[0].waves.period, 0, 0); /* without waves before the failures, not NaN */
    assert_int_equal(heal->recoveries[0].part, 0);
    assert_int_equal(heal->recoveries[1].part, 1);
    assert_same(&heal->recoveries[0], &recoveries[0]);
    assert_same(&heal->recoveries[1], &recoveries[1]);
    assert_int_equal(heal->n_healed, 2);
    assert_close(heal->healed[1], 2e-4, 0);
    assert_int_equal(heal->suspected, 2);
    assert_int_equal(tan_leaf_set_count(&heal->leaves), 4);
    /* not of this tree, which has the processes 0 to 6 */
    struct measurement other = {.n = 0, .batch = 1};
    other.heal.recoveries = malloc(sizeof *other.heal.recoveries);
    assert_int_equal(tan_recovery_copy(other.heal.recoveries, &recoveries[0]), 0);
    other.heal.recoveries[0].silent[0].parent = 7;
    other.heal.n_recoveries = 1;
    assert_int_equal(tan_results_add(&r, 0, 0, 2, &other, true, &e), -1);
    assert_non_null(strstr(e.text, "processes that levels:2x2 does not have"));
    tan_results_clear(&r);
    tan_plan_clear(&b->plan);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions), cmocka_unit_test(without_payload), cmocka_unit_test(sums),
        cmocka_unit_test(in_journals), cmocka_unit_test(passes_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
