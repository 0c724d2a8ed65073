/* check.h - cmocka and what several unit tests need
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TESTS_CHECK_H
#define TAN_TESTS_CHECK_H

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

/* Statistics are to be tested with their full numbers of repetitions, as `make check-full` does. */
static inline bool thorough(void)
{
    return getenv("TEST_FULL") != NULL;
}

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

#endif
