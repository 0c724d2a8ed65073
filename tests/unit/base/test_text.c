/* test_text.c - texts cut to a width
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "base/text.h"

/* Between characters, never within one. */
TEST(cuts)
{
    static const struct {
        const char *text;
        int columns;
        const char *left;
    } rows[] = {{"abc", 5, "abc"},
                {"abc", 3, "abc"},
                {"abc", 2, "ab"},
                {"abc", 0, ""},
                {"\u2581\u2588x", 1, "\u2581"},
                {"\u2581\u2588x", 2, "\u2581\u2588"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s", rows[i].text);
        tan_text_cut(text, rows[i].columns);
        assert_string_equal(text, rows[i].left);
    }
}

TEST(code_points)
{
    assert_int_equal(tan_text_code_point("a"), 1);
    assert_int_equal(tan_text_code_point("\u00e4"), 2);
    assert_int_equal(tan_text_code_point("\u2026"), 3);
    assert_int_equal(tan_text_code_point("\U0001f333"), 4);
    assert_int_equal(tan_text_code_point("\xe2\x80"), 0);
    assert_int_equal(tan_text_code_point("\xe2\x80z"), 0);
    assert_int_equal(tan_text_code_point("\x80"), 0);
    assert_int_equal(tan_text_code_point("\xff\x80\x80\x80"), 0);
}

TEST(comments)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    tan_text_comment("one\n\n  two\n", "#", to);
    tan_text_comment("three", "//", to);
    tan_text_comment("", "#", to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, "# one\n#\n#   two\n// three\n");
    free(text);
}

RUN_TESTS(NULL, NULL)
