/* check.h - cmocka and helpers shared by unit tests
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_UNIT_CHECK_H
#define TAN_TESTS_UNIT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

/* `e` holds an error of this status whose text contains `part`; then it is cleared for the next. */
#define assert_error(e, wanted_status, part)                                                       \
    do {                                                                                           \
        assert_int_equal((e).status, wanted_status);                                               \
        if (strstr((e).text, part) == NULL) {                                                      \
            print_error("\"%s\" lacks \"%s\"\n", (e).text, part);                                  \
        }                                                                                          \
        assert_non_null(strstr((e).text, part));                                                   \
        (e).status = TAN_DONE;                                                                     \
    } while (0)

/* No error was set. */
#define assert_no_error(e)                                                                         \
    do {                                                                                           \
        if ((e).status != TAN_DONE) {                                                              \
            print_error("%s:%d:%d: %s\n", (e).source, (e).line, (e).column, (e).text);             \
        }                                                                                          \
        assert_int_equal((e).status, TAN_DONE);                                                    \
    } while (0)

/* A test of a program, which runs because it is defined; TEST_THEN: what follows it is called
 * behind it, passed or not. RUN_TESTS at the end of the file runs them in their order. */
#define TEST(name) TEST_THEN(name, NULL)
#define TEST_THEN(name, after)                                                                     \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        if (n_tests == sizeof tests / sizeof tests[0]) {                                           \
            abort(); /* there are too many */                                                      \
        }                                                                                          \
        tests[n_tests++] = (struct CMUnitTest){#name, name, NULL, after, NULL};                    \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)
static struct CMUnitTest tests[64];
static size_t n_tests;

/* Call `before` and `after`, or NULL, around all of them. */
#define RUN_TESTS(before, after)                                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        return _cmocka_run_group_tests("tests", tests, n_tests, before, after);                    \
    }

/* Statistics are to be tested with their full numbers of repetitions, as `make check-full` does. */
static inline bool thorough(void)
{
    return getenv("TEST_FULL") != NULL;
}

/* The row of a table that a test is at, which failures of assert_close name, and the test. */
static struct {
    const char *test;
    char text[160];
} current_row;

#define at_row(...)                                                                                \
    do {                                                                                           \
        current_row.test = __func__;                                                               \
        snprintf(current_row.text, sizeof current_row.text, __VA_ARGS__);                          \
    } while (0)

/* Whether `a` and `b` differ by `tolerance` at most; else print what there is to know of them. */
static inline bool is_close(double a, double b, double tolerance, const char *texts)
{
    const bool close = fabs(a - b) <= tolerance;
    if (!close) {
        print_error("assert_close(%s):\n    %.17g and %.17g differ by %g, more than %g\n", texts, a,
                    b, fabs(a - b), tolerance);
    }
    if (!close && current_row.test != NULL) {
        print_error("    the last row was %s, in %s\n", current_row.text, current_row.test);
    }
    return close;
}

#define assert_close(a, b, tolerance)                                                              \
    do {                                                                                           \
        if (!is_close(a, b, tolerance, #a ", " #b ", " #tolerance)) {                              \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
