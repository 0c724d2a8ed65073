/* test_text.c - sparklines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "base/text.h"

/* Eighths of the way from the lowest mean to the highest, worked by hand. */
TEST(sparklines)
{
    static const struct {
        double value[8];
        size_t n, places;
        const char *picture;
    } rows[] = {
        {{1, 2, 3, 4, 5, 6, 7, 8}, 8, 8, "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"},
        {{1, 1, 9, 9}, 4, 2, "\u2581\u2588"},
        {{1, 3, 0, 4, 2, 2}, 6, 3, "\u2581\u2581\u2581"}, /* means of pairs are the same */
        {{5}, 1, 8, "\u2581"},
        {{0, 10, 5}, 3, 12, "\u2581\u2588\u2585"}, /* fewer values than places */
        {{0}, 0, 4, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char picture[TAN_SPARKLINE(12)];
        tan_text_sparkline(rows[i].value, rows[i].n, rows[i].places, picture);
        assert_string_equal(picture, rows[i].picture);
    }
}

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
    tan_text_comment("four\nfive\n", "/*", to);
    tan_text_comment("six */ #error */", "/*", to);
    tan_text_comment("", "#", to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, "# one\n#\n#   two\n// three\n/* four */\n/* five */\n"
                              "/* six * / #error * / */\n");
    free(text);
}

RUN_TESTS(NULL, NULL)
