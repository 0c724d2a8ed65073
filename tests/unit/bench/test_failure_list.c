/* test_failure_list.c - failures on the command line, and nodes drawn for them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/failure_list.h"

#include "tests/unit/check.h"

#include <string.h>

#include "topo/spec.h"

static void texts(void **state)
{
    (void)state;
    static const char *const rows[] = {"3@20", "leaf@2", "internal@1000000",
                                       "7@5,leaf@6,internal@5,12@healing,leaf@healing"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure_list f;
        struct tan_error e = TAN_ERROR_INIT;
        char text[256];
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_list_parse("--fail", rows[i], &f, &e), 0);
        assert_string_equal(tan_failure_list_format(&f, text, sizeof text), rows[i]);
    }
}

static void bad_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"3", "\"3\" is not PROCESS@WAVE"},
        {"", "\"\" is not PROCESS@WAVE"},
        {"3@20,", "\"\" is not PROCESS@WAVE"},
        {"0@20", "the root cannot fail"},
        {"root@20", "the root cannot fail"},
        {"-1@20", "\"-1\" is not the number of a process"},
        {"leaves@20", "\"leaves\" is not the number of a process"},
        {"3@1", "\"1\" is neither a wave from 2"},
        {"3@", "\"\" is neither a wave"},
        {"3@later", "nor healing"},
        {"3@healing", "no process fails in a wave, so nothing is healed"},
        {"3@5,4@6,3@7", "process 3 fails twice"},
        {"1@2,2@2,3@2,4@2,5@2,6@2,7@2,8@2,9@2,10@2,11@2,12@2,13@2,14@2,15@2,16@2,17@2",
         "more than 16 failures"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure_list f;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_list_parse("--fail", rows[i].text, &f, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].error);
    }
}

static void waves(void **state)
{
    (void)state;
    struct failure_list f = {.n = 0};
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_failure_list_first(&f), 0);
    assert_int_equal(tan_failure_list_last(&f), 0);
    assert_int_equal(tan_failure_list_parse("--fail", "1@healing,2@7,3@5,4@9", &f, &e), 0);
    assert_int_equal(tan_failure_list_first(&f), 5);
    assert_int_equal(tan_failure_list_last(&f), 9);
}

/* Every node of a kind is drawn sooner or later, each once, and never one that is named. */
static void draws(void **state)
{
    (void)state;
    struct failure_list f;
    struct failure_list drawn;
    struct failure_list again;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("levels:3x2", &e); /* internal: 1 to 3 */
    uint32_t internal = 0;
    uint32_t leaves = 0;
    assert_no_error(e);
    assert_int_equal(
        tan_failure_list_parse("--fail", "internal@2,leaf@3,internal@2,2@9,leaf@4", &f, &e), 0);
    for (uint64_t seed = 0; seed < 200; seed++) {
        assert_int_equal(tan_failure_list_draw(&f, tree, "levels:3x2", seed, &drawn, &e), 0);
        assert_int_equal(tan_failure_list_draw(&f, tree, "levels:3x2", seed, &again, &e), 0);
        assert_memory_equal(drawn.list, again.list, (size_t)drawn.n * sizeof *drawn.list);
        assert_int_equal(drawn.list[0].node + drawn.list[2].node, 1 + 3);
        assert_int_equal(drawn.list[0].wave, 2);
        assert_int_equal(drawn.list[3].node, 2);
        assert_in_range(drawn.list[1].node, 4, 9);
        assert_in_range(drawn.list[4].node, 4, 9);
        assert_int_not_equal(drawn.list[1].node, drawn.list[4].node);
        internal |= UINT32_C(1) << drawn.list[0].node;
        leaves |= UINT32_C(1) << drawn.list[1].node;
    }
    assert_int_equal(internal, 1 << 1 | 1 << 3);
    assert_int_equal(leaves, 0x3f0);
    tan_tree_destroy(tree);
}

static void not_there(void **state)
{
    (void)state;
    static const struct {
        const char *spec, *text, *error;
    } rows[] = {
        {"nto1:4", "internal@2", "nto1:4 has no internal process left"},
        {"chain:3", "internal@2,internal@2,internal@3", "chain:3 has no internal process left"},
        {"chain:3", "leaf@2,leaf@2", "chain:3 has no leaf process left"},
        {"nto1:4", "5@2", "nto1:4 has no process 5: those below the root are numbered from 1 to 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure_list f;
        struct failure_list drawn;
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_list_parse("--fail", rows[i].text, &f, &e), 0);
        assert_int_equal(tan_failure_list_draw(&f, tree, rows[i].spec, 1, &drawn, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].error);
        tan_tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts), cmocka_unit_test(bad_texts), cmocka_unit_test(waves),
        cmocka_unit_test(draws), cmocka_unit_test(not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
