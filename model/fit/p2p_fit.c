/* p2p_fit.c - sections and their parameters, from measured messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/p2p_fit.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats/regression.h"
#include "model/stats/stats.h"

enum { DRAWS = 200, PARTS = 8 };

/* Values per size: measured, or from a draw. */
typedef double values[TAN_P2P_SERIES];

struct fitter {
    const struct tan_p2p_samples *samples;
    size_t n;
    struct tan_p2p *p;
    values *value;                    /* n; NaN if not identifiable */
    values *drawn;                    /* n rows of DRAWS */
    double *x, *y, *weight, *scratch; /* room for a point per size, and for samples */
    double *design;                   /* two columns, one row per point */
};

/* The middle 95 % of values from refits, extended to include `value`. Sorts `drawn`. */
static struct tan_interval interval_of(double drawn[DRAWS], double value)
{
    const struct tan_interval central = tan_central_interval(drawn, DRAWS);
    return (struct tan_interval){fmin(central.low, value), fmax(central.high, value)};
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
    const double low = floor(below - spread); /* 1-based ranks */
    const double high = ceil(1.0 + below + spread);
    gsl_sort(samples, 1, n);
    return (struct tan_p2p_estimate){
        .value = tan_p2p_undisturbed(samples, n, NULL),
        .ci95 = low < 1.0 || high > (double)n
                    ? TAN_INTERVAL_UNKNOWN
                    : (struct tan_interval){samples[(size_t)low - 1], samples[(size_t)high - 1]},
    };
}

/* The undisturbed time of a resampling; without an rng, of the samples themselves. */
static double resampled_time(const double *sample, size_t n, gsl_rng *rng, double *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = sample[rng == NULL ? i : gsl_rng_uniform_int(rng, n)];
    }
    gsl_sort(scratch, 1, n);
    return tan_p2p_undisturbed(scratch, n, NULL);
}

/* The same of only one part of the samples, as in a shorter run; NaN if there are none. */
static double part_time(const struct fitter *f, const double *sample, size_t n, size_t part,
                        gsl_rng *rng)
{
    const size_t parts = rng == NULL || n < 2 * PARTS ? 1 : PARTS;
    const size_t from = n * (part % parts) / parts;
    const size_t end = n * (part % parts + 1) / parts;
    return n == 0 ? NAN : resampled_time(sample + from, end - from, rng, f->scratch);
}

/* The values of one size. */
static void draw_values(const struct fitter *f, size_t i, size_t part, gsl_rng *rng,
                        double value[TAN_P2P_SERIES])
{
    const struct tan_p2p_samples *from = &f->samples[i];
    double time[TAN_P2P_TIMINGS];
    for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
        time[t] = part_time(f, from->sample[t], from->n[t], part, rng);
    }
    value[TAN_P2P_HALF] = time[TAN_P2P_TRIP];
    value[TAN_P2P_SEND] = time[TAN_P2P_SENDER_COMPUTE];
    value[TAN_P2P_RECEIVE] = time[TAN_P2P_RECEIVER_COMPUTE];
    value[TAN_P2P_BLOCKED] = time[TAN_P2P_SEND_CALL];
    value[TAN_P2P_START] = time[TAN_P2P_ISEND_CALL];
    value[TAN_P2P_COPY] = time[TAN_P2P_RECEIVE_CALL];
    const int further = from->many - from->few;
    value[TAN_P2P_INTERVAL] = (time[TAN_P2P_MANY] - time[TAN_P2P_FEW]) / further;
    value[TAN_P2P_DUPLEX] = (time[TAN_P2P_DUPLEX_MANY] - time[TAN_P2P_DUPLEX_FEW]) / further;
    value[TAN_P2P_DUPLEX_FIRST] =
        time[TAN_P2P_DUPLEX_FEW] - (from->few - 1) * value[TAN_P2P_DUPLEX];
}

/* Times of which 0 is no value: differences between windows. */
static const bool is_difference[TAN_P2P_SERIES] = {
    [TAN_P2P_INTERVAL] = true, [TAN_P2P_DUPLEX] = true, [TAN_P2P_DUPLEX_FIRST] = true};

/* A series' value and interval; the clock may make a side that costs nothing appear to cost less.
 */
static void set_value(struct tan_p2p_size *size, int s, struct tan_interval ci)
{
    if (!is_difference[s]) {
        size->value[s] = fmax(size->value[s], 0.0);
        size->ci95[s] = (struct tan_interval){fmax(ci.low, 0.0), fmax(ci.high, 0.0)};
    } else if (ci.low > 0.0) {
        size->ci95[s] = ci;
    } else {
        size->value[s] = NAN;
    }
}

/* The values of every size, and their intervals from DRAWS draws. */
static void summarize_sizes(struct fitter *f, gsl_rng *rng)
{
    for (size_t i = 0; i < f->n; i++) {
        struct tan_p2p_size *size = &f->p->size[i];
        size->bytes = f->samples[i].bytes;
        draw_values(f, i, 0, NULL, size->value);
        for (size_t d = 0; d < DRAWS; d++) {
            draw_values(f, i, d, rng, f->drawn[i * DRAWS + d]);
        }
        for (int s = 0; s < TAN_P2P_SERIES; s++) {
            double sorted[DRAWS];
            for (size_t d = 0; d < DRAWS; d++) {
                sorted[d] = f->drawn[i * DRAWS + d][s];
            }
            size->ci95[s] = TAN_INTERVAL_UNKNOWN;
            if (isfinite(size->value[s])) {
                set_value(size, s, interval_of(sorted, size->value[s]));
            }
            f->value[i][s] = size->value[s];
        }
    }
    f->p->n_sizes = f->n;
}

/* The weight of a time of size i: relative, down to what a time is known to. */
static double weight_of(const struct fitter *f, size_t i, double time)
{
    const double finest = 1e-9;
    const double noise = 0.01; /* of the one-way time */
    const double least = fmax(finest, noise * f->value[i][TAN_P2P_HALF]);
    return 1.0 / pow(fmax(time, least), 2.0);
}

/* The index of the first of `n` points with x > bytes. */
static size_t first_beyond(const double *x, size_t n, int64_t bytes)
{
    size_t i = 0;
    while (i < n && x[i] <= (double)bytes) {
        i++;
    }
    return i;
}

static int find_sections(struct fitter *f, const struct tan_p2p_limits *limits, struct tan_error *e)
{
    struct tan_segments segments;
    size_t points = 0;
    size_t held[2 + TAN_P2P_MAX_JUMPS];
    size_t n_held = 0;
    for (size_t i = 0; i < f->n; i++) {
        const double half = f->value[i][TAN_P2P_HALF];
        if (isfinite(half)) {
            f->x[points] = (double)f->samples[i].bytes;
            f->y[points] = half;
            f->weight[points++] = weight_of(f, i, half);
        }
    }
    held[n_held++] = first_beyond(f->x, points, limits->eager);
    held[n_held++] = first_beyond(f->x, points, limits->alone);
    for (size_t i = 0; i < limits->n_jumps; i++) {
        held[n_held++] = first_beyond(f->x, points, limits->jump[i]);
    }
    if (tan_segments_find(f->x, f->y, f->weight, points, held, n_held, &segments, e) < 0) {
        return -1;
    }
    f->p->n_sections = segments.n;
    for (size_t i = 0; i < segments.n; i++) {
        struct tan_p2p_section *s = &f->p->section[i];
        const bool last = i + 1 == segments.n;
        s->from = i == 0 ? 1 : (int64_t)f->x[segments.start[i]];
        s->to = last ? INT64_C(1) << 50 : (int64_t)f->x[segments.start[i + 1]] - 1;
    }
    return 0;
}

static bool in_section(const struct fitter *f, size_t i, const struct tan_p2p_section *s)
{
    return f->samples[i].bytes >= s->from && f->samples[i].bytes <= s->to;
}

/* Fit first + second * (k - shift) to the points in f->x (k), f->y and f->weight, both >= 0 if
 * `bound`; NaN without points, a constant if the sizes are too close for a slope. */
static int fit_points(struct fitter *f, size_t rows, double shift, bool bound,
                      double coefficient[2], struct tan_error *e)
{
    const double least_span = 1.25; /* minimum ratio of largest to smallest size */
    struct tan_regression line;
    coefficient[0] = rows == 0 ? NAN : gsl_stats_wmean(f->weight, 1, f->y, 1, rows);
    coefficient[1] = rows == 0 ? NAN : 0.0;
    if (rows < 2 || f->x[rows - 1] < least_span * f->x[0]) {
        return 0;
    }
    for (size_t i = 0; i < rows; i++) {
        f->design[2 * i] = 1.0;
        f->design[2 * i + 1] = f->x[i] - shift;
    }
    if (tan_regression_create(&line, f->design, f->weight, rows, 2, e) < 0) {
        return -1;
    }
    tan_regression_solve(&line, f->y, coefficient);
    if (bound) {
        tan_regression_bound(&line, coefficient);
    }
    tan_regression_clear(&line);
    return 0;
}

/* The line through one series of a section's sizes, with relative weights: its slope, and its value
 * at `origin` bytes, which may be negative if that is outside the section. */
static int fit_series(struct fitter *f, const struct tan_p2p_section *s, enum tan_p2p_series series,
                      double origin, double coefficient[2], struct tan_error *e)
{
    const double from = (double)s->from;
    size_t rows = 0;
    for (size_t i = 0; i < f->n; i++) {
        const double value = f->value[i][series];
        if (in_section(f, i, s) && value >= 0.0) {
            f->x[rows] = (double)f->samples[i].bytes;
            f->y[rows] = value;
            f->weight[rows++] = weight_of(f, i, value);
        }
    }
    if (fit_points(f, rows, from, true, coefficient, e) < 0) {
        return -1;
    }
    coefficient[0] -= coefficient[1] * (from - origin);
    return 0;
}

/* The sender's overhead if the receiver fetches the data: the request and the completion message,
 * independent of size. */
static double fetched_overhead(struct fitter *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->samples[i].bytes > f->p->eager && f->value[i][TAN_P2P_SEND] >= 0.0) {
            f->y[n++] = f->value[i][TAN_P2P_SEND];
        }
    }
    return n > 0 ? gsl_stats_median(f->y, 1, n) : NAN;
}

/* L and L_byte: the one-way times minus the lines of the overheads; NaN if these were not
 * measured. */
static int fit_latency(struct fitter *f, const struct tan_p2p_section *s, double *v,
                       struct tan_error *e)
{
    size_t rows = 0;
    v[TAN_P2P_L] = v[TAN_P2P_L_BYTE] = NAN;
    for (size_t i = 0; i < f->n && !isnan(v[TAN_P2P_O_S] + v[TAN_P2P_O_R]); i++) {
        const double half = f->value[i][TAN_P2P_HALF];
        const double k = (double)f->samples[i].bytes;
        if (in_section(f, i, s) && half >= 0.0) {
            f->x[rows] = k;
            f->y[rows] = half - v[TAN_P2P_O_S] - v[TAN_P2P_O_S_BYTE] * k - v[TAN_P2P_O_R] -
                         v[TAN_P2P_O_R_BYTE] * k;
            f->weight[rows++] = weight_of(f, i, half);
        }
    }
    return fit_points(f, rows, 0, false, &v[TAN_P2P_L], e);
}

/* The mean over a section's sizes of the blocking send time minus the one-way time. */
static double ack_time(const struct fitter *f, const struct tan_p2p_section *s)
{
    double sum = 0.0;
    double weights = 0.0;
    for (size_t i = 0; i < f->n; i++) {
        const double half = f->value[i][TAN_P2P_HALF];
        const double send = f->value[i][TAN_P2P_BLOCKED];
        if (in_section(f, i, s) && half >= 0.0 && send >= 0.0) {
            sum += (send - half) * weight_of(f, i, half);
            weights += weight_of(f, i, half);
        }
    }
    return weights > 0.0 ? sum / weights : NAN;
}

static int fit_section(struct fitter *f, const struct tan_p2p_section *s, double *v,
                       struct tan_error *e)
{
    const struct tan_p2p *p = f->p;
    const int64_t last = p->alone >= 0 ? p->alone : p->eager; /* whose sender needs no receiver */
    v[TAN_P2P_ACK] = last < 0 || s->to <= last ? NAN : ack_time(f, s);
    if (fit_series(f, s, TAN_P2P_SEND, 0, &v[TAN_P2P_O_S], e) < 0 ||
        fit_series(f, s, TAN_P2P_RECEIVE, 0, &v[TAN_P2P_O_R], e) < 0 ||
        fit_series(f, s, TAN_P2P_INTERVAL, 1, &v[TAN_P2P_G], e) < 0) {
        return -1;
    }
    if (p->eager >= 0 && s->from > p->eager && p->transfer == TAN_TRANSFER_RTA) {
        v[TAN_P2P_O_S] = fetched_overhead(f);
        v[TAN_P2P_O_S_BYTE] = 0.0;
    }
    return fit_latency(f, s, v, e);
}

/* Drop a section's gap if it merely equals the larger overhead. */
static void drop_explained_gap(struct tan_p2p *p, struct tan_p2p_section *s)
{
    const double margin = 0.05;
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < p->n_sizes; i++) {
        const double *v = p->size[i].value;
        const double ratio = v[TAN_P2P_INTERVAL] / fmax(v[TAN_P2P_SEND], v[TAN_P2P_RECEIVE]);
        if (p->size[i].bytes >= s->from && p->size[i].bytes <= s->to && ratio > 0.0 &&
            isfinite(v[TAN_P2P_SEND] + v[TAN_P2P_RECEIVE])) {
            sum += log(ratio);
            n++;
        }
    }
    if (n > 0 && fabs(sum / (double)n) <= margin) {
        s->value[TAN_P2P_G] = s->value[TAN_P2P_G_BYTE] = NAN;
    }
}

/* Use one draw for the values of every size. */
static void take_drawing(struct fitter *f, size_t d)
{
    for (size_t i = 0; i < f->n; i++) {
        for (int s = 0; s < TAN_P2P_SERIES; s++) {
            const double value = f->drawn[i * DRAWS + d][s];
            const bool known = !isnan(f->p->size[i].value[s]) && (!is_difference[s] || value > 0.0);
            f->value[i][s] = known ? fmax(value, 0.0) : NAN;
        }
    }
}

/* 95 % intervals of a section's parameters, from refits. */
static int find_intervals(struct fitter *f, struct tan_p2p_section *s, struct tan_error *e)
{
    double drawn[TAN_P2P_PARAMS][DRAWS];
    bool known[TAN_P2P_PARAMS];
    for (int p = 0; p < TAN_P2P_PARAMS; p++) {
        known[p] = isfinite(s->value[p]);
    }
    for (size_t d = 0; d < DRAWS; d++) {
        double value[TAN_P2P_PARAMS];
        take_drawing(f, d);
        if (fit_section(f, s, value, e) < 0) {
            return -1;
        }
        for (int p = 0; p < TAN_P2P_PARAMS; p++) {
            drawn[p][d] = value[p];
            known[p] = known[p] && isfinite(value[p]);
        }
    }
    for (int p = 0; p < TAN_P2P_PARAMS; p++) {
        s->ci95[p] = known[p] ? interval_of(drawn[p], s->value[p]) : TAN_INTERVAL_UNKNOWN;
    }
    return 0;
}

static int allocate_arrays(struct fitter *f, struct tan_error *e)
{
    size_t most = f->n;
    for (size_t i = 0; i < f->n; i++) {
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            most = f->samples[i].n[t] > most ? f->samples[i].n[t] : most;
        }
    }
    f->value = calloc(f->n * (1 + DRAWS), sizeof *f->value);
    f->x = calloc(4 * most + 2 * f->n, sizeof *f->x);
    f->p = calloc(1, sizeof *f->p);
    if (f->p != NULL) {
        f->p->section = calloc(TAN_MAX_SEGMENTS, sizeof *f->p->section);
        f->p->size = calloc(f->n, sizeof *f->p->size);
        f->p->s_s = f->p->s_r = f->p->S_byte = NAN;
    }
    if (f->p == NULL || f->p->section == NULL || f->p->size == NULL || f->value == NULL ||
        f->x == NULL) {
        return tan_fail_nomem(e);
    }
    f->drawn = f->value + f->n;
    f->y = f->x + most;
    f->weight = f->y + most;
    f->scratch = f->weight + most;
    f->design = f->scratch + most;
    return 0;
}

static int fit_sections(struct fitter *f, struct tan_error *e)
{
    for (size_t i = 0; i < f->p->n_sections; i++) {
        if (fit_section(f, &f->p->section[i], f->p->section[i].value, e) < 0) {
            return -1;
        }
        drop_explained_gap(f->p, &f->p->section[i]);
    }
    for (size_t i = 0; i < f->p->n_sections; i++) {
        if (find_intervals(f, &f->p->section[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

struct tan_p2p *tan_p2p_fit(const struct tan_p2p_samples *samples, size_t n,
                            const struct tan_p2p_limits *limits, uint64_t seed, struct tan_error *e)
{
    struct fitter f = {.samples = samples, .n = n};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int result = n == 0        ? tan_fail(e, "there are no messages to fit")
                 : rng == NULL ? tan_fail_nomem(e)
                               : allocate_arrays(&f, e);
    if (result == 0) {
        gsl_rng_set(rng, (unsigned long)seed);
        f.p->control = limits->control;
        f.p->eager = limits->eager;
        f.p->alone = limits->alone;
        f.p->transfer = limits->transfer;
        f.p->progress = limits->progress;
        summarize_sizes(&f, rng);
        result = find_sections(&f, limits, e) == 0 ? fit_sections(&f, e) : -1;
    }
    if (result < 0) {
        tan_p2p_destroy(f.p);
        f.p = NULL;
    }
    free(f.value);
    free(f.x);
    gsl_rng_free(rng);
    return f.p;
}

static struct tan_p2p_estimate estimate_of(double value, double drawn[DRAWS])
{
    const struct tan_interval ci95 = interval_of(drawn, value);
    return ci95.low > 0.0 ? (struct tan_p2p_estimate){value, ci95}
                          : (struct tan_p2p_estimate){NAN, TAN_INTERVAL_UNKNOWN};
}

int tan_p2p_pack_fit(const struct tan_p2p_pack_samples *samples, size_t sizes, uint64_t seed,
                     struct tan_p2p_pack *out, struct tan_error *e)
{
    struct tan_regression line = {.rows = 0};
    double drawn[2][DRAWS];
    double found[2] = {0.0, 0.0};
    size_t most = 0;
    int result = -1;
    for (size_t i = 0; i < sizes; i++) {
        most = samples[i].n > most ? samples[i].n : most;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *scratch = calloc(most, sizeof *scratch);
    double *design = calloc(4 * sizes, sizeof *design);
    if (rng == NULL || scratch == NULL || design == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    double *weight = design + 2 * sizes;
    double *added = weight + sizes;
    gsl_rng_set(rng, (unsigned long)seed);
    for (size_t i = 0; i < sizes; i++) {
        const double time = resampled_time(samples[i].spread, samples[i].n, NULL, scratch);
        design[2 * i] = 1.0;
        design[2 * i + 1] = (double)samples[i].bytes;
        weight[i] = 1.0 / (time * time);
    }
    if (tan_regression_create(&line, design, weight, sizes, 2, e) < 0) {
        goto done;
    }
    for (int d = -1; d < DRAWS; d++) { /* -1: the samples themselves */
        double coefficient[2];
        for (size_t i = 0; i < sizes; i++) {
            const struct tan_p2p_pack_samples *s = &samples[i];
            added[i] = resampled_time(s->spread, s->n, d < 0 ? NULL : rng, scratch) -
                       resampled_time(s->contiguous, s->n, d < 0 ? NULL : rng, scratch);
        }
        tan_regression_solve(&line, added, coefficient);
        tan_regression_bound(&line, coefficient);
        for (int c = 0; c < 2; c++) {
            *(d < 0 ? &found[c] : &drawn[c][d]) = coefficient[c];
        }
    }
    out->message = estimate_of(found[0], drawn[0]);
    out->byte = estimate_of(found[1], drawn[1]);
    result = 0;

done:
    tan_regression_clear(&line);
    free(design);
    free(scratch);
    gsl_rng_free(rng);
    return result;
}
