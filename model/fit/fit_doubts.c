/* fit_doubts.c - reasons not to rely on a fit
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "model/fit/fit_internal.h"
#include "model/wave/overlap.h"
#include "model/wave/wave.h"
#include "topo/spec.h"

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

/* Doubt the topology that lies farthest from a curve on which all others agree. */
static void doubt_outlier(const struct tan_solver *s, struct tan_doubts *doubts)
{
    enum { MIN_FREEDOM = 4 };
    struct tan_deletion worst = {.cell = NULL};
    for (size_t i = 0; i < s->n_stages; i++) {
        const struct tan_stage *stage = &s->stage[i];
        if (stage->freedom >= MIN_FREEDOM) {
            const struct tan_deletion d = tan_stage_outlier(s, stage, s->free, 0.2, 0.001);
            worst = fabs(d.t) > fabs(worst.t) ? d : worst;
        }
    }
    if (worst.cell != NULL) {
        const enum tan_experiment experiment = worst.cell->experiment;
        tan_doubts_add(doubts, TAN_DOUBT, "outlier", worst.off, touched[experiment],
                       "%s:%.0f lies %+.0f %% off the curve of all others; measure it again",
                       shapes[experiment], worst.cell->size, 100.0 * worst.off);
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
        n += has_two_groups(s->cell[i].all, s->cell[i].seen->n);
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

/* What it would change to exchange o_s and o_r. */
static void note_exchange(const struct tan_params *params, struct tan_doubts *doubts)
{
    const struct tan_text name = tan_printed("binomial:%" PRId64, params->max_fanout);
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(name.text, &e);
    if (tree == NULL) {
        doubts->incomplete = true;
        return;
    }
    struct tan_params other = *params;
    other.value[TAN_OVERLAP_O_S] = params->value[TAN_OVERLAP_O_R];
    other.value[TAN_OVERLAP_O_R] = params->value[TAN_OVERLAP_O_S];
    const struct tan_model *model = &tan_models[TAN_MODEL_OVERLAP];
    const double change =
        tan_wave_time(model, &other, tree) / tan_wave_time(model, params, tree) - 1;
    tan_tree_destroy(tree);
    tan_doubts_add(
        doubts, TAN_NOTE, "exchangeable", fabs(change), TAN_TOUCHES_ALL,
        "o_s and o_r could be exchanged, which would change the waves of %s by %+.0f %%: "
        "waves of a binomial tree, with little noise, tell them apart",
        name.text, change * 100);
}

void tan_fit_tell(const struct tan_fit *fit, struct tan_doubts *doubts)
{
    tan_doubts_join(doubts, &fit->doubts);
    tan_doubts_join(doubts, &fit->notes);
    tan_doubts_drop(doubts, TAN_AT_BOUND);
    if (fit->exchangeable) {
        note_exchange(&fit->params, doubts);
    }
}
