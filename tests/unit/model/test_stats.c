/* test_stats.c - quantiles, orders and errors worked out by hand; outliers and latencies
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/fit/fit.h"
#include "model/stats/stats.h"

TEST(summary_by_hand)
{
    static const double samples[] = {7, 1, 10, 4, 2, 9, 3, 8, 5, 6};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_summary s;
    assert_int_equal(tan_summarize(samples, 10, &s, &e), 0);
    assert_int_equal(s.n, 10);
    assert_close(s.mean, 5.5, 1e-12);
    assert_close(s.stddev, sqrt(82.5 / 9), 1e-12);
    assert_close(s.min, 1, 0);
    assert_close(s.p5, 1.45, 1e-12); /* 1 + 0.05 * 9 */
    assert_close(s.p25, 3.25, 1e-12);
    assert_close(s.median, 5.5, 1e-12);
    assert_close(s.p75, 7.75, 1e-12);
    assert_close(s.p95, 9.55, 1e-12);
    assert_close(s.p99, 9.91, 1e-12);
    assert_close(s.max, 10, 0);
    /* ranks floor((10 - 6.198) / 2) and ceil(1 + 16.198 / 2) */
    assert_close(s.median_ci95.low, 1, 0);
    assert_close(s.median_ci95.high, 10, 0);

    assert_int_equal(tan_summarize(samples, 1, &s, &e), 0);
    assert_close(s.median, 7, 0);
    assert_close(s.stddev, 0, 0);
    assert_true(s.median_ci95.low > s.median_ci95.high);
    assert_int_equal(tan_summarize(samples, 0, &s, &e), -1);
    assert_error(e, TAN_FAILED, "no samples");
    static const double bad[] = {1, NAN, 2};
    assert_int_equal(tan_summarize(bad, 3, &s, &e), -1);
    assert_error(e, TAN_FAILED, "sample 2");
}

TEST(ranks_by_hand)
{
    static const size_t rows[][3] = {{6, 1, 6},    {7, 1, 7},       {10, 1, 10},
                                     {25, 7, 19},  {100, 40, 61},   {500, 228, 273},
                                     {31, 10, 22}, {1000, 469, 532}};
    double rank[1000]; /* sorted samples that are their own ranks */
    for (int i = 0; i < 1000; i++) {
        rank[i] = i + 1;
    }
    for (size_t n = 0; n < 6; n++) {
        assert_false(tan_interval_known(tan_median_interval(rank, n, (double)n)));
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tan_interval ci = tan_median_interval(rank, rows[i][0], (double)rows[i][0]);
        assert_true(ci.low == (double)rows[i][1] && ci.high == (double)rows[i][2]);
    }
    /* 400 samples worth 100: twice the 19.6 ranks of independent ones on either side */
    const struct tan_interval wide = tan_median_interval(rank, 400, 100);
    assert_true(wide.low == 160 && wide.high == 241);
    /* The order statistics bound the median with at least 95 %: binomial tails. */
    for (size_t n = 6; n < 300; n++) {
        const struct tan_interval ci = tan_median_interval(rank, n, (double)n);
        double term = pow(0.5, (double)n); /* P(B = 0) */
        double inside = 0;
        for (size_t k = 0; k < n; k++) {
            inside += (double)k >= ci.low && (double)k < ci.high ? term : 0;
            term *= (double)(n - k) / (double)(k + 1);
        }
        assert_true(inside >= 0.95);
    }
}

TEST(sets_outliers_aside)
{
    double sorted[30];
    size_t first;
    size_t end;
    for (int i = 0; i < 30; i++) {
        sorted[i] = i;
    }
    tan_set_outliers_aside(sorted, 30, 0, &first, &end);
    assert_int_equal(first, 0);
    assert_int_equal(end, 30);
    sorted[0] = -1000;
    sorted[28] = 900;
    sorted[29] = 1000;
    tan_set_outliers_aside(sorted, 30, 0, &first, &end);
    assert_int_equal(first, 1);
    assert_int_equal(end, 28);
    sorted[27] = 800; /* a fourth of 30: no outliers any more, but a part of the distribution */
    tan_set_outliers_aside(sorted, 30, 0, &first, &end);
    assert_int_equal(first, 0);
    assert_int_equal(end, 30);
    tan_set_outliers_aside(sorted, 30, 780, &first, &end); /* 800 is near enough */
    assert_int_equal(first, 1);
    assert_int_equal(end, 28);
    tan_set_outliers_aside(sorted, 1, 0, &first, &end);
    assert_int_equal(end - first, 1);
}

TEST(latencies)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_latency l;
    static const double samples[] = {3e-6, 1e-6, 2e-6, 6e-6};
    assert_int_equal(tan_latency_summarize(samples, 4, &l, &e), 0);
    assert_int_equal(l.n, 4);
    assert_close(l.mean, 3e-6, 1e-18);
    assert_close(l.median, 2.5e-6, 1e-18);
    assert_close(l.min, 1e-6, 0);
    assert_close(l.max, 6e-6, 0);
    assert_close(l.stddev, sqrt(14.0 / 3) * 1e-6, 1e-18);
    assert_int_equal(tan_latency_summarize(samples, 0, &l, &e), -1);
    assert_error(e, TAN_FAILED, "no samples");
}

#define TIGHT 1e-12

/* Of trees, predicted and measured. */

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
