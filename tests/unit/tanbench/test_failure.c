/* test_failure.c - failures on the command line, and nodes drawn for them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/settings.h"

#include "tests/unit/check.h"

#include <string.h>

#include "topo/spec.h"

TEST(texts)
{
    static const char *const rows[] = {"3@20", "leaf@2", "internal@1000000"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure f;
        struct tan_error e = TAN_ERROR_INIT;
        char text[256];
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_parse("--fail", rows[i], &f, &e), 0);
        assert_string_equal(tan_failure_format(&f, text, sizeof text), rows[i]);
    }
}

TEST(bad_texts)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"3", "\"3\" is not PROCESS@WAVE"},
        {"", "\"\" is not PROCESS@WAVE"},
        {"3@20,4@20", "\"20,4@20\" is not a wave"},
        {"33333333333333333333333333333333@2", "is not PROCESS@WAVE"},
        {"0@20", "the root cannot fail"},
        {"root@20", "the root cannot fail"},
        {"-1@20", "\"-1\" is not the number of a process"},
        {"leaves@20", "\"leaves\" is not the number of a process"},
        {"3@1", "\"1\" is not a wave from 2"},
        {"3@", "\"\" is not a wave"},
        {"3@healing", "\"healing\" is not a wave"},
        {"3@1000001", "\"1000001\" is not a wave from 2 to 1000000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure f;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_parse("--fail", rows[i].text, &f, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].error);
    }
}

TEST(no_failure)
{
    char text[40];
    assert_string_equal(tan_failure_format(&(struct failure){.wave = 0}, text, sizeof text), "");
}

/* Every node of a kind is drawn sooner or later. */
TEST(draws)
{
    static const struct {
        const char *text;
        uint32_t nodes; /* a bit for each */
    } rows[] = {{"internal@3", 0xe}, {"leaf@3", 0x3f0}, {"2@3", 0x4}};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build("levels:3x2", &e); /* internal: 1 to 3 */
    assert_no_error(e);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure f;
        struct failure drawn;
        struct failure again;
        uint32_t nodes = 0;
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_parse("--fail", rows[i].text, &f, &e), 0);
        for (uint64_t seed = 0; seed < 200; seed++) {
            assert_int_equal(tan_failure_draw(&f, tree, "levels:3x2", seed, &drawn, &e), 0);
            assert_int_equal(tan_failure_draw(&f, tree, "levels:3x2", seed, &again, &e), 0);
            assert_int_equal(drawn.node, again.node);
            assert_int_equal(drawn.wave, 3);
            assert_in_range(drawn.node, 1, 9);
            nodes |= UINT32_C(1) << drawn.node;
        }
        assert_int_equal(nodes, rows[i].nodes);
    }
    tan_tree_destroy(tree);
}

TEST(not_there)
{
    static const struct {
        const char *spec, *text, *error;
    } rows[] = {
        {"nto1:4", "internal@2", "nto1:4 has no internal process that could fail"},
        {"nto1:4", "5@2", "nto1:4 has no process 5: those below the root are numbered from 1 to 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure f;
        struct failure drawn;
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_tree *tree = tan_spec_build(rows[i].spec, &e);
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_parse("--fail", rows[i].text, &f, &e), 0);
        assert_int_equal(tan_failure_draw(&f, tree, rows[i].spec, 1, &drawn, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].error);
        tan_tree_destroy(tree);
    }
}

RUN_TESTS(NULL, NULL)
