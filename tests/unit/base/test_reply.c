/* test_reply.c - answers of one screen: cells, layout, what is left out
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/reply.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/check.h"

static void assert_time(double seconds, double like, const char *wanted)
{
    assert_string_equal(tan_time_like(seconds, like).text, wanted);
}

/* Four digits, in the unit of the other, and from 10^5 of it on in its own. */
TEST(times)
{
    assert_time(115e-6, 115e-6, "115.0 us");
    assert_time(33.6149e-6, 1e-6, "33.61 us");
    assert_time(0.999949e-3, 0.999949e-3, "999.9 us");
    assert_time(0.99996e-3, 0.99996e-3, "1.000 ms");
    assert_time(101e-3, 101e-3, "101.0 ms");
    assert_time(2.6394, 2.6394, "2.639 s");
    assert_time(4807e-6, 115e-6, "4807 us");
    assert_time(99990e-6, 115e-6, "99990 us");
    assert_time(99996e-6, 115e-6, "100.0 ms");
    assert_time(0.1, 115e-6, "100.0 ms");
    assert_time(2.6394, 618e-6, "2.639 s");
    assert_time(115e-6, 0.1, "0.1150 ms");
}

static void assert_cell(const char *kind, const char *value, const char *wanted)
{
    json_t *column = json_pack("{ss, ss, ss}", "key", "k", "label", "k", "kind", kind);
    json_t *row = json_object();
    json_object_set_new(row, "k", json_loads(value, JSON_DECODE_ANY, NULL));
    assert_string_equal(tan_reply_cell(column, row, row).text, wanted);
    json_decref(row);
    json_decref(column);
}

TEST(cells)
{
    assert_cell("text", "\"4x4\"", "4x4");
    assert_cell("number", "12", "12");
    assert_cell("number", "0.25", "0.2500");
    assert_cell("us", "115.0", "115.0 us");
    assert_cell("us-range", "[38.86, 38.9]", "38.86 to 38.90 us");
    assert_cell("us-range", "[900, 1100]", "0.9000 to 1.100 ms");
    assert_cell("slower", "0.0", "-");
    assert_cell("slower", "0.435", "+43.5 %");
    assert_cell("slower", "40.8", "42x");
    assert_cell("share", "0.025", "2.5 %");
    assert_cell("us", "null", "");
}

/* Long ones are cut between characters, not within one. */
TEST(long_cells)
{
    char value[403] = "\"", wanted[255] = "";
    for (int i = 0; i < 200; i++) {
        strcat(value, "\u00e4");
        strcat(wanted, i < TAN_REPLY_TEXT - 1 ? "\u00e4" : "");
    }
    assert_cell("text", strcat(value, "\""), wanted);
}

/* What an answer prints; the caller frees it. */
static char *printed(const json_t *answer, bool details)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_reply_print(answer, details, to);
    fclose(to);
    return text;
}

static int lines_of(const char *text, size_t *widest)
{
    int lines = 0;
    *widest = 0;
    for (const char *line = text; *line != '\0'; lines++) {
        const size_t length = strcspn(line, "\n");
        *widest = length > *widest ? length : *widest;
        line += length + 1;
    }
    return lines;
}

static json_t *table_of(int rows)
{
    json_t *answer =
        json_pack("{s[{ss,ss,ss},{ss,ss,ss},{ss,ss,ss}], s[]}", "columns", "key", "name", "label",
                  "tree", "kind", "text", "key", "wave_us", "label", "wave", "kind", "us", "key",
                  "note", "label", "", "kind", "text", "rows");
    for (int i = 0; i < rows; i++) {
        char name[16];
        snprintf(name, sizeof name, "tree%d", i);
        json_array_append_new(json_object_get(answer, "rows"),
                              json_pack("{ss, sf, ss, si}", "name", name, "wave_us", 10.0 + i,
                                        "note",
                                        "one note; another note; and a third one that is "
                                        "longer than all of the rest of the line",
                                        "rank", i));
    }
    return answer;
}

TEST(layout)
{
    struct tan_json_writer w = {false};
    json_t *answer = table_of(2);
    tan_reply_say(&w, answer, TAN_PART_FIRST, "Set %s.", "X");
    tan_reply_say(&w, answer, TAN_PART_FIRST, "It gains.");
    tan_reply_say(&w, answer, TAN_PART_BEFORE, "a doubt.");
    tan_reply_say(&w, answer, TAN_PART_REMARKS, "A remark.");
    tan_reply_say(&w, answer, TAN_PART_FROM, "From a file.");
    tan_reply_say(&w, answer, TAN_PART_SURE, "Sure: yes.");
    tan_reply_say(&w, answer, TAN_PART_SURE, "Sure: yes.");
    tan_reply_say(&w, answer, TAN_PART_NOTES, "a note.");
    tan_reply_say(&w, answer, TAN_PART_PASTE, "x = 1");
    tan_reply_say(&w, answer, TAN_PART_NEXT, "Next: more.");
    tan_json_set_string(&w, tan_reply_detail(&w, answer, "Details"), "unused", "");
    assert_false(w.failed);
    char *text = printed(answer, false);
    assert_string_equal(text, "NOT TRUSTWORTHY: a doubt.\n"
                              "Set X. It gains.\n"
                              "\n"
                              "tree       wave\n"
                              "tree0  10.00 us  one note; another note\n"
                              "tree1  11.00 us  one note; another note\n"
                              "A remark.\n"
                              "\n"
                              "From a file.\n"
                              "Sure: yes.\n"
                              "Note: a note.\n"
                              "\n"
                              "    x = 1\n"
                              "Next: more.\n");
    free(text);
    text = printed(answer, true);
    assert_non_null(strstr(text, "longer than all of the rest"));
    assert_non_null(strstr(text, "\nDetails\n"));
    free(text);
    json_decref(answer);
}

/* Whatever there is to say, it is one screen; first notes go, last the doubts. */
TEST(one_screen)
{
    static const char sentence[] = "This sentence of words has as many of them as it needs to fill "
                                   "more than one line of 80 columns.";
    struct tan_json_writer w = {false};
    json_t *answer = table_of(20);
    size_t widest;
    tan_reply_say(&w, answer, TAN_PART_FIRST, "%s", sentence);
    for (int i = 0; i < 6; i++) {
        tan_reply_say(&w, answer, TAN_PART_BEFORE, "doubt %d: %s", i, sentence);
        tan_reply_say(&w, answer, TAN_PART_REMARKS, "remark %d: %s", i, sentence);
        tan_reply_say(&w, answer, TAN_PART_SURE, "sure %d: %s", i, sentence);
        tan_reply_say(&w, answer, TAN_PART_NOTES, "note %d: %s", i, sentence);
        tan_reply_say(&w, answer, TAN_PART_PASTE, "line %d", i);
        char *text = printed(answer, false);
        assert_true(lines_of(text, &widest) <= TAN_REPLY_LINES);
        assert_true(widest <= TAN_REPLY_COLUMNS);
        assert_non_null(strstr(text, "doubt 0"));
        assert_non_null(strstr(text, "tree0 "));
        assert_non_null(strstr(text, "sure 0"));
        assert_non_null(strstr(text, "line 0"));
        assert_null(strstr(text, "tree8"));
        assert_true(i < 2 || strstr(text, "--details") != NULL);
        free(text);
    }
    char *text = printed(answer, true);
    assert_non_null(strstr(text, "note 5"));
    assert_non_null(strstr(text, "doubt 5"));
    free(text);
    json_decref(answer);
}

/* More lines than can be pasted are for a file. */
TEST(long_paste)
{
    struct tan_json_writer w = {false};
    json_t *answer = tan_json_new_object(&w);
    for (int i = 0; i < 8; i++) {
        tan_reply_say(&w, answer, TAN_PART_PASTE, "same");
    }
    char *text = printed(answer, false);
    assert_non_null(strstr(text, "(8 lines)"));
    assert_null(strstr(text, "same"));
    free(text);
    json_decref(answer);
}

static void print_lines(const void *what, FILE *to)
{
    fputs(what, to);
}

/* A sentence for each line, of which those that begin with blanks are the continuation. */
TEST(what_is_printed)
{
    struct tan_json_writer w = {.failed = false};
    json_t *answer = tan_json_new_object(&w);
    tan_reply_say_printed(&w, answer, TAN_PART_FIRST, print_lines, "one\n      two\nthree  four\n");
    tan_reply_say_printed(&w, answer, TAN_PART_FROM, print_lines, "");
    assert_false(w.failed);
    char *text = json_dumps(answer, JSON_COMPACT);
    assert_string_equal(text, "{\"first\":[\"one two\",\"three four\"]}");
    free(text);
    json_decref(answer);
}

RUN_TESTS(NULL, NULL)
