/* further_runs.c - which runs would narrow a fit's intervals most
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/further_runs.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

enum { MOST = TAN_MAX_COLUMNS };
static const double tight = 0.1;   /* half width of an interval that is narrow enough, in units */
static const double prior = 1e5;   /* standard deviation before any run, in units */
static const double unknown = 1e3; /* standard deviation above which nothing is known, in units */
static const double least_gain = 0.1; /* of the sum of variances */

struct design {
    const struct tan_path_fit *fit;
    const bool *wanted;
    const struct tan_path_cell *candidates;
    size_t n;
    /* What a coefficient's variance is relative to (further_runs.h); 0: it is 0 in the fit, and in
     * no candidate's time. */
    double unit[MOST];
    double covariance[MOST * MOST]; /* of the coefficients in units, for a scatter of 1 */
    double wider[MOST]; /* the fit's interval, as a multiple of that by the covariance */
    size_t missing;     /* wanted coefficients that the cells do not determine */
};

/* The terms that decide a candidate's time, and that time. */
static const double *predict_candidate(const struct design *d, size_t candidate, double *time)
{
    const struct tan_path_cell *cell = &d->candidates[candidate];
    *time = tan_path_time(d->fit, cell->path, cell->n_paths);
    return tan_path_longest(d->fit, cell->path, cell->n_paths);
}

static void find_units(struct design *d)
{
    for (size_t j = 0; j < d->fit->columns; j++) {
        double half = INFINITY;
        for (size_t i = 0; i < d->n; i++) {
            double time;
            const double *path = predict_candidate(d, i, &time);
            half = path[j] > 0 && time > 0 ? fmin(half, time / path[j] / 2) : half;
        }
        d->unit[j] = fmax(d->fit->value[j], isinf(half) ? 0 : half);
    }
}

/* The candidate's row of the design: its terms in units, divided by its predicted time; false if
 * that is 0. */
static bool find_row(const struct design *d, size_t candidate, double row[MOST])
{
    double time;
    const double *path = predict_candidate(d, candidate, &time);
    for (size_t j = 0; j < d->fit->columns; j++) {
        row[j] = path[j] * d->unit[j] / time;
    }
    return time > 0;
}

/* The inverse of the fit's information in units. The prior makes it invertible even if nothing
 * determines some coefficient; false if rounding makes it singular all the same. */
static bool find_covariance(struct design *d)
{
    const size_t columns = d->fit->columns;
    gsl_matrix_view m = gsl_matrix_view_array(d->covariance, columns, columns);
    for (size_t i = 0; i < columns; i++) {
        for (size_t j = 0; j < columns; j++) {
            d->covariance[i * columns + j] =
                d->fit->information[i * columns + j] * d->unit[i] * d->unit[j] +
                (i == j ? 1 / (prior * prior) : 0);
        }
    }
    return gsl_linalg_cholesky_decomp1(&m.matrix) == GSL_SUCCESS &&
           gsl_linalg_cholesky_invert(&m.matrix) == GSL_SUCCESS;
}

static double covariance_of(const struct design *d, size_t i, size_t j)
{
    return d->covariance[i * d->fit->columns + j];
}

/* The change of the covariance by a run with this row (Sherman and Morrison): it decreases by
 * change change' / the returned value. */
static double find_change(const struct design *d, const double row[MOST], double change[MOST])
{
    double sum = 1;
    for (size_t i = 0; i < d->fit->columns; i++) {
        change[i] = 0;
        for (size_t j = 0; j < d->fit->columns; j++) {
            change[i] += covariance_of(d, i, j) * row[j];
        }
        sum += row[i] * change[i];
    }
    return sum;
}

/* The decrease of the wanted coefficients' variances by a run of the candidate. */
static double gain_of(const struct design *d, size_t candidate)
{
    double row[MOST];
    double change[MOST];
    double gain = 0;
    if (!find_row(d, candidate, row)) {
        return 0;
    }
    const double sum = find_change(d, row, change);
    for (size_t j = 0; j < d->fit->columns; j++) {
        gain += d->wanted[j] ? change[j] * change[j] / sum : 0;
    }
    return gain;
}

static bool is_chosen(const struct tan_further_runs *out, size_t candidate)
{
    for (size_t i = 0; i < out->n; i++) {
        if (out->run[i] == candidate) {
            return true;
        }
    }
    return false;
}

/* The candidate that gains most; d->n if none gains at least `least_gain`. */
static size_t best_candidate(const struct design *d, const struct tan_further_runs *out)
{
    size_t best = d->n;
    double most = 0;
    for (size_t j = 0; j < d->fit->columns; j++) {
        most += d->wanted[j] ? least_gain * covariance_of(d, j, j) : 0;
    }
    for (size_t i = 0; i < d->n; i++) {
        const double gain = is_chosen(out, i) ? 0 : gain_of(d, i);
        if (gain > most) {
            most = gain;
            best = i;
        }
    }
    return best;
}

static void add_run(struct design *d, size_t candidate)
{
    double row[MOST];
    double change[MOST];
    find_row(d, candidate, row);
    const double sum = find_change(d, row, change);
    for (size_t i = 0; i < d->fit->columns; i++) {
        for (size_t j = 0; j < d->fit->columns; j++) {
            d->covariance[i * d->fit->columns + j] -= change[i] * change[j] / sum;
        }
    }
}

/* Half the width of simultaneous intervals for all wanted coefficients, in standard deviations:
 * Bonferroni's. */
static double reach_of(const struct design *d, size_t runs)
{
    const size_t freedom = d->fit->freedom + (runs > d->missing ? runs - d->missing : 0);
    double wanted = 0;
    for (size_t j = 0; j < d->fit->columns; j++) {
        wanted += d->wanted[j];
    }
    return gsl_cdf_tdist_Qinv(0.025 / wanted, freedom > 0 ? (double)freedom : 1);
}

static double half_of(const struct design *d, size_t j, size_t runs)
{
    const double deviation = sqrt(covariance_of(d, j, j));
    return deviation > unknown
               ? NAN
               : d->wider[j] * reach_of(d, runs) * d->fit->scatter * deviation * d->unit[j];
}

/* Start with the fit's own intervals, which further runs narrow in proportion to the covariance. */
static void find_intervals(struct design *d, double half[MOST])
{
    for (size_t j = 0; j < d->fit->columns; j++) {
        const struct tan_interval ci = d->fit->ci95[j];
        d->wider[j] = 1;
        half[j] = d->fit->identifiable[j] ? half_of(d, j, 0) : NAN;
        if (d->fit->identifiable[j] && tan_interval_known(ci)) {
            const double now = fmax(ci.high - d->fit->value[j], d->fit->value[j] - ci.low);
            d->wider[j] = now > 0 && half[j] > 0 ? now / half[j] : 1;
            half[j] = now;
        }
    }
}

static bool is_uncertain(const struct design *d, size_t j, const double half[MOST])
{
    return d->wanted[j] && d->unit[j] > 0 && !(half[j] <= tight * d->unit[j]);
}

static bool is_any_uncertain(const struct design *d, const double half[MOST])
{
    bool any = false;
    for (size_t j = 0; j < d->fit->columns; j++) {
        any = any || is_uncertain(d, j, half);
    }
    return any;
}

static bool prepare_design(struct design *d)
{
    size_t wanted = 0;
    size_t others = 0; /* fitted, but not wanted */
    const size_t fitted = d->fit->n_cells - d->fit->n_aside - d->fit->freedom;
    find_units(d);
    for (size_t j = 0; j < d->fit->columns; j++) {
        wanted += d->wanted[j] && d->unit[j] > 0;
        others += !d->wanted[j] && (d->fit->identifiable[j] || d->fit->value[j] > 0);
    }
    d->missing = wanted + others > fitted ? wanted + others - fitted : 0;
    return find_covariance(d);
}

void tan_further_runs(const struct tan_path_fit *fit, const bool wanted[TAN_MAX_COLUMNS],
                      const struct tan_path_cell *candidates, size_t n,
                      struct tan_further_runs *out)
{
    struct design d = {.fit = fit, .wanted = wanted, .candidates = candidates, .n = n};
    *out = (struct tan_further_runs){.n = 0};
    if (!prepare_design(&d)) {
        return;
    }
    find_intervals(&d, out->half[0]);
    for (size_t j = 0; j < fit->columns; j++) {
        out->uncertain[j] = is_uncertain(&d, j, out->half[0]);
    }
    while (out->n < TAN_FURTHER_RUNS && is_any_uncertain(&d, out->half[out->n])) {
        const size_t best = best_candidate(&d, out);
        if (best == n) {
            break;
        }
        add_run(&d, best);
        out->run[out->n++] = best;
        for (size_t j = 0; j < fit->columns; j++) {
            out->half[out->n][j] = half_of(&d, j, out->n);
        }
    }
}
