/* test_series.c - trends, autocorrelation and intervals: by hand, and their coverage
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "model/stats/series.h"
#include "model/stats/stats.h"

TEST(mann_kendall_by_hand)
{
    static const double rising[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const double falling[] = {5, 4, 3, 2, 1};
    static const double tied[] = {1, 1, 2};
    static const double equal[] = {4, 4, 4, 4};
    struct tan_error e = TAN_ERROR_INIT;
    double z;
    /* 45 pairs rise; variance 10 * 9 * 25 / 18 */
    assert_int_equal(tan_mann_kendall(rising, 10, &z, &e), 0);
    assert_close(z, 44 / sqrt(125), 1e-12);
    /* variance 5 * 4 * 15 / 18 */
    assert_int_equal(tan_mann_kendall(falling, 5, &z, &e), 0);
    assert_close(z, -9 / sqrt(300.0 / 18), 1e-12);
    /* two pairs rise, one is tied; variance (3 * 2 * 11 - 2 * 1 * 9) / 18 */
    assert_int_equal(tan_mann_kendall(tied, 3, &z, &e), 0);
    assert_close(z, 1 / sqrt(48.0 / 18), 1e-12);
    assert_int_equal(tan_mann_kendall(equal, 4, &z, &e), 0);
    assert_close(z, 0, 0);
    assert_int_equal(tan_mann_kendall(rising, 1, &z, &e), 0);
    assert_close(z, 0, 0);
}

/* The fast count of pairs against all pairs. */
TEST(mann_kendall_by_counting)
{
    enum { N = 200 };
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int trial = 0; trial < 20; trial++) {
        double x[N];
        double score = 0;
        double variance = N * (N - 1.0) * (2 * N + 5);
        int counts[30] = {0};
        for (int i = 0; i < N; i++) {
            x[i] = (double)gsl_rng_uniform_int(rng, 30);
            counts[(int)x[i]]++;
            for (int j = 0; j < i; j++) {
                score += (x[i] > x[j]) - (x[i] < x[j]);
            }
        }
        for (int v = 0; v < 30; v++) {
            variance -= counts[v] * (counts[v] - 1.0) * (2 * counts[v] + 5);
        }
        double expected = fabs(score) > 1 ? (score - copysign(1, score)) / sqrt(variance / 18) : 0;
        double z;
        assert_int_equal(tan_mann_kendall(x, N, &z, &e), 0);
        assert_close(z, expected, 1e-9);
    }
    gsl_rng_free(rng);
}

TEST(von_neumann_by_hand)
{
    static const double rising[] = {10, 20, 30, 40, 500};
    static const double jagged[] = {1, 5, 2, 4, 3};
    static const double tied[] = {1, 1, 2}; /* ranks 1.5, 1.5, 3 */
    static const double equal[] = {4, 4, 4, 4};
    struct tan_error e = TAN_ERROR_INIT;
    double ratio;
    double z;
    assert_int_equal(tan_von_neumann(rising, 5, &ratio, &z, &e), 0);
    assert_close(ratio, 4.0 / 10, 1e-12);
    /* variance 4 * 3 * (125 - 10 - 9) / (5 * 5 * 6 * 16) */
    assert_close(z, -1.6 / sqrt(0.53), 1e-12);
    assert_int_equal(tan_von_neumann(jagged, 5, &ratio, &z, &e), 0);
    assert_close(ratio, 30.0 / 10, 1e-12);
    assert_int_equal(tan_von_neumann(tied, 3, &ratio, &z, &e), 0);
    assert_close(ratio, 2.25 / 1.5, 1e-12);
    assert_int_equal(tan_von_neumann(equal, 4, &ratio, &z, &e), 0);
    assert_close(ratio, 2, 0);
    assert_close(z, 0, 0);
}

/* A series that remembers `phi` of the sample before. */
static void remembering(gsl_rng *rng, double phi, double *x, size_t n)
{
    x[0] = gsl_ran_ugaussian(rng);
    for (size_t i = 1; i < n; i++) {
        x[i] = phi * x[i - 1] + sqrt(1 - phi * phi) * gsl_ran_ugaussian(rng);
    }
}

TEST(effective_sizes)
{
    enum { N = 20000 };
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *x = malloc(N * sizeof *x);
    double worth;
    /* Each draw stands there ten times. */
    for (int i = 0; i < N; i++) {
        x[i] = i % 10 ? x[i - 1] : gsl_rng_uniform(rng);
    }
    assert_int_equal(tan_effective_size(x, N, &worth, &e), 0);
    assert_close(worth, N / 10.0, 0.15 * N / 10.0);
    /* Signs of a Gaussian series have correlations (2 / pi) asin(phi^k). */
    static const double phis[] = {0.3, 0.8, 0.95};
    for (size_t i = 0; i < sizeof phis / sizeof *phis; i++) {
        at_row("phis[%zu]", i);
        double tau = 1;
        for (double rho = phis[i]; rho > 1e-6; rho *= phis[i]) {
            tau += 2 * M_2_PI * asin(rho);
        }
        remembering(rng, phis[i], x, N);
        assert_int_equal(tan_effective_size(x, N, &worth, &e), 0);
        assert_close(worth, N / tau, 0.2 * N / tau);
    }
    for (int i = 0; i < N; i++) {
        x[i] = 7;
    }
    assert_int_equal(tan_effective_size(x, N, &worth, &e), 0);
    assert_close(worth, N, 0);
    assert_int_equal(tan_effective_size(x, 1, &worth, &e), 0);
    assert_close(worth, 1, 0);
    free(x);
    gsl_rng_free(rng);
}

/* How often, of `trials` series with that memory, the interval has the true median, drift is
 * found at 1 %, and memory is found at 1 %. */
struct rates {
    double covered, naive, drifts, remembers;
};

static struct rates rates_of(double phi, double slope, size_t n)
{
    enum { TRIALS = 1000 };
    struct tan_error e = TAN_ERROR_INIT;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *x = malloc(n * sizeof *x);
    struct rates r = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct tan_series s;
        struct tan_summary naive;
        remembering(rng, phi, x, n);
        for (size_t i = 0; i < n; i++) {
            x[i] += 100 + slope * ((double)i / (double)n - 0.5);
        }
        assert_int_equal(tan_series_judge(x, n, &s, &e), 0);
        assert_int_equal(tan_summarize(x, n, &naive, &e), 0);
        r.covered += s.median_ci95.low <= 100 && 100 <= s.median_ci95.high;
        r.naive += naive.median_ci95.low <= 100 && 100 <= naive.median_ci95.high;
        r.drifts += s.drift_p < 0.01;
        r.remembers += s.lag1_p < 0.01;
    }
    r.covered /= TRIALS;
    r.naive /= TRIALS;
    r.drifts /= TRIALS;
    r.remembers /= TRIALS;
    print_message("memory %.1f drift %.1f n %4zu: covered %.3f (without allowance %.3f), drifts "
                  "%.3f, remembers %.3f\n",
                  phi, slope, n, r.covered, r.naive, r.drifts, r.remembers);
    free(x);
    gsl_rng_free(rng);
    return r;
}

TEST(judgements)
{
    /* Independent samples are taken for what they are. */
    struct rates r = rates_of(0, 0, 100);
    assert_true(r.covered >= 0.94);
    assert_true(r.drifts <= 0.025 && r.remembers <= 0.025);
    r = rates_of(0, 0, 20);
    assert_true(r.covered >= 0.94);
    assert_true(r.drifts <= 0.03 && r.remembers <= 0.03);
    /* With memory, intervals of independent samples miss the median; ours has it. */
    r = rates_of(0.8, 0, 500);
    assert_true(r.naive < 0.7);
    assert_true(r.covered >= 0.92);
    assert_true(r.remembers == 1);
    assert_true(r.drifts <= 0.05);
    /* A drift of three standard deviations is found, with memory or without. */
    r = rates_of(0, 3, 100);
    assert_true(r.drifts == 1);
    r = rates_of(0.5, 3, 500);
    assert_true(r.drifts >= 0.99);
}

TEST(series_by_hand)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_series s;
    static const double rising[] = {2, 3, 4, 5, 6, 7, 8, 9, 10};
    assert_int_equal(tan_series_judge(rising, 9, &s, &e), 0);
    assert_close(s.drift, 2, 1e-12); /* from 3 to 9 */
    /* steps 8, spread 9 * 80 / 12 */
    assert_close(s.lag1, 1 - 8.0 / 60 / 2, 1e-12);
    /* S = 36; without the trend all is equal */
    assert_close(s.drift_p, erfc(35 / sqrt(9 * 8 * 23 / 18.0) / sqrt(2)), 1e-9);
    /* too few to be sure of anything */
    assert_true(s.n_effective < 6);
    assert_true(s.median_ci95.low > s.median_ci95.high);

    static const double constant[] = {5, 5, 5, 5, 5, 5};
    assert_int_equal(tan_series_judge(constant, 6, &s, &e), 0);
    assert_close(s.n_effective, 6, 0);
    assert_close(s.median_ci95.low, 5, 0);
    assert_close(s.median_ci95.high, 5, 0);
    assert_close(s.drift_p, 1, 0);
    assert_int_equal(tan_series_judge(constant, 1, &s, &e), 0);
    assert_true(s.median_ci95.low > s.median_ci95.high);
    assert_int_equal(tan_series_judge(constant, 0, &s, &e), -1);
    assert_error(e, TAN_FAILED, "no samples");

    /* The trend's line leaves the range of doubles, (7 - 1) * 8e307. */
    double huge[9];
    for (size_t i = 0; i < 9; i++) {
        huge[i] = 1e307 * (double)i;
    }
    assert_int_equal(tan_series_judge(huge, 9, &s, &e), -1);
    assert_error(e, TAN_FAILED, "not a finite number");

    /* Times that clocks do not tell apart, though they rise. */
    double same[90];
    for (size_t i = 0; i < 90; i++) {
        same[i] = 26.827e-6 + (i < 45 ? 0 : 1e-9);
    }
    assert_int_equal(tan_series_judge(same, 90, &s, &e), 0);
    assert_close(s.n_effective, 90, 0);
    assert_close(s.lag1_p, 0.5, 0);
    assert_close(s.drift, 0, 0);
    assert_close(s.drift_p, 1, 0);
}

TEST(launches_by_hand)
{
    const double two[] = {1, exp(2)};
    struct tan_launches l = tan_launches_judge(two, 2);
    /* mean of logarithms 1, standard deviation sqrt 2, t = tan(0.475 pi) */
    double t = tan(0.475 * M_PI);
    assert_close(l.centre, exp(1), 1e-12);
    assert_close(l.spread, sqrt(2), 1e-12);
    assert_close(log(l.ci95.high), 1 + t, 1e-6);
    assert_close(log(l.ci95.low), 1 - t, 1e-6);
    assert_close(log(l.prediction95.high), 1 + t * sqrt(3), 1e-6);
    l = tan_launches_judge(two, 1);
    assert_close(l.centre, 1, 0);
    assert_true(l.ci95.low > l.ci95.high && l.prediction95.low > l.prediction95.high);
}

/* The interval for the next launch holds it 95 times of 100, the narrower one the centre. */
TEST(launches_cover)
{
    enum { TRIALS = 20000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    static const size_t sizes[] = {2, 3, 5, 10};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        at_row("sizes[%zu]", i);
        int next = 0;
        int centre = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double medians[11];
            for (size_t k = 0; k <= sizes[i]; k++) {
                medians[k] = exp(gsl_ran_gaussian(rng, 0.2));
            }
            struct tan_launches l = tan_launches_judge(medians, sizes[i]);
            next +=
                l.prediction95.low <= medians[sizes[i]] && medians[sizes[i]] <= l.prediction95.high;
            centre += l.ci95.low <= 1 && 1 <= l.ci95.high;
        }
        /* three standard deviations of the count are 0.5 % */
        assert_close((double)next / TRIALS, 0.95, 0.005);
        assert_close((double)centre / TRIALS, 0.95, 0.005);
    }
    gsl_rng_free(rng);
}

/* Samples that a file gives back are judged as those that were written to it, though their last
 * bits differ. */
TEST(last_bits)
{
    enum { N = 10, TRIES = 2000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct tan_error e = TAN_ERROR_INIT;
    for (int try = 0; try < TRIES; try++) {
        double samples[N];
        double again[N];
        struct tan_series judged;
        struct tan_series judged_again;
        for (int i = 0; i < N; i++) {
            samples[i] = 1e-4 * exp(3 * gsl_rng_uniform(rng));
            again[i] = samples[i] * (1 + 1e-12 * (gsl_rng_uniform(rng) - 0.5));
        }
        assert_int_equal(tan_series_judge(samples, N, &judged, &e), 0);
        assert_int_equal(tan_series_judge(again, N, &judged_again, &e), 0);
        assert_close(judged.drift_p, judged_again.drift_p, 1e-6);
        assert_close(judged.lag1_p, judged_again.lag1_p, 1e-6);
    }
    gsl_rng_free(rng);
}

RUN_TESTS(NULL, NULL)
