/* test_choice.c - finding names in tables of any layout, and listing them in errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include "tests/unit/check.h"

static const struct {
    const char *name;
    int value;
} rows[] = {{"one", 1}, {"two", 2}, {"three", 3}, {NULL, 0}};

TEST(finds)
{
    static const char *const names[] = {"a", "b"};
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_choice_find(TAN_CHOICES(rows), "--n", "one", &e), 0);
    const int third = tan_choice_find(TAN_CHOICES(rows), "--n", "three", &e);
    assert_string_equal(rows[third].name, "three");
    assert_int_equal(rows[third].value, 3);
    assert_int_equal(tan_choice_find(TAN_CHOICES(names), "--n", "b", &e), 1);
    assert_no_error(e);
}

TEST(lists_what_is_allowed)
{
    static const char *const names[] = {"a", "b"};
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_choice_find(TAN_CHOICES(rows), "--n", "On", &e), -1);
    assert_string_equal(e.text, "--n: did you mean one? \"On\" is not one of one, two, three");
    assert_error(e, TAN_USAGE, "--n");
    assert_int_equal(tan_choice_find(TAN_CHOICES(names), "--n", "", &e), -1);
    assert_error(e, TAN_USAGE, "\"\" is not one of a, b");
    assert_string_equal(tan_choice_list(TAN_CHOICES(rows)).text, "one, two, three");
}

RUN_TESTS(NULL, NULL)
