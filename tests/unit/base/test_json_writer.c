/* test_json_writer.c - documents are complete or fail, for failing allocations; rounding
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/answer.h"
#include "base/output.h"
#include "model/machine/p2p.h"
#include "tanbench/results/results.h"
#include "topo/spec.h"

#include "tests/unit/check.h"
#include "tests/unit/scratch_file.h"

/* Jansson's allocator: the allocation with this number, from 0, fails, and only that. */
static long failing = -1;

static void *allocate(size_t size)
{
    return failing-- == 0 ? NULL : malloc(size);
}

static void put_number(json_t *array, json_t *value)
{
    assert_int_equal(json_array_append_new(array, value), 0);
}

TEST(rounds)
{
    json_t *array = json_array();
    put_number(array, tan_json_us(12.3456789e-6));
    put_number(array, tan_json_us(NAN));
    put_number(array, tan_json_fixed(-2.0 / 3, 4));
    put_number(array, tan_json_fixed(1 / 0.0, 4));
    put_number(array, tan_json_us_digits(49.3e-6, TAN_JSON_DIGITS));
    put_number(array, tan_json_us_digits(205.98399999999998e-6, 12));
    put_number(array, tan_json_us_digits(1.23456789e-12, 6));
    char *text = json_dumps(array, JSON_COMPACT);
    assert_string_equal(text, "[12.346,null,-0.66669999999999996,null,49.299999999999997,"
                              "205.98400000000001,1.23457e-6]");
    free(text);
    json_decref(array);
    assert_null(tan_json_us_digits(NAN, TAN_JSON_DIGITS));
    assert_null(tan_json_us_digits(INFINITY, 6));
    json_t *foreign = tan_json_text("caf\xe9");
    assert_string_equal(json_string_value(foreign), "caf?");
    json_decref(foreign);
}

/* What cannot be written fails the whole document, wherever it is. */
TEST(fails_as_a_whole)
{
    for (int i = 0; i < 4; i++) {
        struct tan_json_writer w = {.failed = false};
        json_t *top = tan_json_new_object(&w);
        json_t *inner = tan_json_set_object(&w, top, "inner");
        assert_false(w.failed);
        switch (i) {
        case 0:
            tan_json_set_string(&w, inner, "text", "caf\xe9");
            break;
        case 1:
            tan_json_set_us_digits(&w, inner, "time", NAN, TAN_JSON_DIGITS);
            break;
        case 2:
            tan_json_append(&w, NULL, json_true());
            break;
        case 3:
            assert_null(tan_json_append_object(&w, inner)); /* not an array */
            break;
        }
        tan_json_set_int(&w, inner, "n", 1);
        assert_true(w.failed);
        assert_null(tan_json_finish(&w, top));
    }
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_json_save_new("/dev/null", NULL, &e), -1);
    assert_error(e, TAN_FAILED, "cannot write /dev/null");
}

/* Documents of all kinds. */

struct given {
    struct plan plan;
    struct tan_machine *machine;
    struct results results;
    struct tan_design design;
    struct tan_forecast forecast;
    struct tan_given overrides;
    struct tan_basis from;
    struct tan_doubts doubts;
};

static double *copy_of(const double *values, size_t n)
{
    double *copy = malloc(n * sizeof *copy);
    assert_non_null(copy);
    return memcpy(copy, values, n * sizeof *copy);
}

/* What a cell has in every mode. */
static struct measurement measured(const struct stream_result *stream)
{
    static const double times[] = {3e-6, 1e-6, 2e-6};
    return (struct measurement){
        .round_trips = copy_of(times, 3),
        .up = copy_of(times, 3),
        .down = copy_of(times, 3),
        .late = copy_of(times, 3),
        .n = 3,
        .batch = 2,
        .period = 4e-6,
        .disturbed = true,
        .clocks = {.ranks = 3, .shared = 1, .accuracy = 1e-6},
        .flow = {.sent = 9, .received = 9, .window = 4},
        .stream = *stream,
    };
}

static void make(struct given *g, enum mode mode)
{
    static const struct stream_result stream = {
        .duration = 1, .rate = 5, .rate_low = 4, .rate_high = 6, .closed = 1e-3};
    struct tan_error e = TAN_ERROR_INIT;
    *g = (struct given){.plan = {.n_cells = 0}};
    tan_settings_default(&g->plan.settings);
    g->plan.settings.mode = mode;
    assert_int_equal(tan_plan_add(&g->plan, "nto1:3", &e), 0);
    assert_int_equal(tan_plan_add(&g->plan, "random:5:1", &e), 0);
    assert_int_equal(tan_plan_add_sizes(&g->plan, &e), 0);
    g->machine = tan_machine_create("m", &e);
    assert_non_null(g->machine);
    for (int p = 0; p < TAN_PARAMS; p++) {
        g->machine->tan.value[p] = (p + 1) * 1e-6;
        g->machine->tan.ci95[p] = (struct tan_interval){p * 1e-6, (p + 2) * 1e-6};
    }
    g->machine->tan.draws = calloc(2 * TAN_PARAMS, sizeof *g->machine->tan.draws);
    g->machine->tan.n_draws = 2;
    g->machine->latency = (struct tan_latency){.n = 3, .mean = 1e-6, .n_peaks = 1};
    json_t *p2p = json_pack("{s:[{s:i, s:f, s:f, s:f, s:f}]}", "sections", "from_bytes", 1, "L_us",
                            1.0, "o_s_us", 1.0, "o_r_us", 1.0, "G_us_per_byte", 0.001);
    assert_int_equal(tan_machine_set_p2p(g->machine, p2p, &e), 0);
    g->machine->environment = json_pack("{s:s}", "kernel", "some");
    g->results = (struct results){.plan = &g->plan,
                                  .machine = g->machine,
                                  .environment = g->machine->environment,
                                  .validates = true,
                                  .wait = "poll"};
    for (int i = 0; i < 4; i++) {
        struct measurement m = measured(&stream);
        assert_int_equal(tan_results_add(&g->results, i / 2, i % 2, 0, &m, true, &e), 0);
    }
    const struct tan_problem problem = {.leaves = 20,
                                        .model = &tan_models[TAN_MODEL_TAN],
                                        .params = &g->machine->tan,
                                        .max_fanout = 9};
    assert_int_equal(tan_design(&problem, 3, &g->design, &e), 0);
    struct tan_tree *tree = tan_spec_build("binomial:8", &e);
    assert_no_error(e);
    assert_int_equal(
        tan_forecast("binomial:8", tree, &tan_models[TAN_MODEL_TAN], g->machine, &g->forecast, &e),
        0);
    tan_tree_destroy(tree);
    g->overrides = (struct tan_given)TAN_GIVEN_NOTHING;
    g->overrides.value[TAN_L] = 1e-6;
    g->from = (struct tan_basis){g->machine,    "file", "file",
                                 &g->overrides, NAN,    &tan_models[TAN_MODEL_TAN],
                                 &g->doubts,    true};
    tan_doubts_add(&g->machine->doubts, TAN_DOUBT, "one", 0.5, 1u << TAN_B, "for a reason");
    tan_doubt_design(&g->design, g->machine, &g->doubts);
    assert_true(g->doubts.n > 0);
    assert_no_error(e);
}

static void unmake(struct given *g)
{
    tan_doubts_clear(&g->doubts);
    tan_design_clear(&g->design);
    tan_forecast_clear(&g->forecast);
    tan_results_clear(&g->results);
    tan_machine_destroy(g->machine);
    tan_plan_clear(&g->plan);
}

static json_t *results(const struct given *g)
{
    return tan_results_to_json(&g->results);
}

static json_t *machine(const struct given *g)
{
    return tan_machine_to_json(g->machine);
}

static json_t *recommendation(const struct given *g)
{
    struct tan_compared compared;
    assert_int_equal(tan_compare(&g->design, "nto1:20", &compared, NULL), 0);
    return tan_answer_design(&g->design, 3, &compared, 1, &g->from);
}

static json_t *fanouts(const struct given *g)
{
    struct tan_fanout rows[TAN_FANOUTS];
    assert_int_equal(tan_fanouts(&tan_models[TAN_MODEL_TAN], &g->machine->tan, 20, rows, NULL), 0);
    return tan_answer_fanouts(rows, 20, &g->from);
}

static json_t *forecasts(const struct given *g)
{
    return tan_answer_forecasts(&g->forecast, 1, &g->from);
}

static json_t *messages(const struct given *g)
{
    static const int64_t bytes[] = {1, 1024};
    return tan_answer_messages(bytes, 2, 1e-6, &g->from);
}

/* Every allocation in turn fails: the document is whole, or there is none. */
static void survive(const struct given *g, json_t *(*document)(const struct given *))
{
    json_t *whole = document(g);
    char *wanted = json_dumps(whole, JSON_COMPACT);
    long refused = 0;
    assert_non_null(wanted);
    for (long k = 0, left = -1; left < 0; k++) {
        json_set_alloc_funcs(allocate, free);
        failing = k;
        json_t *made = document(g);
        left = failing;
        json_set_alloc_funcs(malloc, free);
        refused += made == NULL;
        if (made != NULL) {
            char *text = json_dumps(made, JSON_COMPACT);
            assert_string_equal(text, wanted);
            free(text);
        }
        json_decref(made);
    }
    assert_true(refused > 10); /* the allocator did fail */
    free(wanted);
    json_decref(whole);
}

TEST(documents_are_whole)
{
    struct given g;
    for (int mode = 0; mode < MODES; mode++) {
        make(&g, (enum mode)mode);
        survive(&g, results);
        unmake(&g);
    }
    make(&g, MODE_WAVES);
    survive(&g, machine);
    survive(&g, recommendation);
    survive(&g, fanouts);
    survive(&g, forecasts);
    survive(&g, messages);
    unmake(&g);
}

static char *text_of(const char *name)
{
    struct tan_error e = TAN_ERROR_INIT;
    char *text = tan_read_file(name, NULL, &e);
    assert_no_error(e);
    return text;
}

/* A file is replaced by a whole one or not at all. */
TEST(files_are_whole)
{
    struct given g;
    struct tan_error e = TAN_ERROR_INIT;
    make(&g, MODE_ONEWAY);

    assert_int_equal(tan_machine_save(g.machine, path, &e), 0);
    char *before = text_of(path);
    int saved = -1;
    for (long k = 0; saved < 0; k++) {
        json_set_alloc_funcs(allocate, free);
        failing = k;
        saved = tan_machine_save(g.machine, path, &e);
        json_set_alloc_funcs(malloc, free);
        assert_int_equal(e.status, saved < 0 ? TAN_FAILED : TAN_DONE);
        e = (struct tan_error)TAN_ERROR_INIT;
        char *after = text_of(path);
        assert_string_equal(after, before);
        free(after);
    }
    free(before);
    unmake(&g);
}

RUN_TESTS(make_scratch, remove_scratch)
