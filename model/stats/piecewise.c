/* piecewise.c - breakpoints of a piecewise linear curve
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/stats/piecewise.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

static size_t index_distance(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/* Collect in `kept` the held breaks that leave enough points on both sides, ascending. Returns
 * their number. */
static size_t keep_breaks(const size_t *held, size_t n_held, size_t n,
                          size_t kept[TAN_MAX_SEGMENTS - 1])
{
    size_t n_kept = 0;
    for (size_t i = 0; i < n_held && n_kept < TAN_MAX_SEGMENTS - 1; i++) {
        bool room = held[i] >= MIN_POINTS && held[i] + MIN_POINTS <= n;
        for (size_t k = 0; k < n_kept; k++) {
            room = room && index_distance(held[i], kept[k]) >= MIN_POINTS;
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
