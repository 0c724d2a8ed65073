/* test_cells.c - medians of resampled data, against all possible resamplings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_rng.h>

#include "model/fit/fit_internal.h"

enum { MOST = 5, DRAWS = 20000 };

/* Of samples 0, 2, 4, ..., how many of the n^n draws have each median, 0 to 2 (n - 1). */
static void count_medians(size_t n, double share[2 * MOST])
{
    double all = 1;
    for (size_t i = 0; i < n; i++) {
        all *= (double)n;
    }
    for (size_t m = 0; m < 2 * MOST; m++) {
        share[m] = 0;
    }
    for (size_t draw = 0; draw < (size_t)all; draw++) {
        size_t times[MOST] = {0};
        size_t sorted[MOST] = {0};
        size_t at = 0;
        for (size_t i = 0, rest = draw; i < n; i++, rest /= n) {
            times[rest % n]++;
        }
        for (size_t value = 0; value < n; value++) {
            for (size_t k = 0; k < times[value]; k++) {
                sorted[at++] = value;
            }
        }
        share[sorted[(n - 1) / 2] + sorted[n / 2]] += 1 / all;
    }
}

TEST(resampled_medians)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t n = 2; n <= MOST; n++) {
        double sorted[MOST];
        double share[2 * MOST];
        double found[2 * MOST] = {0};
        const struct tan_cell cell = {.sorted = sorted, .n = n};
        for (size_t i = 0; i < n; i++) {
            /* cppcheck-suppress unreadVariable ; read through the cell */
            sorted[i] = 2 * (double)i;
        }
        count_medians(n, share);
        for (int draw = 0; draw < DRAWS; draw++) {
            found[(size_t)tan_cell_resample(&cell, rng)] += 1.0 / DRAWS;
        }
        for (size_t m = 0; m < 2 * MOST; m++) {
            /* five standard deviations */
            assert_close(found[m], share[m], 5 * sqrt(share[m] * (1 - share[m]) / DRAWS) + 1e-9);
        }
    }
    gsl_rng_free(rng);
}

/* Waves that scatter with the root of their time: n times the variance of a median is 10 ns times
 * it.
 */
TEST(scatter_of_long_waves)
{
    enum { CELLS = 8 };
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cell cells[CELLS];
    struct tan_solver solver = {.cell = cells, .n_cells = CELLS};
    for (int i = 0; i < CELLS; i++) {
        const double median = 4e-6 * pow(2, i);
        /* cppcheck-suppress unreadVariable ; read through the solver */
        cells[i] = (struct tan_cell){.experiment = i % 2 == 0 ? TAN_CHAIN : TAN_NTO1,
                                     .n = 5,
                                     .median = median,
                                     .variance = 1e-8 * median / 5,
                                     .stretch = 1};
    }
    assert_int_equal(tan_cells_pool(&solver, &e), 0);
    assert_close(solver.power, 0.5, 1e-9);
    assert_close(solver.variance, 1e-8, 1e-15);
    assert_close(solver.bias_error, 0, 0);
}

RUN_TESTS(NULL, NULL)
