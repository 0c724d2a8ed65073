/* test_work.c - a filter's duration is time of a core
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/work.c" /* the programs' folder is not part of the library */

#include "tests/unit/check.h"

static void uses_at_least_its_time(void **state)
{
    (void)state;
    for (double seconds = 1e-6; seconds < 0.02; seconds *= 10) {
        double begin = clock_cpu_seconds();
        work_for(seconds);
        assert_true(clock_cpu_seconds() - begin >= seconds);
    }
}

static void the_product_is_right(void **state)
{
    double a[ORDER][ORDER];
    double b[ORDER][ORDER];
    double product[ORDER][ORDER];

    (void)state;
    /* Rows i + 1 times columns 2^j: every product is the same in all of its ORDER terms. */
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            a[i][j] = i + 1;
            b[i][j] = 1 << j;
        }
    }
    multiply(product, a, b);
    for (int i = 0; i < ORDER; i++) {
        for (int j = 0; j < ORDER; j++) {
            assert_true(product[i][j] == ORDER * (i + 1) * (double)(1 << j));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_at_least_its_time),
        cmocka_unit_test(the_product_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
