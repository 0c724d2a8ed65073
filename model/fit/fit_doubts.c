/* fit_doubts.c - reasons not to rely on a fit
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>

#include "model/fit/fit_internal.h"

enum {
    CHAIN_COSTS = 1u << TAN_A | 1u << TAN_C0, /* determined by the chains */
    GROWTH = 1u << TAN_B | 1u << TAN_C2,      /* determined by the N-to-1 trees */
};

static const unsigned touched[] = {[TAN_CHAIN] = CHAIN_COSTS, [TAN_NTO1] = GROWTH};
static const char *const experiments[] = {[TAN_CHAIN] = "chains", [TAN_NTO1] = "N-to-1 trees"};
static const char *const shapes[] = {[TAN_CHAIN] = "chain", [TAN_NTO1] = "nto1"};
static const char *const r2_kinds[] = {[TAN_CHAIN] = "r2-chain", [TAN_NTO1] = "r2-nto1"};
static const char *const scatter_kinds[] = {
    [TAN_CHAIN] = "scatter-chain", [TAN_NTO1] = "scatter-nto1"};

static void doubt_sizes(const struct tan_fit *fit, struct tan_doubts *doubts)
{
    const bool *known = fit->identifiable;
    const bool joint = fit->params.method == TAN_METHOD_JOINT;
    if (!known[TAN_C0]) {
        tan_doubts_add(doubts, TAN_DOUBT, "few-chains", NAN, CHAIN_COSTS, "too few chains");
    }
    if (!joint && !known[TAN_L]) { /* method joint predicts from L + 2a, which needs no latency */
        tan_doubts_add(doubts, TAN_DOUBT, "no-latency", NAN, TAN_TOUCHES_ALL,
                       "method paper needs a latency");
    } else if (!known[TAN_B] && (joint || known[TAN_A])) {
        tan_doubts_add(doubts, TAN_DOUBT, "few-nto1", NAN, GROWTH, "too few N-to-1 trees");
    }
}

/* A hop of the chains costs L + 2a, so a longer ping-pong was measured under different conditions,
 * for example with ranks that slept in one of the two. Noise and unequal paths explain less than a
 * factor of 2. */
static void doubt_latency(const struct tan_solver *s, const struct tan_fit *fit,
                          struct tan_doubts *doubts)
{
    const double most = 2.0;
    const double hop = s->free[TAN_L] + 2.0 * s->free[TAN_A];
    const double L = s->latency;
    if (fit->identifiable[TAN_A] && L > most * hop) {
        tan_doubts_add(doubts, TAN_DOUBT, "latency", hop / L, TAN_TOUCHES_ALL,
                       "the latency, %.1f us, contradicts the chains, where a hop takes %.1f us",
                       L * 1e6, hop * 1e6);
    }
}

static void doubt_r2(enum tan_experiment x, double r2, struct tan_doubts *doubts)
{
    if (r2 < TAN_LEAST_R2) {
        tan_doubts_add(doubts, TAN_DOUBT, r2_kinds[x], r2, touched[x],
                       "R2 of the %s is %.2f, less than %.1f", experiments[x], r2, TAN_LEAST_R2);
    }
}

/* R2 hides poor agreement for small trees if there are large ones. */
static void doubt_scatter(enum tan_experiment x, double scatter, struct tan_doubts *doubts)
{
    const double most = 0.2;
    if (scatter > most) {
        tan_doubts_add(doubts, TAN_DOUBT, scatter_kinds[x], scatter, touched[x],
                       "the %s' medians lie %.0f %% off the curve", experiments[x],
                       100.0 * scatter);
    }
}

/* A cell's deviation from what the other cells of its stage predict. */
struct deletion {
    double t;       /* externally studentised residual, t-distributed with `freedom` */
    double freedom; /* 0: the other cells do not predict this one */
    double off;     /* relative error of the prediction */
};

static double sum_squares(const struct tan_solver *s, const struct tan_stage *stage)
{
    double squares = 0.0;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const struct tan_cell *cell = &s->cell[stage->cell[k]];
        const double residual = cell->median - tan_cell_predict(cell, s->free);
        squares += stage->weight[k] * residual * residual;
    }
    return squares;
}

/* From the hat matrix H, without a second fit (Belsley, Kuh and Welsch, Regression Diagnostics,
 * 1980, section 2.1): without the cell, its residual is e / (1 - h), and the weighted sum of
 * squares is smaller by w e^2 / (1 - h). `squares`: sum_squares of the stage. */
static struct deletion delete_cell(const struct tan_solver *s, const struct tan_stage *stage,
                                   double squares, size_t k)
{
    const struct tan_regression *r = &stage->regression;
    const struct tan_cell *cell = &s->cell[stage->cell[k]];
    double leverage = 0.0;
    for (size_t j = 0; j < stage->n_free; j++) {
        leverage += cell->row[stage->free[j]] * r->inverse[j * r->rows + k];
    }
    const double residual = cell->median - tan_cell_predict(cell, s->free);
    const double weight = stage->weight[k];
    const double freedom = (double)stage->freedom - 1.0;
    if (leverage > 1.0 - 1e-6 || freedom < 1.0 || !(squares > 0.0)) {
        return (struct deletion){0};
    }
    const double least = 1e-9 * squares; /* keeps t finite if all others fit exactly */
    const double rest = fmax(squares - weight * residual * residual / (1.0 - leverage), least);
    const double predicted = cell->median - residual / (1.0 - leverage);
    return (struct deletion){
        .t = residual * sqrt(weight / (1.0 - leverage) * freedom / rest),
        .freedom = freedom,
        .off = predicted > 0.0 ? cell->median / predicted - 1.0 : INFINITY,
    };
}

/* Doubt the topology that lies farthest from a curve on which all others agree. */
static void doubt_outlier(const struct tan_solver *s, struct tan_doubts *doubts)
{
    const double least_off = 0.2;
    const double level = 0.001;
    enum { MIN_FREEDOM = 3 };
    const struct tan_cell *worst = NULL;
    struct deletion found = {0};
    for (size_t i = 0; i < s->n_stages; i++) {
        const struct tan_stage *stage = &s->stage[i];
        const double squares = sum_squares(s, stage);
        for (size_t k = 0; k < stage->n_cells && stage->freedom > MIN_FREEDOM; k++) {
            const struct deletion d = delete_cell(s, stage, squares, k);
            if (d.freedom <= 0.0) {
                continue;
            }
            const double chance =
                2.0 * gsl_cdf_tdist_Q(fabs(d.t), d.freedom) * (double)stage->n_cells;
            if (fabs(d.off) > least_off && chance < level && fabs(d.t) > fabs(found.t)) {
                found = d;
                worst = &s->cell[stage->cell[k]];
            }
        }
    }
    if (worst != NULL) {
        tan_doubts_add(doubts, TAN_DOUBT, "outlier", found.off, touched[worst->experiment],
                       "%s:%.0f lies %+.0f %% off the curve of all others; measure it again",
                       shapes[worst->experiment], worst->size, 100.0 * found.off);
    }
}

/* Whether sorted times form two groups, each with at least a fifth of them and narrow compared with
 * the gap between them. All as ratios, since longer times scatter more. */
static bool has_two_groups(const double *sorted, size_t n)
{
    const double least_gap = 1.2;
    const double narrow = 3.0; /* minimum gap, in widths of a group */
    enum { MIN_WAVES = 8, SHARE = 5, TAIL = 10 };
    for (size_t k = n / SHARE; n >= MIN_WAVES && k <= n - n / SHARE; k++) {
        const double gap = log(sorted[k] / sorted[k - 1]);
        const double below = log(sorted[k - 1] / sorted[k / TAIL]);
        const double above = log(sorted[n - 1 - (n - k) / TAIL] / sorted[k]);
        if (gap > log(least_gap) && gap > narrow * fmax(below, above)) {
            return true;
        }
    }
    return false;
}

/* Doubt waves that were probably measured with two message sizes, or under two conditions. */
static void doubt_groups(const struct tan_solver *s, struct tan_doubts *doubts)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        n += has_two_groups(s->cell[i].all, s->input->observations[i].n);
    }
    if (2 * n > s->n_cells) {
        tan_doubts_add(doubts, TAN_DOUBT, "two-groups", (double)n, TAN_TOUCHES_ALL,
                       "the waves of %zu of %zu topologies fall into two groups: two message "
                       "sizes or conditions mixed?",
                       n, s->n_cells);
    }
}

void tan_fit_doubt(const struct tan_solver *s, struct tan_fit *out)
{
    doubt_sizes(out, &out->doubts);
    doubt_groups(s, &out->doubts);
    doubt_latency(s, out, &out->doubts);
    doubt_r2(TAN_CHAIN, out->r2_chain, &out->doubts);
    if (s->input->known == NULL) { /* otherwise there are few fanouts, and the scatter decides */
        doubt_r2(TAN_NTO1, out->r2_nto1, &out->doubts);
    }
    doubt_outlier(s, &out->doubts);
    if (out->doubts.n == 0) { /* otherwise it repeats another doubt */
        doubt_scatter(TAN_CHAIN, out->scatter[TAN_CHAIN], &out->doubts);
        doubt_scatter(TAN_NTO1, out->scatter[TAN_NTO1], &out->doubts);
    }
}

void tan_fit_tell(const struct tan_fit *fit, struct tan_doubts *doubts)
{
    tan_doubts_join(doubts, &fit->doubts);
    for (int i = 0; i < fit->n_notes; i++) {
        if ((fit->bound_notes & 1u << i) == 0) {
            tan_doubts_add(doubts, TAN_NOTE,
                           (fit->aside_notes & 1u << i) != 0 ? TAN_SET_ASIDE : "fit", NAN,
                           TAN_TOUCHES_ALL, "%s", fit->notes[i]);
        }
    }
}
