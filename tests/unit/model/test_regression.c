/* test_regression.c - least squares against the normal equations, bounds against their conditions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <gsl/gsl_randist.h>
#include <stdbool.h>

#include "model/stats/regression.h"

enum { ROWS = 12 };

struct problem {
    size_t columns;
    double design[ROWS * TAN_MAX_COLUMNS], weight[ROWS], y[ROWS];
};

/* Columns of very different size, as those of a wave time are. */
static struct problem make(gsl_rng *rng, size_t columns)
{
    struct problem p = {.columns = columns};
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < columns; j++) {
            p.design[i * columns + j] = pow(100, (double)j) * (1 + gsl_ran_gaussian(rng, 1));
        }
        p.weight[i] = gsl_ran_flat(rng, 0.1, 10);
        p.y[i] = gsl_ran_gaussian(rng, 1);
    }
    return p;
}

/* Half the derivative of the sum of squares by x_j, relative to the size of its terms. */
static double slope(const struct problem *p, const double *x, size_t j)
{
    double sum = 0;
    double size = 0;
    for (size_t i = 0; i < ROWS; i++) {
        double off = -p->y[i];
        for (size_t k = 0; k < p->columns; k++) {
            off += p->design[i * p->columns + k] * x[k];
        }
        sum += p->weight[i] * off * p->design[i * p->columns + j];
        size += fabs(p->weight[i] * p->y[i] * p->design[i * p->columns + j]);
    }
    return sum / size;
}

TEST(free_solution)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct tan_error e = TAN_ERROR_INIT;
    for (int trial = 0; trial < 400; trial++) {
        const struct problem p = make(rng, 1 + (size_t)trial % TAN_MAX_COLUMNS);
        struct tan_regression r;
        double x[TAN_MAX_COLUMNS];
        assert_int_equal(tan_regression_create(&r, p.design, p.weight, ROWS, p.columns, &e), 0);
        tan_regression_solve(&r, p.y, x);
        for (size_t j = 0; j < p.columns; j++) {
            assert_close(slope(&p, x, j), 0, 1e-10);
        }
        tan_regression_clear(&r);
    }
    gsl_rng_free(rng);
}

/* Karush, Kuhn and Tucker: x >= 0, no slope down where x = 0, no slope at all where x > 0. The
 * problem is convex, so that is the minimum and nothing else is. */
TEST(bounded_solution)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct tan_error e = TAN_ERROR_INIT;
    int at_bound[TAN_MAX_COLUMNS + 1] = {0};
    for (int trial = 0; trial < 2000; trial++) {
        const struct problem p = make(rng, 1 + (size_t)trial % TAN_MAX_COLUMNS);
        struct tan_regression r;
        double x[TAN_MAX_COLUMNS];
        assert_int_equal(tan_regression_create(&r, p.design, p.weight, ROWS, p.columns, &e), 0);
        tan_regression_solve(&r, p.y, x);
        tan_regression_bound(&r, x);
        int zeros = 0;
        for (size_t j = 0; j < p.columns; j++) {
            const double s = slope(&p, x, j);
            assert_true(x[j] >= 0);
            assert_true(s >= -1e-9);
            assert_true(x[j] == 0 || s <= 1e-9);
            zeros += x[j] == 0;
        }
        at_bound[zeros]++;
        tan_regression_clear(&r);
    }
    print_message("solutions with 0, 1, 2, 3, 4 coefficients at 0: %d %d %d %d %d\n", at_bound[0],
                  at_bound[1], at_bound[2], at_bound[3], at_bound[4]);
    for (int i = 0; i <= TAN_MAX_COLUMNS; i++) {
        assert_true(at_bound[i] > 0);
    }
    gsl_rng_free(rng);
}

RUN_TESTS(NULL, NULL)
