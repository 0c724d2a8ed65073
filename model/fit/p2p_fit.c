/* p2p_fit.c - sections and their parameters, from measured messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/p2p_fit.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats/piecewise.h"
#include "model/stats/regression.h"

enum { DRAWS = 200, PARTS = 8 };

/* Values of the sizes: measured, or of a drawing. */
typedef double values[TAN_P2P_SERIES];

struct fitter {
    const struct tan_p2p_samples *samples;
    size_t n;
    struct tan_p2p *p;
    values *value;                    /* n; NaN: not identifiable */
    double *x, *y, *weight, *scratch; /* room for one section's points, and for samples */
    values *drawn;                    /* n rows of DRAWS */
    double *draws;                    /* DRAWS rows of n_sections * TAN_P2P_PARAMS */
};

struct tan_interval tan_p2p_interval(double *drawn, size_t n, double value)
{
    gsl_sort(drawn, 1, n);
    return (struct tan_interval){
        fmin(gsl_stats_quantile_from_sorted_data(drawn, 1, n, 0.025), value),
        fmax(gsl_stats_quantile_from_sorted_data(drawn, 1, n, 0.975), value)};
}

static const double quantile = 0.25;

double tan_p2p_undisturbed(const double *samples, size_t n, double *scratch)
{
    if (scratch == NULL) {
        return gsl_stats_quantile_from_sorted_data(samples, 1, n, quantile);
    }
    memcpy(scratch, samples, n * sizeof *scratch);
    gsl_sort(scratch, 1, n);
    return gsl_stats_quantile_from_sorted_data(scratch, 1, n, quantile);
}

struct tan_p2p_estimate tan_p2p_estimate(double *samples, size_t n)
{
    const double below = quantile * (double)n; /* expected number of samples */
    const double spread = 1.96 * sqrt(below * (1.0 - quantile));
    const double low = floor(below - spread); /* ranks from 1 on */
    const double high = ceil(1.0 + below + spread);
    gsl_sort(samples, 1, n);
    return (struct tan_p2p_estimate){
        .value = tan_p2p_undisturbed(samples, n, NULL),
        .ci95 = low < 1.0 || high > (double)n
                    ? TAN_INTERVAL_UNKNOWN
                    : (struct tan_interval){samples[(size_t)low - 1], samples[(size_t)high - 1]},
    };
}

/* The undisturbed time of `n` samples; with an rng, of samples drawn from one part of them, as many
 * as that part has. */
static double undisturbed(const struct fitter *f, const double *sample, size_t n, size_t part,
                          gsl_rng *rng)
{
    const size_t parts = n < 2 * PARTS ? 1 : PARTS;
    const size_t from = n * (part % parts) / parts;
    const size_t room = n * (part % parts + 1) / parts - from;
    if (rng == NULL) {
        return tan_p2p_undisturbed(sample, n, f->scratch);
    }
    for (size_t i = 0; i < room; i++) {
        f->scratch[i] = sample[from + gsl_rng_uniform_int(rng, room)];
    }
    gsl_sort(f->scratch, 1, room);
    return tan_p2p_undisturbed(f->scratch, room, NULL);
}

/* The values of a size. */
static void draw(const struct fitter *f, size_t i, size_t part, gsl_rng *rng,
                 double value[TAN_P2P_SERIES])
{
    const struct tan_p2p_samples *from = &f->samples[i];
    double time[TAN_P2P_TIMINGS];
    for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
        time[t] = undisturbed(f, from->sample[t], from->n[t], part, rng);
    }
    value[TAN_P2P_HALF] = time[TAN_P2P_TRIP];
    value[TAN_P2P_SEND] = (time[TAN_P2P_SPACED] - time[TAN_P2P_ONE]) / (from->train - 1);
    value[TAN_P2P_RECEIVE] = time[TAN_P2P_LATE];
    value[TAN_P2P_INTERVAL] = (time[TAN_P2P_TRAIN] - time[TAN_P2P_ONE]) / (from->train - 1);
}

/* The values of every size and, from DRAWS drawings, their intervals. */
static void summarize_sizes(struct fitter *f, gsl_rng *rng)
{
    for (size_t i = 0; i < f->n; i++) {
        struct tan_p2p_size *size = &f->p->size[i];
        size->bytes = f->samples[i].bytes;
        draw(f, i, 0, NULL, size->value);
        for (size_t d = 0; d < DRAWS; d++) {
            draw(f, i, d, rng, f->drawn[i * DRAWS + d]);
        }
        for (int s = 0; s < TAN_P2P_SERIES; s++) {
            double sorted[DRAWS];
            for (size_t d = 0; d < DRAWS; d++) {
                sorted[d] = f->drawn[i * DRAWS + d][s];
            }
            size->ci95[s] = TAN_INTERVAL_UNKNOWN;
            if (isfinite(size->value[s])) {
                const struct tan_interval ci = tan_p2p_interval(sorted, DRAWS, size->value[s]);
                size->ci95[s] = ci.low > 0.0 ? ci : TAN_INTERVAL_UNKNOWN;
                size->value[s] = ci.low > 0.0 ? size->value[s] : NAN;
            }
            f->value[i][s] = size->value[s];
        }
    }
    f->p->n_sizes = f->n;
}

static int find_sections(struct fitter *f, struct tan_error *e)
{
    struct tan_segments segments;
    size_t points = 0;
    size_t fixed = 0;
    size_t index[TAN_MAX_SEGMENTS];
    size_t *size_of = calloc(f->n, sizeof *size_of);
    if (size_of == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < f->n; i++) {
        const double half = f->value[i][TAN_P2P_HALF];
        if (isfinite(half)) {
            if (fixed == 0 && f->p->eager >= 0 && f->samples[i].bytes > f->p->eager) {
                fixed = points;
            }
            size_of[points] = i;
            f->x[points] = (double)f->samples[i].bytes;
            f->y[points] = half;
            f->weight[points++] = 1.0 / (half * half);
        }
    }
    if (tan_segments_find(f->x, f->y, f->weight, points, fixed, &segments, e) < 0) {
        free(size_of);
        return -1;
    }
    for (size_t i = 0; i < segments.n; i++) {
        index[i] = i == 0 ? 0 : size_of[segments.start[i]];
    }
    free(size_of);
    f->p->n_sections = segments.n;
    for (size_t i = 0; i < segments.n; i++) {
        struct tan_p2p_section *s = &f->p->section[i];
        const bool last = i + 1 == segments.n;
        s->from = i == 0 ? 1 : f->samples[index[i]].bytes;
        s->to = last ? INT64_C(1) << 50 : f->samples[index[i + 1]].bytes - 1;
    }
    return 0;
}

/* Fit first + second * (k - shift) to one series of a section's sizes; NaN where sizes are too
 * few. */
static int fit_line(struct fitter *f, const struct tan_p2p_section *s, enum tan_p2p_series series,
                    double shift, double coefficient[2], struct tan_error *e)
{
    size_t rows = 0;
    double *design = f->x;
    coefficient[0] = coefficient[1] = NAN;
    for (size_t i = 0; i < f->n; i++) {
        const double value = f->value[i][series];
        const int64_t bytes = f->samples[i].bytes;
        if (bytes >= s->from && bytes <= s->to && value > 0.0) {
            design[2 * rows] = 1.0;
            design[2 * rows + 1] = (double)bytes - shift;
            f->y[rows] = value;
            f->weight[rows++] = 1.0 / (value * value);
        }
    }
    if (rows < 2) {
        coefficient[0] = rows == 1 ? f->y[0] : NAN;
        return 0;
    }
    struct tan_regression line;
    if (tan_regression_create(&line, design, f->weight, rows, 2, e) < 0) {
        return -1;
    }
    tan_regression_free(&line, f->y, coefficient);
    tan_regression_bound(&line, coefficient);
    tan_regression_clear(&line);
    return 0;
}

static double zero_if_unknown(double value)
{
    return isnan(value) ? 0.0 : value;
}

/* The time less the overheads, 0 or more; NaN when they are not known. */
static double left_for_latency(const struct fitter *f, const struct tan_p2p_section *s,
                               const double *v)
{
    double sum = v[TAN_P2P_O_S] + v[TAN_P2P_O_R] >= 0.0 ? 0.0 : NAN;
    double weights = 0.0;
    for (size_t i = 0; i < f->n; i++) {
        const double half = f->value[i][TAN_P2P_HALF];
        const double k = (double)f->samples[i].bytes;
        if (f->samples[i].bytes >= s->from && f->samples[i].bytes <= s->to && half > 0.0) {
            const double send =
                fmax(v[TAN_P2P_O_S] + zero_if_unknown(v[TAN_P2P_O_S_BYTE]) * k,
                     zero_if_unknown(v[TAN_P2P_G]) + zero_if_unknown(v[TAN_P2P_G_BYTE]) * k);
            const double receive = v[TAN_P2P_O_R] + zero_if_unknown(v[TAN_P2P_O_R_BYTE]) * k;
            sum += (half - send - receive) / (half * half);
            weights += 1.0 / (half * half);
        }
    }
    return weights > 0.0 && isfinite(sum) ? fmax(sum / weights, 0.0) : NAN;
}

static int fit_section(struct fitter *f, const struct tan_p2p_section *s, double *v,
                       struct tan_error *e)
{
    if (fit_line(f, s, TAN_P2P_SEND, 0, &v[TAN_P2P_O_S], e) < 0 ||
        fit_line(f, s, TAN_P2P_RECEIVE, 0, &v[TAN_P2P_O_R], e) < 0 ||
        fit_line(f, s, TAN_P2P_INTERVAL, 1, &v[TAN_P2P_G], e) < 0) {
        return -1;
    }
    v[TAN_P2P_L] = left_for_latency(f, s, v);
    return 0;
}

/* One drawing of every size's values. */
static void take_drawing(struct fitter *f, size_t d)
{
    for (size_t i = 0; i < f->n; i++) {
        for (int s = 0; s < TAN_P2P_SERIES; s++) {
            const double value = f->drawn[i * DRAWS + d][s];
            f->value[i][s] = isnan(f->p->size[i].value[s]) || value <= 0.0 ? NAN : value;
        }
    }
}

/* 95 % intervals of every parameter from refits. */
static int find_intervals(struct fitter *f, struct tan_error *e)
{
    const size_t n = f->p->n_sections * TAN_P2P_PARAMS;
    for (size_t d = 0; d < DRAWS; d++) {
        take_drawing(f, d);
        for (size_t i = 0; i < f->p->n_sections; i++) {
            if (fit_section(f, &f->p->section[i], &f->draws[d * n + i * TAN_P2P_PARAMS], e) < 0) {
                return -1;
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        struct tan_p2p_section *s = &f->p->section[j / TAN_P2P_PARAMS];
        const size_t param = j % TAN_P2P_PARAMS;
        double column[DRAWS];
        bool known = isfinite(s->value[param]);
        for (size_t d = 0; d < DRAWS; d++) {
            column[d] = f->draws[d * n + j];
            known = known && isfinite(column[d]);
        }
        s->ci95[param] =
            known ? tan_p2p_interval(column, DRAWS, s->value[param]) : TAN_INTERVAL_UNKNOWN;
    }
    return 0;
}

/* O' of LogGPO. */
static double control_overhead(const struct tan_p2p *p)
{
    double sum = 0.0;
    double weights = 0.0;
    for (size_t i = 0; i < p->n_sizes; i++) {
        const struct tan_p2p_size *size = &p->size[i];
        const double half = size->value[TAN_P2P_HALF];
        const double *v = tan_p2p_section_of(p, size->bytes)->value;
        if (p->eager >= 0 && size->bytes > p->eager && half > 0.0) {
            const double rest = half - 3 * p->section[0].value[TAN_P2P_L] -
                                tan_p2p_at(p, TAN_P2P_SEND, 1) -
                                v[TAN_P2P_G_BYTE] * (double)(size->bytes - 1);
            sum += rest / (half * half);
            weights += 1.0 / (half * half);
        }
    }
    return weights > 0.0 && isfinite(sum) ? fmax(sum / weights / 4, 0.0) : NAN;
}

static int allocate(struct fitter *f, struct tan_error *e)
{
    size_t most = 2 * f->n;
    for (size_t i = 0; i < f->n; i++) {
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            most = f->samples[i].n[t] > most ? f->samples[i].n[t] : most;
        }
    }
    f->p = calloc(1, sizeof *f->p);
    f->value = calloc(f->n, sizeof *f->value);
    f->x = calloc(most, sizeof *f->x);
    f->y = calloc(most, sizeof *f->y);
    f->weight = calloc(most, sizeof *f->weight);
    f->scratch = calloc(most, sizeof *f->scratch);
    f->drawn = calloc(f->n * DRAWS, sizeof *f->drawn);
    f->draws = calloc((size_t)DRAWS * TAN_MAX_SEGMENTS * TAN_P2P_PARAMS, sizeof *f->draws);
    if (f->p != NULL) {
        f->p->section = calloc(TAN_MAX_SEGMENTS, sizeof *f->p->section);
        f->p->size = calloc(f->n, sizeof *f->p->size);
        f->p->control = f->p->s_s = f->p->s_r = f->p->S_byte = NAN;
    }
    return f->p == NULL || f->p->section == NULL || f->p->size == NULL || f->value == NULL ||
                   f->x == NULL || f->y == NULL || f->weight == NULL || f->scratch == NULL ||
                   f->drawn == NULL || f->draws == NULL
               ? tan_fail_nomem(e)
               : 0;
}

struct tan_p2p *tan_p2p_fit(const struct tan_p2p_samples *samples, size_t n, int64_t eager,
                            uint64_t seed, struct tan_error *e)
{
    struct fitter f = {.samples = samples, .n = n};
    int result = -1;
    if (n == 0) {
        tan_fail(e, "there are no messages to fit");
        return NULL;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (allocate(&f, e) < 0 || rng == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    gsl_rng_set(rng, (unsigned long)seed);
    f.p->eager = eager;
    summarize_sizes(&f, rng);
    if (find_sections(&f, e) < 0) {
        goto done;
    }
    for (size_t i = 0; i < f.p->n_sections; i++) {
        if (fit_section(&f, &f.p->section[i], f.p->section[i].value, e) < 0) {
            goto done;
        }
    }
    if (find_intervals(&f, e) < 0) {
        goto done;
    }
    f.p->control = control_overhead(f.p);
    result = 0;

done:
    if (result < 0) {
        tan_p2p_destroy(f.p);
        f.p = NULL;
    }
    free(f.value);
    free(f.x);
    free(f.y);
    free(f.weight);
    free(f.scratch);
    free(f.drawn);
    gsl_rng_free(rng);
    free(f.draws);
    return f.p;
}
