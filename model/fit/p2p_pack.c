/* p2p_pack.c - additional cost of messages with non-contiguous data
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/p2p_pack.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "model/stats/regression.h"

enum { DRAWS = 200 };

/* The undisturbed time of a resampling; without an rng, of the samples themselves. */
static double undisturbed_time(const double *sample, size_t n, gsl_rng *rng, double *scratch)
{
    for (size_t i = 0; i < n; i++) {
        scratch[i] = sample[rng == NULL ? i : gsl_rng_uniform_int(rng, n)];
    }
    gsl_sort(scratch, 1, n);
    return tan_p2p_undisturbed(scratch, n, NULL);
}

static struct tan_p2p_estimate estimate_of(double value, double drawn[DRAWS])
{
    const struct tan_interval ci95 = tan_p2p_interval(drawn, DRAWS, value);
    return ci95.low > 0.0 ? (struct tan_p2p_estimate){value, ci95}
                          : (struct tan_p2p_estimate){NAN, TAN_INTERVAL_UNKNOWN};
}

int tan_p2p_pack_fit(const struct tan_p2p_pack_samples *samples, size_t sizes, uint64_t seed,
                     struct tan_p2p_pack *out, struct tan_error *e)
{
    struct tan_regression line = {.rows = 0};
    double drawn[2][DRAWS];
    double found[2] = {0.0, 0.0};
    size_t most = 0;
    int result = -1;
    for (size_t i = 0; i < sizes; i++) {
        most = samples[i].n > most ? samples[i].n : most;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double *scratch = calloc(most, sizeof *scratch);
    double *design = calloc(4 * sizes, sizeof *design);
    if (rng == NULL || scratch == NULL || design == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    double *weight = design + 2 * sizes;
    double *added = weight + sizes;
    gsl_rng_set(rng, (unsigned long)seed);
    for (size_t i = 0; i < sizes; i++) {
        const double time = undisturbed_time(samples[i].spread, samples[i].n, NULL, scratch);
        design[2 * i] = 1.0;
        design[2 * i + 1] = (double)samples[i].bytes;
        weight[i] = 1.0 / (time * time);
    }
    if (tan_regression_create(&line, design, weight, sizes, 2, e) < 0) {
        goto done;
    }
    for (int d = -1; d < DRAWS; d++) { /* -1: the samples themselves */
        double coefficient[2];
        for (size_t i = 0; i < sizes; i++) {
            const struct tan_p2p_pack_samples *s = &samples[i];
            added[i] = undisturbed_time(s->spread, s->n, d < 0 ? NULL : rng, scratch) -
                       undisturbed_time(s->contiguous, s->n, d < 0 ? NULL : rng, scratch);
        }
        tan_regression_solve(&line, added, coefficient);
        tan_regression_bound(&line, coefficient);
        for (int c = 0; c < 2; c++) {
            *(d < 0 ? &found[c] : &drawn[c][d]) = coefficient[c];
        }
    }
    out->message = estimate_of(found[0], drawn[0]);
    out->byte = estimate_of(found[1], drawn[1]);
    result = 0;

done:
    tan_regression_clear(&line);
    free(design);
    free(scratch);
    gsl_rng_free(rng);
    return result;
}
