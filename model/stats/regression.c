/* regression.c - weighted linear least squares, and breakpoints of piecewise linear curves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/regression.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_sf_gamma.h>
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
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            gsl_matrix_set(a, i, j, sqrt(weight[i]) * design[i * columns + j]);
        }
    }
    gsl_linalg_QR_decomp(a, tau);
    for (size_t j = 0; j < columns; j++) {
        for (size_t k = j; k < columns; k++) {
            out->factor[j * columns + k] = gsl_matrix_get(a, j, k);
        }
    }
    /* The pseudo-inverse is R^-1 Q'; the rows of Q' are the first columns of Q. */
    gsl_matrix_view inverse = gsl_matrix_view_array(out->inverse, columns, rows);
    gsl_matrix_view factor = gsl_matrix_view_array(out->factor, columns, columns);
    for (size_t j = 0; j < columns; j++) {
        gsl_vector_view row = gsl_matrix_row(&inverse.matrix, j);
        gsl_vector_set_basis(&row.vector, j);
        gsl_linalg_QR_Qvec(a, tau, &row.vector);
    }
    gsl_blas_dtrsm(CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &factor.matrix,
                   &inverse.matrix);
    for (size_t i = 0; i < rows; i++) {
        gsl_vector_view column = gsl_matrix_column(&inverse.matrix, i);
        gsl_vector_scale(&column.vector, sqrt(weight[i]));
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
    gsl_matrix_const_view inverse = gsl_matrix_const_view_array(r->inverse, r->columns, r->rows);
    gsl_vector_const_view from = gsl_vector_const_view_array(y, r->rows);
    gsl_vector_view to = gsl_vector_view_array(x, r->columns);
    gsl_blas_dgemv(CblasNoTrans, 1, &inverse.matrix, &from.vector, 0, &to.vector);
}

void tan_regression_bound(const struct tan_regression *r, double *x)
{
    const size_t n = r->columns;
    gsl_vector_view unbounded = gsl_vector_view_array(x, n);
    if (gsl_vector_min(&unbounded.vector) >= 0) {
        return;
    }
    /* The sum of squares at v is |R (v - x)|^2 plus a constant. */
    gsl_matrix_const_view factor = gsl_matrix_const_view_array(r->factor, n, n);
    double best[MOST] = {0};
    gsl_blas_dtrmv(CblasUpper, CblasNoTrans, CblasNonUnit, &factor.matrix, &unbounded.vector);
    double least = gsl_blas_dnrm2(&unbounded.vector); /* with all coefficients 0 */
    for (unsigned subset = 1; subset < 1U << n; subset++) {
        double columns[MOST * MOST], scales[MOST], v[MOST], rest[MOST];
        const size_t members = (size_t)__builtin_popcount(subset);
        gsl_matrix_view a = gsl_matrix_view_array(columns, n, members);
        gsl_vector_view tau = gsl_vector_view_array(scales, members);
        gsl_vector_view solution = gsl_vector_view_array(v, members);
        gsl_vector_view residual = gsl_vector_view_array(rest, n);
        for (size_t j = 0, k = 0; j < n; j++) {
            if (subset >> j & 1U) {
                gsl_vector_const_view column = gsl_matrix_const_column(&factor.matrix, j);
                gsl_matrix_set_col(&a.matrix, k++, &column.vector);
            }
        }
        gsl_linalg_QR_decomp(&a.matrix, &tau.vector);
        gsl_linalg_QR_lssolve(&a.matrix, &tau.vector, &unbounded.vector, &solution.vector,
                              &residual.vector);
        const double left = gsl_blas_dnrm2(&residual.vector);
        if (gsl_vector_min(&solution.vector) >= 0 && left < least) {
            least = left;
            for (size_t j = 0, k = 0; j < n; j++) {
                best[j] = subset >> j & 1U ? v[k++] : 0;
            }
        }
    }
    memcpy(x, best, n * sizeof *x);
}

enum { MIN_POINTS = TAN_MIN_SEGMENT, LINE_PARAMETERS = 2, BREAK_PARAMETERS = 3 };

struct points {
    const double *x, *y, *weight;
    size_t n;
};

/* Residual sums of squares of the weighted line through points[from] .. points[to], for every `to`,
 * with running means. */
static void sum_squares(const struct points *p, size_t from, double *squares)
{
    double w = 0.0, mx = 0.0, my = 0.0, sxx = 0.0, sxy = 0.0, syy = 0.0;
    for (size_t i = from; i < p->n; i++) {
        const double before = w;
        w += p->weight[i];
        const double dx = p->x[i] - mx;
        const double dy = p->y[i] - my;
        const double share = before * p->weight[i] / w;
        sxx += share * dx * dx;
        sxy += share * dx * dy;
        syy += share * dy * dy;
        mx += dx * p->weight[i] / w;
        my += dy * p->weight[i] / w;
        squares[i] = sxx > 0.0 ? fmax(syy - sxy * sxy / sxx, 0.0) : 0.0;
    }
}

/* Dynamic programming: best[m][j] is the least sum of squares for points 0..j with m + 1 lines. */
struct table {
    double *squares; /* one line from i to j: [i * n + j] */
    double *best;    /* [m * n + j] */
    size_t *from;    /* start of the last line */
};

/* Collect in `kept` the held breaks that leave enough points on both sides, ascending. Returns
 * their number. */
static size_t keep_breaks(const size_t *held, size_t n_held, size_t n,
                          size_t kept[TAN_MAX_SEGMENTS - 1])
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n_held && n_kept < TAN_MAX_SEGMENTS - 1; i++) {
        bool room = held[i] >= MIN_POINTS && held[i] + MIN_POINTS <= n;
        for (size_t k = 0; k < n_kept; k++) {
            room = room && (held[i] >= kept[k] + MIN_POINTS || kept[k] >= held[i] + MIN_POINTS);
        }
        if (!room) {
            continue;
        }
        size_t at = n_kept++;
        for (; at > 0 && kept[at - 1] > held[i]; at--) {
            kept[at] = kept[at - 1];
        }
        kept[at] = held[i];
    }
    return n_kept;
}

static void fill_table(const struct points *p, struct table *t)
{
    const size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        sum_squares(p, i, &t->squares[i * n]);
    }
    for (size_t m = 0; m < TAN_MAX_SEGMENTS; m++) {
        for (size_t j = 0; j < n; j++) {
            double least = INFINITY;
            size_t where = 0;
            const size_t last = j + 1 >= MIN_POINTS ? j + 1 - MIN_POINTS : 0;
            for (size_t i = m == 0 ? 0 : MIN_POINTS; i <= (m == 0 ? 0 : last); i++) {
                const double before = m == 0 ? 0.0 : t->best[(m - 1) * n + i - 1];
                const double all = before + t->squares[i * n + j];
                if (j + 1 >= i + MIN_POINTS && all < least) {
                    least = all;
                    where = i;
                }
            }
            t->best[m * n + j] = least;
            t->from[m * n + j] = where;
        }
    }
}

/* Whether `more` lines fit significantly better than `less`. */
static bool is_better(const struct points *p, const struct table *t, size_t less, size_t more)
{
    const double floor = 1e-12; /* rounding error of exact data */
    const double left = (double)p->n - (double)(BREAK_PARAMETERS * (more - 1) + LINE_PARAMETERS);
    const double a = t->best[(less - 1) * p->n + p->n - 1];
    const double b = t->best[(more - 1) * p->n + p->n - 1];
    if (!isfinite(b) || left < 1.0) {
        return false;
    }
    double scale = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        scale += p->weight[i] * p->y[i] * p->y[i];
    }
    if (a <= floor * scale) {
        return false;
    }
    const double extra = (double)(BREAK_PARAMETERS * (more - less));
    const double f = ((a - b) / extra) / fmax(b / left, floor * scale);
    /* correct for choosing the best of this many placements */
    const double ways = gsl_sf_choose((unsigned)p->n, (unsigned)(more - less));
    return gsl_cdf_fdist_Q(f, extra, left) * ways < 0.01;
}

/* Append the segments of one range, at most `most`; its first point has the index `from`. */
static void divide_range(const struct points *p, size_t from, size_t most, struct table *t,
                         struct tan_segments *out)
{
    size_t *start = &out->start[out->n];
    size_t n = 1;
    if (p->n >= MIN_POINTS) {
        fill_table(p, t);
    }
    /* the smallest number of lines that no larger one improves on */
    for (size_t m = 2; p->n >= MIN_POINTS && m <= most; m++) {
        n = is_better(p, t, n, m) ? m : n;
    }
    size_t end = p->n - 1;
    for (size_t m = n; m-- > 0;) {
        const size_t first = m > 0 ? t->from[m * p->n + end] : 0;
        start[m] = from + first;
        end = m > 0 ? first - 1 : 0;
    }
    out->n += n;
}

int tan_segments_find(const double *x, const double *y, const double *weight, size_t n,
                      const size_t *held, size_t n_held, struct tan_segments *out,
                      struct tan_error *e)
{
    size_t kept[TAN_MAX_SEGMENTS - 1];
    int result = -1;
    struct table t = {
        .squares = calloc(n * n + 1, sizeof *t.squares),
        .best = calloc(TAN_MAX_SEGMENTS * n + 1, sizeof *t.best),
        .from = calloc(TAN_MAX_SEGMENTS * n + 1, sizeof *t.from),
    };
    *out = (struct tan_segments){.n = 0};
    if (t.squares == NULL || t.best == NULL || t.from == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    const size_t ranges = keep_breaks(held, n_held, n, kept) + 1;
    for (size_t r = 0; r < ranges && n > 0; r++) {
        const size_t from = r == 0 ? 0 : kept[r - 1];
        const size_t end = r + 1 == ranges ? n : kept[r];
        const struct points p = {x + from, y + from, weight + from, end - from};
        /* reserve one for each remaining range */
        divide_range(&p, from, TAN_MAX_SEGMENTS - out->n - (ranges - r - 1), &t, out);
    }
    out->n = n > 0 ? out->n : 1;
    result = 0;

done:
    free(t.squares);
    free(t.best);
    free(t.from);
    return result;
}
