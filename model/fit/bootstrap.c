/* bootstrap.c - uncertainty of fitted parameters, by refitting resampled waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "model/fit/fit_internal.h"
#include "model/stats/stats.h"

/* Medians of waves without scatter that lie closer to the curve than this (relative) were computed,
 * and differ by rounding. Rounding does not average out like noise, so tau counts twice. */
static const double rounding = 1e-4;

/* A tau that is consistent with the residuals. Their sum of squares follows a chi-square
 * distribution, so it can be small by chance although tau is not. */
static double draw_tau(const struct tan_stage *stage, gsl_rng *rng)
{
    if (stage->freedom == 0 || !(stage->unit > 0)) {
        return 0;
    }
    const double freedom = (double)stage->freedom;
    const double seen = stage->seen * freedom / gsl_ran_chisq(rng, freedom);
    return sqrt(fmax(seen - stage->within, 0) / stage->unit);
}

void tan_cells_resample(const struct tan_solver *s, double *y)
{
    const double bias_off = s->bias_error * gsl_ran_ugaussian(s->rng);
    for (size_t i = 0; i < s->n_cells; i++) {
        const struct tan_cell *cell = &s->cell[i];
        y[i] = cell->median;
        if (cell->variance > 0) {
            y[i] += cell->stretch * (tan_cell_resample(cell, s->rng) - cell->centre);
        }
        if (cell->n > 2) {
            y[i] += bias_off * pow(cell->median, s->power) / (double)cell->n;
        }
    }
}

/* The medians of one resampling, `y`: one per cell. */
static void draw_medians(const struct tan_solver *s, bool rounded, double *y)
{
    tan_cells_resample(s, y);
    for (size_t i = 0; i < s->n_stages; i++) {
        const struct tan_stage *stage = &s->stage[i];
        const double tau = (rounded ? 2 : 1) * draw_tau(stage, s->rng);
        for (size_t k = 0; k < stage->n_cells && tau > 0; k++) {
            y[stage->cell[k]] += tau * stage->error[k] * gsl_ran_ugaussian(s->rng);
        }
    }
}

static bool is_rounded(const struct tan_solver *s, const struct tan_fit *out)
{
    bool scatters = out->scatter[TAN_CHAIN] > rounding || out->scatter[TAN_NTO1] > rounding;
    for (size_t i = 0; i < s->n_cells; i++) {
        scatters = scatters || s->cell[i].variance > 0;
    }
    return !scatters;
}

/* Whether the data show how uncertain a parameter is: its stage has cells that scatter, or degrees
 * of freedom. */
static bool has_known_error(const struct tan_solver *s, enum tan_param p)
{
    for (size_t i = 0; i < s->n_stages; i++) {
        const struct tan_stage *stage = &s->stage[i];
        bool scatters = stage->freedom > 0;
        bool mine = false;
        for (size_t k = 0; k < stage->n_cells; k++) {
            scatters = scatters || s->cell[stage->cell[k]].variance > 0;
        }
        for (size_t j = 0; j < stage->n_free; j++) {
            mine = mine || stage->free[j] == p;
        }
        if (mine) {
            return scatters;
        }
    }
    return p == TAN_L && s->L_freedom > 0;
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

int tan_simultaneous_intervals(double *drawn, size_t n_params, size_t n, const bool *wanted,
                               const double *value, const double *least,
                               struct tan_interval *interval, struct tan_error *e)
{
    size_t *extreme = calloc(2 * n + 1, sizeof *extreme);
    if (extreme == NULL) {
        return tan_fail_nomem(e);
    }
    size_t *order = extreme + n;
    for (size_t i = 0; i < n; i++) {
        extreme[i] = n;
    }
    for (size_t p = 0; p < n_params; p++) {
        double *row = drawn + p * n;
        if (wanted[p]) {
            gsl_sort_index(order, row, 1, n);
            for (size_t rank = 0; rank < n; rank++) {
                const size_t outside = rank < n - 1 - rank ? rank : n - 1 - rank;
                size_t *mine = &extreme[order[rank]];
                *mine = outside < *mine ? outside : *mine;
            }
            gsl_sort(row, 1, n);
        }
    }
    qsort(extreme, n, sizeof *extreme, compare_sizes);
    const size_t rank = n > 0 ? extreme[n / 20] : 0;
    for (size_t p = 0; p < n_params && n > 0; p++) {
        if (wanted[p]) {
            const double *row = drawn + p * n;
            interval[p].low = fmax(fmin(row[rank], value[p]) - least[p], 0);
            interval[p].high = fmax(row[n - 1 - rank], value[p]) + least[p];
        }
    }
    free(extreme);
    return 0;
}

/* `values`: TAN_PARAMS rows of `n`, which are sorted. */
static int set_intervals(const struct tan_solver *s, struct tan_fit *out, double *values, size_t n,
                         struct tan_error *e)
{
    bool wanted[TAN_PARAMS];
    double least[TAN_PARAMS];
    for (int p = 0; p < TAN_PARAMS; p++) {
        wanted[p] = out->identifiable[p] && has_known_error(s, (enum tan_param)p);
        least[p] = 1e-6 * s->value[p] + 10 * tan_solver_resolution(s, (enum tan_param)p);
    }
    return tan_simultaneous_intervals(values, TAN_PARAMS, n, wanted, s->value, least,
                                      out->params.ci95, e);
}

/* From 0 to 1; 0 in one case of four, since the simpler model may be the true one. */
static double draw_share(gsl_rng *rng)
{
    return fmax(gsl_ran_flat(rng, -1.0 / 3, 1), 0);
}

/* Draw the parameters that no regression determined, see fit_internal.h. */
static void vary_unidentified(const struct tan_solver *s, const struct tan_fit *out, double *draw)
{
    const bool *unset = out->params.unidentified;
    const double level = draw[TAN_L] + 2 * draw[TAN_A];
    if (unset[TAN_B]) {
        draw[TAN_B] = gsl_pow_3(draw_share(s->rng)) * level;
        draw[TAN_C2] = gsl_pow_3(draw_share(s->rng)) * draw[TAN_B];
    } else if (unset[TAN_C2]) {
        const double share = draw_share(s->rng);
        draw[TAN_C2] = share * draw[TAN_B] / ((double)tan_solver_largest(s, TAN_NTO1) + 1);
        draw[TAN_B] *= 1 - share;
    }
    if (unset[TAN_C0]) {
        const double share = draw_share(s->rng);
        draw[TAN_C0] = share * 2 * draw[TAN_A] * fmax((double)tan_solver_largest(s, TAN_CHAIN), 1);
        draw[TAN_A] *= 1 - share;
    }
    if (unset[TAN_L]) {
        const double share = draw_share(s->rng);
        const double all = draw[TAN_L] + 2 * draw[TAN_A];
        draw[TAN_L] = share * all;
        draw[TAN_A] = (1 - share) * all / 2;
    }
}

/* If noise hides the growth over a few fanouts, there may still be some: as much as the
 * unconstrained solution falls below 0. */
static void widen_growth(const struct tan_fit *out, const double *free, double *draw)
{
    if (!out->identifiable[TAN_B] && !out->params.unidentified[TAN_B] && draw[TAN_B] == 0 &&
        draw[TAN_C2] == 0) {
        draw[TAN_B] = fabs(free[TAN_B]);
    }
}

/* Set the ranges of unidentified parameters from `n` draws; `space`: n entries. */
static void set_ranges(struct tan_fit *out, double *space, size_t n)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (out->identifiable[p] || p == TAN_G || n < 2) {
            continue;
        }
        for (size_t i = 0; i < n; i++) {
            space[i] = out->params.draws[i * TAN_PARAMS + (size_t)p];
        }
        out->params.ci95[p] = tan_central_interval(space, n);
    }
}

int tan_bootstrap(struct tan_solver *s, struct tan_fit *out, struct tan_error *e)
{
    int result = -1;
    const size_t n = s->input->bootstrap > 0 ? (size_t)s->input->bootstrap : 0;
    const size_t kept = n < TAN_FIT_DRAWS ? n : TAN_FIT_DRAWS;
    const bool rounded = is_rounded(s, out);
    struct tan_params *params = &out->params;
    double *y = calloc(2 * s->n_cells, sizeof *y);
    double *values = calloc(n * TAN_PARAMS + 1, sizeof *values);
    params->draws = n > 0 ? calloc(kept * TAN_PARAMS, sizeof *params->draws) : NULL;
    if (y == NULL || values == NULL || (n > 0 && params->draws == NULL)) {
        tan_fail_nomem(e);
        goto done;
    }
    params->n_draws = (int)kept;
    for (size_t i = 0; i < n; i++) {
        double value[TAN_PARAMS] = {[TAN_L] = s->latency};
        if (s->L_error > 0) {
            value[TAN_L] += s->L_error * gsl_ran_tdist(s->rng, s->L_freedom);
            value[TAN_L] = fmax(value[TAN_L], 0);
        }
        const double latency = value[TAN_L];
        struct tan_params known = {.n_draws = 0};
        if (s->input->known != NULL) {
            known = tan_params_drawn(s->input->known, (int)i);
        }
        tan_solver_know(s, known.value, value);
        draw_medians(s, rounded, y);
        tan_solver_solve(s, y, false, y + s->n_cells, value);
        if (i < kept) {
            double *draw = params->draws + i * TAN_PARAMS;
            draw[TAN_L] = latency;
            tan_solver_know(s, known.value, draw);
            tan_solver_solve(s, y, true, y + s->n_cells, draw);
            widen_growth(out, value, draw);
            vary_unidentified(s, out, draw);
        }
        for (int p = 0; p < TAN_PARAMS; p++) {
            values[(size_t)p * n + i] = value[p];
        }
    }
    if (set_intervals(s, out, values, n, e) < 0) {
        goto done;
    }
    set_ranges(out, values, kept);
    result = 0;

done:
    free(y);
    free(values);
    return result;
}
