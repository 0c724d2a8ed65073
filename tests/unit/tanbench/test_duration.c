/* test_duration.c - estimated duration of a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/plan.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/check.h"

TEST(visits_of_a_launch)
{
    struct plan plan = {.n_cells = 0};
    struct tan_error e = TAN_ERROR_INIT;

    tan_settings_default(&plan.settings);
    plan.settings.passes = 7;
    plan.settings.max_seconds = 0.25;
    plan.settings.duration = 60;
    assert_int_equal(tan_plan_add(&plan, "pingpong", &e), 0);
    assert_int_equal(tan_plan_add(&plan, "chain:2", &e), 0);
    assert_int_equal(tan_plan_add(&plan, "nto1:3", &e), 0);
    assert_int_equal(tan_plan_all_visits(&plan), 3 * 7);
    /* What waves are allowed, half as much for 5 first waves beside 10, and little more. */
    assert_true(tan_plan_visit_seconds(&plan) >= 0.375 && tan_plan_visit_seconds(&plan) < 0.5);
    /* 10 waves of 2 s are made in any case, beside 5 first ones and the last request. */
    plan.settings.work = 1;
    plan.n_cells = 2; /* chain:2 has two messages to a parent, and the first one none */
    assert_true(tan_plan_visit_seconds(&plan) >= (0.25 + 32) / 2 &&
                tan_plan_visit_seconds(&plan) < 17);
    plan.settings.work = 0;
    plan.n_cells = 3;
    assert_string_equal(tan_plan_describe_duration(&plan, 3).text,
                        "up to 2 s if no wave takes more than 0.025 s");
    plan.settings.max_seconds = 36000;
    assert_string_equal(tan_plan_describe_duration(&plan, 1).text,
                        "up to 16.0 h if no wave takes more than 3600 s");
    plan.settings.max_seconds = 0.25;
    plan.settings.mode = MODE_STREAM;
    assert_string_equal(tan_plan_describe_duration(&plan, 1).text, "up to 61 s");
    assert_true(tan_plan_visit_seconds(&plan) >= 60 && tan_plan_visit_seconds(&plan) < 61);
    assert_close(tan_plan_rank_bytes(&plan), 0, 0);
    plan.cells[1].bytes = 1 << 20;
    assert_close(tan_plan_rank_bytes(&plan), 2.0 * (1 << 20), 0);
    tan_plan_clear(&plan);
}

/* 15 s in three visits: 9 more take 5 s each; by the plan while none is measured. */
TEST(what_is_left)
{
    assert_close(tan_remaining_seconds(15, 3, 9, 99), 45, 1e-12);
    assert_close(tan_remaining_seconds(2, 0, 10, 7), 70, 1e-12);
    assert_close(tan_remaining_seconds(15, 3, 0, 99), 0, 1e-12);
}

TEST(words_for_it)
{
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{0.2, "1 s"},      {99, "99 s"},    {99.4, "100 s"},
                {99.5, "2 min"},   {100, "2 min"},  {3600, "60 min"},
                {5969, "100 min"}, {5970, "1.7 h"}, {36000, "10.0 h"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(tan_duration_text(rows[i].seconds).text, rows[i].text);
    }
}

RUN_TESTS(NULL, NULL)
