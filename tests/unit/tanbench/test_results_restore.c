/* test_results_restore.c - results from their file: round trips, and files of other runs
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tanbench/plan/settings.h"
#include "tanbench/results/results.h"
#include "topo/spec.h"

#include "tests/unit/check.h"
#include "tests/unit/scratch_file.h"

static const double us = 1e-6;

static struct cell cells[] = {{.spec = "nto1:2",
                               .leaves = 2,
                               .processes = 3,
                               .height = 1,
                               .max_fanout = 2,
                               .bytes = 16,
                               .order = 1},
                              {.spec = "chain:1",
                               .leaves = 1,
                               .processes = 2,
                               .height = 1,
                               .max_fanout = 1,
                               .bytes = 16,
                               .order = 0}};

/* A run of two cells; not moved. */
struct run {
    struct tan_tree *trees[2];
    struct plan plan;
    struct results results;
};

static void begin(struct run *run)
{
    struct tan_error e = TAN_ERROR_INIT;
    *run = (struct run){.trees = {tan_spec_build("nto1:2", &e), tan_spec_build("chain:1", &e)}};
    assert_no_error(e);
    run->plan = (struct plan){.n_cells = 2, .cells = cells, .trees = run->trees};
    tan_settings_default(&run->plan.settings);
    run->results = (struct results){.plan = &run->plan, .wait = "park"};
    run->results.environment = json_pack("{s:[s,s], s:s, s:{s:s}}", "command", "tanbench", "nto1:2",
                                         "mpi", "some", "mpi_settings", "UCX_TLS", "tcp");
}

static void end(struct run *run)
{
    tan_results_clear(&run->results);
    json_decref(run->results.environment);
    tan_tree_destroy(run->trees[0]);
    tan_tree_destroy(run->trees[1]);
}

static double *copy(const double *values, size_t n)
{
    double *list = malloc(n * sizeof *list);
    assert_non_null(list);
    memcpy(list, values, n * sizeof *list);
    return list;
}

static struct measurement measured(void)
{
    static const double times[] = {30e-6, 44e-6, 32e-6};
    struct measurement m = {.round_trips = copy(times, 3),
                            .n = 3,
                            .batch = 2,
                            .warmup = 5,
                            .excluded = 4,
                            .stopped = STOP_TIME,
                            .period = 40 * us};
    return m;
}

static void add(struct run *run, int index, int launch, int pass, bool complete)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct measurement m = measured();
    assert_int_equal(tan_results_add(&run->results, index, launch, pass, &m, complete, &e), 0);
    assert_no_error(e);
}

TEST(comes_back)
{
    struct run run;
    struct run again;
    struct tan_error e = TAN_ERROR_INIT;
    begin(&run);
    begin(&again);
    add(&run, 0, 0, 0, true);
    add(&run, 0, 0, 1, true);
    add(&run, 0, 1, 0, true);
    json_t *document = tan_results_to_json(&run.results);
    assert_non_null(document);
    assert_int_equal(tan_restore_results(&again.results, document, "r.json", &e), 0);
    assert_no_error(e);
    json_t *restored = tan_results_to_json(&again.results);
    assert_true(json_equal(document, restored));
    assert_true(tan_results_has(&again.results, 0, 0, 0));
    assert_true(tan_results_has(&again.results, 0, 1, 0));
    assert_false(tan_results_has(&again.results, 0, 1, 1));
    assert_false(tan_results_has(&again.results, 1, 0, 0));
    json_decref(document);
    json_decref(restored);
    end(&run);
    end(&again);
}

/* A cell that was cut short is measured again. */
TEST(complete_cells)
{
    struct run run;
    struct run again;
    struct tan_error e = TAN_ERROR_INIT;
    begin(&run);
    begin(&again);
    add(&run, 0, 0, 0, true);
    add(&run, 1, 0, 0, false);
    json_t *document = tan_results_to_json(&run.results);
    assert_int_equal(tan_restore_results(&again.results, document, "r.json", &e), 0);
    assert_int_equal(again.results.n, 1);
    assert_int_equal(tan_restore_launches(document, 2), 0);
    assert_int_equal(tan_restore_launches(document, 1), 1);
    json_decref(document);
    add(&run, 0, 1, 0, true);
    document = tan_results_to_json(&run.results);
    assert_int_equal(tan_restore_launches(document, 1), 2);
    json_decref(document);
    end(&run);
    end(&again);
}

/* Each row changes one key of the first cell. */
TEST(refuses)
{
    static const struct {
        const char *key, *value, *error;
    } rows[] = {
        {"topo", "\"nto1:3\"", "of another run: its command does not measure cells[0] of nto1:3"},
        {"bytes", "32", "does not measure"},
        {"processes", "4", "does not measure"},
        {"filter", "\"max\"", "of another run: its command has another filter than cells[0]"},
        {"n", "4", "samples_us must hold 4 numbers"},
        {"n", "0", "n"},
        {"batch", "null", "batch"},
        {"stopped", "\"late\"", "stopped: \"late\" is not known"},
        {"samples_us", "[1, 2, 0]", "samples_us[2] is not a time"},
        {"samples_us", "[1, 2, \"3\"]", "samples_us[2] is not a time"},
        {"launches", "[]", "n is not the sum of the waves of its launches"},
        {"launches", "[{\"launch\": 0}]", "pass"},
        {"mode", "\"oneway\"", "of another run: its command has another mode than cells[0]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run run;
        struct run again;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("rows[%zu]", i);
        begin(&run);
        begin(&again);
        add(&run, 0, 0, 0, true);
        json_t *document = tan_results_to_json(&run.results);
        json_t *cell = json_array_get(json_object_get(document, "cells"), 0);
        json_object_set_new(cell, rows[i].key, json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
        assert_int_equal(tan_restore_results(&again.results, document, "r.json", &e), -1);
        assert_error(e, TAN_FAILED, rows[i].error);
        json_decref(document);
        end(&run);
        end(&again);
    }
}

/* --- files --- */

TEST(commands)
{
    static const struct {
        const char *text;
        mode_t mode;
        const char *error; /* NULL: none */
    } rows[] = {
        {"{\"schema\": \"tan-results/1\", \"environment\": {\"command\": [\"tanbench\"]}}", 0644,
         NULL},
        {"{\"schema\": \"tan-results/1\", \"environment\": {\"command\": [\"tanbench\"]}}", 0664,
         "can be written by others"},
        {"{\"schema\": \"tan-results/1\", \"environment\": {\"command\": [\"tanbench\"]}}", 0646,
         "can be written by others"},
        {"{\"schema\": \"tan-results/1\", \"environment\": {\"command\": [1]}}", 0644,
         "does not say which command began it"},
        {"{\"schema\": \"tan-results/1\"}", 0644, "does not say which command began it"},
        {"{\"schema\": \"tan-machine/1\"}", 0644, "schema must be \"tan-results/1\""},
        {"{\"schema\": ", 0644, "not valid JSON"},
        {"[]", 0644, "object"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        at_row("rows[%zu]", i);
        write_text(rows[i].text);
        assert_int_equal(chmod(path, rows[i].mode), 0);
        json_t *command = tan_restore_command(path, &e);
        assert_int_equal(command != NULL, rows[i].error == NULL);
        if (rows[i].error != NULL) {
            assert_error(e, TAN_FAILED, rows[i].error);
        }
        json_decref(command);
    }
    struct tan_error e = TAN_ERROR_INIT;
    assert_null(tan_restore_command("/dev/null", &e));
    assert_error(e, TAN_FAILED, "/dev/null is not a regular file");
}

RUN_TESTS(make_scratch, remove_scratch)
