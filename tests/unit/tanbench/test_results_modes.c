/* test_results_modes.c - tables of results, and files of oneway and stream, from known numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */

#include "tanbench/results/results.h"
#include "tests/unit/check.h"
#include "topo/spec.h"

static const double us = 1e-6;

/* One result of nto1:2, on a machine whose level of two children takes 10 + 2 * 5 + 3 + 3 * 0.5 =
 * 24.5 us. */
static struct tan_machine machine = {
    .name = "m",
    .tan_known = true,
    .tan = {.method = TAN_METHOD_JOINT, .bytes = 8, .value = {10e-6, 5e-6, 3e-6, 0.5e-6, 0, 0}}};
static struct cell cells[] = {
    {.spec = "nto1:2", .leaves = 2, .processes = 3, .height = 1, .max_fanout = 2, .bytes = 8}};
static struct tan_tree *trees[1];
static struct plan plan = {
    .n_cells = 1, .cells = cells, .trees = trees, .settings = {.request_bytes = -1}};

static int make_tree(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    trees[0] = tan_spec_build("nto1:2", &e);
    return trees[0] == NULL;
}

static int destroy_tree(void **state)
{
    (void)state;
    tan_tree_destroy(trees[0]);
    return 0;
}

/* What `print` prints of a measurement, with the words of each line one blank apart; malloc'd. */
static char *printed_for(struct tan_machine *predicted,
                         void (*print)(const struct results *, FILE *), struct result *result)
{
    struct results r = {.plan = &plan, .machine = predicted, .list = result, .n = 1};
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    result->cell = &cells[0];
    result->tree = trees[0];
    result->complete = true;
    print(&r, to);
    fclose(to);
    char *end = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at != ' ' || (end > text && end[-1] != ' ' && end[-1] != '\n')) {
            *end++ = *at;
        }
    }
    *end = '\0';
    return text;
}

static char *printed(void (*print)(const struct results *, FILE *), struct result *result)
{
    return printed_for(&machine, print, result);
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        print_error("\"%s\" is not in:\n%s\n", part, text);
    }
    assert_non_null(strstr(text, part));
}

/* L = 10, o_s = 3, o_r = 1 us by tan-overlap: one way up 3 + 10 + 2 * 1 us, and a round trip, whose
 * second request leaves at 3 us, 3 + 3 + 10 + 1 + 3 + 10 + 1 us. */
static void know_overlap(void)
{
    machine.overlap =
        (struct tan_params){.method = TAN_METHOD_OVERLAP, .value = {10e-6, 3e-6, 1e-6, 0, 0, 0}};
    machine.overlap_known = true;
}

/* Half of 40 us was measured; LogP says 20 us. A model of whose parameters the machine file has
 * none has no column, and without a machine file none has. */
TEST(waves)
{
    struct part part = {.n = 1};
    double round_trip = 40 * us;
    struct result result = {
        .round_trip = {.n = 1, .median = 40 * us, .p95 = 44 * us, .median_ci95 = {1, 0}},
        .n_parts = 1,
        .parts = &part,
        .launches = {.n = 1},
        .waves = {.n = 1, .round_trips = &round_trip}};
    char *text = printed(tan_results_print, &result);
    assert_contains(text, "topology processes height n wave us 95 % p95 LogP error TAN error\n");
    assert_contains(text, "\nnto1:2 3 1 1 20.00 - 22.00 20.00 0.0 % 24.50 +22.5 %\n");
    free(text);
    know_overlap();
    text = printed(tan_results_print, &result);
    assert_contains(text, "LogP error TAN error tan-overlap error\n");
    assert_contains(text, "\nnto1:2 3 1 1 20.00 - 22.00 20.00 0.0 % 24.50 +22.5 % 15.50 -22.5 %\n");
    machine.overlap_known = false;
    free(text);
    text = printed_for(NULL, tan_results_print, &result);
    assert_contains(text, "wave us 95 % p95\n");
    assert_contains(text, "\nnto1:2 3 1 1 20.00 - 22.00\n");
    free(text);
}

/* Each number of a recovery in its place; medians of two passes; half of 50 us after the failure.
 */
TEST(failures)
{
    double round_trip = 40 * us, healed = 50 * us;
    struct recovery passes[] = {{.wave = 7,
                                 .node = 2,
                                 .parent = 1,
                                 .deadline = 5,
                                 .waited = 5.25,
                                 .noticed = 0,
                                 .recovered = 1,
                                 .seconds = {100 * us, 20 * us, 3 * us}},
                                {.seconds = {300 * us, 40 * us, 5 * us}}};
    struct part parts[] = {{.n_healed = 1}, {.n = 0}};
    struct result result = {
        .round_trip = {.n = 1, .median = 40 * us},
        .n_parts = 2,
        .parts = parts,
        .launches = {.n = 1},
        .waves = {.n = 1, .round_trips = &round_trip, .heal = {passes, 2, &healed, 1}}};
    plan.settings.failure.wave = 7;
    char *text = printed(tan_results_print_failures, &result);
    assert_contains(text, "\nnto1:2 7 20.00 200.0 30.00 4.000 234.0 25.00\n");
    assert_contains(
        text, "nto1:2, wave 7, first pass: process 2 was given up by process 1 after "
              "5250 ms (5\nx 1000 ms); 0 of 2 leaves had answered by then, 1 are in the result");
    free(text);
    result.n_parts = 1;
    result.waves.heal.n_recoveries = 1;
    result.waves.heal.n_healed = 0;
    text = printed(tan_results_print_failures, &result);
    assert_contains(text, "\nnto1:2 7 20.00 100.0 20.00 3.000 123.0 -\n");
    assert_contains(text, "nto1:2, wave 7: process 2");
    free(text);
}

/* 20,000 of 40,816 waves per second that the model allows: an error of 104.1 %. */
TEST(streams)
{
    struct result result = {.round_trip = {.n = 2, .median = 55 * us, .p99 = 80 * us},
                            .waves = {.flow = {.window = 8, .queue_high = 5, .sent = 90},
                                      .stream = {.asked = 25000,
                                                 .rate = 20000,
                                                 .rate_low = 19000,
                                                 .rate_high = 21000,
                                                 .closed = 100 * us}}};
    char *text = printed(tan_results_print_stream, &result);
    assert_contains(text, "\nnto1:2 8 B 3 20000 10000 55.00 80.00 5 40820 +104.1 %\n");
    assert_contains(text, "nto1:2 takes 20000 of the 25000 waves per second asked for.\n");
    free(text);
    text = printed_for(NULL, tan_results_print_stream, &result);
    assert_contains(text, "p99 queue high\n");
    assert_contains(text, "\nnto1:2 8 B 3 20000 10000 55.00 80.00 5\n");
    assert_null(strstr(text, "TAN"));
    free(text);
    /* as many as were asked for, but for a hundredth; cut short */
    result.waves.stream.rate = 24800;
    result.waves.flow.window = 0;
    text = printed(tan_results_print_stream, &result);
    assert_contains(text, "\nnto1:2 8 B 3 25000 10000 55.00 80.00 - 40820 +64.6 %\n");
    assert_null(strstr(text, "nto1:2 takes"));
    free(text);
}

/* Three waves of nto1:2: medians of 21 us up, 12 us down and 3 us late. */
struct one_way {
    double up[3], down[3], late[3];
    struct part part;
    struct result result; /* borrows the others */
};

static void begin_one_way(struct one_way *o)
{
    *o = (struct one_way){.up = {21 * us, 20 * us, 24 * us},
                          .down = {12 * us, 11 * us, 15 * us},
                          .late = {3 * us, 1 * us, 4 * us},
                          .part = {.n = 3}};
    o->result = (struct result){.cell = &cells[0],
                                .tree = trees[0],
                                .n_parts = 1,
                                .parts = &o->part,
                                .launches = {.n = 1},
                                .waves = {.n = 3,
                                          .up = o->up,
                                          .down = o->down,
                                          .late = o->late,
                                          .clocks = {.ranks = 3,
                                                     .shared = 1,
                                                     .accuracy = 2 * us,
                                                     .residual = 1.5 * us,
                                                     .check = 1.25 * us,
                                                     .offset = 33 * us,
                                                     .drift = 3e-6,
                                                     .round_trip = 40 * us,
                                                     .shared_off = 0.25 * us}}};
}

TEST(ways)
{
    struct one_way o;
    begin_one_way(&o);
    char *text = printed(tan_results_print_oneway, &o.result);
    assert_contains(text, "\nnto1:2 8 B 3 3 21.00 - 24.50 12.00 - 3.000\n");
    assert_contains(text,
                    "Clocks: synchronised to 2.00 us (residual 1.50 us, drift up to 3.0 ppm,\n"
                    "exchanges of 40.0 us)");
    assert_contains(text, "that share one were off by 0.25\nus at most.");
    free(text);
    know_overlap();
    text = printed(tan_results_print_oneway, &o.result);
    assert_contains(text, "TAN tan-overlap down us 95 % fired late\n");
    assert_contains(text, "\nnto1:2 8 B 3 3 21.00 - 24.50 15.00 12.00 - 3.000\n");
    machine.overlap_known = false;
    free(text);
    o.result.waves.clocks.shared = 3;
    text = printed(tan_results_print_oneway, &o.result);
    assert_contains(text, "Clocks: all ranks share the root's; ");
    free(text);
}

/* What a result file says of `result`, of a run in that mode. */
static void assert_mode_json(enum mode mode, const struct result *result, const char *expected)
{
    const struct plan moded = {
        .n_cells = 1, .cells = cells, .trees = trees, .settings = {.mode = mode}};
    struct results r = {.plan = &moded, .machine = &machine, .n = 0};
    struct tan_json_writer w = {.failed = false};
    json_t *cell = tan_json_new_object(&w);
    tan_results_set_mode(&w, cell, &r, result);
    assert_false(w.failed);
    char *text = json_dumps(cell, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_string_equal(text, expected);
    free(text);
    json_decref(cell);
}

/* Every number is another one; 25 packets of 90 were dropped, 20,000 of 40,000 waves are a half,
 * and TAN's 1 / 24.5 us is 104.1 % more than 20,000 a second. */
TEST(stream_json)
{
    const struct result result = {.cell = &cells[0],
                                  .tree = trees[0],
                                  .round_trip = {.n = 2,
                                                 .median = 55 * us,
                                                 .mean = 56 * us,
                                                 .stddev = 9 * us,
                                                 .min = 41 * us,
                                                 .p5 = 42 * us,
                                                 .p25 = 43 * us,
                                                 .p75 = 70 * us,
                                                 .p95 = 75 * us,
                                                 .p99 = 80 * us,
                                                 .max = 81 * us,
                                                 .median_ci95 = {54 * us, 57 * us}},
                                  .waves = {.flow = {.window = 8,
                                                     .queue_high = 5,
                                                     .sent = 90,
                                                     .received = 65,
                                                     .waves = 30,
                                                     .partial = 6},
                                            .stream = {.asked = 25000,
                                                       .duration = 2.5,
                                                       .rate = 20000,
                                                       .rate_low = 19000,
                                                       .rate_high = 21000,
                                                       .closed = 100 * us,
                                                       .behind = 12 * us,
                                                       .blocked = 0.25,
                                                       .latency_max = 99 * us}}};
    assert_mode_json(
        MODE_STREAM, &result,
        "{\"flow\":{\"sent\":90,\"received\":65,\"dropped\":25,\"whole\":30,\"partial\":6,\"queue_"
        "high\":5,"
        "\"window\":8},\"stream\":{\"duration_s\":2.5,\"rate_per_s\""
        ":20000.0,\"closed_round_trip_us\":100.0,\"latency_max_us\":99.0,\"behind_us\":12.0,"
        "\"blocked\":0.25,\"closed_rate_per_s\":10000.0,\"latenc"
        "y_us\":{\"median\":55.0,\"mean\":56.0,\"stddev\":9.0,\"min\":41.0,\"p5\":42.0,\"p25"
        "\":43.0,\"p75\":70.0,\"p95\":75.0,\"p99\":80.0,\"max\":81.0,\"ci95\":[54.0,57.0]},\""
        "frequency_per_s\":25000.0,\"rate_ci95_per_s\":[19000.0,21000.0],\"predicted_per_s\":{"
        "\"tan\":40816.3265,\"logp\":50000.0,\"logp-serial\":40000.0},\"error\":{\"tan\":1.04"
        "0816,\"logp\":1.5,\"logp-serial\":1.0}}}");
}

/* Means and standard deviations: 21.667, 12.667 and 2.667 us. */
TEST(ways_json)
{
    struct one_way o;
    begin_one_way(&o);
    assert_mode_json(
        MODE_ONEWAY, &o.result,
        "{\"clocks\":{\"ranks\":3,\"shared\":1,\"accuracy_us\":2.0,\"residual_us\":1.5,"
        "\"check_us\":1.25,\"shared_offset_us\":0.25,\"offset_us\":33.0,\"drift_ppm\":3.0,"
        "\"round_trip_us\":40.0},"
        "\"up_us\":{\"median\":21.0,\"mean\":21.667,\"stddev\":2.082,\"min\":20.0,\"p5\":20.1,"
        "\"p25\":20.5,\"p75\":22.5,\"p95\":23.7,\"p99\":23.94,\"max\":24.0},"
        "\"down_us\":{\"median\":12.0,\"mean\":12.667,\"stddev\":2.082,\"min\":11.0,\"p5\":11.1,"
        "\"p25\":11.5,\"p75\":13.5,\"p95\":14.7,\"p99\":14.94,\"max\":15.0},"
        "\"late_us\":{\"median\":3.0,\"mean\":2.667,\"stddev\":1.528,\"min\":1.0,\"p5\":1.2,"
        "\"p25\":2.0,\"p75\":3.5,\"p95\":3.9,\"p99\":3.98,\"max\":4.0},"
        "\"samples_up_us\":[21.0,20.0,24.0],\"samples_down_us\":[12.0,11.0,15.0],"
        "\"samples_late_us\":[3.0,1.0,4.0]}");
}

RUN_TESTS(make_tree, destroy_tree)
