/* test_words.c - command lines split as by a shell, without expansions, and words quoted
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdlib.h>

#include "tests/unit/check.h"

/* Words, each followed by '|'. */
TEST(splits)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"srun -n {n}", "srun|-n|{n}|"},
        {"  a\tb\nc  ", "a|b|c|"},
        {"", ""},
        {" ", ""},
        {"mpirun --mca plm_rsh_agent '/path/agent ssh' -n {n}",
         "mpirun|--mca|plm_rsh_agent|/path/agent ssh|-n|{n}|"},
        {"\"a b\"'c d'e", "a bc de|"},
        {"'' \"\" a", "||a|"},
        {"a\\ b c\\'d", "a b|c'd|"},
        {"'a\\b' \"a\\b\" \"a\\\"b\" \"a\\\\b\" \"\\$HOME\"", "a\\b|a\\b|a\"b|a\\b|$HOME|"},
        {"$HOME `date` $(date) ~ * a[bc] {1,2} x=1;y & | <in >out #no",
         "$HOME|`date`|$(date)|~|*|a[bc]|{1,2}|x=1;y|&|||<in|>out|#no|"},
        {"a\\\nb \\\n c \"d\\\ne\" 'f\\\ng'", "ab|c|de|f\\\ng|"},
        {"\"it's\" '\"'", "it's|\"|"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        char joined[256] = "";
        char **words = tan_words_split("--launcher", rows[i].text, &e);
        assert_no_error(e);
        assert_non_null(words);
        for (char **word = words; *word != NULL; word++) {
            strcat(strcat(joined, *word), "|");
        }
        assert_string_equal(joined, rows[i].words);
        tan_words_free(words);
    }
}

TEST(refuses)
{
    static const struct {
        const char *text, *why;
    } rows[] = {{"a 'b c", "--launcher: a quote (') is not closed"},
                {"a \"b c'", "--launcher: a quote (\") is not closed"},
                {"\"a\\", "--launcher: a quote (\") is not closed"},
                {"a \\", "--launcher: a backslash at the end escapes nothing"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        assert_null(tan_words_split("--launcher", rows[i].text, &e));
        assert_error(e, TAN_USAGE, rows[i].why);
    }
}

/* Splitting what was written gives the word again. */
TEST(quotes)
{
    static const struct {
        const char *word, *written;
    } rows[] = {
        {"runs/cab-1.json", "runs/cab-1.json"},
        {"A_z=+.:,@%9", "A_z=+.:,@%9"},
        {"", "''"},
        {"my run.json", "'my run.json'"},
        {"{n}", "'{n}'"},
        {"it's", "'it'\\''s'"},
        {"'", "''\\'''"},
        {"a\\\"$HOME`\n", "'a\\\"$HOME`\n'"},
        {"~#*?;&|<>()", "'~#*?;&|<>()'"},
        {"caf\u00e9", "'caf\u00e9'"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        char *text;
        size_t length;
        FILE *to = open_memstream(&text, &length);
        assert_non_null(to);
        tan_words_quote(to, rows[i].word);
        assert_int_equal(fclose(to), 0);
        assert_string_equal(text, rows[i].written);
        char **words = tan_words_split("--launcher", text, &e);
        assert_no_error(e);
        assert_non_null(words);
        assert_string_equal(words[0], rows[i].word);
        assert_null(words[1]);
        tan_words_free(words);
        free(text);
    }
}

RUN_TESTS(NULL, NULL)
