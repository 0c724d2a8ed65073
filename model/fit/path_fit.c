/* path_fit.c - coefficients of times that are the longest of several sums
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/tree_fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/fit_internal.h"

enum {
    MOST = TAN_MAX_COLUMNS,
    PATH_ROUNDS = 50,  /* at most: solve, then find the longest paths again */
    STEADY_ROUNDS = 6, /* rounds without another path until tau, too, has settled */
    TAU_STEPS = 60,    /* of a bisection */
};
/* A column is a sum of others if what remains of it is smaller than this, relative to its size. */
static const double dependent = 1e-6;
static const double least_off = 0.05; /* relative error from which a cell may be set aside */
static const double exact = 1e-9;     /* relative scatter that is rounding */

struct solver {
    const struct tan_path_input *input;
    struct tan_path_fit *fit;
    size_t *path;              /* index of every cell's longest path */
    double *variance;          /* of every cell's median, relative, by the scatter within cells */
    double tau;                /* relative scatter of medians in excess of that */
    size_t used[MOST], n_used; /* columns with coefficients; the others have 0 */
    size_t *cell;              /* the n fitted ones */
    size_t n;
    double *design; /* n x n_used: terms of the fitted cells */
    double *weight; /* of each fitted cell */
    double *space;  /* (MOST + 1) x n: scratch, for columns, then for the times to be solved */
    struct tan_regression regression;
};

static const double *path_of(const struct solver *s, size_t cell)
{
    return s->input->cells[cell].path + s->path[cell] * s->input->columns;
}

static double sum_path(const double *terms, const double *value, size_t columns)
{
    double time = 0;
    for (size_t j = 0; j < columns; j++) {
        time += terms[j] * value[j];
    }
    return time;
}

static size_t longest_path(const double *paths, size_t n, const double *value, size_t columns)
{
    size_t longest = 0;
    for (size_t i = 1; i < n; i++) {
        const double time = sum_path(paths + i * columns, value, columns);
        longest = time > sum_path(paths + longest * columns, value, columns) ? i : longest;
    }
    return longest;
}

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

/* Set a cell's median, without outliers, and s->variance[i] to that of a median for times of
 * variance 1; append the relative deviations of its times to `off`. */
static int summarize_cell(struct solver *s, size_t i, double *off, size_t *n_off,
                          struct tan_error *e)
{
    const struct tan_path_cell *cell = &s->input->cells[i];
    double *sorted = tan_sorted(cell->times, cell->n, e);
    if (sorted == NULL) {
        return -1;
    }
    size_t first;
    size_t end;
    tan_set_outliers_aside(sorted, cell->n, TAN_CLOCK_STEP, &first, &end);
    const double n = (double)(end - first);
    const double median = gsl_stats_median_from_sorted_data(sorted + first, 1, end - first);
    for (size_t k = first; k < end && n > 1; k++) {
        off[(*n_off)++] = (sorted[k] - median) / median * sqrt(n / (n - 1));
    }
    s->fit->median[i] = median;
    /* A median of normal samples has about pi / 2 times the variance of their mean. */
    s->variance[i] = (n > 2 ? M_PI_2 : 1) / n;
    free(sorted);
    return median > 0 ? 0 : tan_fail(e, "a time must be greater than 0");
}

static int summarize_cells(struct solver *s, struct tan_error *e)
{
    size_t n = 0;
    size_t n_off = 0;
    for (size_t i = 0; i < s->input->n_cells; i++) {
        n += s->input->cells[i].n;
    }
    double *off = calloc(n, sizeof *off);
    if (off == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < s->input->n_cells; i++) {
        if (summarize_cell(s, i, off, &n_off, e) < 0) {
            free(off);
            return -1;
        }
    }
    const double variance = pool_deviations(off, n_off);
    for (size_t i = 0; i < s->input->n_cells; i++) {
        s->variance[i] *= variance;
    }
    free(off);
    return 0;
}

static void list_fitted(struct solver *s)
{
    s->n = 0;
    for (size_t i = 0; i < s->input->n_cells; i++) {
        if (!s->fit->aside[i]) {
            s->cell[s->n++] = i;
        }
    }
}

/* The columns of terms, divided by the cells' medians, in an orthogonal basis (Gram-Schmidt):
 * column j is the sum of along[j][u] basis[u] over the used columns u, plus a rest. If the rest is
 * not 0, j becomes a used column, with the rest as its basis vector. */
struct columns {
    double *basis[MOST]; /* n entries for each used column; in the solver's space */
    double size[MOST];   /* squared norm of that */
    double along[MOST][MOST];
    double all[MOST]; /* squared norm of each column */
};

/* Subtract from `rest`, column j, what the used columns explain. */
static void subtract_used(const struct solver *s, struct columns *c, size_t j, double *rest)
{
    for (size_t u = 0; u < s->n_used; u++) {
        double along = 0;
        for (size_t k = 0; k < s->n; k++) {
            along += c->basis[u][k] * rest[k];
        }
        along /= c->size[u];
        for (size_t k = 0; k < s->n; k++) {
            rest[k] -= along * c->basis[u][k];
        }
        c->along[j][u] = along;
    }
}

static double sum_of_squares(const double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        sum += x[k] * x[k];
    }
    return sum;
}

/* Use the columns that are not sums of earlier ones, as long as a degree of freedom remains. */
static void choose_columns(struct solver *s, struct columns *c)
{
    const size_t most = s->n > 1 ? s->n - 1 : 1;
    s->n_used = 0;
    for (size_t j = 0; j < s->input->columns; j++) {
        double *rest = s->space + s->n_used * s->n;
        for (size_t k = 0; k < s->n; k++) {
            rest[k] = path_of(s, s->cell[k])[j] / s->fit->median[s->cell[k]];
        }
        c->all[j] = sum_of_squares(rest, s->n);
        subtract_used(s, c, j, rest);
        const double left = sum_of_squares(rest, s->n);
        if (left > dependent * dependent * c->all[j] && s->n_used < most) {
            c->basis[s->n_used] = rest;
            c->size[s->n_used] = left;
            c->along[j][s->n_used] = 1;
            s->used[s->n_used++] = j;
        }
    }
}

static bool is_used(const struct solver *s, size_t column)
{
    for (size_t u = 0; u < s->n_used; u++) {
        if (s->used[u] == column) {
            return true;
        }
    }
    return false;
}

/* Dropped column j is a sum of used columns. Mark these as not identifiable, since j could take the
 * place of any of them. */
static void mark_replaceable(struct solver *s, const struct columns *c, size_t j)
{
    double share[MOST];
    memcpy(share, c->along[j], sizeof share);
    for (size_t u = s->n_used; u-- > 0;) {
        const size_t used = s->used[u];
        for (size_t v = 0; v < u; v++) {
            share[v] -= share[u] * c->along[used][v];
        }
        if (share[u] * share[u] * c->all[used] > dependent * c->all[j]) {
            s->fit->identifiable[used] = false;
        }
    }
}

static void mark_identifiable(struct solver *s, const struct columns *c)
{
    for (size_t j = 0; j < s->input->columns; j++) {
        s->fit->identifiable[j] = is_used(s, j);
    }
    for (size_t j = 0; j < s->input->columns; j++) {
        if (!is_used(s, j)) {
            mark_replaceable(s, c, j);
        }
    }
}

static double predict_cell(const struct solver *s, size_t cell)
{
    return sum_path(path_of(s, cell), s->fit->value, s->input->columns);
}

/* The time to which errors of a cell are relative: the prediction, since weights by the median
 * would favour times that are short by chance; but no less than a tenth of the median, so that a
 * bad solution on the way does not give a cell all the weight. */
static double reference_time(const struct solver *s, size_t cell)
{
    return fmax(predict_cell(s, cell), s->fit->median[cell] / 10);
}

/* Prepare the regression, with weights by predictions if the cells have been `solved`. */
static int factor_cells(struct solver *s, bool solved, struct tan_error *e)
{
    for (size_t k = 0; k < s->n; k++) {
        const size_t cell = s->cell[k];
        const double time = solved ? reference_time(s, cell) : s->fit->median[cell];
        s->weight[k] = 1 / (time * time * (s->variance[cell] + s->tau * s->tau + exact * exact));
        for (size_t u = 0; u < s->n_used; u++) {
            s->design[k * s->n_used + u] = path_of(s, cell)[s->used[u]];
        }
    }
    tan_regression_clear(&s->regression);
    return tan_regression_create(&s->regression, s->design, s->weight, s->n, s->n_used, e);
}

/* The solution for the times in s->space, one per fitted cell; `bounded`: with all values >= 0. */
static void solve_times(const struct solver *s, bool bounded, double value[MOST])
{
    double x[MOST];
    tan_regression_solve(&s->regression, s->space, x);
    if (bounded) {
        tan_regression_bound(&s->regression, x);
    }
    for (size_t j = 0; j < MOST; j++) {
        value[j] = 0;
    }
    for (size_t u = 0; u < s->n_used; u++) {
        value[s->used[u]] = x[u];
    }
}

/* Sum of squared residuals, each in units of its variance for this tau. */
static double sum_squares(const struct solver *s, double tau)
{
    double squares = 0;
    for (size_t k = 0; k < s->n; k++) {
        const size_t cell = s->cell[k];
        const double time = reference_time(s, cell);
        const double off = (s->fit->median[cell] - time) / time;
        squares += off * off / (s->variance[cell] + tau * tau + exact * exact);
    }
    return squares;
}

/* The tau for which the residuals are as large as expected. */
static double find_tau(const struct solver *s)
{
    const double expected = (double)s->n - (double)s->n_used;
    double low = 0;
    double high = 10;
    if (expected < 1 || sum_squares(s, low) <= expected) {
        return 0;
    }
    for (int i = 0; i < TAU_STEPS; i++) {
        const double middle = (low + high) / 2;
        if (sum_squares(s, middle) > expected) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* Find the longest paths of all cells; return whether they are the same as before. */
static bool update_paths(struct solver *s)
{
    bool stay = true;
    for (size_t i = 0; i < s->input->n_cells; i++) {
        const struct tan_path_cell *cell = &s->input->cells[i];
        const size_t path =
            longest_path(cell->path, cell->n_paths, s->fit->value, s->input->columns);
        stay = stay && path == s->path[i];
        s->path[i] = path;
    }
    return stay;
}

/* Solve, starting from the paths that are longest for the coefficients `start`. */
static int solve_from(struct solver *s, const double start[MOST], struct tan_error *e)
{
    memcpy(s->fit->value, start, sizeof s->fit->value);
    update_paths(s);
    s->tau = 0;
    int steady = 0;
    for (int round = 0; round < PATH_ROUNDS && steady < STEADY_ROUNDS; round++) {
        struct columns columns = {.size = {0}};
        choose_columns(s, &columns);
        if (factor_cells(s, round > 0, e) < 0) {
            return -1;
        }
        for (size_t k = 0; k < s->n; k++) {
            s->space[k] = s->fit->median[s->cell[k]];
        }
        solve_times(s, true, s->fit->value);
        mark_identifiable(s, &columns);
        s->tau = find_tau(s);
        steady = update_paths(s) ? steady + 1 : 0;
    }
    return 0;
}

/* The solution depends on the paths it starts from, so take the best of three: from the paths that
 * are longest by the first term, such as their depth, by the second, such as the children along
 * them, and by both. */
static int solve_cells(struct solver *s, struct tan_error *e)
{
    static const double starts[][MOST] = {{1}, {0, 1}, {1, 1}};
    const size_t n_starts = sizeof starts / sizeof starts[0];
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n_starts; i++) {
        if (solve_from(s, starts[i], e) < 0) {
            return -1;
        }
        double squares = 0;
        for (size_t k = 0; k < s->n; k++) {
            const double off = predict_cell(s, s->cell[k]) / s->fit->median[s->cell[k]] - 1;
            squares += off * off;
        }
        if (squares < least * (1 - 1e-6)) {
            least = squares;
            best = i;
        }
    }
    /* `s` holds the last solution */
    return best == n_starts - 1 ? 0 : solve_from(s, starts[best], e);
}

/* Index in s->cell of the cell that contradicts all others most, by deletion as in doubts.c; s->n
 * if none does. */
static size_t find_outlier(const struct solver *s)
{
    const double level = 0.01;
    const double freedom = (double)s->n - (double)s->n_used - 1;
    const double squares = sum_squares(s, s->tau);
    size_t worst = s->n;
    double most = 0;
    for (size_t k = 0; k < s->n && freedom >= 2; k++) {
        const size_t cell = s->cell[k];
        const double residual = s->fit->median[cell] - predict_cell(s, cell);
        double leverage = 0;
        for (size_t u = 0; u < s->n_used; u++) {
            leverage += s->design[k * s->n_used + u] * s->regression.inverse[u * s->n + k];
        }
        const double share = s->weight[k] * residual * residual / fmax(1 - leverage, 1e-9);
        const double t = sqrt(share * freedom / fmax(squares - share, 1e-9 * squares));
        const double predicted = s->fit->median[cell] - residual / fmax(1 - leverage, 1e-9);
        const bool far = fabs(s->fit->median[cell] - predicted) > least_off * fabs(predicted);
        const double chance = 2 * gsl_cdf_tdist_Q(t, freedom) * (double)s->n;
        if (far && leverage < 1 - 1e-6 && chance < level && t > most) {
            most = t;
            worst = k;
        }
    }
    return worst;
}

static int solve_without_outliers(struct solver *s, struct tan_error *e)
{
    const size_t most = s->input->n_cells / 10 > 1 ? s->input->n_cells / 10 : 1;
    for (size_t aside = 0;; aside++) {
        list_fitted(s);
        if (solve_cells(s, e) < 0) {
            return -1;
        }
        const size_t worst = aside < most ? find_outlier(s) : s->n;
        if (worst == s->n) {
            return 0;
        }
        s->fit->aside[s->cell[worst]] = true;
    }
}

/* A coefficient that adds less than `exact` of any time is rounding: make it 0. */
static void clear_rounding(const struct solver *s)
{
    for (size_t j = 0; j < s->fit->columns; j++) {
        double most = 0;
        for (size_t k = 0; k < s->n; k++) {
            const double part = path_of(s, s->cell[k])[j] * s->fit->value[j];
            most = fmax(most, part / s->fit->median[s->cell[k]]);
        }
        s->fit->value[j] = most < exact ? 0 : s->fit->value[j];
    }
}

static void describe_solution(const struct solver *s)
{
    struct tan_path_fit *fit = s->fit;
    double variance = 0;
    fit->freedom = s->n - s->n_used;
    for (size_t k = 0; k < s->n; k++) {
        variance += s->variance[s->cell[k]] / (double)s->n;
    }
    fit->scatter = sqrt(variance + s->tau * s->tau);
    for (size_t i = 0; i < fit->n_cells; i++) {
        fit->predicted[i] = predict_cell(s, i);
    }
}

/* Draw times as they could have been measured, into s->space. The scatter about the predictions is
 * itself only an estimate, so it varies from draw to draw. */
static void draw_times(struct solver *s, gsl_rng *rng)
{
    const double freedom = (double)(s->n - s->n_used);
    const double spread = sqrt(freedom / gsl_ran_chisq(rng, freedom));
    for (size_t k = 0; k < s->n; k++) {
        const size_t cell = s->cell[k];
        const double error = sqrt(s->variance[cell] + s->tau * s->tau + exact * exact);
        s->space[k] = s->fit->predicted[cell] * (1 + spread * error * gsl_ran_ugaussian(rng));
    }
}

static int draw_solutions(struct solver *s, struct tan_error *e)
{
    struct tan_path_fit *fit = s->fit;
    static const double none[MOST] = {0}; /* the intervals are as wide as the resamplings */
    const size_t columns = fit->columns;
    const size_t n = fit->freedom > 0 && s->input->bootstrap > 0 ? (size_t)s->input->bootstrap : 0;
    const size_t kept = n < TAN_FIT_DRAWS ? n : TAN_FIT_DRAWS;
    if (n == 0) {
        return 0;
    }
    int result = -1;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *values = calloc(n * columns, sizeof *values);
    fit->draws = calloc(kept * columns, sizeof *fit->draws);
    if (rng == NULL || values == NULL || fit->draws == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    gsl_rng_set(rng, (unsigned long)s->input->seed);
    for (size_t i = 0; i < n; i++) {
        double value[MOST];
        draw_times(s, rng);
        solve_times(s, false, value);
        for (size_t j = 0; j < columns; j++) {
            values[j * n + i] = value[j];
        }
        if (i < kept) {
            solve_times(s, true, value);
            memcpy(fit->draws + i * columns, value, columns * sizeof *value);
        }
    }
    fit->n_draws = (int)kept;
    result = tan_simultaneous_intervals(values, columns, n, fit->identifiable, fit->value, none,
                                        fit->ci95, e);

done:
    gsl_rng_free(rng);
    free(values);
    return result;
}

static int prepare_solver(struct solver *s, struct tan_error *e)
{
    const size_t n = s->input->n_cells;
    struct tan_path_fit *fit = s->fit;
    *fit = (struct tan_path_fit){.columns = s->input->columns, .n_cells = n};
    for (size_t j = 0; j < MOST; j++) {
        fit->ci95[j] = TAN_INTERVAL_UNKNOWN;
    }
    fit->median = calloc(n, sizeof *fit->median);
    fit->predicted = calloc(n, sizeof *fit->predicted);
    fit->aside = calloc(n, sizeof *fit->aside);
    s->path = calloc(n, sizeof *s->path);
    s->cell = calloc(n, sizeof *s->cell);
    s->variance = calloc(n, sizeof *s->variance);
    s->design = calloc(n * MOST, sizeof *s->design);
    s->weight = calloc(n, sizeof *s->weight);
    s->space = calloc(n * (MOST + 1), sizeof *s->space);
    return fit->median == NULL || fit->predicted == NULL || fit->aside == NULL || s->path == NULL ||
                   s->cell == NULL || s->variance == NULL || s->design == NULL ||
                   s->weight == NULL || s->space == NULL
               ? tan_fail_nomem(e)
               : 0;
}

static void free_solver(struct solver *s)
{
    free(s->path);
    free(s->cell);
    free(s->variance);
    free(s->design);
    free(s->weight);
    free(s->space);
    tan_regression_clear(&s->regression);
}

int tan_path_fit(const struct tan_path_input *input, struct tan_path_fit *out, struct tan_error *e)
{
    struct solver s = {.input = input, .fit = out};
    int result = -1;
    if (prepare_solver(&s, e) == 0 && summarize_cells(&s, e) == 0 &&
        solve_without_outliers(&s, e) == 0) {
        clear_rounding(&s);
        describe_solution(&s);
        result = draw_solutions(&s, e);
    }
    free_solver(&s);
    if (result < 0) {
        tan_path_fit_clear(out);
    }
    return result;
}

void tan_path_fit_clear(struct tan_path_fit *fit)
{
    free(fit->draws);
    free(fit->median);
    free(fit->predicted);
    free(fit->aside);
    *fit = (struct tan_path_fit){.columns = 0};
}
