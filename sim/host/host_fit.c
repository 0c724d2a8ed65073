/* host_fit.c - parameters of processes that share cores, from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdbool.h>

#include "sim/host/host_wave.h"

/* All but the time between hosts are fitted, as logarithms: they are positive. */
enum { FITTED = TAN_HOST_BETWEEN };
enum { STEPS = 600 };
/* Starts of the search, from different places, and last from the best that was found. */
enum { STARTS = 4 };

struct fit {
    const struct tan_host_observation *observations;
    size_t n;
    double between;
    struct tan_error *e;
    bool failed;
};

static struct tan_host_params params_of(const gsl_vector *x, const struct fit *f)
{
    struct tan_host_params params = {.n = (int64_t)f->n};
    for (size_t p = 0; p < FITTED; p++) {
        params.value[p] = exp(fmin(gsl_vector_get(x, p), 20));
    }
    params.value[TAN_HOST_REACH] = fmax(params.value[TAN_HOST_REACH], 0.01);
    params.value[TAN_HOST_LEAF] = fmin(params.value[TAN_HOST_LEAF], 1);
    params.value[TAN_HOST_BETWEEN] = f->between;
    return params;
}

/* Half the squared relative error, growing only linearly beyond what noise explains. */
static double loss(double simulated, double measured)
{
    const double noise = 0.15;
    const double error = fabs(log(simulated / measured));
    return error < noise ? error * error : noise * (2 * error - noise);
}

/* Mean of a function of simulated and measured waves; NaN, and f->failed, when a simulation fails.
 */
static double mean(struct fit *f, const struct tan_host_params *params,
                   double (*of)(double simulated, double measured))
{
    double sum = 0;
    double weights = 0;
    for (size_t i = 0; i < f->n && !f->failed; i++) {
        const struct tan_host_observation *o = &f->observations[i];
        const double weight = sqrt(tan_tree_size(o->tree));
        double wave = 0;
        f->failed = tan_host_wave(o->tree, o->placement, params, &wave, f->e) != 0;
        sum += weight * of(wave, o->wave);
        weights += weight;
    }
    return f->failed ? GSL_NAN : sum / weights;
}

static double relative_error(double simulated, double measured)
{
    return fabs(simulated / measured - 1);
}

static double distance(const gsl_vector *x, void *context)
{
    struct fit *f = context;
    const struct tan_host_params params = params_of(x, f);
    return mean(f, &params, loss);
}

/* Start of the search: proportions found with Linux and parked processes, scaled to this machine by
 * the time of one hop in the tallest tree. */
static void first_guess(const struct fit *f, gsl_vector *x)
{
    static const double guess[FITTED] = {0.2, 0.7, 3, 0.02, 0.1, 0.3, 1.5};
    int32_t tallest = 0;
    double hop = 1e-6;
    for (size_t i = 0; i < f->n; i++) {
        const int32_t height = tan_tree_height(f->observations[i].tree);
        if (height > tallest) {
            tallest = height;
            hop = f->observations[i].wave / height;
        }
    }
    for (int p = 0; p < FITTED; p++) {
        const bool plain = p == TAN_HOST_REACH || p == TAN_HOST_LEAF;
        gsl_vector_set(x, (size_t)p, log(plain ? guess[p] : guess[p] * hop));
    }
}

int tan_host_fit(const struct tan_host_observation *observations, size_t n, double between,
                 struct tan_host_params *params, struct tan_error *e)
{
    struct fit f = {observations, n, between, e, false};
    gsl_multimin_function function = {distance, FITTED, &f};
    gsl_vector *x = gsl_vector_alloc(FITTED);
    gsl_vector *step = gsl_vector_alloc(FITTED);
    gsl_vector *best = gsl_vector_alloc(FITTED);
    gsl_multimin_fminimizer *m =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, FITTED);
    double least = INFINITY;
    int result = -1;

    if (x == NULL || step == NULL || best == NULL || m == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    if (n < TAN_HOST_MIN_TREES) {
        tan_fail(e, "the model tan-host needs at least %d trees to be fitted to, not %zu",
                 TAN_HOST_MIN_TREES, n);
        goto done;
    }
    gsl_vector_set_all(step, 0.5);
    for (int start = 0; start < STARTS; start++) {
        first_guess(&f, x);
        for (size_t p = 0; start > 0 && p < FITTED; p++) {
            gsl_vector_set(x, p, gsl_vector_get(x, p) + 0.7 * sin(7.0 * start + 3.0 * (double)p));
        }
        if (start == STARTS - 1) {
            gsl_vector_memcpy(x, best);
        }
        gsl_multimin_fminimizer_set(m, &function, x, step);
        for (int i = 0; i < STEPS && !f.failed && gsl_multimin_fminimizer_size(m) > 3e-3; i++) {
            if (gsl_multimin_fminimizer_iterate(m)) {
                break;
            }
        }
        if (f.failed) {
            goto done;
        }
        if (m->fval < least) {
            least = m->fval;
            gsl_vector_memcpy(best, m->x);
        }
    }
    *params = params_of(best, &f);
    params->error = mean(&f, params, relative_error);
    result = f.failed ? -1 : 0;
done:
    if (m != NULL) {
        gsl_multimin_fminimizer_free(m);
    }
    gsl_vector_free(x);
    gsl_vector_free(step);
    gsl_vector_free(best);
    return result;
}
