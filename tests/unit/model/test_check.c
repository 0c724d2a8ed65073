/* test_check.c - the model that check trees choose
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/machine.h"

#include "tests/unit/check.h"

/* Two trees, on which a model is off by `mean` on average. */
static void set_error(struct tan_checks *checks, int model, double mean)
{
    checks->row[0].error[model] = 1.5 * mean;
    checks->row[1].error[model] = -0.5 * mean;
}

static int best_of(double tan, double logp, double overlap)
{
    struct tan_checks checks = {.n = 2};
    set_error(&checks, TAN_CHECK_TAN, tan);
    set_error(&checks, TAN_CHECK_LOGP, logp);
    set_error(&checks, TAN_CHECK_OVERLAP, overlap);
    tan_checks_average(&checks);
    return tan_checks_best(&checks);
}

TEST(smallest_error)
{
    assert_int_equal(best_of(0.01, 0.3, 0.03), TAN_CHECK_TAN);
    assert_int_equal(best_of(0.3, 0.02, 0.05), TAN_CHECK_LOGP);
    assert_int_equal(best_of(0.04, 0.3, 0.02), TAN_CHECK_OVERLAP);
    assert_int_equal(best_of(0.01, NAN, NAN), TAN_CHECK_TAN);
    assert_int_equal(best_of(NAN, NAN, NAN), -1);
    assert_int_equal(tan_checks_best(&(struct tan_checks){.n = 0}), -1);
}

/* Chance would choose between models that are about as good. */
TEST(same_errors)
{
    assert_int_equal(best_of(0.00001, 0.3, 0.00002), TAN_CHECK_OVERLAP);
    assert_int_equal(best_of(0.00001, 0.00008, 0.3), TAN_CHECK_TAN);
    assert_int_equal(best_of(0.00008, 0.00001, NAN), TAN_CHECK_LOGP);
    assert_int_equal(best_of(0.00001, 0.00008, 0.0001), TAN_CHECK_OVERLAP);
    assert_int_equal(best_of(0.01, 0.3, 0.019), TAN_CHECK_OVERLAP);
    assert_int_equal(best_of(0.03, 0.3, 0.051), TAN_CHECK_TAN);
}

RUN_TESTS(NULL, NULL)
