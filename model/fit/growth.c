/* growth.c - growth of overhead with fanout: linear, logarithmic or quadratic
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "model/fit/fit_internal.h"

static double log_term(const struct tan_cell *cell)
{
    return log(cell->size);
}

static double linear_term(const struct tan_cell *cell)
{
    return cell->row[TAN_B];
}

static double quadratic_term(const struct tan_cell *cell)
{
    return cell->row[TAN_C2];
}

static const struct {
    const char *name;
    size_t terms;
    double (*term[2])(const struct tan_cell *cell);
} candidates[TAN_GROWTHS] = {
    {"linear", 1, {linear_term, NULL}},
    {"logarithmic", 1, {log_term, NULL}},
    {"quadratic", 2, {linear_term, quadratic_term}},
};

/* The N-to-1 medians minus everything independent of fanout, with the fit's weights. */
struct rest {
    size_t n;
    const struct tan_cell **cell;
    double *y, *weight, *design;
    double total; /* sum of squares about the mean */
};

static int fit_candidate(const struct rest *rest, int row, struct tan_growth *out,
                         struct tan_error *e)
{
    const size_t terms = candidates[row].terms;
    for (size_t i = 0; i < rest->n; i++) {
        for (size_t j = 0; j < terms; j++) {
            rest->design[i * terms + j] = candidates[row].term[j](rest->cell[i]);
        }
    }
    struct tan_regression regression;
    if (tan_regression_create(&regression, rest->design, rest->weight, rest->n, terms, e) < 0) {
        return -1;
    }
    tan_regression_solve(&regression, rest->y, out->coefficient);
    tan_regression_bound(&regression, out->coefficient);
    double squares = 0;
    double weighted = 0;
    double whole = 0;
    for (size_t i = 0; i < rest->n; i++) {
        double off = rest->y[i];
        for (size_t j = 0; j < terms; j++) {
            off -= rest->design[i * terms + j] * out->coefficient[j];
        }
        squares += off * off;
        weighted += rest->weight[i] * off * off;
        whole += rest->weight[i] * rest->y[i] * rest->y[i];
    }
    const double n = (double)rest->n;
    const double k = (double)terms + 1; /* the variance is a parameter, too */
    out->r2 = rest->total > 0 ? 1 - squares / rest->total : NAN;
    if (n > k + 1 && whole > 0) {
        weighted = fmax(weighted, 1e-24 * whole); /* waves without noise fit exactly */
        out->aicc = n * log(weighted / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
    }
    tan_regression_clear(&regression);
    return 0;
}

int tan_growth_compare(const struct tan_solver *s, struct tan_fit *out, struct tan_error *e)
{
    int result = -1;
    out->best_growth = -1;
    for (int i = 0; i < TAN_GROWTHS; i++) {
        out->growth[i] = (struct tan_growth){candidates[i].name, NAN, NAN, {0, 0}};
    }
    if (!out->identifiable[TAN_B]) {
        return 0;
    }
    struct rest rest = {
        .cell = calloc(s->n_cells, sizeof(const struct tan_cell *)),
        .y = calloc(s->n_cells, sizeof(double)),
        .weight = calloc(s->n_cells, sizeof(double)),
        .design = calloc(2 * s->n_cells, sizeof(double)),
    };
    if (rest.cell == NULL || rest.y == NULL || rest.weight == NULL || rest.design == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    const struct tan_stage *stage = &s->stage[s->n_stages - 1];
    double mean = 0;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const struct tan_cell *cell = &s->cell[stage->cell[k]];
        if (cell->experiment == TAN_NTO1) {
            const double growing =
                cell->row[TAN_B] * s->value[TAN_B] + cell->row[TAN_C2] * s->value[TAN_C2];
            rest.cell[rest.n] = cell;
            rest.y[rest.n] = cell->median - (tan_cell_predict(cell, s->value) - growing);
            rest.weight[rest.n] = stage->weight[k];
            mean += rest.y[rest.n++];
        }
    }
    mean /= (double)rest.n;
    for (size_t i = 0; i < rest.n; i++) {
        rest.total += (rest.y[i] - mean) * (rest.y[i] - mean);
    }
    for (int i = 0; i < TAN_GROWTHS; i++) {
        if (fit_candidate(&rest, i, &out->growth[i], e) < 0) {
            goto done;
        }
    }
    out->best_growth = 0;
    for (int i = 0; i < TAN_GROWTHS && out->best_growth >= 0; i++) {
        if (isnan(out->growth[i].aicc)) {
            out->best_growth = -1;
        } else if (out->growth[i].aicc < out->growth[out->best_growth].aicc) {
            out->best_growth = i;
        }
    }
    result = 0;

done:
    free(rest.cell);
    free(rest.y);
    free(rest.weight);
    free(rest.design);
    return result;
}
