/* test_failure.c - failures on the command line
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/plan.h"

#include "tests/unit/check.h"

TEST(texts)
{
    static const struct {
        const char *text;
        struct failure failure;
    } rows[] = {{"3@20", {3, 20}}, {"12@1000000", {12, 1000000}}, {"1@2", {1, 2}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct failure f;
        struct tan_error e = TAN_ERROR_INIT;
        at_row("rows[%zu]", i);
        assert_int_equal(tan_failure_parse("--fail", rows[i].text, &f, &e), 0);
        assert_int_equal(f.node, rows[i].failure.node);
        assert_int_equal(f.wave, rows[i].failure.wave);
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

TEST(not_there)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct plan plan = {.n_cells = 0};
    tan_settings_default(&plan.settings);
    plan.settings.mode = MODE_FAILURES;
    assert_int_equal(tan_plan_add(&plan, "nto1:4", &e), 0);
    plan.settings.failure = (struct failure){4, 2};
    assert_int_equal(tan_plan_check(&plan, &e), 0);
    assert_no_error(e);
    plan.settings.failure = (struct failure){5, 2};
    assert_int_equal(tan_plan_check(&plan, &e), -1);
    assert_error(e, TAN_USAGE,
                 "nto1:4 has no process 5: those below the root are numbered from 1 to 4");
    tan_plan_clear(&plan);
}

RUN_TESTS(NULL, NULL)
