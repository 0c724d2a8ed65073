/* tree_fit.c - TAN's parameters, by method joint, from measured waves of any trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/fit_internal.h"

/* Fit by least squares of the relative errors of medians, all coefficients >= 0. For given paths
 * the times are linear in the coefficients; the longest paths are found again with each solution
 * until they no longer change. Times within a cell scatter by sigma, estimated from all cells
 * without far outliers, and medians by tau in addition (Paule and Mandel 1982), so that cells with
 * many times count only somewhat more. A cell is set aside if it lies so far off what all others
 * predict that this would happen by chance in one fit of a hundred. At most a tenth of the cells
 * are set aside, or one if there are fewer than 20.
 *
 * A coefficient is dropped (value 0) if the earlier ones explain all its terms, or if no degree of
 * freedom would remain. It and those that could take its place are not identifiable.
 *
 * Resamplings are drawn from the fit with its scatter, whose own uncertainty is included; paths
 * stay those of the solution. O(paths + bootstrap * cells). */
enum {
    TERMS = TAN_TREE_TERMS,
    PATH_ROUNDS = 50,  /* at most: solve, then find the longest paths again */
    STEADY_ROUNDS = 6, /* rounds without another path until tau, too, has settled */
    TAU_STEPS = 60,    /* of a bisection */
};
/* A column is a sum of others if what remains of it is smaller than this, relative to its size. */
static const double dependent = 1e-6;
static const double least_off = 0.05; /* relative error from which a cell may be set aside */
static const double exact = 1e-9;     /* relative scatter that is rounding */

/* The parameter that is a term's coefficient, L + 2a as TAN_A; TAN_PARAMS: none. And phrases for
 * doubts: "these trees do not determine ...". */
static const struct {
    enum tan_param param;
    const char *meaning;
} terms[TERMS] = {
    [TAN_TREE_HOP] = {TAN_A, "the cost of a level (L + 2a)"},
    [TAN_TREE_CHILD] = {TAN_B, "that of a further child (b)"},
    [TAN_TREE_BYTE] = {TAN_PARAMS, "the bandwidth"},
    [TAN_TREE_WAVE] = {TAN_C0, "what a wave costs once (C)"},
    [TAN_TREE_GROWTH] = {TAN_C2, "how the cost of a child grows with their number (c)"},
    [TAN_TREE_DATA] = {TAN_PARAMS, "what data cost once"},
    [TAN_TREE_LOCAL] = {TAN_PARAMS, "what a process does with a byte"},
    [TAN_TREE_GATHER] = {TAN_PARAMS, "what a byte costs on its way up"},
};

/* The fit of a solver with one stage, of the cells that are not set aside. Rows of cells are their
 * longest paths. */
struct trees {
    struct tan_solver s;
    struct tan_stage *stage;
    struct tan_fit *fit;
    double *y; /* a time for each cell, and as much space */
};

/* Cells */

/* The variance of the deviations of all times from the medians of their cells, without outliers,
 * which would widen all intervals, and are not recognisable in a cell with few times. Sorts
 * `off`. */
static double pool_deviations(double *off, size_t n)
{
    size_t first;
    size_t end;
    if (n == 0) {
        return 0;
    }
    gsl_sort(off, 1, n);
    tan_set_outliers_aside(off, n, 0, &first, &end);
    return gsl_stats_tss_m(off + first, 1, end - first, 0) / (double)(end - first);
}

/* Set the cells' variances, relative, by the scatter within all of them. */
static int find_variances(struct tan_solver *s, struct tan_error *e)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        n += s->cell[i].n;
    }
    double *off = calloc(n, sizeof *off);
    if (off == NULL) {
        return tan_fail_nomem(e);
    }
    n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        const struct tan_cell *cell = &s->cell[i];
        const double times = (double)cell->n;
        for (size_t k = 0; k < cell->n && cell->n > 1; k++) {
            off[n++] = (cell->sorted[k] - cell->median) / cell->median * sqrt(times / (times - 1));
        }
    }
    const double variance = pool_deviations(off, n);
    for (size_t i = 0; i < s->n_cells; i++) {
        struct tan_cell *cell = &s->cell[i];
        /* A median of normal samples has about pi / 2 times the variance of their mean. */
        cell->variance = variance * ((cell->n > 2 ? M_PI_2 : 1) / (double)cell->n);
    }
    free(off);
    return 0;
}

static void list_fitted(struct trees *t)
{
    t->stage->n_cells = 0;
    for (size_t i = 0; i < t->s.n_cells; i++) {
        if (!t->fit->fitted[i].aside) {
            t->stage->cell[t->stage->n_cells++] = i;
        }
    }
}

/* The time to which errors of a cell are relative: the prediction, since weights by the median
 * would favour times that are short by chance; but no less than a tenth of the median, so that a
 * bad solution on the way does not give a cell all the weight. */
static double reference_time(const struct tan_solver *s, const struct tan_cell *cell)
{
    return fmax(tan_cell_predict(cell, s->value), cell->median / 10);
}

/* Prepare the regression, with weights by predictions if the cells have been `solved`. */
static int factor_cells(struct trees *t, bool solved, struct tan_error *e)
{
    struct tan_stage *stage = t->stage;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const struct tan_cell *cell = &t->s.cell[stage->cell[k]];
        const double time = solved ? reference_time(&t->s, cell) : cell->median;
        const double variance = cell->variance + stage->tau * stage->tau + exact * exact;
        stage->weight[k] = 1 / (time * time * variance);
    }
    return tan_stage_factor(&t->s, stage, e);
}

/* Coefficients */

/* The square of a term of the fitted cells, relative to their medians. */
static double square_of(const struct trees *t, size_t term)
{
    double square = 0;
    for (size_t k = 0; k < t->stage->n_cells; k++) {
        const struct tan_cell *cell = &t->s.cell[t->stage->cell[k]];
        square += pow(cell->row[term] / cell->median, 2);
    }
    return square;
}

/* Express a term by those with free coefficients, by least squares. Returns the square of the rest,
 * relative to that of the term; -1 if memory is short. */
static double express_term(struct trees *t, size_t term, double share[TAN_MAX_COLUMNS],
                           struct tan_error *e)
{
    struct tan_stage *stage = t->stage;
    double rest = 0;
    for (size_t k = 0; k < stage->n_cells; k++) {
        const struct tan_cell *cell = &t->s.cell[stage->cell[k]];
        stage->weight[k] = 1 / (cell->median * cell->median);
        t->y[k] = cell->row[term];
    }
    if (stage->n_free > 0) {
        if (tan_stage_factor(&t->s, stage, e) < 0) {
            return -1;
        }
        tan_regression_solve(&stage->regression, t->y, share);
    }
    for (size_t k = 0; k < stage->n_cells; k++) {
        double left = t->y[k];
        for (size_t u = 0; u < stage->n_free; u++) {
            left -= share[u] * t->s.cell[stage->cell[k]].row[stage->free[u]];
        }
        rest += left * left * stage->weight[k];
    }
    const double all = square_of(t, term);
    return all > 0 ? rest / all : 0;
}

/* Free the coefficients of terms that are no sums of earlier ones, as long as a degree of freedom
 * remains. A term that is one could take the place of each of these, which are not identifiable
 * then. */
static int choose_terms(struct trees *t, struct tan_error *e)
{
    struct tan_stage *stage = t->stage;
    bool *identifiable = t->fit->terms.identifiable;
    const size_t most = stage->n_cells > 1 ? stage->n_cells - 1 : 1;
    stage->n_free = 0;
    for (size_t j = 0; j < TERMS; j++) {
        double share[TAN_MAX_COLUMNS];
        const double rest = express_term(t, j, share, e);
        if (rest < 0) {
            return -1;
        }
        identifiable[j] = rest > dependent * dependent && stage->n_free < most;
        for (size_t u = 0; u < stage->n_free && !identifiable[j]; u++) {
            const double part = share[u] * share[u] * square_of(t, stage->free[u]);
            identifiable[stage->free[u]] &= part <= dependent * square_of(t, j);
        }
        if (identifiable[j]) {
            stage->free[stage->n_free++] = j;
        }
    }
    stage->freedom = stage->n_cells - stage->n_free;
    return 0;
}

/* Sum of squared residuals, each in units of its variance for this tau. */
static double sum_squares(const struct trees *t, double tau)
{
    double squares = 0;
    for (size_t k = 0; k < t->stage->n_cells; k++) {
        const struct tan_cell *cell = &t->s.cell[t->stage->cell[k]];
        const double time = reference_time(&t->s, cell);
        const double off = (cell->median - time) / time;
        squares += off * off / (cell->variance + tau * tau + exact * exact);
    }
    return squares;
}

/* The tau for which the residuals are as large as expected. */
static double find_tau(const struct trees *t)
{
    const double expected = (double)t->stage->freedom;
    double low = 0;
    double high = 10;
    if (expected < 1 || sum_squares(t, low) <= expected) {
        return 0;
    }
    for (int i = 0; i < TAU_STEPS; i++) {
        const double middle = (low + high) / 2;
        *(sum_squares(t, middle) > expected ? &low : &high) = middle;
    }
    return high;
}

/* Find the longest paths of all cells; return whether they are the same as before. */
static bool update_paths(struct tan_solver *s)
{
    bool stay = true;
    for (size_t i = 0; i < s->n_cells; i++) {
        const double *path = tan_tree_paths_longest(&s->cell[i].seen->paths, s->value);
        stay = stay && memcmp(s->cell[i].row, path, sizeof s->cell[i].row) == 0;
        memcpy(s->cell[i].row, path, sizeof s->cell[i].row);
    }
    return stay;
}

/* The coefficients for the times in t->y; `bounded`: all >= 0. */
static void solve_times(const struct trees *t, bool bounded, double value[TERMS])
{
    memset(value, 0, TERMS * sizeof *value);
    tan_solver_solve(&t->s, t->y, bounded, t->y + t->s.n_cells, value);
}

/* Solve, starting from the paths that are longest for the coefficients `start`. */
static int solve_from(struct trees *t, const double start[TERMS], struct tan_error *e)
{
    int steady = 0;
    memcpy(t->s.value, start, sizeof t->s.value);
    update_paths(&t->s);
    t->stage->tau = 0;
    for (int round = 0; round < PATH_ROUNDS && steady < STEADY_ROUNDS; round++) {
        if ((steady == 0 && choose_terms(t, e) < 0) || factor_cells(t, round > 0, e) < 0) {
            return -1;
        }
        for (size_t i = 0; i < t->s.n_cells; i++) {
            t->y[i] = t->s.cell[i].median;
        }
        solve_times(t, true, t->s.value);
        t->stage->tau = find_tau(t);
        steady = update_paths(&t->s) ? steady + 1 : 0;
    }
    return 0;
}

/* The solution depends on the paths it starts from, so take the best of three: from the paths that
 * are longest by the first term, their depth, by the second, the children along them, and by
 * both. */
static int solve_cells(struct trees *t, struct tan_error *e)
{
    static const double starts[][TERMS] = {{1}, {0, 1}, {1, 1}};
    const size_t n_starts = sizeof starts / sizeof starts[0];
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n_starts; i++) {
        if (solve_from(t, starts[i], e) < 0) {
            return -1;
        }
        double squares = 0;
        for (size_t k = 0; k < t->stage->n_cells; k++) {
            const struct tan_cell *cell = &t->s.cell[t->stage->cell[k]];
            const double off = tan_cell_predict(cell, t->s.value) / cell->median - 1;
            squares += off * off;
        }
        if (squares < least * (1 - 1e-6)) {
            least = squares;
            best = i;
        }
    }
    /* `t` holds the last solution */
    return best == n_starts - 1 ? 0 : solve_from(t, starts[best], e);
}

static int solve_without_outliers(struct trees *t, struct tan_error *e)
{
    enum { MIN_FREEDOM = 3 };
    const double level = 0.01;
    const size_t most = t->s.n_cells / 10 > 1 ? t->s.n_cells / 10 : 1;
    for (size_t aside = 0;; aside++) {
        struct tan_deletion worst = {.cell = NULL};
        list_fitted(t);
        if (solve_cells(t, e) < 0) {
            return -1;
        }
        if (aside < most && t->stage->freedom >= MIN_FREEDOM) {
            worst = tan_stage_outlier(&t->s, t->stage, t->s.value, least_off, level);
        }
        if (worst.cell == NULL) {
            return 0;
        }
        t->fit->fitted[worst.cell - t->s.cell].aside = true;
    }
}

/* Results */

/* A coefficient that adds less than `exact` of any time is rounding: make it 0. */
static void clear_rounding(struct trees *t)
{
    for (size_t j = 0; j < TERMS; j++) {
        double most = 0;
        for (size_t k = 0; k < t->stage->n_cells; k++) {
            const struct tan_cell *cell = &t->s.cell[t->stage->cell[k]];
            most = fmax(most, cell->row[j] * t->s.value[j] / cell->median);
        }
        t->s.value[j] = most < exact ? 0 : t->s.value[j];
    }
}

static void describe_solution(struct trees *t)
{
    double variance = 0;
    clear_rounding(t);
    memcpy(t->fit->terms.value, t->s.value, sizeof t->s.value);
    for (size_t k = 0; k < t->stage->n_cells; k++) {
        variance += t->s.cell[t->stage->cell[k]].variance / (double)t->stage->n_cells;
    }
    t->fit->scatter[0] = sqrt(variance + t->stage->tau * t->stage->tau);
    for (size_t i = 0; i < t->s.n_cells; i++) {
        t->fit->fitted[i].median = t->s.cell[i].median;
        t->fit->fitted[i].predicted = tan_cell_predict(&t->s.cell[i], t->s.value);
    }
}

/* Split the hop, L + 2a, into L as given, but at most the whole hop, and a. */
static void split_hop(const struct tan_fit_input *input, double hop, double value[TAN_PARAMS])
{
    value[TAN_L] = isnan(input->L) ? 0 : fmin(input->L, hop);
    value[TAN_A] = (hop - value[TAN_L]) / 2;
}

static void set_values(const struct tan_fit_input *input, const double *term,
                       double value[TAN_PARAMS])
{
    for (int j = 0; j < TERMS; j++) {
        if (terms[j].param < TAN_PARAMS) {
            value[terms[j].param] = term[j];
        }
    }
    split_hop(input, term[TAN_TREE_HOP], value);
}

/* Fit times as they could have been measured. The scatter about the predictions is itself only an
 * estimate, so it varies from draw to draw. */
static void draw_times(void *fit, double *solution, double params[TAN_PARAMS])
{
    struct trees *t = fit;
    const struct tan_stage *stage = t->stage;
    const double freedom = (double)stage->freedom;
    const double spread = sqrt(freedom / gsl_ran_chisq(t->s.rng, freedom));
    for (size_t k = 0; k < stage->n_cells; k++) {
        const size_t i = stage->cell[k];
        const double variance = t->s.cell[i].variance + stage->tau * stage->tau + exact * exact;
        const double off = spread * sqrt(variance) * gsl_ran_ugaussian(t->s.rng);
        t->y[i] = t->fit->fitted[i].predicted * (1 + off);
    }
    solve_times(t, false, solution);
    if (params != NULL) {
        double bounded[TERMS];
        solve_times(t, true, bounded);
        set_values(t->s.input, bounded, params);
    }
}

/* The part of the hop's interval that L or a has. */
static struct tan_interval part_of_hop(const struct tan_fit_input *input, struct tan_interval hop,
                                       enum tan_param param)
{
    double low[TAN_PARAMS];
    double high[TAN_PARAMS];
    if (!tan_interval_known(hop)) {
        return hop;
    }
    split_hop(input, hop.low, low);
    split_hop(input, hop.high, high);
    return (struct tan_interval){low[param], high[param]};
}

/* Whether the given L is longer than a hop, so that L becomes the hop. */
static bool exceeds_hop(const struct tan_fit_input *input, const struct tan_terms *found)
{
    return found->identifiable[TAN_TREE_HOP] && input->L > found->value[TAN_TREE_HOP];
}

static void set_params(const struct tan_fit_input *input, struct tan_fit *fit)
{
    struct tan_params *p = &fit->params;
    const struct tan_terms *found = &fit->terms;
    const struct tan_interval hop = found->ci95[TAN_TREE_HOP];
    set_values(input, found->value, p->value);
    for (int j = 0; j < TERMS; j++) {
        const enum tan_param param = terms[j].param;
        if (param < TAN_PARAMS) {
            fit->identifiable[param] = found->identifiable[j];
            fit->at_bound[param] = found->identifiable[j] && found->value[j] == 0;
            p->unidentified[param] = !found->identifiable[j] && found->value[j] == 0;
            p->ci95[param] = found->ci95[j];
        }
    }
    p->ci95[TAN_A] = part_of_hop(input, hop, TAN_A);
    if (exceeds_hop(input, found)) {
        p->ci95[TAN_L] = part_of_hop(input, hop, TAN_L);
    }
    fit->identifiable[TAN_L] = !isnan(input->L);
    fit->identifiable[TAN_A] = fit->identifiable[TAN_A] && fit->identifiable[TAN_L];
    p->unidentified[TAN_L] = isnan(input->L);
}

static void doubt_terms(const struct trees *t, struct tan_fit *fit)
{
    struct tan_text list = {""};
    unsigned touches = 0;
    for (int j = 0; j < TERMS; j++) {
        /* it belongs to a parameter, or to some wave */
        bool relevant = terms[j].param < TAN_PARAMS;
        for (size_t i = 0; i < t->s.n_cells; i++) {
            relevant = relevant || t->s.cell[i].seen->paths.row[j] > 0;
        }
        if (!fit->terms.identifiable[j] && relevant) {
            list = tan_printed("%s%s%s", list.text, touches != 0 ? ", " : "", terms[j].meaning);
            touches |= terms[j].param < TAN_PARAMS ? 1u << terms[j].param : TAN_TOUCHES_ALL;
        }
    }
    if (touches != 0) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "not-identified", NAN, touches,
                       "these trees do not determine %s", list.text);
    }
}

/* As in fit_doubts.c, noise explains less than a factor of 2, unless the hop's interval is so wide
 * that it includes L. */
static void doubt_latency(const struct tan_fit_input *input, struct tan_fit *fit)
{
    const double most = 2.0;
    const double hop = fit->terms.value[TAN_TREE_HOP];
    const bool possible = input->L <= fit->terms.ci95[TAN_TREE_HOP].high;
    if (!exceeds_hop(input, &fit->terms)) {
        return;
    }
    if (input->L > most * hop && !possible) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "latency", hop / input->L, TAN_TOUCHES_ALL,
                       "the latency, %.1f us, contradicts the trees, where a hop takes %.1f us",
                       1e6 * input->L, 1e6 * hop);
    } else {
        TAN_FIT_NOTE(fit, "fit",
                     "the latency, %.1f us, is longer than a hop of the trees: L is what a hop "
                     "takes, and a is 0",
                     1e6 * input->L);
    }
}

static void doubt_errors(const struct trees *t, struct tan_fit *fit)
{
    enum { MIN_FREEDOM = 3 };
    if (t->stage->freedom < MIN_FREEDOM) {
        size_t enough = MIN_FREEDOM;
        for (size_t j = 0; j < TERMS; j++) {
            enough += square_of(t, j) > 0;
        }
        tan_doubts_add(
            &fit->doubts, TAN_DOUBT, "few-trees", (double)t->stage->n_cells, TAN_TOUCHES_ALL,
            "too few different trees to tell how sure the fit is (%zu%s; %zu are enough)",
            t->stage->n_cells, t->stage->n_cells < t->s.n_cells ? " that agree" : "", enough);
    } else if (fit->scatter[0] > TAN_CHECKS_MOST) {
        tan_doubts_add(&fit->doubts, TAN_DOUBT, "scatter", fit->scatter[0], TAN_TOUCHES_ALL,
                       "the trees' medians lie %.1f %% off the fit", 100 * fit->scatter[0]);
    }
}

static void note_fit(const struct trees *t, struct tan_fit *fit)
{
    if (isnan(t->s.input->L)) {
        TAN_FIT_NOTE(fit, "fit",
                     "without a latency, L and a cannot be told apart: L is taken as 0 and a "
                     "holds half of it; predictions of method joint need only L + 2a");
    }
    for (size_t i = 0; i < t->s.n_cells; i++) {
        const struct tan_fitted *tree = &fit->fitted[i];
        if (tree->aside) {
            TAN_FIT_NOTE(fit, TAN_SET_ASIDE,
                         "%.60s is set aside: the fit to all others is off by %+.1f %% there",
                         t->s.cell[i].seen->name, 100 * (tree->predicted / tree->median - 1));
        }
    }
}

static int find_intervals(struct trees *t, struct tan_error *e)
{
    struct tan_terms *found = &t->fit->terms;
    struct tan_repeat repeat = {
        .fit = t, .draw = draw_times, .columns = TERMS, .value = found->value};
    memcpy(repeat.wanted, found->identifiable, sizeof found->identifiable);
    return tan_bootstrap(&repeat, t->stage->freedom > 0 ? t->s.input->bootstrap : 0,
                         &t->fit->params, found->ci95, e);
}

static int prepare(struct trees *t, struct tan_error *e)
{
    for (int j = 0; j < TERMS; j++) {
        t->fit->terms.ci95[j] = TAN_INTERVAL_UNKNOWN;
    }
    if (t->s.rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(t->s.rng, (unsigned long)t->s.input->seed);
    if (tan_cells_read(&t->s, e) < 0 || find_variances(&t->s, e) < 0 ||
        tan_stage_add(&t->s, e) < 0) {
        return -1;
    }
    t->stage = &t->s.stage[0];
    t->y = calloc(2 * t->s.n_cells, sizeof *t->y);
    t->fit->fitted = calloc(t->s.n_cells, sizeof *t->fit->fitted);
    t->fit->n_fitted = t->s.n_cells;
    return t->y == NULL || t->fit->fitted == NULL ? tan_fail_nomem(e) : 0;
}

int tan_fit_trees(const struct tan_fit_input *input, struct tan_fit *out, struct tan_error *e)
{
    struct trees t = {.s = {.input = input, .rng = gsl_rng_alloc(gsl_rng_mt19937)}, .fit = out};
    int result = prepare(&t, e) == 0 ? solve_without_outliers(&t, e) : -1;
    if (result == 0) {
        describe_solution(&t);
        result = find_intervals(&t, e);
    }
    if (result == 0) {
        set_params(input, out);
        for (size_t i = 0; i < t.s.n_cells; i++) {
            const struct tan_observation *seen = t.s.cell[i].seen;
            out->params.n += (int64_t)seen->n;
            out->params.max_height = GSL_MAX(out->params.max_height, seen->paths.height);
            out->params.max_fanout = GSL_MAX(out->params.max_fanout, seen->paths.max_fanout);
        }
        doubt_terms(&t, out);
        doubt_errors(&t, out);
        doubt_latency(input, out);
        note_fit(&t, out);
    }
    free(t.y);
    tan_solver_clear(&t.s);
    return result;
}
