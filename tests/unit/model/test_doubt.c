/* test_doubt.c - doubts: adding, joining, settling, printing
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdlib.h>

#include "base/json.h"
#include "model/machine/doubt.h"
#include "model/machine/params.h"

static void assert_text(const struct tan_doubts *doubts, enum tan_severity severity,
                        const char *wanted)
{
    char *text = tan_doubts_text(doubts, severity);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(texts_are_joined)
{
    struct tan_doubts doubts = {.n = 0};
    assert_text(&doubts, TAN_DOUBT, "");
    tan_doubts_add(&doubts, TAN_DOUBT, "outlier", 0.25, 1u << 1, "a is %d %% off", 25);
    assert_text(&doubts, TAN_DOUBT, "a is 25 % off");
    tan_doubts_add(&doubts, TAN_NOTE, "large", 2, TAN_TOUCHES_ALL, "b is large");
    tan_doubts_add(&doubts, TAN_DOUBT, "r2", 0.5, TAN_TOUCHES_ALL, "R2 is low");
    assert_text(&doubts, TAN_DOUBT, "a is 25 % off; R2 is low");
    assert_text(&doubts, TAN_NOTE, "b is large");
    tan_doubts_clear(&doubts);
    assert_int_equal(doubts.n, 0);
}

TEST(rows_are_found)
{
    struct tan_doubts doubts = {.n = 0};
    tan_doubts_add(&doubts, TAN_DOUBT, "r2-nto1", 0.5, 1u << 2, "low");
    assert_string_equal(doubts.row[0].kind, "r2-nto1");
    assert_string_equal(doubts.row[0].text, "low");
    assert_close(doubts.row[0].amount, 0.5, 0);
    assert_int_equal(doubts.row[0].touches, 1u << 2);
    tan_doubts_add(&doubts, TAN_DOUBT, "r2-chain", 0.25, 1u << 1, "lower");
    assert_string_equal(tan_doubts_find(&doubts, "r2")->kind, "r2-nto1");
    assert_string_equal(tan_doubts_find(&doubts, "r2-c")->kind, "r2-chain");
    assert_null(tan_doubts_find(&doubts, "r2-chain-"));
    /* the same text of the same kind once */
    struct tan_doubts more = {.n = 0};
    tan_doubts_add(&more, TAN_DOUBT, "r2-nto1", 0.5, 1u << 2, "low");
    tan_doubts_add(&more, TAN_DOUBT, "r2-nto1", 0.5, 1u << 2, "very low");
    tan_doubts_add(&more, TAN_DOUBT, "r2-nto1", 0.5, 1u << 2, "very low");
    tan_doubts_add(&more, TAN_DOUBT, "outlier", 0.5, 1u << 2, "low");
    assert_int_equal(more.n, 3);
    tan_doubts_join(&doubts, &more);
    tan_doubts_clear(&more);
    assert_int_equal(doubts.n, 4);
    assert_string_equal(doubts.row[2].text, "very low");
    assert_string_equal(doubts.row[3].kind, "outlier");
    tan_doubts_clear(&doubts);
}

TEST(the_worst_is_kept)
{
    struct tan_doubts doubts = {.n = 0};
    tan_doubts_add(&doubts, TAN_NOTE, "wide", 2, TAN_TOUCHES_ALL, "two");
    tan_doubts_add(&doubts, TAN_DOUBT, "r2", 0.5, TAN_TOUCHES_ALL, "low");
    tan_doubts_add(&doubts, TAN_DOUBT, "wide", 4, TAN_TOUCHES_ALL, "four");
    tan_doubts_add(&doubts, TAN_DOUBT, "wide", 3, TAN_TOUCHES_ALL, "three");
    tan_doubts_keep_worst(&doubts, "wide");
    assert_text(&doubts, TAN_DOUBT, "four; low");
    assert_text(&doubts, TAN_NOTE, "");
    tan_doubts_keep_worst(&doubts, "none");
    assert_int_equal(doubts.n, 2);
    tan_doubts_clear(&doubts);
}

/* In their order, with the parameters that they touch. */
TEST(written)
{
    struct tan_doubts doubts = {.n = 0};
    tan_doubts_add(&doubts, TAN_NOTE, "fit", NAN, 1u << TAN_B, "all");
    tan_doubts_add(&doubts, TAN_NOTE, "fit", NAN, 1u << TAN_B, "some");
    tan_doubts_add(&doubts, TAN_NOTE, "fit", 0.25, 1u << TAN_B | 1u << TAN_C2, "wide");
    struct tan_json_writer w = {false};
    json_t *object = tan_json_new_object(&w);
    tan_doubts_set(&w, object, "notes", &doubts, TAN_NOTE);
    char *text = json_dumps(json_object_get(object, "notes"), JSON_COMPACT);
    assert_string_equal(text, "[{\"what\":\"fit\",\"touches\":[\"b_us\"],\"text\":\"all\"},"
                              "{\"what\":\"fit\",\"touches\":[\"b_us\"],\"text\":\"some\"},"
                              "{\"what\":\"fit\",\"amount\":0.25,\"touches\":[\"b_us\",\"c_us\"],"
                              "\"text\":\"wide\"}]");
    free(text);
    json_decref(object);
    tan_doubts_clear(&doubts);
}

/* There is no limit to them, nor to their texts. */
TEST(as_many_and_as_long_as_they_are)
{
    enum { MANY = 100, LONG = 5000 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_doubts doubts = {.n = 0};
    char words[LONG + 1];
    for (int i = 0; i < MANY; i++) {
        tan_doubts_add(&doubts, TAN_DOUBT, "outlier", i, 1, "number %d", i);
    }
    assert_int_equal(doubts.n, MANY);
    assert_string_equal(doubts.row[15].text, "number 15");
    assert_string_equal(doubts.row[MANY - 1].text, "number 99");
    for (int i = 0; i < LONG; i++) {
        words[i] = i % 10 == 9 ? ' ' : 'x';
    }
    words[LONG] = '\0';
    tan_doubts_add(&doubts, TAN_DOUBT, "outlier", 1, 1, "%s", words);
    assert_string_equal(doubts.row[MANY].text, words);
    assert_int_equal(tan_doubts_fail(&doubts, &e), -1);
    assert_error(e, TAN_UNTRUSTED, "not trustworthy: number 0; number 1");
    tan_doubts_clear(&doubts);
}

TEST(some_are_settled)
{
    struct tan_doubts doubts = {.n = 0};
    tan_doubts_add(&doubts, TAN_DOUBT, "one", 1, 1u << 0, "of the first");
    tan_doubts_add(&doubts, TAN_DOUBT, "two", 1, 1u << 0 | 1u << 1, "of the first two");
    tan_doubts_settle(&doubts, 1u << 0);
    assert_text(&doubts, TAN_DOUBT, "of the first two");
    assert_int_equal(doubts.row[0].touches, 1u << 1);
    tan_doubts_clear(&doubts);
}

TEST(fails_and_prints)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_doubts doubts = {.n = 0};
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    assert_non_null(to);
    tan_doubts_add(&doubts, TAN_NOTE, "large", 1, 1, "it is large");
    assert_true(tan_doubts_trusted(&doubts));
    assert_int_equal(tan_doubts_fail(&doubts, &e), 0);
    assert_no_error(e);
    tan_doubts_print(&doubts, TAN_DOUBT, to);
    tan_doubts_add(&doubts, TAN_DOUBT, "r2", 0.5, 1, "R2 is low");
    tan_doubts_print(&doubts, TAN_DOUBT, to);
    tan_doubts_print(&doubts, TAN_NOTE, to);
    assert_false(tan_doubts_trusted(&doubts));
    assert_int_equal(tan_doubts_fail(&doubts, &e), -1);
    assert_string_equal(e.text, "not trustworthy: R2 is low");
    assert_error(e, TAN_UNTRUSTED, "R2 is low");
    fclose(to);
    assert_string_equal(text, "NOT TRUSTWORTHY: R2 is low\nNote: it is large\n");
    free(text);
    tan_doubts_clear(&doubts);
}

/* Where one was lost nobody knows what it said. */
TEST(missing_ones_are_not_trusted)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_doubts doubts = {.n = 0};
    const struct tan_doubts short_of_memory = {.incomplete = true};
    tan_doubts_join(&doubts, &short_of_memory);
    assert_false(tan_doubts_trusted(&doubts));
    assert_int_equal(tan_doubts_fail(&doubts, &e), -1);
    assert_int_equal(e.status, TAN_FAILED);
}

RUN_TESTS(NULL, NULL)
