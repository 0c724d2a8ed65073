/* regression.c - weighted linear least squares, unconstrained and non-negative
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/regression.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = TAN_MAX_COLUMNS };

int tan_regression_create(struct tan_regression *out, const double *design, const double *weight,
                          size_t rows, size_t columns, struct tan_error *e)
{
    int result = -1;
    *out = (struct tan_regression){
        .rows = rows, .columns = columns, .inverse = calloc(rows * columns, sizeof *out->inverse)};
    gsl_matrix *a = gsl_matrix_alloc(rows, columns);
    gsl_vector *tau = gsl_vector_alloc(columns);
    if (out->inverse == NULL || a == NULL || tau == NULL) {
        tan_regression_clear(out);
        tan_fail_nomem(e);
        goto done;
    }
    double scale[MOST];
    for (size_t j = 0; j < columns; j++) {
        scale[j] = 0;
        for (size_t i = 0; i < rows; i++) {
            scale[j] = hypot(scale[j], sqrt(weight[i]) * design[i * columns + j]);
        }
        for (size_t i = 0; i < rows; i++) {
            gsl_matrix_set(a, i, j, sqrt(weight[i]) * design[i * columns + j] / scale[j]);
        }
    }
    gsl_linalg_QR_decomp(a, tau);
    for (size_t j = 0; j < columns; j++) {
        for (size_t k = j; k < columns; k++) {
            out->factor[j * columns + k] = gsl_matrix_get(a, j, k) * scale[k];
        }
    }
    /* The pseudo-inverse is R^-1 Q'; the rows of Q' are the first columns of Q. */
    for (size_t j = 0; j < columns; j++) {
        gsl_vector_view row = gsl_vector_view_array(out->inverse + j * rows, rows);
        gsl_vector_set_basis(&row.vector, j);
        gsl_linalg_QR_Qvec(a, tau, &row.vector);
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = columns; j-- > 0;) {
            double sum = out->inverse[j * rows + i] * sqrt(weight[i]);
            for (size_t k = j + 1; k < columns; k++) {
                sum -= out->factor[j * columns + k] * out->inverse[k * rows + i];
            }
            out->inverse[j * rows + i] = sum / out->factor[j * columns + j];
        }
    }
    result = 0;

done:
    gsl_matrix_free(a);
    gsl_vector_free(tau);
    return result;
}

void tan_regression_clear(struct tan_regression *r)
{
    free(r->inverse);
    *r = (struct tan_regression){.rows = 0};
}

void tan_regression_solve(const struct tan_regression *r, const double *y, double *x)
{
    for (size_t j = 0; j < r->columns; j++) {
        const double *row = r->inverse + j * r->rows;
        x[j] = 0;
        for (size_t i = 0; i < r->rows; i++) {
            x[j] += row[i] * y[i];
        }
    }
}

/* Solve the n x n symmetric system g x = b by Gaussian elimination, overwriting g and b; false
 * unless g is positive definite. */
static bool solve_system(double g[MOST][MOST], double b[MOST], size_t n, double x[MOST])
{
    for (size_t k = 0; k < n; k++) {
        if (!(g[k][k] > 0)) {
            return false;
        }
        for (size_t i = k + 1; i < n; i++) {
            const double f = g[i][k] / g[k][k];
            for (size_t j = k; j < n; j++) {
                g[i][j] -= f * g[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        x[k] = b[k];
        for (size_t j = k + 1; j < n; j++) {
            x[k] -= g[k][j] * x[j];
        }
        x[k] /= g[k][k];
    }
    return true;
}

void tan_regression_bound(const struct tan_regression *r, double *x)
{
    const size_t n = r->columns;
    bool bounded = true;
    for (size_t j = 0; j < n; j++) {
        bounded = bounded && x[j] >= 0;
    }
    if (bounded) {
        return;
    }
    /* The sum of squares at v is |R (v - x)|^2 plus a constant, that is, v' G v - 2 v' h plus
     * another one, where G = R'R and h = G x. The columns of R are scaled to unit length, and v and
     * x with them. At the best v for a subset of columns G v = h, so the sum is smaller by v' h
     * than at 0. */
    double scale[MOST] = {0};
    double gram[MOST][MOST] = {{0}};
    double h[MOST] = {0};
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) {
            scale[j] = hypot(scale[j], r->factor[i * n + j]);
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++) {
            for (size_t i = 0; i < n; i++) {
                gram[j][k] += r->factor[i * n + j] / scale[j] * (r->factor[i * n + k] / scale[k]);
            }
            h[j] += gram[j][k] * scale[k] * x[k];
        }
    }
    double best[MOST] = {0};
    double gain = 0; /* reduction of the sum of squares, compared with all coefficients 0 */
    for (unsigned subset = 1; subset < 1U << n; subset++) {
        size_t member[MOST];
        size_t members = 0;
        for (size_t j = 0; j < n; j++) {
            if (subset >> j & 1U) {
                member[members++] = j;
            }
        }
        double g[MOST][MOST];
        double b[MOST];
        double v[MOST];
        for (size_t j = 0; j < members; j++) {
            for (size_t k = 0; k < members; k++) {
                g[j][k] = gram[member[j]][member[k]];
            }
            b[j] = h[member[j]];
        }
        bool feasible = solve_system(g, b, members, v);
        double fall = 0;
        for (size_t j = 0; feasible && j < members; j++) {
            feasible = v[j] >= 0;
            fall += v[j] * h[member[j]];
        }
        if (feasible && fall > gain) {
            gain = fall;
            memset(best, 0, sizeof best);
            for (size_t j = 0; j < members; j++) {
                best[member[j]] = v[j];
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        x[j] = best[j] / scale[j];
    }
}
