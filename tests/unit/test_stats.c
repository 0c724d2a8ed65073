/* test_stats.c - quantiles and ranks by hand, histograms, the dip, and how often modes are found
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/fit/fit_report.h"
#include "model/stats/stats.h"

static void summary_by_hand(void **state)
{
    (void)state;
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

static void ranks_by_hand(void **state)
{
    (void)state;
    static const size_t rows[][3] = {{6, 1, 6},    {7, 1, 7},       {10, 1, 10},
                                     {25, 7, 19},  {100, 40, 61},   {500, 228, 273},
                                     {31, 10, 22}, {1000, 469, 532}};
    size_t low;
    size_t high;
    for (size_t n = 0; n < 6; n++) {
        assert_int_equal(tan_median_ranks(n, &low, &high), -1);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tan_median_ranks(rows[i][0], &low, &high), 0);
        assert_int_equal(low, rows[i][1]);
        assert_int_equal(high, rows[i][2]);
    }
    /* The order statistics bound the median with at least 95 %: binomial tails. */
    for (size_t n = 6; n < 300; n++) {
        assert_int_equal(tan_median_ranks(n, &low, &high), 0);
        double term = pow(0.5, (double)n); /* P(B = 0) */
        double inside = 0;
        for (size_t k = 0; k < n; k++) {
            inside += k >= low && k < high ? term : 0;
            term *= (double)(n - k) / (double)(k + 1);
        }
        assert_true(inside >= 0.95);
    }
}

static void sets_outliers_aside(void **state)
{
    (void)state;
    double sorted[30];
    size_t first;
    size_t end;
    for (int i = 0; i < 30; i++) {
        sorted[i] = i;
    }
    tan_set_outliers_aside(sorted, 30, &first, &end);
    assert_int_equal(first, 0);
    assert_int_equal(end, 30);
    sorted[0] = -1000;
    sorted[28] = 900;
    sorted[29] = 1000;
    tan_set_outliers_aside(sorted, 30, &first, &end);
    assert_int_equal(first, 1);
    assert_int_equal(end, 28);
    sorted[27] = 800; /* a fourth of 30: no outliers any more, but a part of the distribution */
    tan_set_outliers_aside(sorted, 30, &first, &end);
    assert_int_equal(first, 0);
    assert_int_equal(end, 30);
    tan_set_outliers_aside(sorted, 1, &first, &end);
    assert_int_equal(end - first, 1);
}

static int64_t count_all(const struct tan_histogram *h)
{
    int64_t sum = h->above;
    for (int i = 0; i < h->bins; i++) {
        sum += h->count[i];
    }
    return sum;
}

static void histograms(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_histogram h;
    double samples[1000];
    for (int i = 0; i < 1000; i++) {
        samples[i] = i;
    }
    samples[7] = 1e6;
    /* 999 values over 0..999: width 2 * 499.5 / 10, 10 bins or 11 */
    assert_int_equal(tan_histogram_create(samples, 1000, &h, &e), 0);
    assert_close(h.width, 99.9, 1);
    assert_in_range(h.bins, 10, 11);
    assert_int_equal(h.above, 1);
    assert_int_equal(count_all(&h), 1000);
    assert_int_equal(h.count[1], 100);
    tan_histogram_clear(&h);

    for (int i = 0; i < 1000; i++) { /* a clock with ticks of 5, each value as often as the next */
        samples[i] = 100 + 5 * (i % 40);
    }
    assert_int_equal(tan_histogram_create(samples, 1000, &h, &e), 0);
    assert_close(fmod(h.width, 5), 0, 1e-9);
    for (int i = 0; i + 1 < h.bins; i++) { /* no combs */
        assert_int_equal(h.count[i], (int)round(h.width / 5) * 25);
    }
    assert_int_equal(count_all(&h), 1000);
    tan_histogram_clear(&h);

    for (int i = 0; i < 1000; i++) {
        samples[i] = 42;
    }
    assert_int_equal(tan_histogram_create(samples, 1000, &h, &e), 0);
    assert_int_equal(h.bins, 1);
    assert_true(h.width > 0);
    assert_int_equal(h.count[0], 1000);
    tan_histogram_clear(&h);
    assert_int_equal(tan_histogram_create(samples, 0, &h, &e), -1);
    assert_error(e, TAN_FAILED, "no samples");
}

static void dips(void **state)
{
    (void)state;
    /* The example of Hartigan and Hartigan's paper: quality of 63 statistics departments. */
    static const double faculty[] = {30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40, 40, 40, 40, 41,
                                     42, 43, 43, 43, 44, 44, 45, 45, 46, 46, 47, 47, 48, 48, 48, 49,
                                     50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57, 57, 59, 60,
                                     60, 60, 61, 61, 61, 61, 62, 62, 62, 62, 63, 66, 70, 72, 72};
    assert_close(tan_dip(faculty, 63), 5.0 / 84, 1e-12);

    double x[200];
    for (int i = 0; i < 200; i++) { /* evenly spaced: as near to uniform as steps can be */
        x[i] = i;
    }
    assert_close(tan_dip(x, 200), 1.0 / 400, 1e-12);
    for (int i = 0; i < 200; i++) { /* two heaps: one half of one must move half-way */
        x[i] = i % 100 * 1e-9 + (i < 100 ? 0 : 1);
    }
    assert_close(tan_dip(x, 200), 0.25, 0.005);
    for (int i = 0; i < 200; i++) {
        x[i] = 3;
    }
    assert_close(tan_dip(x, 200), 1.0 / 400, 1e-12);

    /* Neither scale, nor place, nor direction matters. */
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 50; trial++) {
        double y[200];
        for (int i = 0; i < 200; i++) {
            x[i] = gsl_ran_gaussian(rng, 1) + (gsl_rng_uniform(rng) < 0.4 ? 3 : 0);
            y[i] = 5 - 2 * x[i];
        }
        gsl_sort(x, 1, 200);
        gsl_sort(y, 1, 200);
        const double dip = tan_dip(x, 200);
        assert_true(dip >= 1.0 / 400 && dip <= 0.25);
        assert_close(tan_dip(y, 200), dip, 1e-12);
    }
    gsl_rng_free(rng);
}

/* One sample of a distribution. */
typedef double draw_fn(gsl_rng *rng);

static double normal(gsl_rng *rng)
{
    return 100 + gsl_ran_gaussian(rng, 10);
}
static double lognormal(gsl_rng *rng)
{
    return gsl_ran_lognormal(rng, 4, 0.5);
}
static double exponential(gsl_rng *rng)
{
    return 50 + gsl_ran_exponential(rng, 30);
}
static double uniform(gsl_rng *rng)
{
    return gsl_ran_flat(rng, 10, 20);
}
static double ticking(gsl_rng *rng)
{
    return 7 * round(normal(rng) / 7);
}
static double exponential_ticks(gsl_rng *rng)
{
    return floor(exponential(rng) / 20);
}
static double heavy(gsl_rng *rng)
{
    return gsl_rng_uniform(rng) < 0.03 ? normal(rng) * 20 : normal(rng);
}
static double near_halves(gsl_rng *rng)
{
    return gsl_ran_gaussian(rng, 8) + (gsl_rng_uniform(rng) < 0.45 ? 59 : 120);
}
static double unlike_parts(gsl_rng *rng)
{
    return gsl_rng_uniform(rng) < 0.25 ? 59 + gsl_ran_gaussian(rng, 5)
                                       : 120 + gsl_ran_gaussian(rng, 14);
}
static double two_ticking(gsl_rng *rng)
{
    return round(near_halves(rng) / 3) * 3;
}

static void modes(void **state)
{
    (void)state;
    enum { N = 500 };
    const int trials = thorough() ? 30 : 8;
    static const struct {
        const char *name;
        draw_fn *draw;
        int modes;
    } rows[] = {
        {"normal", normal, 1},
        {"lognormal", lognormal, 1},
        {"exponential", exponential, 1},
        {"uniform", uniform, 1},
        {"normal on a clock", ticking, 1},
        {"exponential on a clock", exponential_ticks, 1},
        {"normal with outliers", heavy, 1},
        {"59 and 120", near_halves, 2},
        {"59 and 120, unlike", unlike_parts, 2},
        {"59 and 120 on a clock", two_ticking, 2},
    };
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int two = 0;
        for (int trial = 0; trial < trials; trial++) {
            double samples[N];
            double where[2];
            for (int k = 0; k < N; k++) {
                samples[k] = rows[i].draw(rng);
            }
            const int found = tan_count_modes(samples, N, (uint64_t)trial, where, &e);
            assert_true(found == 1 || found == 2);
            two += found == 2;
            assert_true(where[0] > 0);
            assert_true(found == 2 ? where[0] < where[1] : isnan(where[1]));
            if (rows[i].modes == 2 && found == 2) {
                assert_close(where[0], 59, 6);
                assert_close(where[1], 120, 6);
            }
        }
        print_message("%-24s two modes in %2d of %d\n", rows[i].name, two, trials);
        /* At 5 %, more than 5 of 30 have a chance of 0.3 %, more than 3 of 8 one of 0.04 %. */
        assert_true(rows[i].modes == 1 ? two <= (thorough() ? 5 : 3) : two >= trials - 1);
    }
    gsl_rng_free(rng);
}

static void modes_of_little(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    double samples[100];
    double where[2];
    for (int i = 0; i < 100; i++) {
        samples[i] = 5;
    }
    assert_int_equal(tan_count_modes(samples, 100, 1, where, &e), 0);
    assert_true(isnan(where[0]));
    assert_int_equal(tan_count_modes(samples, 29, 1, where, &e), 0);
    assert_int_equal(tan_count_modes(samples, 0, 1, where, &e), 0);
    samples[3] = 900; /* the only one that differs is an outlier */
    assert_int_equal(tan_count_modes(samples, 100, 1, where, &e), 1);
    assert_close(where[0], 5, 0);
    samples[3] = INFINITY;
    assert_int_equal(tan_count_modes(samples, 100, 1, where, &e), -1);
    assert_error(e, TAN_FAILED, "sample 4");
}

static void latencies(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_latency l;
    static const double samples[] = {3e-6, 1e-6, 2e-6, 6e-6};
    assert_int_equal(tan_latency_summarize(samples, 4, 1, &l, &e), 0);
    assert_int_equal(l.n, 4);
    assert_close(l.mean, 3e-6, 1e-18);
    assert_close(l.median, 2.5e-6, 1e-18);
    assert_close(l.min, 1e-6, 0);
    assert_close(l.max, 6e-6, 0);
    assert_close(l.stddev, sqrt(14.0 / 3) * 1e-6, 1e-18);
    assert_int_equal(l.modes, 0);
    assert_int_equal(tan_latency_summarize(samples, 0, 1, &l, &e), -1);
    assert_error(e, TAN_FAILED, "no samples");
}

static void prints_no_mode_that_was_not_found(void **state)
{
    const struct tan_latency latency = {
        .n = 9, .mean = 1e-6, .median = 1e-6, .min = 1e-6, .max = 1e-6, .stddev = 0, .modes = 2};
    const struct {
        double modes[2];
        const char *end;
    } rows[] = {{{98e-6, 112e-6}, "; two modes, near 98 us and 112 us\n"},
                {{98e-6, NAN}, "; two modes, near 98 us\n"},
                {{NAN, NAN}, "; two modes\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text;
        size_t length;
        FILE *to = open_memstream(&text, &length);
        assert_non_null(to);
        tan_latency_print(&latency, rows[i].modes, to);
        fclose(to);
        assert_true(length > strlen(rows[i].end));
        assert_string_equal(text + length - strlen(rows[i].end), rows[i].end);
        free(text);
    }
}

/* 30 bins of 2 us: two to a line. */
static void prints_histograms(void **state)
{
    int64_t count[30] = {[0] = 100, [1] = 100, [2] = 1, [29] = 4};
    const struct tan_histogram h = {
        .low = 10e-6, .width = 2e-6, .bins = 30, .count = count, .above = 3};
    char *text;
    size_t length;
    FILE *to = open_memstream(&text, &length);

    (void)state;
    assert_non_null(to);
    tan_histogram_print(&h, to);
    fclose(to);
    assert_non_null(strstr(text,
                           "     10      200  ##################################################\n"
                           "     14        1  #\n"
                           "     18        0\n"));
    assert_non_null(strstr(text, "\n     66        4  #\nand 3 above\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_by_hand),
        cmocka_unit_test(ranks_by_hand),
        cmocka_unit_test(sets_outliers_aside),
        cmocka_unit_test(histograms),
        cmocka_unit_test(prints_histograms),
        cmocka_unit_test(prints_no_mode_that_was_not_found),
        cmocka_unit_test(dips),
        cmocka_unit_test(modes),
        cmocka_unit_test(modes_of_little),
        cmocka_unit_test(latencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
