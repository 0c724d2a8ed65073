/* bootstrap.c - uncertainty of fitted parameters, by refitting resampled waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether the data show how uncertain a parameter is: its stage has cells that scatter, or degrees
 * of freedom. */
static bool has_known_error(const struct tan_solver *s, enum tan_param p)
{
    const struct tan_stage *stage = tan_stage_of(s, p);
    bool scatters = stage != NULL && stage->freedom > 0;
    for (size_t k = 0; stage != NULL && k < stage->n_cells; k++) {
        scatters = scatters || s->cell[stage->cell[k]].variance > 0;
    }
    return scatters || (p == TAN_L && s->L_freedom > 0);
}

static int compare_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The intervals of `n` repetitions, columns of `drawn`, which are sorted where wanted. */
static int set_intervals(const struct tan_repeat *r, double *drawn, size_t n,
                         struct tan_interval *interval, struct tan_error *e)
{
    size_t *extreme = calloc(2 * n, sizeof *extreme);
    if (extreme == NULL) {
        return tan_fail_nomem(e);
    }
    size_t *order = extreme + n;
    for (size_t i = 0; i < n; i++) {
        extreme[i] = n;
    }
    for (size_t p = 0; p < r->columns; p++) {
        double *row = drawn + p * n;
        if (r->wanted[p]) {
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
    const size_t rank = extreme[n / 20];
    for (size_t p = 0; p < r->columns; p++) {
        if (r->wanted[p]) {
            const double *row = drawn + p * n;
            interval[p].low = fmax(fmin(row[rank], r->value[p]) - r->least[p], 0);
            interval[p].high = fmax(row[n - 1 - rank], r->value[p]) + r->least[p];
        }
    }
    free(extreme);
    return 0;
}

int tan_bootstrap(const struct tan_repeat *r, int n, struct tan_params *params,
                  struct tan_interval *interval, struct tan_error *e)
{
    const size_t all = n > 0 ? (size_t)n : 0;
    const size_t kept = all < TAN_FIT_DRAWS ? all : TAN_FIT_DRAWS;
    if (all == 0) {
        return 0;
    }
    double *drawn = calloc(all * r->columns, sizeof *drawn);
    params->draws = calloc(kept * TAN_PARAMS, sizeof *params->draws);
    if (drawn == NULL || params->draws == NULL) {
        free(drawn);
        return tan_fail_nomem(e);
    }
    params->n_draws = (int)kept;
    for (size_t i = 0; i < all; i++) {
        double solution[TAN_COLUMNS];
        r->draw(r->fit, solution, i < kept ? params->draws + i * TAN_PARAMS : NULL);
        for (size_t p = 0; p < r->columns; p++) {
            drawn[p * all + i] = solution[p];
        }
    }
    const int result = set_intervals(r, drawn, all, interval, e);
    free(drawn);
    return result;
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

/* Set the ranges of unidentified parameters from the draws. */
static void set_ranges(struct tan_fit *out)
{
    const struct tan_params *params = &out->params;
    for (int p = 0; p < TAN_PARAMS; p++) {
        double drawn[TAN_FIT_DRAWS];
        if (out->identifiable[p] || p == TAN_G || params->n_draws < 2) {
            continue;
        }
        for (int i = 0; i < params->n_draws; i++) {
            drawn[i] = params->draws[i * TAN_PARAMS + p];
        }
        out->params.ci95[p] = tan_central_interval(drawn, (size_t)params->n_draws);
    }
}

struct repeated {
    struct tan_solver *solver;
    const struct tan_fit *out;
    bool rounded;
    double *y; /* a median for each cell, and as much space */
    int n;     /* of repetitions so far */
};

static void draw_experiments(void *fit, double *solution, double params[TAN_PARAMS])
{
    struct repeated *r = fit;
    struct tan_solver *s = r->solver;
    double value[TAN_COLUMNS] = {[TAN_L] = s->latency};
    if (s->L_error > 0) {
        value[TAN_L] += s->L_error * gsl_ran_tdist(s->rng, s->L_freedom);
        value[TAN_L] = fmax(value[TAN_L], 0);
    }
    if (s->input->known != NULL) {
        tan_solver_know(s, tan_params_drawn(s->input->known, r->n).value, value);
    }
    r->n++;
    memcpy(solution, value, sizeof value);
    draw_medians(s, r->rounded, r->y);
    tan_solver_solve(s, r->y, false, r->y + s->n_cells, solution);
    if (params != NULL) {
        tan_solver_solve(s, r->y, true, r->y + s->n_cells, value);
        widen_growth(r->out, solution, value);
        vary_unidentified(s, r->out, value);
        memcpy(params, value, TAN_PARAMS * sizeof *params);
    }
}

int tan_bootstrap_experiments(struct tan_solver *s, struct tan_fit *out, struct tan_error *e)
{
    struct repeated repeated = {.solver = s,
                                .out = out,
                                .rounded = !tan_cells_scatter(s) &&
                                           out->scatter[TAN_CHAIN] <= rounding &&
                                           out->scatter[TAN_NTO1] <= rounding,
                                .y = calloc(2 * s->n_cells, sizeof *repeated.y)};
    struct tan_repeat repeat = {
        .fit = &repeated, .draw = draw_experiments, .columns = TAN_PARAMS, .value = s->value};
    if (repeated.y == NULL) {
        return tan_fail_nomem(e);
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        repeat.wanted[p] = out->identifiable[p] && has_known_error(s, (enum tan_param)p);
        repeat.least[p] = 1e-6 * s->value[p] + 10 * tan_solver_resolution(s, (enum tan_param)p);
    }
    const int result =
        tan_bootstrap(&repeat, s->input->bootstrap, &out->params, out->params.ci95, e);
    set_ranges(out);
    free(repeated.y);
    return result;
}
