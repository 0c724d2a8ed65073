/* test_leaf_set.c - sets of leaves: ranges, sums and checks, against lists of all members
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/leaf_set.h"

#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

static void ranges_join(void **state)
{
    (void)state;
    static const struct {
        struct leaf_range range;
        const char *wanted;
    } rows[] = {
        {{4, 4}, "4"},           {{8, 9}, "4,8-9"},       {{0, 1}, "0-1,4,8-9"},
        {{6, 6}, "0-1,4,6,8-9"}, {{5, 5}, "0-1,4-6,8-9"}, {{7, 7}, "0-1,4-9"},
        {{2, 2}, "0-2,4-9"},     {{3, 3}, "0-9"},         {{10, 12}, "0-12"},
    };
    struct leaf_set set = {.n = 0};
    struct tan_error e = TAN_ERROR_INIT;
    char text[64];
    assert_string_equal(tan_leaf_set_format(&set, text, sizeof text), "none");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        assert_int_equal(tan_leaf_set_add(&set, rows[i].range, &e), 0);
        assert_string_equal(tan_leaf_set_format(&set, text, sizeof text), rows[i].wanted);
    }
    tan_leaf_set_reset(&set);
    assert_int_equal(tan_leaf_set_count(&set), 0);
    tan_leaf_set_clear(&set);
}

/* The texts above, in less room than they take. */
static void cut_off(void **state)
{
    (void)state;
    static const struct leaf_range ranges[] = {{0, 1}, {4, 4}, {8, 9}};
    struct leaf_set set = {.n = 0};
    struct tan_error e = TAN_ERROR_INIT;
    char text[10];
    assert_int_equal(tan_leaf_set_add_all(&set, ranges, 3, &e), 0);
    assert_string_equal(tan_leaf_set_format(&set, text, sizeof text), "0-1,4,8-9");
    assert_int_equal(tan_leaf_set_add(&set, (struct leaf_range){20, 20}, &e), 0);
    assert_string_equal(tan_leaf_set_format(&set, text, sizeof text), "0-1,4...");
    tan_leaf_set_reset(&set); /* the last one would be cut in mid-number */
    static const struct leaf_range longer[] = {{0, 1}, {4, 4}, {8, 19}};
    assert_int_equal(tan_leaf_set_add_all(&set, longer, 3, &e), 0);
    assert_string_equal(tan_leaf_set_format(&set, text, sizeof text), "0-1,4...");
    tan_leaf_set_clear(&set);
}

/* No leaf is counted twice, wherever the ranges meet. */
static void overlaps(void **state)
{
    (void)state;
    static const struct leaf_range there[] = {{3, 5}, {8, 8}};
    static const struct {
        struct leaf_range range;
        const char *error;
    } rows[] = {
        {{3, 3}, "leaf 3 twice"}, {{5, 5}, "leaf 5 twice"}, {{4, 9}, "leaf 4 twice"},
        {{0, 3}, "leaf 3 twice"}, {{6, 8}, "leaf 8 twice"}, {{0, 20}, "leaf 3 twice"},
        {{8, 8}, "leaf 8 twice"},
    };
    struct leaf_set set = {.n = 0};
    struct tan_error e = TAN_ERROR_INIT;
    char text[32];
    assert_int_equal(tan_leaf_set_add_all(&set, there, 2, &e), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at_row("rows[%zu]", i);
        assert_int_equal(tan_leaf_set_add(&set, rows[i].range, &e), -1);
        assert_error(e, TAN_FAILED, rows[i].error);
        e = (struct tan_error)TAN_ERROR_INIT;
    }
    assert_string_equal(tan_leaf_set_format(&set, text, sizeof text), "3-5,8");
    tan_leaf_set_clear(&set);
}

/* Every subset of ten leaves, added one by one from either end. */
static void subsets(void **state)
{
    (void)state;
    enum { LEAVES = 10, WAVE = 7 };
    for (uint32_t members = 0; members < 1 << LEAVES; members++) {
        struct leaf_set up = {.n = 0};
        struct leaf_set down = {.n = 0};
        struct tan_error e = TAN_ERROR_INIT;
        uint64_t count = 0;
        uint64_t sum = 0;
        uint64_t check = 0;
        for (uint32_t i = 0; i < LEAVES; i++) {
            const uint32_t back = LEAVES - 1 - i;
            if (members >> i & 1) {
                count++;
                sum += i;
                check += tan_leaf_check(i, WAVE);
                assert_int_equal(tan_leaf_set_add(&up, (struct leaf_range){i, i}, &e), 0);
            }
            if (members >> back & 1) {
                assert_int_equal(tan_leaf_set_add(&down, (struct leaf_range){back, back}, &e), 0);
            }
        }
        assert_true(tan_leaf_set_equal(&up, &down));
        assert_int_equal(tan_leaf_set_count(&up), count);
        assert_int_equal(tan_leaf_set_sum(&up), sum);
        assert_true(tan_leaf_set_check(&up, WAVE) == check);
        for (uint32_t i = 0; i < LEAVES; i++) {
            assert_int_equal(tan_leaf_set_has(&up, i), members >> i & 1);
        }
        assert_int_equal(tan_leaf_set_equal(&up, &(struct leaf_set){.n = 0}), members == 0);
        tan_leaf_set_clear(&up);
        tan_leaf_set_clear(&down);
    }
}

/* No two subsets of these leaves, and no two waves, have the same check. */
static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void checks_differ(void **state)
{
    (void)state;
    enum { LEAVES = 12, SETS = 1 << LEAVES };
    static uint64_t checks[2 * SETS - 1]; /* the empty set has 0 in both waves */
    for (uint32_t members = 0; members < 2 * SETS - 1; members++) {
        for (uint32_t i = 0; i < LEAVES; i++) {
            if (members % SETS >> i & 1) {
                checks[members] += tan_leaf_check(i, members / SETS);
            }
        }
    }
    checks[SETS] = 1; /* the second empty set */
    qsort(checks, 2 * SETS - 1, sizeof *checks, compare);
    for (size_t i = 1; i < 2 * SETS - 1; i++) {
        assert_true(checks[i - 1] != checks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_join), cmocka_unit_test(cut_off),       cmocka_unit_test(overlaps),
        cmocka_unit_test(subsets),     cmocka_unit_test(checks_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
