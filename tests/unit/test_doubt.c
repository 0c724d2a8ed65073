/* test_doubt.c - doubts: adding, joining, printing, truncating
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/machine/doubt.h"

static void texts_are_joined(void **state)
{
    (void)state;
    struct tan_doubts doubts = {.n = 0};
    char text[TAN_DOUBTS_TEXT] = "what was here before";
    char small[8];
    assert_string_equal(tan_doubts_text(&doubts, text, sizeof text), "");
    tan_doubts_add(&doubts, "outlier", 0.25, 1u << 1, "a is %d %% off", 25);
    assert_string_equal(tan_doubts_text(&doubts, text, sizeof text), "a is 25 % off");
    tan_doubts_add(&doubts, "r2", 0.5, TAN_TOUCHES_ALL, "R2 is low");
    assert_ptr_equal(tan_doubts_text(&doubts, text, sizeof text), text);
    assert_string_equal(text, "a is 25 % off; R2 is low");
    assert_string_equal(tan_doubts_text(&doubts, small, sizeof small), "a is 25");
}

static void rows_are_found(void **state)
{
    (void)state;
    struct tan_doubts doubts = {.n = 0};
    const struct tan_doubt *added = tan_doubts_add(&doubts, "r2-nto1", 0.5, 1u << 2, "low");
    assert_string_equal(added->what, "r2-nto1");
    assert_string_equal(added->text, "low");
    assert_close(added->amount, 0.5, 0);
    assert_int_equal(added->touches, 1u << 2);
    assert_int_equal(added->most_fanout, 0);
    tan_doubts_add(&doubts, "r2-chain", 0.25, 1u << 1, "lower");
    assert_string_equal(tan_doubts_find(&doubts, "r2")->what, "r2-nto1");
    assert_string_equal(tan_doubts_find(&doubts, "r2-c")->what, "r2-chain");
    assert_null(tan_doubts_find(&doubts, "r2-chain-"));
    /* joined: the same text of the same kind once */
    struct tan_doubts more = {.n = 0};
    tan_doubts_add(&more, "r2-nto1", 0.5, 1u << 2, "low");
    tan_doubts_add(&more, "r2-nto1", 0.5, 1u << 2, "very low");
    tan_doubts_add(&more, "outlier", 0.5, 1u << 2, "low");
    tan_doubts_join(&doubts, &more);
    assert_int_equal(doubts.n, 4);
    assert_string_equal(doubts.row[2].text, "very low");
    assert_string_equal(doubts.row[3].what, "outlier");
}

static void as_many_as_have_room(void **state)
{
    (void)state;
    struct tan_doubts doubts = {.n = 0};
    struct tan_doubts more = {.n = 0};
    for (int i = 0; i < TAN_MAX_DOUBTS + 2; i++) {
        tan_doubts_add(&doubts, "outlier", i, 1, "number %d", i);
    }
    assert_int_equal(doubts.n, TAN_MAX_DOUBTS);
    assert_string_equal(doubts.row[TAN_MAX_DOUBTS - 2].text, "number 14");
    assert_string_equal(doubts.row[TAN_MAX_DOUBTS - 1].text, "number 17");
    tan_doubts_add(&more, "outlier", 1, 1, "one more");
    tan_doubts_join(&doubts, &more);
    assert_int_equal(doubts.n, TAN_MAX_DOUBTS);
    assert_null(strstr(doubts.row[TAN_MAX_DOUBTS - 1].text, "more"));
    /* a text ends after a word: of 160 bytes, 4 are dots, and one ends it */
    struct tan_doubts one = {.n = 0};
    char words[200];
    for (int i = 0; i < 199; i++) {
        words[i] = i % 10 == 9 ? ' ' : 'x';
    }
    words[199] = '\0';
    const char *text = tan_doubts_add(&one, "outlier", 1, 1, "%s", words)->text;
    assert_int_equal(strlen(text), 149 + 4);
    assert_memory_equal(text, words, 149);
    assert_string_equal(text + 149, " ...");
    words[159] = '\0'; /* the longest that has room */
    assert_string_equal(tan_doubts_add(&one, "outlier", 1, 1, "%s", words)->text, words);
}

static void fails_and_prints(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_doubts doubts = {.n = 0};
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    assert_int_equal(tan_doubts_fail(&doubts, &e), 0);
    assert_no_error(e);
    tan_doubts_print(&doubts, "Doubts", to);
    tan_doubts_add(&doubts, "r2", 0.5, 1, "R2 is low");
    tan_doubts_print(&doubts, "Doubts", to);
    assert_int_equal(tan_doubts_fail(&doubts, &e), -1);
    assert_string_equal(e.text, "not trustworthy: R2 is low");
    assert_error(e, TAN_UNTRUSTED, "R2 is low");
    fclose(to);
    assert_string_equal(text, "Doubts: R2 is low\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_joined),
        cmocka_unit_test(rows_are_found),
        cmocka_unit_test(as_many_as_have_room),
        cmocka_unit_test(fails_and_prints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
