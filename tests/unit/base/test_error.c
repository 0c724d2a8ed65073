/* test_error.c - the first error wins, and printing of errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

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

TEST(first_error_wins)
{
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

TEST(no_error_wanted)
{
    assert_int_equal(tan_fail(NULL, "x"), -1);
    assert_int_equal(tan_fail_at(NULL, "x", 1, 1, "x"), -1);
    assert_int_equal(tan_fail_errno(NULL, "x"), -1);
    assert_int_equal(tan_fail_nomem(NULL), -1);
}

TEST(printed)
{
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
    tan_error_help_on("run");
    print(&e, 2, "prog: no option -x\nTry 'prog help run'\n");
    tan_error_help_on(NULL);

    e = (struct tan_error)TAN_ERROR_INIT;
    tan_fail_infeasible(&e, "no such tree");
    print(&e, 4, "prog: no such tree\n");

    e = (struct tan_error)TAN_ERROR_INIT;
    errno = ENOENT;
    tan_fail_errno(&e, "cannot read %s", "f");
    print(&e, 1, "prog: cannot read f: No such file or directory\n");
}

TEST(one_clean_line)
{
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

static void check_quote(const char *text, int first_line, int line, int column, const char *wanted)
{
    struct tan_error e = TAN_ERROR_INIT;
    tan_fail_at(&e, "f", line, column, "is bad");
    tan_error_quote(&e, text, strlen(text), first_line);
    assert_string_equal(e.excerpt, wanted);
}

TEST(quoted)
{
    static const char text[] = "one\n\ttwo \x01\r\nthr\xc3\xa9\xc3\xa9 3\n\nlast";
    check_quote(text, 1, 1, 1, "one\n^");
    check_quote(text, 1, 1, 4, "one\n   ^"); /* the end of the line */
    check_quote(text, 1, 2, 6, " two ?\n     ^");
    check_quote(text, 1, 3, 9, "thr\xc3\xa9\xc3\xa9 3\n      ^");
    check_quote(text, 5, 9, 4, "last\n   ^"); /* where the text begins with line 5 */

    /* nothing to show: an empty line, no column, beyond the line, beyond the text, before it */
    check_quote(text, 1, 4, 1, "");
    check_quote(text, 1, 1, 0, "");
    check_quote(text, 1, 1, 5, "");
    check_quote(text, 1, 6, 1, "");
    check_quote(text, 2, 1, 1, "");
    tan_error_quote(NULL, text, sizeof text - 1, 1);

    struct tan_error e = TAN_ERROR_INIT;
    tan_fail_at(&e, "f", 1, 2, "is bad");
    tan_error_quote(&e, text, sizeof text - 1, 1);
    print(&e, 1, "prog: f:1:2: is bad\none\n ^\n");
    e.status = TAN_DONE; /* the next error quotes nothing */
    tan_fail(&e, "is worse");
    print(&e, 1, "prog: is worse\n");
}

/* Of a long line 76 bytes around the column: 50 before it where there are so many. */
TEST(long_lines_quoted)
{
    char line[201];
    char wanted[256];
    memset(line, '.', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    line[99] = 'X';
    snprintf(wanted, sizeof wanted, "...%.76s...\n%53s^", line + 49, "");
    check_quote(line, 1, 1, 100, wanted);
    snprintf(wanted, sizeof wanted, "%.76s...\n%49s^", line, "");
    check_quote(line, 1, 1, 50, wanted);
    snprintf(wanted, sizeof wanted, "...%s\n%53s^", line + 149, "");
    check_quote(line, 1, 1, 200, wanted);

    /* no half of a character at either end */
    for (int i = 0; i < 100; i++) {
        memcpy(line + 2 * i, "\xc3\xa9", 2);
    }
    snprintf(wanted, sizeof wanted, "...%.76s...\n%28s^", line + 48, "");
    check_quote(line, 1, 1, 99, wanted);
    snprintf(wanted, sizeof wanted, "...%.74s...\n%28s^", line + 50, "");
    check_quote(line, 1, 1, 100, wanted);
}

/* What controls a terminal, and what turns the order of letters around, is shown as "?" for each of
 * its bytes; neighbours in UTF-8 are letters. */
TEST(printable)
{
    static const struct {
        const char *text, *shown;
        bool controls;
    } rows[] = {
        {"", "", false},
        {"a b~", "a b~", false},
        {"\033[2J", "?[2J", true},
        {"a\tb\n", "a?b?", false},
        {"\x7f", "?", true},
        {"\xc2\x9b\xc2\xa0", "??\xc2\xa0", true},
        {"\xc3\x9f\xc2", "\xc3\x9f\xc2", false},
        {"x\u202ay\u202ez", "x???y???z", true},
        {"\u2066\u2069", "??????", true},
        {"\u2029\u202f\u2065\u206a", "\u2029\u202f\u2065\u206a", false},
        {"\xe2\x80", "\xe2\x80", false},
        {"\xe2", "\xe2", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[32];
        at_row("%zu", i);
        strcpy(text, rows[i].text);
        assert_int_equal(tan_has_controls(text), rows[i].controls);
        assert_string_equal(tan_printable(text), rows[i].shown);
    }
}

/* An error without a position gets one, once. */
TEST(located)
{
    struct tan_error e = TAN_ERROR_INIT;
    assert_int_equal(tan_error_locate(&e, "a", 1, 2), -1);
    assert_int_equal(tan_error_locate(NULL, "a", 1, 2), -1);
    assert_no_error(e);
    tan_fail_usage(&e, "bad");
    tan_error_locate(&e, "a\033", 1, 2);
    tan_error_locate(&e, "b", 3, 4);
    assert_string_equal(e.source, "a?");
    assert_int_equal(e.line, 1);
    assert_int_equal(e.column, 2);
    assert_error(e, TAN_USAGE, "bad");
}

RUN_TESTS(NULL, NULL)
