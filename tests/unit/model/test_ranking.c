/* test_ranking.c - Kendall's tau, regret and errors, against numbers worked out by hand
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "model/stats/stats.h"

#define TIGHT 1e-12

TEST(orders_without_ties)
{
    const double rising[] = {1, 2, 3, 4};
    const double falling[] = {9, 7, 5, 1};
    /* Of six pairs only (3, 2) stands the wrong way round: (5 - 1) / 6. */
    const double swapped[] = {1, 3, 2, 4};
    assert_close(tan_kendall_tau(rising, rising, 4), 1, TIGHT);
    assert_close(tan_kendall_tau(rising, falling, 4), -1, TIGHT);
    assert_close(tan_kendall_tau(rising, swapped, 4), 4.0 / 6, TIGHT);
}

TEST(ties)
{
    /* Five pairs differ in x, five in y; (1,2) is tied in x, (3,4) in y, the other four agree:
     * 4 / sqrt(5 * 5). */
    const double x[] = {1, 1, 2, 3};
    const double y[] = {1, 2, 3, 3};
    assert_close(tan_kendall_tau(x, y, 4), 0.8, TIGHT);
    /* still tied */
    const double rounded[] = {1 + 1e-15, 1, 2, 3};
    assert_close(tan_kendall_tau(rounded, y, 4), 0.8, TIGHT);
    const double flat[] = {7, 7, 7, 7};
    assert_true(isnan(tan_kendall_tau(x, flat, 4)));
    assert_true(isnan(tan_kendall_tau(x, y, 1)));
}

TEST(regret)
{
    const double measured[] = {10, 8, 12};
    const double right[] = {3, 2, 4};
    const double wrong[] = {3, 3, 1};
    const double undecided[] = {1, 1, 1};
    const double rounded[] = {1 + 1e-15, 1, 1};
    assert_close(tan_regret(right, measured, 3), 0, TIGHT);
    assert_close(tan_regret(wrong, measured, 3), 0.5, TIGHT);
    assert_close(tan_regret(undecided, measured, 3), 0.25, TIGHT);
    assert_close(tan_regret(rounded, measured, 3), 0.25, TIGHT);
}

TEST(accuracy)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_accuracy a;
    const double measured[] = {10, 20, 40};
    const double predicted[] = {11, 16, 40}; /* +10 %, -20 %, 0 */
    assert_int_equal(tan_accuracy(predicted, measured, 3, &a, &e), 0);
    assert_no_error(e);
    assert_close(a.mean_abs_error, 0.1, TIGHT);
    assert_close(a.median_abs_error, 0.1, TIGHT);
    assert_close(a.worst_abs_error, 0.2, TIGHT);
    assert_close(a.mean_error, -0.1 / 3, TIGHT);
    assert_close(a.kendall_tau, 1, TIGHT);
    assert_close(a.regret, 0, TIGHT);
    const double unknown[] = {11, NAN, 40};
    assert_int_equal(tan_accuracy(unknown, measured, 3, &a, &e), -1);
    assert_error(e, TAN_FAILED, "sample 2 is not a finite number");
}

RUN_TESTS(NULL, NULL)
