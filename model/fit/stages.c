/* stages.c - regressions of some cells on some coefficients
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "model/fit/fit_internal.h"

int tan_stage_add(struct tan_solver *s, struct tan_error *e)
{
    struct tan_stage *stage = &s->stage[s->n_stages++];
    *stage = (struct tan_stage){
        .cell = calloc(s->n_cells, sizeof *stage->cell),
        .error = calloc(s->n_cells, sizeof *stage->error),
        .weight = calloc(s->n_cells, sizeof *stage->weight),
    };
    return stage->cell == NULL || stage->error == NULL || stage->weight == NULL ? tan_fail_nomem(e)
                                                                                : 0;
}

const struct tan_stage *tan_stage_of(const struct tan_solver *s, size_t column)
{
    for (size_t i = 0; i < s->n_stages; i++) {
        for (size_t j = 0; j < s->stage[i].n_free; j++) {
            if (s->stage[i].free[j] == column) {
                return &s->stage[i];
            }
        }
    }
    return NULL;
}

void tan_solver_clear(struct tan_solver *s)
{
    for (size_t i = 0; i < s->n_stages; i++) {
        free(s->stage[i].cell);
        free(s->stage[i].error);
        free(s->stage[i].weight);
        tan_regression_clear(&s->stage[i].regression);
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        free(s->cell[i].all);
    }
    free(s->cell);
    gsl_rng_free(s->rng);
}

int tan_stage_factor(const struct tan_solver *s, struct tan_stage *stage, struct tan_error *e)
{
    double *design = calloc(stage->n_cells * stage->n_free, sizeof *design);
    if (design == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t k = 0; k < stage->n_cells; k++) {
        for (size_t j = 0; j < stage->n_free; j++) {
            design[k * stage->n_free + j] = s->cell[stage->cell[k]].row[stage->free[j]];
        }
    }
    tan_regression_clear(&stage->regression);
    const int result = tan_regression_create(&stage->regression, design, stage->weight,
                                             stage->n_cells, stage->n_free, e);
    free(design);
    return result;
}

/* The part of a cell's wave time that does not depend on the stage's free parameters. */
static double known_time(const struct tan_stage *stage, const struct tan_cell *cell,
                         const double value[TAN_COLUMNS])
{
    double rest[TAN_COLUMNS];
    for (int p = 0; p < TAN_COLUMNS; p++) {
        rest[p] = value[p];
    }
    for (size_t j = 0; j < stage->n_free; j++) {
        rest[stage->free[j]] = 0;
    }
    return tan_cell_predict(cell, rest);
}

/* A hop of the chains takes L + 2a. If `a` is negative, the ping-pong was slower than a hop: lower
 * L and raise `a` by half as much, until `a` is 0. The chains' times stay the same. */
static void share_latency(const struct tan_solver *s, const struct tan_stage *stage, double *x,
                          double value[TAN_COLUMNS])
{
    for (size_t j = 0; s->shares_L && j < stage->n_free; j++) {
        if (stage->free[j] == TAN_A && x[j] < 0) {
            const double excess = fmin(-2 * x[j], value[TAN_L]);
            value[TAN_L] -= excess;
            x[j] += excess / 2;
        }
    }
}

void tan_solver_solve(const struct tan_solver *s, const double *y, bool bounded, double *space,
                      double value[TAN_COLUMNS])
{
    for (size_t i = 0; i < s->n_stages; i++) {
        const struct tan_stage *stage = &s->stage[i];
        double x[TAN_MAX_COLUMNS];
        for (size_t k = 0; k < stage->n_cells; k++) {
            const size_t c = stage->cell[k];
            space[k] = y[c] - known_time(stage, &s->cell[c], value);
        }
        tan_regression_solve(&stage->regression, space, x);
        share_latency(s, stage, x, value);
        if (bounded) {
            tan_regression_bound(&stage->regression, x);
        }
        for (size_t j = 0; j < stage->n_free; j++) {
            value[stage->free[j]] = x[j];
        }
    }
}

static double residual_of(const struct tan_cell *cell, const double value[TAN_COLUMNS])
{
    return cell->median - tan_cell_predict(cell, value);
}

/* From the hat matrix H, without a second fit (Belsley, Kuh and Welsch, Regression Diagnostics,
 * 1980, section 2.1): without the cell, its residual is e / (1 - h), and the weighted sum of
 * `squares` of the stage is smaller by w e^2 / (1 - h). None if the other cells do not predict this
 * one. */
static struct tan_deletion delete_cell(const struct tan_solver *s, const struct tan_stage *stage,
                                       const double value[TAN_COLUMNS], double squares, size_t k)
{
    const struct tan_regression *r = &stage->regression;
    const struct tan_cell *cell = &s->cell[stage->cell[k]];
    double leverage = 0.0;
    for (size_t j = 0; j < stage->n_free; j++) {
        leverage += cell->row[stage->free[j]] * r->inverse[j * r->rows + k];
    }
    if (leverage > 1.0 - 1e-6 || !(squares > 0.0)) {
        return (struct tan_deletion){.cell = NULL};
    }
    const double residual = residual_of(cell, value);
    const double weight = stage->weight[k] / (1.0 - leverage);
    const double least = 1e-9 * squares; /* keeps t finite if all others fit exactly */
    const double rest = fmax(squares - weight * residual * residual, least);
    const double predicted = cell->median - residual / (1.0 - leverage);
    return (struct tan_deletion){
        .cell = cell,
        .t = residual * sqrt(weight * ((double)stage->freedom - 1.0) / rest),
        .off = predicted > 0.0 ? cell->median / predicted - 1.0 : INFINITY,
    };
}

struct tan_deletion tan_stage_outlier(const struct tan_solver *s, const struct tan_stage *stage,
                                      const double value[TAN_COLUMNS], double least_off,
                                      double level)
{
    struct tan_deletion worst = {.cell = NULL};
    double squares = 0.0;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const double residual = residual_of(&s->cell[stage->cell[k]], value);
        squares += stage->weight[k] * residual * residual;
    }
    for (size_t k = 0; k < stage->n_cells && stage->freedom > 1; k++) {
        const struct tan_deletion d = delete_cell(s, stage, value, squares, k);
        const double chance =
            2.0 * gsl_cdf_tdist_Q(fabs(d.t), (double)stage->freedom - 1.0) * (double)stage->n_cells;
        if (d.cell != NULL && fabs(d.off) > least_off && chance < level &&
            fabs(d.t) > fabs(worst.t)) {
            worst = d;
        }
    }
    return worst;
}
