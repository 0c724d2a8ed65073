/* test_results_modes.c - what the tables of the modes oneway and stream say, from known numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/results_modes.h"

#include "tests/unit/check.h"
#include "topo/spec.h"

static const double us = 1e-6;

/* One result of nto1:2, on a machine whose level of two children takes 10 + 2 * 5 + 3 + 3 * 0.5 =
 * 24.5 us. */
static struct tan_machine machine = {
    .name = "m", .tan = {.method = TAN_METHOD_JOINT, .value = {10e-6, 5e-6, 3e-6, 0.5e-6, 0, 0}}};
static struct cell cells[] = {
    {.spec = "nto1:2", .leaves = 2, .processes = 3, .height = 1, .max_fanout = 2, .bytes = 8}};
static struct tan_tree *trees[1];
static struct plan plan = {.n_cells = 1, .cells = cells, .trees = trees};

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
static char *printed(void (*print)(const struct results *, FILE *), struct result *result)
{
    struct results r = {.plan = &plan, .machine = &machine, .list = result, .n = 1};
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

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        print_error("\"%s\" is not in:\n%s\n", part, text);
    }
    assert_non_null(strstr(text, part));
}

/* 20,000 of 40,816 waves per second that the model allows: an error of 104.1 %. */
static void streams(void **state)
{
    (void)state;
    struct result result = {.round_trip = {.n = 2, .median = 55 * us, .p99 = 80 * us},
                            .waves = {.flow = {.window = 8, .queue_high = 5, .sent = 90, .late = 7},
                                      .stream = {.asked = 25000,
                                                 .rate = 20000,
                                                 .rate_low = 19000,
                                                 .rate_high = 21000,
                                                 .closed = 100 * us,
                                                 .bound = 40000}}};
    char *text = printed(tan_results_print_stream, &result);
    assert_contains(text, "\nnto1:2 8 B 3 20000 10000 40000 50 % 55.00 80.00 5 40820 +104.1 %\n");
    assert_contains(text, "nto1:2 takes 20000 of the 25000 waves per second asked for.\n");
    assert_contains(text, "nto1:2: 7 of 90 packets came late and went on by themselves.\n");
    free(text);
    /* as many as were asked for, but for a hundredth; nothing late; cut short */
    result.waves.stream.rate = 24800;
    result.waves.stream.bound = 0;
    result.waves.flow.late = 0;
    result.waves.flow.window = 0;
    text = printed(tan_results_print_stream, &result);
    assert_contains(text, "\nnto1:2 8 B 3 25000 10000 - - 55.00 80.00 - 40820 +64.6 %\n");
    assert_null(strstr(text, "nto1:2 takes"));
    assert_null(strstr(text, "came late"));
    free(text);
}

/* Medians of three: 21, 12 and 3 us; the last is 14 % of the first. */
static void ways(void **state)
{
    (void)state;
    double up[] = {21 * us, 20 * us, 24 * us};
    double down[] = {12 * us, 11 * us, 15 * us};
    double late[] = {3 * us, 1 * us, 4 * us};
    struct part part = {.n = 3};
    struct result result = {.n_parts = 1,
                            .parts = &part,
                            .launches = {.n = 1},
                            .waves = {.n = 3,
                                      .up = up,
                                      .down = down,
                                      .late = late,
                                      .clocks = {.ranks = 3,
                                                 .shared = 1,
                                                 .accuracy = 2 * us,
                                                 .residual = 1.5 * us,
                                                 .drift = 3e-6,
                                                 .round_trip = 40 * us,
                                                 .shared_off = 0.25 * us}}};
    char *text = printed(tan_results_print_oneway, &result);
    assert_contains(text, "\nnto1:2 8 B 3 3 21.00 - 24.50 12.00 - 3.000\n");
    assert_contains(text, "nto1:2: 14 % of the way up is the last leaf's late start.\n");
    assert_contains(text, "Clocks: synchronised to 2.00 us (residual 1.50 us, drift up to 3.0 ppm, "
                          "exchanges of 40.0\nus)");
    assert_contains(text, "that share one were off by 0.25 us at most.");
    free(text);
    /* cppcheck-suppress unreadVariable ; read through the result */
    late[0] = late[2] = 2 * us; /* less than a tenth */
    result.waves.clocks.shared = 3;
    text = printed(tan_results_print_oneway, &result);
    assert_null(strstr(text, "late start"));
    assert_contains(text, "Clocks: all ranks share the root's; ");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams),
        cmocka_unit_test(ways),
    };
    return cmocka_run_group_tests(tests, make_tree, destroy_tree);
}
