/* piecewise.c - breakpoints of a curve made of straight lines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/piecewise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MIN_POINTS = 4, OF_LINE = 2, OF_BREAK = 3 /* parameters */ };

struct points {
    const double *x, *y, *weight;
    size_t n;
};

/* Sums of squares about the weighted line through points[from] .. points[to], for every `to`, by
 * updating means. */
static void residuals(const struct points *p, size_t from, double *squares)
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

/* Dynamic programming: best[m][j] is the least sum of squares of points 0..j by m + 1 lines. */
struct table {
    double *squares; /* of one line from i to j: [i * n + j] */
    double *best;    /* [m * n + j] */
    size_t *from;    /* where the last of them starts */
};

static void fill(const struct points *p, size_t fixed, struct table *t)
{
    const size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        residuals(p, i, &t->squares[i * n]);
    }
    for (size_t m = 0; m < TAN_MAX_SEGMENTS; m++) {
        for (size_t j = 0; j < n; j++) {
            double least = INFINITY;
            size_t where = 0;
            const size_t last = j + 1 >= MIN_POINTS ? j + 1 - MIN_POINTS : 0;
            for (size_t i = m == 0 ? 0 : MIN_POINTS; i <= (m == 0 ? 0 : last); i++) {
                const bool crosses = fixed > i && fixed <= j;
                const double before = m == 0 ? 0.0 : t->best[(m - 1) * n + i - 1];
                const double all = before + t->squares[i * n + j];
                if (j + 1 >= i + MIN_POINTS && !crosses && all < least) {
                    least = all;
                    where = i;
                }
            }
            t->best[m * n + j] = least;
            t->from[m * n + j] = where;
        }
    }
}

/* Is the fit with `more` lines better than with `less` by more than chance? */
static bool better(const struct points *p, const struct table *t, size_t less, size_t more)
{
    const double floor = 1e-12; /* of exact data: rounding errors */
    const double left = (double)p->n - (double)(OF_BREAK * more - OF_BREAK + OF_LINE);
    const double a = t->best[(less - 1) * p->n + p->n - 1];
    const double b = t->best[(more - 1) * p->n + p->n - 1];
    if (!isfinite(b) || left < 1.0) {
        return false;
    }
    if (!isfinite(a)) {
        return true;
    }
    double scale = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        scale += p->weight[i] * p->y[i] * p->y[i];
    }
    if (a <= floor * scale) {
        return false;
    }
    const double extra = (double)(OF_BREAK * (more - less));
    const double f = ((a - b) / extra) / fmax(b / left, floor * scale);
    /* each break was free to lie at the best of n places */
    const double places = pow((double)p->n, (double)(more - less));
    return gsl_cdf_fdist_Q(f, extra, left) * places < 0.01;
}

int tan_segments_find(const double *x, const double *y, const double *weight, size_t n,
                      size_t fixed, struct tan_segments *out, struct tan_error *e)
{
    const struct points p = {x, y, weight, n};
    int result = -1;
    struct table t = {
        .squares = calloc(n * n + 1, sizeof *t.squares),
        .best = calloc(TAN_MAX_SEGMENTS * n + 1, sizeof *t.best),
        .from = calloc(TAN_MAX_SEGMENTS * n + 1, sizeof *t.from),
    };
    *out = (struct tan_segments){.n = 1};
    if (t.squares == NULL || t.best == NULL || t.from == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    result = 0;
    if (n < MIN_POINTS) {
        goto done;
    }
    fill(&p, fixed >= MIN_POINTS && fixed + MIN_POINTS <= n ? fixed : 0, &t);
    /* the smallest number that no larger one beats */
    for (size_t m = 2; m <= TAN_MAX_SEGMENTS; m++) {
        out->n = better(&p, &t, out->n, m) ? m : out->n;
    }
    size_t end = n - 1;
    for (size_t m = out->n; m-- > 0;) {
        out->start[m] = t.from[m * n + end];
        end = m > 0 ? out->start[m] - 1 : 0;
    }

done:
    free(t.squares);
    free(t.best);
    free(t.from);
    return result;
}
