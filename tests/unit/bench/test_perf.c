/* test_perf.c - process counters: attribution of time, and levels of a measured tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_perf.h"

#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

#include "topo/spec.h"

/* Whatever the order of transitions, the phases add up to the time from the beginning. */
static void phases_add_up(void **state)
{
    struct perf p;

    (void)state;
    perf_begin(&p, PERF_IDLE, 10, 1.5);
    perf_charge(&p, PERF_SENDING, 12);
    perf_charge(&p, PERF_WAITING, 13);
    perf_charge(&p, PERF_FILTER, 17);
    perf_charge(&p, PERF_WAITING, 17.5);
    perf_charge(&p, PERF_IDLE, 20);
    perf_sent(&p, 3, 100);
    perf_received(&p, 2, 7);
    perf_keep(&p, 4);
    perf_charge(&p, PERF_REST, 99); /* after what is kept */
    assert_close(p.kept.seconds[PERF_IDLE], 2, 1e-15);
    assert_close(p.kept.seconds[PERF_SENDING], 1, 1e-15);
    assert_close(p.kept.seconds[PERF_WAITING], 6.5, 1e-15);
    assert_close(p.kept.seconds[PERF_FILTER], 0.5, 1e-15);
    assert_true(p.kept.seconds[PERF_REST] == 0);
    assert_int_equal(p.kept.packets_out, 3);
    assert_int_equal(p.kept.bytes_out, 300);
    assert_int_equal(p.kept.packets_in, 2);
    assert_int_equal(p.kept.bytes_in, 14);
    assert_int_equal(p.kept.waves, 4);
    assert_close(p.kept.cpu + 2, 0.5, 1e-15);
    perf_enter(NULL, PERF_REST);
}

/* A stream's counters begin at an instant to come. */
static void begins_later(void **state)
{
    struct perf p;

    (void)state;
    perf_begin(&p, PERF_WAITING, 10, 0);
    perf_charge(&p, PERF_WAITING, 9);
    perf_charge(&p, PERF_REST, 10.5);
    perf_charge(&p, PERF_WAITING, 11);
    assert_close(p.running.seconds[PERF_WAITING], 0.5, 1e-15);
    assert_close(p.running.seconds[PERF_REST], 0.5, 1e-15);
}

/* The waves that are timed of `waves` that take from instant 10 n to 10 n + 9, the last one being
 * in progress: each has 1 s idle before the request, 6 in the filter, and waits for the rest. */
static struct perf_totals timed_of(uint64_t waves)
{
    struct perf p;
    double now = -1;

    perf_begin(&p, PERF_IDLE, now, 0);
    for (uint64_t wave = 0; wave <= waves; wave++) {
        const double begin = 10.0 * (double)wave;
        assert_int_equal(p.timed, perf_timed(wave));
        if (p.timed) {
            perf_charge(&p, PERF_FILTER, begin);
            perf_charge(&p, PERF_WAITING, begin + 6);
        }
        perf_sent(&p, 1, 8);
        now = p.timed || perf_timed(wave + 1) ? begin + 9 : NAN;
        if (wave < waves) {
            perf_next(&p, wave, now);
        }
    }
    return p.kept;
}

/* Idle time belongs to the wave after it, all packets count, and the first wave stands for others
 * only where there are none. */
static void some_waves_are_timed(void **state)
{
    static const struct {
        uint64_t waves, timed;
    } cases[] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {10, 1}, {11, 2}, {100, 14}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        at_row("cases[%zu]", i);
        const struct perf_totals kept = timed_of(cases[i].waves);
        const double timed = (double)cases[i].timed;
        assert_int_equal(kept.waves, cases[i].waves);
        assert_int_equal(kept.packets_out, cases[i].waves);
        assert_int_equal(kept.timed, cases[i].timed);
        assert_close(kept.seconds[PERF_IDLE], timed, 1e-15);
        assert_close(kept.seconds[PERF_FILTER], 6 * timed, 1e-15);
        assert_close(kept.seconds[PERF_WAITING], 3 * timed, 1e-15);
    }
}

/* Every process starts and ends between the same waves, the slow first one being left out. */
static void the_first_wave_makes_room(void **state)
{
    struct perf p;

    (void)state;
    perf_begin(&p, PERF_IDLE, 0, 0);
    perf_next(&p, 0, 1000);
    assert_close(p.kept.seconds[PERF_IDLE], 1000, 1e-15);
    perf_next(&p, 1, NAN);
    perf_next(&p, 2, 1020);
    assert_int_equal(p.kept.timed, 1); /* were the next one the last */
    assert_close(p.kept.seconds[PERF_IDLE], 1000, 1e-15);
    perf_next(&p, 3, 1030);
    assert_int_equal(p.kept.timed, 1);
    assert_close(p.kept.seconds[PERF_IDLE], 10, 1e-15);
    perf_next(&p, 4, NAN);
    perf_enter(&p, PERF_REST); /* costs no clock */
    assert_int_equal(p.phase, PERF_IDLE);
}

/* The path goes to the slower child, and its levels add up to half of the root's round trip. */
static void levels_of_a_path(void **state)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("levels:2x1", &e);
    struct perf_totals perf[5] = {
        {.waves = 10,
         .timed = 2,
         .seconds = {[PERF_WAITING] = 16, [PERF_FILTER] = 3, [PERF_SENDING] = 1}},
        {.waves = 10, .timed = 2, .seconds = {[PERF_WAITING] = 4, [PERF_IDLE] = 99}},
        {.waves = 10,
         .timed = 2,
         .seconds = {[PERF_WAITING] = 5, [PERF_SENDING] = 1, [PERF_ANSWERING] = 30}},
        {.waves = 10, .timed = 2, .seconds = {[PERF_REST] = 3}},
        {.waves = 10, .timed = 2, .seconds = {[PERF_REST] = 2}},
    };
    const struct plan round_trips = {.settings = {.mode = MODE_WAVES}};
    const struct plan pushing = {.settings = {.mode = MODE_STREAM}};
    struct results r = {.plan = &round_trips};
    struct result result = {.tree = tree, .waves = {.perf = perf, .n_perf = 5}};

    (void)state;
    assert_no_error(e);
    assert_int_equal(tan_tree_size(tree), 5);
    assert_close(tan_perf_level(&r, &result, 0), (10 - 3) / 2.0, 1e-15);
    assert_close(tan_perf_level(&r, &result, 1), (3 - 1) / 2.0, 1e-15);
    assert_close(tan_perf_level(&r, &result, 2), 0.5, 1e-15);
    assert_true(isnan(tan_perf_level(&r, &result, 3)));
    r.plan = &pushing; /* the busiest process of the level */
    assert_close(tan_perf_level(&r, &result, 1), 31 / 2.0, 1e-15);
    tan_tree_destroy(tree);
}

/* Means of the processes of a level: the leaves have received 30 packets in 20 waves, and spent 4
 * and 8 us in their 3 timed ones. 2 of the root's waves are not kept. */
static void table_of_levels(void **state)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("nto1:2", &e);
    struct perf_totals perf[3] = {
        {.waves = 10,
         .timed = 2,
         .packets_in = 20,
         .packets_out = 30,
         .bytes_in = 160,
         .bytes_out = 80,
         .cpu = 50e-6,
         .seconds = {[PERF_WAITING] = 16e-6,
                     [PERF_FILTER] = 3e-6,
                     [PERF_SENDING] = 1e-6,
                     [PERF_ANSWERING] = 2e-6,
                     [PERF_IDLE] = 8e-6}},
        {.waves = 10, .timed = 2, .packets_in = 10, .seconds = {[PERF_REST] = 4e-6}},
        {.waves = 10, .timed = 1, .packets_in = 20, .seconds = {[PERF_REST] = 8e-6}},
    };
    struct cell cell = {.spec = "nto1:2", .order = 0};
    const struct plan plan = {.settings = {.mode = MODE_WAVES}, .n_cells = 1, .cells = &cell};
    struct result result = {
        .cell = &cell, .tree = tree, .waves = {.perf = perf, .n_perf = 3, .n = 8, .batch = 1}};
    struct results r = {.plan = &plan, .list = &result, .n = 1};
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    (void)state;
    assert_no_error(e);
    tan_perf_print(&r, to);
    fclose(to);
    assert_non_null(strstr(text, "\nnto1:2, 10 waves of 10.00 us (2 timed, 2 not kept): means per "
                                 "wave and process\n\n"));
    static const char *const rows[] = {"0 1 2/3 16/8 1.50 8.00 1.50 0.00 4.00 5.00 1.00",
                                       "1 2 1.5/0 0/0 0.00 0.00 0.00 4.00 0.00 0.00 4.00"};
    char *line = strstr(text, "\n    0");
    for (int i = 0; i < 2; i++) {
        const char *wanted = rows[i];
        assert_non_null(line);
        for (line++; *line != '\n'; line++) { /* blanks do not count */
            if (*line != ' ') {
                wanted += *wanted == ' ';
                assert_int_equal(*line, *wanted++);
            }
        }
        assert_int_equal(*wanted, '\0');
    }
    free(text);
    const struct plan stream = {.settings = {.mode = MODE_STREAM}, .n_cells = 1, .cells = &cell};
    r.plan = &stream;
    to = open_memstream(&text, &length);
    tan_perf_print(&r, to);
    fclose(to);
    assert_non_null(strstr(text, "10 waves of 10.00 us: means"));
    free(text);
    tan_tree_destroy(tree);
}

/* Every number of every process. The root's two timed waves take 3 + 16 + 1 + 5 us, the leaf's one
 * 4 us; the model says L + 2 a for the root and nothing for a leaf. */
static void numbers_of_processes(void **state)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_json_writer w = {.failed = false};
    struct tan_tree *tree = tan_spec_build("chain:1", &e);
    struct tan_machine machine = {
        .tan_known = true,
        .tan = {.method = TAN_METHOD_JOINT, .value = {10e-6, 5e-6, 3e-6, 0, 0, 0}}};
    struct perf_totals perf[2] = {{.waves = 10,
                                   .timed = 2,
                                   .packets_in = 20,
                                   .packets_out = 30,
                                   .bytes_in = 160,
                                   .bytes_out = 80,
                                   .cpu = 50e-6,
                                   .seconds = {[PERF_WAITING] = 16e-6,
                                               [PERF_FILTER] = 3e-6,
                                               [PERF_SENDING] = 1e-6,
                                               [PERF_ANSWERING] = 2e-6,
                                               [PERF_REST] = 5e-6,
                                               [PERF_IDLE] = 8e-6}},
                                  {.waves = 9, .timed = 1, .seconds = {[PERF_REST] = 4e-6}}};
    const struct plan plan = {.settings = {.mode = MODE_WAVES}};
    const struct results r = {.plan = &plan, .machine = &machine};
    const struct cell cell = {.spec = "chain:1"};
    struct result result = {.cell = &cell, .tree = tree, .waves = {.perf = perf, .n_perf = 2}};
    (void)state;
    assert_no_error(e);
    json_t *object = tan_json_new_object(&w);
    tan_perf_set_json(&w, object, &r, &result);
    char *text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(
        text, "{\"perf\":[{\"node\":0,\"level\":0,\"waves\":10,\"timed\":2,\"packets_in\":20,"
              "\"packets_out\":30,\"bytes_in\":160,\"bytes_out\":80,\"filter_us\":3.0,"
              "\"waiting_us\":16.0,\"sending_us\":1.0,\"answering_us\":2.0,\"rest_us\":5.0,"
              "\"idle_us\":8.0,\"cpu_us\":50.0},{\"node\":1,\"level\":1,\"waves\":9,\"timed\":1,"
              "\"packets_in\":0,\"packets_out\":0,\"bytes_in\":0,\"bytes_out\":0,\"filter_us\":0.0,"
              "\"waiting_us\":0.0,\"sending_us\":0.0,\"answering_us\":0.0,\"rest_us\":4.0,"
              "\"idle_us\":0.0,\"cpu_us\":0.0}],\"perf_levels\":[{\"level\":0,\"measured_us\":4.25,"
              "\"predicted_us\":20.0},{\"level\":1,\"measured_us\":2.0,\"predicted_us\":0.0}]}");
    free(text);
    json_decref(object);
    object = tan_json_new_object(&w);
    result.waves.n_perf = 1; /* not of every process */
    tan_perf_set_json(&w, object, &r, &result);
    assert_int_equal(json_object_size(object), 0);
    json_decref(object);
    tan_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_add_up),        cmocka_unit_test(begins_later),
        cmocka_unit_test(some_waves_are_timed), cmocka_unit_test(the_first_wave_makes_room),
        cmocka_unit_test(levels_of_a_path),     cmocka_unit_test(table_of_levels),
        cmocka_unit_test(numbers_of_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
