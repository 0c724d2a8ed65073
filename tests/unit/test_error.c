/* test_error.c - the first error wins, and how errors are printed
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"

static void print(const struct tan_error *e, int status, const char *wanted)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    assert_int_equal(tan_error_print(e, "prog", to), status);
    fclose(to);
    assert_string_equal(text, wanted);
    free(text);
}

static void first_error_wins(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_fail_at(&e, "t.top", 3, 7, "no %s", "good"), -1);
    assert_int_equal(tan_fail_usage(&e, "later"), -1);
    assert_int_equal(tan_fail_errno(&e, "later"), -1);
    assert_int_equal(tan_fail_at(&e, "later", 1, 1, "later"), -1);
    assert_int_equal(e.status, TAN_FAILED);
    assert_string_equal(e.source, "t.top");
    assert_string_equal(e.text, "no good");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 7);
}

static void no_error_wanted(void **state)
{
    (void)state;
    assert_int_equal(tan_fail(NULL, "x"), -1);
    assert_int_equal(tan_fail_at(NULL, "x", 1, 1, "x"), -1);
    assert_int_equal(tan_fail_errno(NULL, "x"), -1);
    assert_int_equal(tan_fail_nomem(NULL), -1);
}

static void printed(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    tan_fail_at(&e, "t.top", 3, 7, "is bad");
    print(&e, 1, "prog: t.top:3:7: is bad\n");
    e.column = 0;
    print(&e, 1, "prog: t.top:3: is bad\n");
    e.line = 0;
    print(&e, 1, "prog: t.top: is bad\n");

    e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail_usage(&e, "no option -%c", 'x');
    print(&e, 2, "prog: no option -x\nTry 'prog --help'\n");

    e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail_infeasible(&e, "no such tree");
    print(&e, 4, "prog: no such tree\n");

    e = (struct tan_error)TAN_ERROR_INIT;
    errno = ENOENT;
    tan_fail_errno(&e, "cannot read %s", "f");
    print(&e, 1, "prog: cannot read f: No such file or directory\n");
}

static void one_clean_line(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    tan_fail(&e, "\"%s\"", "a\n\033[31mb");
    assert_string_equal(e.text, "\"a??[31mb\"");

    char long_text[3000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail_at(&e, long_text, 1, 1, "%s", long_text);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
    assert_int_equal(strlen(e.source), sizeof e.source - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_error_wins),
        cmocka_unit_test(no_error_wanted),
        cmocka_unit_test(printed),
        cmocka_unit_test(one_clean_line),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
