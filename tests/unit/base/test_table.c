/* test_table.c - aligned tables and wrapped text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "base/table.h"
#include "base/text.h"

static void assert_table(struct tan_table *t, const char *wanted)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_table_print(t, to);
    fclose(to);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(alignment)
{
    static const char *const headings[] = {"<topology", "n", "wave [\u00b5s]", "<note"};
    struct tan_table *t = tan_table_create(headings, 4);
    assert_non_null(t);
    assert_table(t, "topology  n  wave [\u00b5s]  note\n"
                    "--------  -  ---------  ----\n");
    t = tan_table_create(headings, 4);
    tan_table_cell(t, "chain:%d", 32);
    tan_table_cell(t, "%d", 1000);
    tan_table_cell(t, "%.1f", 618.0);
    tan_table_cell(t, "best");
    tan_table_end_row(t); /* the row is full: nothing to do */
    tan_table_cell(t, "16\u00d716\u00d716");
    tan_table_cell(t, "7");
    tan_table_end_row(t);
    assert_table(t, "topology     n  wave [\u00b5s]  note\n"
                    "--------  ----  ---------  ----\n"
                    "chain:32  1000      618.0  best\n"
                    "16\u00d716\u00d716     7\n");
}

TEST(headings_of_two_lines)
{
    static const char *const headings[] = {"<tree", "slower than\nthe best", "<95 %\ninterval"};
    struct tan_table *t = tan_table_create(headings, 3);
    tan_table_cell(t, "16x16");
    tan_table_cell(t, "+1 %%");
    tan_table_cell(t, "1");
    assert_table(t, "       slower than  95 %\n"
                    "tree      the best  interval\n"
                    "-----  -----------  --------\n"
                    "16x16         +1 %  1\n");
}

/* Neither its headings nor its blanks are left. */
TEST(empty_columns)
{
    static const char *const headings[] = {"<", "<tree", "95 %\ninterval", "n"};
    struct tan_table *t = tan_table_create(headings, 4);
    tan_table_hide_empty(t); /* without rows there is nothing to tell by */
    assert_table(t, "            95 %\n"
                    "  tree  interval  n\n"
                    "  ----  --------  -\n");
    t = tan_table_create(headings, 4);
    for (int i = 1; i < 3; i++) {
        tan_table_cell(t, "%s", "");
        tan_table_cell(t, "%s", i == 2 ? "nto1:2" : "");
        tan_table_cell(t, "%s", "");
        tan_table_cell(t, "%d", i);
    }
    tan_table_hide_empty(t);
    assert_table(t, "tree    n\n"
                    "------  -\n"
                    "        1\n"
                    "nto1:2  2\n");
}

TEST(many_rows)
{
    static const char *const headings[] = {"i"};
    struct tan_table *t = tan_table_create(headings, 1);
    for (int i = 0; i < 1000; i++) {
        tan_table_cell(t, "%d", i);
    }
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    tan_table_print(t, to);
    fclose(to);
    assert_int_equal(length, 4 * 1002); /* heading, rule and 1000 rows, all "nnn\n" */
    assert_string_equal(text + length - 8, "998\n999\n");
    free(text);
}

TEST(no_memory)
{
    tan_table_cell(NULL, "x");
    tan_table_end_row(NULL);
    tan_table_print(NULL, stdout);
    tan_table_destroy(NULL);
}

TEST(wrapping)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    tan_text_item(to, "short", "one\ntwo", 12);
    tan_text_item(to, "a-very-long-term", "three", 12);
    tan_text_wrap(to,
                  "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
                  "0123456789 0123456789",
                  0, 2);
    fclose(to);
    assert_string_equal(text, "  short     one\n"
                              "            two\n"
                              "  a-very-long-term\n"
                              "            three\n"
                              "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
                              "0123456789\n"
                              "  0123456789 0123456789\n");
    free(text);
    assert_int_equal(tan_text_width("16\u00d716"), 5);
}

/* Errors of 100 times and more are relative to next to nothing. */
TEST(errors)
{
    static const char *const headings[] = {"<a", "b"};
    struct tan_table *t = tan_table_create(headings, 2);
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    assert_non_null(to);
    tan_table_error(t, 0.0123);
    tan_table_abs_error(t, 99.9);
    tan_table_error(t, -0.5);
    tan_table_abs_error(t, 5386942717.258);
    tan_table_error(t, 100);
    tan_table_abs_error(t, NAN);
    tan_table_error(t, -0.0004); /* without a sign */
    tan_table_abs_error(t, 0.0004);
    tan_table_print(t, to);
    fclose(to);
    assert_string_equal(text, "a               b\n"
                              "-------  --------\n"
                              "+1.2 %   9990.0 %\n"
                              "-50.0 %         -\n"
                              "-               -\n"
                              "0.0 %       0.0 %\n");
    free(text);
}

RUN_TESTS(NULL, NULL)
