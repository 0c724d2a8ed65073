/* cells.c - observed waves grouped into cells: equation, median, uncertainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_fit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "model/fit/fit_internal.h"

enum { RESAMPLINGS = 512 }; /* for the variance of a median */

/* The equation of an experiment: wave time as a linear function of the parameters. */
static void set_equation(enum tan_method method, enum tan_experiment experiment, double size,
                         double row[TAN_PARAMS])
{
    const double x = size;
    if (experiment == TAN_CHAIN) {
        row[TAN_L] = x;
        row[TAN_A] = 2 * x;
        row[TAN_C0] = 1;
    } else if (method == TAN_METHOD_JOINT) {
        row[TAN_L] = 1;
        row[TAN_A] = 2;
        row[TAN_B] = x - 1;
        row[TAN_C2] = x * x - 1;
        row[TAN_C0] = 1;
    } else {
        row[TAN_L] = 1;
        row[TAN_A] = 1;
        row[TAN_B] = x;
        row[TAN_C2] = x * x;
    }
}

double tan_cell_predict(const struct tan_cell *cell, const double value[TAN_COLUMNS])
{
    double time = 0;
    for (int p = 0; p < TAN_COLUMNS; p++) {
        time += cell->row[p] * value[p];
    }
    return time;
}

double tan_cell_resample(const struct tan_cell *cell, gsl_rng *rng)
{
    /* The ranks of n samples drawn with replacement are those of n uniform variates; for the median
     * only the middle ones are needed, whose distribution is known. */
    const size_t n = cell->n;
    const double size = (double)n;
    const double half = floor(size / 2);
    if (n % 2 == 1) {
        const double u = gsl_ran_beta(rng, half + 1, half + 1);
        return cell->sorted[(size_t)fmin(u * size, size - 1)];
    }
    const double u = gsl_ran_beta(rng, half, half + 1);
    const double v = 1 - (1 - u) * pow(gsl_rng_uniform_pos(rng), 1 / half);
    return (cell->sorted[(size_t)fmin(u * size, size - 1)] +
            cell->sorted[(size_t)fmin(v * size, size - 1)]) /
           2;
}

static bool is_fitted(const struct tan_observation *seen, enum tan_method method)
{
    return seen->role == TAN_FITS_ALL ||
           (seen->role == TAN_FITS_OVERLAP && method == TAN_METHOD_OVERLAP);
}

static int read_cell(struct tan_solver *s, const struct tan_observation *seen, struct tan_error *e)
{
    struct tan_cell *cell = &s->cell[s->n_cells++];
    size_t first;
    size_t end;
    *cell = (struct tan_cell){.seen = seen,
                              .experiment = seen->experiment,
                              .size = (double)seen->size,
                              .all = tan_sorted(seen->waves, seen->n, e)};
    if (s->input->method == TAN_METHOD_OVERLAP) {
        cell->experiment = tan_tree_max_fanout(seen->tree) == 1 ? TAN_CHAIN : TAN_NTO1;
    }
    if (cell->all == NULL) {
        return -1;
    }
    if (cell->all[0] <= 0) {
        return tan_fail(e, "a wave time must be greater than 0");
    }
    tan_set_outliers_aside(cell->all, seen->n, TAN_CLOCK_STEP, &first, &end);
    cell->sorted = cell->all + first;
    cell->n = end - first;
    cell->median = gsl_stats_median_from_sorted_data(cell->sorted, 1, cell->n);
    s->outliers += seen->n - cell->n;
    return 0;
}

int tan_cells_read(struct tan_solver *s, struct tan_error *e)
{
    const struct tan_fit_input *input = s->input;
    s->cell = calloc(input->n_observations + 1, sizeof *s->cell);
    if (s->cell == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < input->n_observations; i++) {
        if (is_fitted(&input->observations[i], input->method) &&
            read_cell(s, &input->observations[i], e) < 0) {
            return -1;
        }
    }
    return s->n_cells > 0 ? 0 : tan_fail(e, "there is nothing to fit: no waves");
}

int tan_cells_create(struct tan_solver *s, struct tan_error *e)
{
    if (tan_cells_read(s, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        struct tan_cell *cell = &s->cell[i];
        double squares = 0;
        double sum = 0;
        if (cell->size < 1 && s->input->method != TAN_METHOD_OVERLAP) {
            return tan_fail(e, "a chain or N-to-1 tree needs a size of at least 1");
        }
        set_equation(s->input->method, cell->experiment, cell->size, cell->row);
        cell->centre = cell->median;
        for (int k = 0; k < RESAMPLINGS; k++) {
            const double off = tan_cell_resample(cell, s->rng) - cell->median;
            sum += off;
            squares += off * off;
        }
        cell->bias = sum / RESAMPLINGS;
        cell->variance = squares / RESAMPLINGS;
        /* The bootstrap overestimates the variance of a median, except for two samples, where it is
         * a mean. */
        cell->stretch = cell->n == 2 ? M_SQRT2 : 1;
        cell->variance *= cell->stretch * cell->stretch;
    }
    return 0;
}

/* With few waves, two outliers make the bootstrap of a median useless. A median's standard error is
 * therefore limited to three times the typical one of its experiment. If it really is larger, the
 * cell's distance from the curve shows that. */
static int limit_variances(struct tan_solver *s, enum tan_experiment experiment,
                           struct tan_error *e)
{
    const double most = 9; /* of variances: three standard errors, squared */
    size_t n = 0;
    double *variance = calloc(s->n_cells, sizeof *variance);
    if (variance == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < s->n_cells; i++) {
        const struct tan_cell *cell = &s->cell[i];
        if (cell->experiment == experiment && cell->variance > 0) {
            variance[n++] = (double)cell->n * cell->variance / pow(cell->median, 2 * s->power);
        }
    }
    if (n > 0) {
        gsl_sort(variance, 1, n);
        const double usual = gsl_stats_median_from_sorted_data(variance, 1, n);
        for (size_t i = 0; i < s->n_cells; i++) {
            struct tan_cell *cell = &s->cell[i];
            const double limit = most * usual * pow(cell->median, 2 * s->power) / (double)cell->n;
            if (cell->experiment == experiment && cell->variance > limit) {
                cell->stretch *= sqrt(limit / cell->variance);
                cell->variance = limit;
            }
        }
    }
    free(variance);
    return 0;
}

int tan_cells_pool(struct tan_solver *s, struct tan_error *e)
{
    enum { MIN_CELLS = 6, MIN_WAVES = 4 };
    const double narrowest = 0.3; /* spread of log T below which the exponent is only noise */
    size_t n = 0;
    double *log_time = calloc(2 * s->n_cells, sizeof *log_time);
    if (log_time == NULL) {
        return tan_fail_nomem(e);
    }
    double *log_scatter = log_time + s->n_cells;
    for (size_t i = 0; i < s->n_cells; i++) {
        const struct tan_cell *cell = &s->cell[i];
        if (cell->n >= MIN_WAVES &&
            (double)cell->n * cell->variance > TAN_CLOCK_STEP * TAN_CLOCK_STEP) {
            log_time[n] = log(cell->median);
            log_scatter[n++] = 0.5 * log((double)cell->n * cell->variance);
        }
    }
    s->power = 1;
    if (n >= MIN_CELLS && gsl_stats_sd(log_time, 1, n) > narrowest) {
        double intercept;
        double covariance[3];
        double squares;
        gsl_fit_linear(log_time, 1, log_scatter, 1, n, &intercept, &s->power, &covariance[0],
                       &covariance[1], &covariance[2], &squares);
        s->power = fmin(fmax(s->power, 0), 2);
    }
    free(log_time);
    for (int i = TAN_CHAIN; i <= TAN_NTO1; i++) {
        if (limit_variances(s, (enum tan_experiment)i, e) < 0) {
            return -1;
        }
    }
    /* A single cell's variance and bias are noisy; both scale as 1/n times a power of the time. */
    double variance = 0;
    double bias = 0;
    double squares = 0; /* of the bias */
    double cells = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        const struct tan_cell *cell = &s->cell[i];
        if (cell->n > 1) {
            const double scale = pow(cell->median, s->power);
            const double share = (double)cell->n * cell->bias * cell->stretch / scale;
            variance += (double)cell->n * cell->variance / (scale * scale);
            bias += share;
            squares += share * share;
            cells++;
        }
    }
    if (cells < 2) {
        return 0;
    }
    s->variance = variance / cells;
    bias /= cells;
    s->bias_error = sqrt(fmax(squares / cells - bias * bias, 0) / (cells - 1));
    for (size_t i = 0; i < s->n_cells; i++) {
        struct tan_cell *cell = &s->cell[i];
        /* Limited, since a few waves a thousand times longer than the rest would make it exceed the
         * median. */
        const double correction =
            fmin(bias * pow(cell->median, s->power) / (double)cell->n, 0.5 * cell->median);
        if (cell->n > 2) { /* for two samples the median is the mean */
            cell->centre = cell->median + correction;
            cell->median -= correction;
        }
    }
    return 0;
}

bool tan_cells_scatter(const struct tan_solver *s)
{
    bool scatters = false;
    for (size_t i = 0; i < s->n_cells; i++) {
        scatters = scatters || s->cell[i].variance > 0;
    }
    return scatters;
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
