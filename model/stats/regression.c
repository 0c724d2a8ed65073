/* regression.c - weighted linear least squares, and breakpoints of piecewise linear curves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/regression.h"

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
