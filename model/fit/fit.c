/* fit.c - TAN's parameters from medians of measured waves, by either method
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "model/fit/fit_internal.h"

enum {
    MIN_SIZES = 4,  /* sizes needed to separate two parameters, with one to spare */
    MIN_KNOWN = 2,  /* heights needed for one parameter if the other is known, with one to spare */
    ITERATIONS = 6, /* of weights and solution; each gains about two digits */
};
/* Latency samples within this fraction of the median are never outliers. */
#define NEAR 0.05
/* Ratio of the standard errors of median and mean, for normal samples. */
#define MEDIAN_ERROR sqrt(M_PI_2)

/* Bits of the experiments in a stage. */
enum { CHAINS = 1 << TAN_CHAIN, NTO1S = 1 << TAN_NTO1 };

static bool has_size(const struct tan_solver *s, enum tan_experiment experiment, double size)
{
    for (size_t i = 0; i < s->n_cells; i++) {
        if (s->cell[i].experiment == experiment && s->cell[i].size == size) {
            return true;
        }
    }
    return false;
}

/* Number of distinct sizes of an experiment. */
static size_t count_sizes(const struct tan_solver *s, enum tan_experiment experiment)
{
    size_t sizes = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        bool fresh = s->cell[i].experiment == experiment;
        for (size_t k = 0; k < i && fresh; k++) {
            fresh = s->cell[k].experiment != experiment || s->cell[k].size != s->cell[i].size;
        }
        sizes += fresh;
    }
    return sizes;
}

/* Determine which parameters the data identify, and note the reasons. */
static void find_identifiable(const struct tan_solver *s, size_t heights, size_t fanouts,
                              struct tan_fit *out)
{
    const bool joint = s->input->method == TAN_METHOD_JOINT;
    const struct tan_params *known = s->input->known;
    out->identifiable[TAN_L] = s->knows_L;
    if (known != NULL) {
        out->identifiable[TAN_A] = s->knows_L && heights >= MIN_KNOWN;
        out->identifiable[TAN_C0] = true;
        out->identifiable[TAN_B] = fanouts > 0 && heights > 0; /* a chain adds a second fanout */
        out->identifiable[TAN_C2] = true;
        return;
    }
    out->identifiable[TAN_A] = s->knows_L && heights >= MIN_SIZES;
    out->identifiable[TAN_C0] = heights >= MIN_SIZES;
    out->identifiable[TAN_B] = fanouts >= MIN_SIZES && (joint || out->identifiable[TAN_A]);
    out->identifiable[TAN_C2] = out->identifiable[TAN_B];
    if (!s->knows_L) {
        TAN_FIT_NOTE(
            out, "fit",
            "without a latency, L and a cannot be told apart: only L + 2a is known, the time of a "
            "hop%s",
            joint ? ", and predictions of method joint need no more" : "; L is taken as 0");
    }
    if (heights == 0) {
        TAN_FIT_NOTE(out, "fit", "without chains, a and C cannot be told apart: C is taken as 0%s",
                     joint ? " and a holds both" : ", and so is a");
    } else if (heights < MIN_SIZES) {
        TAN_FIT_NOTE(
            out, "fit",
            "fewer than %d different chain heights (%zu): a and C can hardly be told apart",
            MIN_SIZES, heights);
    }
    if (fanouts == 0) {
        TAN_FIT_NOTE(
            out, "fit",
            "without N-to-1 trees, b and c are not identifiable: a parent is taken to receive "
            "its children one after the other, each for a");
    } else if (fanouts < MIN_SIZES) {
        TAN_FIT_NOTE(out, "fit",
                     "fewer than %d different fanouts (%zu): b and c can hardly be told apart",
                     MIN_SIZES, fanouts);
    }
}

int64_t tan_solver_largest(const struct tan_solver *s, enum tan_experiment experiment)
{
    double largest = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        largest = s->cell[i].experiment == experiment ? fmax(largest, s->cell[i].size) : largest;
    }
    return (int64_t)largest;
}

static void free_param(struct tan_stage *stage, enum tan_param p, bool wanted)
{
    if (wanted) {
        stage->free[stage->n_free++] = p;
    }
}

/* Add a stage of the cells of some experiments. */
static struct tan_stage *add_stage(struct tan_solver *s, int experiments, struct tan_error *e)
{
    struct tan_stage *stage = &s->stage[s->n_stages];
    if (tan_stage_add(s, e) < 0) {
        return NULL;
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        if (experiments & 1 << s->cell[i].experiment) {
            stage->cell[stage->n_cells++] = i;
        }
    }
    return stage;
}

/* Method joint fits everything in one stage, method paper first the chains and then the N-to-1
 * trees. C and c are fitted only if a degree of freedom remains, from which tau is estimated. */
static int plan_stages(struct tan_solver *s, size_t heights, size_t fanouts, struct tan_error *e)
{
    const bool joint = s->input->method == TAN_METHOD_JOINT;
    /* Growth needs two fanouts, one of which may be the chain's. */
    const bool grows =
        joint ? tan_solver_largest(s, TAN_NTO1) > 1 && fanouts + heights > 1 : fanouts > 0;
    /* Two heights; an N-to-1 tree serves as one if the cost of fanout 1 is known. */
    const bool rises =
        heights > 1 || (joint && fanouts > 2 && tan_solver_largest(s, TAN_CHAIN) > 1);
    /* Three points for two parameters; the chain may be one of them. */
    const size_t points =
        fanouts - has_size(s, TAN_NTO1, 1) + (has_size(s, TAN_NTO1, 1) || heights > 0);
    const bool known = s->input->known != NULL;
    struct tan_stage *stage = NULL;
    if (joint || heights > 0) {
        stage = add_stage(s, joint ? CHAINS | NTO1S : CHAINS, e);
        if (stage == NULL) {
            return -1;
        }
        free_param(stage, TAN_A, true);
        free_param(stage, TAN_C0, !known && rises && stage->n_cells > 2 + (size_t)(joint && grows));
    }
    if (!joint && fanouts > 0 && (stage = add_stage(s, NTO1S, e)) == NULL) {
        return -1;
    }
    if (joint || fanouts > 0) {
        free_param(stage, TAN_B, grows);
        free_param(stage, TAN_C2,
                   !known && points >= (joint ? 3 : 2) && stage->n_cells > stage->n_free + 1);
    }
    for (size_t i = 0; i < s->n_stages; i++) {
        s->stage[i].freedom = s->stage[i].n_cells - s->stage[i].n_free;
    }
    return 0;
}

/* L and its standard error. Since it is a median, disturbances of fewer than half of the samples do
 * not matter. */
static int set_latency(struct tan_solver *s, struct tan_error *e)
{
    const struct tan_fit_input *input = s->input;
    s->knows_L = true;
    if (input->n_latency == 0) {
        s->knows_L = !isnan(input->L);
        s->latency = s->knows_L ? input->L : 0;
        s->value[TAN_L] = s->latency;
        return input->L < 0 || isinf(input->L) ? tan_fail(e, "the latency must be at least 0") : 0;
    }
    size_t first;
    size_t end;
    double *sorted = tan_sorted(input->latency, input->n_latency, e);
    if (sorted == NULL) {
        return -1;
    }
    const bool positive = sorted[0] > 0;
    /* NEAR: with nearly equal quartiles, more than a tenth of the samples would count as outliers,
     * and then none is excluded. */
    s->latency = gsl_stats_median_from_sorted_data(sorted, 1, input->n_latency);
    s->value[TAN_L] = s->latency;
    tan_set_outliers_aside(sorted, input->n_latency, NEAR * s->latency, &first, &end);
    const size_t n = end - first;
    if (n > 1) {
        s->L_error =
            (n > 2 ? MEDIAN_ERROR : 1) * gsl_stats_sd(sorted + first, 1, n) / sqrt((double)n);
        s->L_freedom = (double)(n - 1);
    }
    free(sorted);
    return positive ? 0 : tan_fail(e, "a latency sample must be greater than 0");
}

void tan_solver_know(const struct tan_solver *s, const double *from, double value[TAN_PARAMS])
{
    for (int p = 0; s->input->known != NULL && p < TAN_PARAMS; p++) {
        value[p] = tan_param_shared[p] ? from[p] : value[p];
    }
}

double tan_solver_resolution(const struct tan_solver *s, enum tan_param p)
{
    double longest = 0;
    double largest = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        longest = fmax(longest, s->cell[i].median);
        largest = fmax(largest, s->cell[i].row[p]);
    }
    return largest > 0 ? 1e-10 * longest / largest : 0;
}

/* Weights of a stage at the current solution, and its regression. */
static int factor_stage(struct tan_solver *s, struct tan_stage *stage, struct tan_error *e)
{
    const bool joint = s->input->method == TAN_METHOD_JOINT;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const struct tan_cell *cell = &s->cell[stage->cell[k]];
        /* The predicted time, not the median: a median that is low by chance must not gain
         * weight. */
        const double time = fmax(tan_cell_predict(cell, s->value), cell->median / 10);
        stage->error[k] = pow(time, s->power);
        const double variance = s->variance / (double)cell->n + stage->tau * stage->tau;
        const double squared = stage->error[k] * stage->error[k];
        stage->weight[k] = joint ? 1 / (squared * (variance > 0 ? variance : 1)) : 1;
    }
    return tan_stage_factor(s, stage, e);
}

/* Method of moments: the residuals e = (I - H) y have squares with known expectation
 *   E sum_i e_i^2 / error_i^2 = sum_j share_j (variance_j + tau^2 error_j^2),
 *   share_j = sum_i (I - H)_ij^2 / error_i^2. */
static void estimate_tau(const struct tan_solver *s, struct tan_stage *stage)
{
    const size_t n = stage->n_free;
    const struct tan_regression *r = &stage->regression;
    double gram[TAN_MAX_COLUMNS][TAN_MAX_COLUMNS] = {{0}};
    for (size_t k = 0; k < stage->n_cells; k++) {
        const double *row = s->cell[stage->cell[k]].row;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                gram[i][j] +=
                    row[stage->free[i]] * row[stage->free[j]] / (stage->error[k] * stage->error[k]);
            }
        }
    }
    double seen = 0;
    double within = 0;
    double unit = 0;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const struct tan_cell *cell = &s->cell[stage->cell[k]];
        const double squared = stage->error[k] * stage->error[k];
        const double off = cell->median - tan_cell_predict(cell, s->free);
        double share = 1 / squared;
        for (size_t i = 0; i < n; i++) {
            const double mine = r->inverse[i * r->rows + k];
            share -= 2 * cell->row[stage->free[i]] * mine / squared;
            for (size_t j = 0; j < n; j++) {
                share += mine * gram[i][j] * r->inverse[j * r->rows + k];
            }
        }
        seen += off * off / squared;
        within += fmax(share, 0) * cell->variance;
        unit += fmax(share, 0) * squared;
    }
    const double freedom = (double)stage->freedom;
    stage->seen = seen;
    stage->within = within;
    stage->unit = unit;
    const bool judged = stage->freedom > 0 && unit > 0;
    stage->tau = judged && seen > within ? sqrt((seen - within) / unit) : 0;
    stage->lack = judged && stage->tau > 0 &&
                  gsl_cdf_chisq_Q(fmin(seen / within, 1e6) * freedom, freedom) < 0.01;
}

static int solve_stages(struct tan_solver *s, struct tan_error *e)
{
    int result = -1;
    double *space = calloc(2 * s->n_cells, sizeof *space);
    if (space == NULL) {
        return tan_fail_nomem(e);
    }
    double *median = space + s->n_cells;
    for (size_t i = 0; i < s->n_cells; i++) {
        median[i] = s->cell[i].median;
    }
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (size_t i = 0; i < s->n_stages; i++) {
            if (factor_stage(s, &s->stage[i], e) < 0) {
                goto done;
            }
        }
        s->value[TAN_L] = s->latency;
        s->free[TAN_L] = s->latency;
        tan_solver_solve(s, median, true, space, s->value);
        tan_solver_solve(s, median, false, space, s->free);
        for (size_t i = 0; i < s->n_stages; i++) {
            estimate_tau(s, &s->stage[i]);
        }
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (tan_stage_of(s, (size_t)p) != NULL &&
            s->value[p] < tan_solver_resolution(s, (enum tan_param)p)) {
            s->value[p] = 0;
        }
    }
    result = 0;

done:
    free(space);
    return result;
}

/* 1 - (residual / total sum of squares) of the medians of one experiment, or of both (-1). The
 * paper regresses (T - h L)/2 of the chain instead of T, so R2 is lower. */
static double r_squared(const struct tan_solver *s, int experiment)
{
    const bool paper = s->input->method == TAN_METHOD_PAPER;
    double sum = 0;
    double squares = 0;
    double residual = 0;
    double rounding = 0;
    double n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        const struct tan_cell *cell = &s->cell[i];
        if (experiment >= 0 && cell->experiment != (enum tan_experiment)experiment) {
            continue;
        }
        const double off = cell->median - tan_cell_predict(cell, s->value);
        const bool without_L = paper && experiment == TAN_CHAIN;
        const double y = cell->median - (without_L ? cell->row[TAN_L] * s->value[TAN_L] : 0);
        n++;
        const double before = y - sum / fmax(n - 1, 1);
        squares += n > 1 ? before * before * (n - 1) / n : 0;
        sum += y;
        residual += off * off;
        rounding += 1e-24 * cell->median * cell->median;
    }
    return n > 1 && squares > rounding ? 1 - residual / squares : NAN;
}

static void describe_fit(const struct tan_solver *s, struct tan_fit *out)
{
    out->r2_chain = r_squared(s, TAN_CHAIN);
    out->r2_nto1 = r_squared(s, TAN_NTO1);
    out->params.r2 = r_squared(s, -1);
    for (size_t i = 0; i < s->n_stages; i++) {
        const struct tan_stage *stage = &s->stage[i];
        double squares[2] = {0, 0};
        double n[2] = {0, 0};
        for (size_t k = 0; k < stage->n_cells; k++) {
            const struct tan_cell *cell = &s->cell[stage->cell[k]];
            const double relative = stage->tau * stage->error[k] / cell->median;
            squares[cell->experiment] += relative * relative;
            n[cell->experiment]++;
        }
        for (int x = 0; x < 2; x++) {
            out->scatter[x] = n[x] > 0 ? sqrt(squares[x] / n[x]) : out->scatter[x];
        }
    }
    bool lack = false;
    for (size_t i = 0; i < s->n_stages; i++) {
        for (size_t j = 0; j < s->stage[i].n_free; j++) {
            const enum tan_param p = (enum tan_param)s->stage[i].free[j];
            out->at_bound[p] = out->identifiable[p] && s->value[p] == 0;
            if (p == TAN_A && s->value[TAN_L] < s->latency) {
                TAN_FIT_NOTE(out, "fit",
                             "the ping-pong took longer than a hop of the chains: L is what the "
                             "hop takes, and a is 0");
            } else if (out->at_bound[p]) {
                TAN_FIT_NOTE(out, TAN_AT_BOUND,
                             "%s is at its bound 0: without the bound, the best fit is 0 or less",
                             tan_param_symbol(s->input->method, (int)p));
            }
        }
        lack = lack || s->stage[i].lack;
    }
    const double worst = fmax(out->scatter[TAN_CHAIN], out->scatter[TAN_NTO1]);
    if (lack && worst > 0.0001) {
        TAN_FIT_NOTE(
            out, "fit",
            tan_cells_scatter(s)
                ? "medians lie %s off TAN's curve, more than the scatter of their waves "
                  "explains: the intervals are widened for it"
                : "each topology's waves are all equal: the intervals come only from how far "
                  "the medians lie off TAN's curve, %s",
            tan_share_text(worst).text);
    }
}

static int fit_experiments(const struct tan_fit_input *input, struct tan_fit *out,
                           struct tan_error *e)
{
    int result = -1;
    struct tan_solver s = {.input = input, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    if (s.rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(s.rng, (unsigned long)input->seed);
    if (set_latency(&s, e) < 0 || tan_cells_create(&s, e) < 0 || tan_cells_pool(&s, e) < 0) {
        goto done;
    }
    const size_t heights = count_sizes(&s, TAN_CHAIN);
    const size_t fanouts = count_sizes(&s, TAN_NTO1);
    if (input->known != NULL) {
        tan_solver_know(&s, input->known->value, s.value);
        tan_solver_know(&s, input->known->value, s.free);
    }
    find_identifiable(&s, heights, fanouts, out);
    s.shares_L = input->n_latency > 0 && out->identifiable[TAN_A];
    if (s.outliers > 0) {
        TAN_FIT_NOTE(out, "fit", "outliers set aside: %zu waves", s.outliers);
    }
    if (plan_stages(&s, heights, fanouts, e) < 0 || solve_stages(&s, e) < 0) {
        goto done;
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        out->params.value[p] = s.value[p];
        /* not determined, not even in sum with another one that is taken as 0 */
        out->params.unidentified[p] = !out->identifiable[p] &&
                                      tan_stage_of(&s, (size_t)p) == NULL &&
                                      !(p == TAN_L && s.knows_L);
    }
    tan_params_assume(&out->params);
    out->params.max_fanout = tan_solver_largest(&s, TAN_NTO1);
    out->params.max_height = tan_solver_largest(&s, TAN_CHAIN);
    for (size_t i = 0; i < s.n_cells; i++) {
        out->params.n += (int64_t)s.cell[i].n;
    }
    describe_fit(&s, out);
    if (tan_bootstrap_experiments(&s, out, e) < 0) {
        goto done;
    }
    tan_fit_doubt(&s, out);
    for (int p = 0; p < TAN_PARAMS && input->known != NULL; p++) {
        if (tan_param_shared[p]) {
            out->params.ci95[p] = input->known->ci95[p];
            out->params.unidentified[p] = input->known->unidentified[p];
        }
    }
    result = 0;

done:
    tan_solver_clear(&s);
    return result;
}

int tan_fit(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e)
{
    *out = (struct tan_fit){.r2_chain = NAN,
                            .r2_nto1 = NAN,
                            .params = {.method = input->method, .bytes = input->bytes, .r2 = NAN}};
    for (int p = 0; p < TAN_PARAMS; p++) {
        out->params.ci95[p] = TAN_INTERVAL_UNKNOWN;
    }
    const int result = input->method == TAN_METHOD_OVERLAP ? tan_fit_overlap(input, out, e)
                       : input->any                        ? tan_fit_trees(input, out, e)
                                                           : fit_experiments(input, out, e);
    if (result < 0) {
        tan_fit_clear(out);
    }
    return result;
}

void tan_fit_clear(struct tan_fit *fit)
{
    free(fit->params.draws);
    free(fit->fitted);
    tan_doubts_clear(&fit->doubts);
    tan_doubts_clear(&fit->notes);
    *fit = (struct tan_fit){.n_fitted = 0};
}
