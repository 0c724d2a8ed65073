/* paper_figures.c - figures of the TAN paper, drawn from recorded runs
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groves, Gutierrez, Arnold: A LogP Extension for Modeling Tree Aggregation Networks (CLUSTER
 * 2015). Titles, axes and the order of curves are the paper's. */
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/kinds.h"

/* PLACES: points of a fitted curve; SIZES: curves of Figure 1 at most. */
enum { SHAPES = 4, PLACES = 49, SIZES = 8 };

static double in_ms(double us)
{
    return us / 1e3;
}

/* Time from N children to the root: one way, if that was measured. */
static double way_up(const struct cell *cell)
{
    const double up = tan_number_of(json_object_get(cell->whole, "up_us"), "median");
    return isfinite(up) ? up : cell->median;
}

/* Trees of one shape: the number in the spec, increasing, and the time in milliseconds. */
struct points {
    size_t n;
    double *x, *y; /* x is malloc'd, y is part of it */
};

/* Of waves with messages of this size; NaN: any. Without points if memory is short. */
static struct points points_of(const struct source *s, const char *shape, double bytes,
                               double (*time)(const struct cell *cell))
{
    struct points at = {.n = 0};
    at.x = calloc(2 * s->cells.n + 2, sizeof *at.x);
    at.y = at.x == NULL ? NULL : at.x + s->cells.n + 1;
    for (size_t i = 0; at.x != NULL && i < s->cells.n; i++) {
        const struct cell *cell = &s->cells.list[i];
        if (!tan_report_cell_is_of(cell, shape)) {
            continue;
        }
        const double x = strtod(cell->topo + strlen(shape), NULL);
        if (tan_report_cell_has_size(cell, bytes) && x >= 1.0 && isfinite(time(cell))) {
            at.x[at.n] = x;
            at.y[at.n++] = in_ms(time(cell));
        }
    }
    gsl_sort2(at.x, 1, at.y, 1, at.n);
    return at;
}

static double wave_median(const struct cell *cell)
{
    return cell->is_wave ? cell->median : NAN;
}

static void add_points(struct tan_chart *c, const struct points *at, enum tan_mark mark,
                       const char *title)
{
    tan_chart_add(c, mark, title);
    for (size_t i = 0; i < at->n; i++) {
        tan_chart_point(c, at->x[i], at->y[i]);
    }
}

/* Figure 1: one curve per message size. */
static void draw_sizes(struct tan_chart *c, const struct page *p, const struct source *s)
{
    double sizes[SIZES];
    const size_t n = tan_report_cell_sizes(&s->cells, "nto1:", sizes, SIZES);
    (void)p;
    for (size_t k = 0; k < n && n > 1; k++) {
        const struct points at = points_of(s, "nto1:", sizes[k], way_up);
        char title[48];
        snprintf(title, sizeof title, "%.4g KiB", sizes[k] / 1024.0);
        add_points(c, &at, TAN_LINE, title);
        free(at.x);
    }
}

/* Figure 2: one-way times of a ping-pong, without those above three medians. */
static void draw_latency(struct tan_chart *c, const struct page *p, const struct source *s)
{
    (void)p;
    for (size_t i = 0; i < s->cells.n && c->n == 0; i++) {
        const struct cell *cell = &s->cells.list[i];
        const json_t *samples = tan_array_of(cell->whole, "samples_us");
        double to = 0.0;
        if (cell->processes != 2.0 || !cell->is_wave || json_array_size(samples) < 2 * TAN_BINS) {
            continue;
        }
        for (size_t k = 0; k < json_array_size(samples); k++) {
            const double half = tan_number_at(samples, k) / 2.0;
            to = half <= 3.0 * cell->median ? fmax(to, half) : to;
        }
        tan_add_histogram(c, samples, cell->min, to, TAN_BINS, 1e3);
    }
}

/* Curves that the paper compares: y is the sum of factor k times term(k, x). */
enum { CURVES = 3, CURVE_TERMS = 3 };
struct curve {
    const char *title;
    int terms;
    double (*term)(int k, double x);
};

static double power_term(int k, double x)
{
    return pow(x, k);
}

static double log_term(int k, double x)
{
    return k == 0 ? 1.0 : log(x);
}

static const struct curve curves[CURVES] = {
    {"linear", 2, power_term}, {"logarithmic", 2, log_term}, {"quadratic", 3, power_term}};

static double curve_at(const struct curve *curve, const double *factor, double x)
{
    double y = 0.0;
    for (int k = 0; k < curve->terms; k++) {
        y += factor[k] * curve->term(k, x);
    }
    return y;
}

/* By least squares; false if memory is short. */
static bool fit_curve(const struct curve *curve, const struct points *through,
                      double factor[CURVE_TERMS])
{
    const size_t terms = (size_t)curve->terms;
    const size_t n = through->n;
    gsl_matrix *at = gsl_matrix_alloc(n, terms);
    gsl_matrix *covariance = gsl_matrix_alloc(terms, terms);
    gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, terms);
    const bool fits = at != NULL && covariance != NULL && w != NULL;
    if (fits) {
        const gsl_vector_const_view measured = gsl_vector_const_view_array(through->y, n);
        gsl_vector_view fitted = gsl_vector_view_array(factor, terms);
        double sum;
        for (size_t i = 0; i < n * terms; i++) {
            gsl_matrix_set(at, i / terms, i % terms,
                           curve->term((int)(i % terms), through->x[i / terms]));
        }
        gsl_multifit_linear(at, &measured.vector, &fitted.vector, covariance, &sum, w);
    }
    gsl_multifit_linear_free(w);
    gsl_matrix_free(covariance);
    gsl_matrix_free(at);
    return fits;
}

/* The curve through the points, from 1 to the last of them, in so many places. */
static void add_curve(struct tan_chart *c, const struct curve *curve, const struct points *at,
                      enum tan_mark mark, const char *title, int places)
{
    const double most = at->x[at->n - 1];
    double factor[CURVE_TERMS];
    if (!fit_curve(curve, at, factor)) {
        c->failed = true;
        return;
    }
    tan_chart_add(c, mark, title);
    for (int i = 0; i < places; i++) {
        const double x = 1.0 + (most - 1.0) * i / (places - 1);
        tan_chart_point(c, x, curve_at(curve, factor, x));
    }
}

/* Figure 4: waves of chains and a line fitted to them. */
static void draw_chains(struct tan_chart *c, const struct page *p, const struct source *s)
{
    const struct points at = points_of(s, "chain:", NAN, wave_median);
    (void)p;
    if (at.n >= 3) {
        add_points(c, &at, TAN_POINTS, "measured");
        add_curve(c, &curves[0], &at, TAN_LINE, "linear regression", 2);
    }
    free(at.x);
}

/* Figure 6: overhead of N-to-1 trees, which is the wave without L and the leaf's own overhead a, if
 * there is a machine file with these. */
static void draw_fanouts(struct tan_chart *c, const struct page *p, const struct source *s)
{
    const struct source *machine = tan_page_machine(p, tan_text_of(s->document, "machine"));
    const json_t *tan = machine == NULL ? NULL : json_object_get(machine->document, "tan");
    const double less = tan_number_of(tan, "L_us") + tan_number_of(tan, "a_us");
    double sizes[SIZES];
    const struct points at = points_of(s, "nto1:", NAN, wave_median);
    if (at.n >= 4 && tan_report_cell_sizes(&s->cells, "nto1:", sizes, SIZES) == 1) {
        for (size_t i = 0; i < at.n && isfinite(less); i++) {
            at.y[i] -= in_ms(less);
        }
        c->y.title = isfinite(less) ? "time - L - a (ms)" : "time, L and a not taken off (ms)";
        add_points(c, &at, TAN_POINTS, "measured");
        for (int k = 0; k < CURVES; k++) {
            add_curve(c, &curves[k], &at, k + 1 == CURVES ? TAN_LINE : TAN_DASHES, curves[k].title,
                      PLACES);
        }
    }
    free(at.x);
}

/* Four trees with that many leaves, measured and by both models. */
static void draw_trees(struct tan_chart *c, const struct source *s, int leaves)
{
    static const struct {
        const char *shape, *name;
    } trees[SHAPES] = {{"twolevel:", "2-level"},
                       {"binomial:", "binomial"},
                       {"binary:", "binary"},
                       {"nto1:", NULL}};
    static const struct {
        const char *title;
        int model;    /* -1: measured */
        double aside; /* offset on the axis, so that marks do not cover each other */
    } series[] = {{"observed", -1, -0.15}, {"TAN", CELL_TAN, 0.0}, {"LogP", CELL_LOGP, 0.15}};
    const struct cell *found[SHAPES] = {NULL};
    char flat[32];
    for (size_t i = 0; i < s->cells.n; i++) {
        for (int k = 0; k < SHAPES; k++) {
            const struct cell *cell = &s->cells.list[i];
            if (tan_report_cell_is_of(cell, trees[k].shape) && cell->leaves == leaves &&
                cell->is_wave) {
                found[k] = cell;
            }
        }
    }
    if (found[0] == NULL || found[1] == NULL || found[2] == NULL || found[3] == NULL) {
        return;
    }
    snprintf(flat, sizeof flat, "%d-to-1", leaves);
    for (int k = 0; k < SHAPES; k++) {
        tan_chart_name(c, &c->x, trees[k].name != NULL ? trees[k].name : flat);
    }
    for (size_t m = 0; m < sizeof series / sizeof series[0]; m++) {
        const bool measured = series[m].model < 0;
        tan_chart_add(c, measured ? TAN_INTERVALS : TAN_POINTS, series[m].title);
        for (int k = 0; k < SHAPES; k++) {
            const double y = measured ? found[k]->median : found[k]->predicted[series[m].model];
            const bool known = isfinite(found[k]->low);
            const double row[TAN_CHART_COLUMNS] = {k + 1 + series[m].aside, in_ms(y),
                                                   in_ms(known ? found[k]->low : y),
                                                   in_ms(known ? found[k]->high : y)};
            tan_chart_row(c, row);
        }
    }
}

static void draw_32_leaves(struct tan_chart *c, const struct page *p, const struct source *s)
{
    (void)p;
    draw_trees(c, s, 32);
}

static void draw_128_leaves(struct tan_chart *c, const struct page *p, const struct source *s)
{
    (void)p;
    draw_trees(c, s, 128);
}

#define TREES(leaves)                                                                              \
    "time of a single wave for 4 topologies with " leaves " leaf nodes", NULL, "time (ms)",        \
        "Medians with their 95 % intervals, and what both models predict. The paper shows means "  \
        "of ten waves."

void tan_show_paper(struct page *p)
{
    static const struct {
        const char *name, *title, *x, *y, *caption;
        void (*draw)(struct tan_chart *c, const struct page *p, const struct source *s);
    } figures[] = {
        {"paper-figure-1", "Figure 1: cost of N-to-1 communication for varying packet sizes",
         "participants (N)", "time (ms)",
         "Contention becomes the bottleneck as the number of participants increases.", draw_sizes},
        {"paper-figure-2", "Figure 2: histogram of latency samples between two processes",
         "latency (ms)", "samples",
         "Half round trips; samples beyond three times the median are left out, as the paper left "
         "out its one outlier.",
         draw_latency},
        {"paper-figure-4", "Figure 4: time of a single wave in a chain topology",
         "internal tree processes", "time (ms)",
         "Medians over an increasing number of processes, and the straight line through them.",
         draw_chains},
        {"paper-figure-6",
         "Figure 6: communication overhead of a single wave in an N-to-1 topology",
         "leaf processes", "time (ms)",
         "Medians over an increasing number of leaf processes with the fits that the paper "
         "compares.",
         draw_fanouts},
        {"paper-figure-7", "Figure 7: " TREES("32"), draw_32_leaves},
        {"paper-figure-8", "Figure 8: " TREES("128"), draw_128_leaves},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        for (size_t k = 0; k < p->n_sources; k++) {
            struct tan_chart c;
            tan_chart_init(&c, figures[i].name, figures[i].title, figures[i].caption);
            c.x.title = figures[i].x;
            c.y.title = figures[i].y;
            figures[i].draw(&c, p, &p->sources[k]);
            tan_page_chart(p, &c);
        }
    }
}
