/* params.c - parameters of the TAN model and their uncertainty
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/params.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

const char *const tan_param_keys[TAN_PARAMS] = {"L_us", "a_us", "b_us", "c_us", "g_us", "C_us"};
const bool tan_param_shared[TAN_PARAMS] = {[TAN_C2] = true, [TAN_G] = true, [TAN_C0] = true};

static const char *const methods[] = {
    [TAN_METHOD_PAPER] = "paper",
    [TAN_METHOD_JOINT] = "joint",
};

const char *tan_param_key(enum tan_method method, int p)
{
    static const char *const overlap[TAN_PARAMS] = {[TAN_A] = "o_s_us", [TAN_B] = "o_r_us"};
    return method == TAN_METHOD_OVERLAP && overlap[p] != NULL ? overlap[p] : tan_param_keys[p];
}

const char *tan_param_symbol(enum tan_method method, int p)
{
    static const char *const tan[TAN_PARAMS] = {"L", "a", "b", "c", "g", "C"};
    static const char *const overlap[TAN_PARAMS] = {"L", "o_s", "o_r", "c", "g", "C"};
    return (method == TAN_METHOD_OVERLAP ? overlap : tan)[p];
}

const char *tan_method_name(enum tan_method method)
{
    return method == TAN_METHOD_OVERLAP ? "overlap" : methods[method];
}

struct tan_text tan_method_list(void)
{
    return tan_choice_list(TAN_CHOICES(methods));
}

int tan_method_parse(const char *text, enum tan_method *method, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(methods), "--method", text, e);
    *method = row < 0 ? *method : (enum tan_method)row;
    return row < 0 ? -1 : 0;
}

bool tan_params_split(const struct tan_params *params)
{
    return params->unidentified[TAN_L] && params->n > 0 && params->method == TAN_METHOD_JOINT;
}

/* A draw keeps its value of an unidentified parameter whose range is known. */
static void assume_values(const struct tan_params *params, bool drawn, double *v)
{
    bool assumed[TAN_PARAMS];
    for (int p = 0; p < TAN_PARAMS; p++) {
        const bool ranged = drawn && tan_interval_known(params->ci95[p]);
        assumed[p] = params->unidentified[p] && p != TAN_A && !ranged;
        v[p] = assumed[p] ? 0.0 : v[p];
    }
    if (assumed[TAN_B]) {
        v[TAN_B] = params->method == TAN_METHOD_OVERLAP ? v[TAN_A] : fmax(v[TAN_G], v[TAN_A]);
    }
}

void tan_params_assume(struct tan_params *params)
{
    assume_values(params, false, params->value);
    for (int i = 0; i < params->n_draws; i++) {
        assume_values(params, true, params->draws + (ptrdiff_t)i * TAN_PARAMS);
    }
}

static const double quantile = 1.959964; /* of the normal distribution, at 97.5 % */

static double draw_param(const struct tan_params *params, int p, gsl_rng *rng)
{
    const struct tan_interval ci = params->ci95[p];
    const double value = params->value[p];
    if (!tan_interval_known(ci)) {
        return value;
    }
    if (params->unidentified[p]) {
        return gsl_ran_flat(rng, ci.low, ci.high);
    }
    const double off = gsl_ran_ugaussian(rng) / quantile;
    return fmax(value + off * (off < 0.0 ? value - ci.low : ci.high - value), 0.0);
}

int tan_params_draw(struct tan_params *params, struct tan_error *e)
{
    enum { DRAWS = 1000 };
    bool known = false;
    for (int p = 0; p < TAN_PARAMS; p++) {
        known = known || params->ci95[p].low < params->ci95[p].high;
    }
    if (params->n_draws > 0 || !known) {
        return 0;
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    params->draws = malloc(DRAWS * TAN_PARAMS * sizeof *params->draws);
    if (rng == NULL || params->draws == NULL) {
        gsl_rng_free(rng);
        return tan_fail_nomem(e);
    }
    params->n_draws = DRAWS;
    params->draws_made = true;
    for (int i = 0; i < DRAWS; i++) {
        for (int p = 0; p < TAN_PARAMS; p++) {
            params->draws[i * TAN_PARAMS + p] = draw_param(params, p, rng);
        }
    }
    gsl_rng_free(rng);
    return 0;
}

struct tan_params tan_params_drawn(const struct tan_params *params, int draw)
{
    struct tan_params drawn = *params;
    drawn.draw = draw + 1;
    if (params->n_draws > 0) {
        memcpy(drawn.value, params->draws + (size_t)(draw % params->n_draws) * TAN_PARAMS,
               sizeof drawn.value);
    }
    return drawn;
}

struct tan_tiers tan_tiers_of(const struct tan_params *params)
{
    return (struct tan_tiers){.n = 1, .params = {params}};
}

int tan_tiers_draws(const struct tan_tiers *tiers)
{
    int most = 0;
    for (int t = 0; t < tiers->n; t++) {
        most = tiers->params[t]->n_draws > most ? tiers->params[t]->n_draws : most;
    }
    return most;
}

struct tan_tiers tan_tiers_drawn(const struct tan_tiers *tiers, int draw,
                                 struct tan_params drawn[TAN_TIERS])
{
    struct tan_tiers all = *tiers;
    for (int t = 0; t < tiers->n; t++) {
        drawn[t] = tan_params_drawn(tiers->params[t], draw);
        all.params[t] = &drawn[t];
    }
    return all;
}

/* In files */

static const double us = 1e-6;

static int read_interval(const struct tan_json_at *at, const json_t *pair, const char *key,
                         double least_us, struct tan_interval *ci95, struct tan_error *e)
{
    const json_t *ends[] = {json_array_get(pair, 0), json_array_get(pair, 1)};
    const double low = json_number_value(ends[0]), high = json_number_value(ends[1]);
    if (json_array_size(pair) != 2 || !json_is_number(ends[0]) || !json_is_number(ends[1]) ||
        !(low >= least_us && low <= high && high <= TAN_MOST_US)) {
        return tan_fail_at(e, at->source, 0, 0,
                           "%s.ci95.%s must be two numbers from %g to %g, the smaller first",
                           at->path, key, least_us, TAN_MOST_US);
    }
    *ci95 = (struct tan_interval){low * us, high * us};
    return 0;
}

int tan_times_read(const struct tan_json_at *at, const char *const *keys, int n, double least_us,
                   double *value, struct tan_interval *ci95, struct tan_error *e)
{
    const json_t *intervals = NULL;
    if (ci95 != NULL && tan_json_object(at, "ci95", &intervals, e) < 0) {
        return -1;
    }
    for (int i = 0; i < n; i++) {
        const json_t *pair = json_object_get(intervals, keys[i]);
        double number = NAN;
        if (tan_json_real(at, keys[i], least_us, TAN_MOST_US, &number, e) < 0) {
            return -1;
        }
        value[i] = number * us;
        if (ci95 != NULL) {
            ci95[i] = TAN_INTERVAL_UNKNOWN;
        }
        if (pair != NULL && !json_is_null(pair) &&
            read_interval(at, pair, keys[i], least_us, &ci95[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

void tan_times_set(struct tan_json_writer *w, json_t *object, const char *const *keys, int n,
                   const double *value, const struct tan_interval *ci95, int digits)
{
    json_t *intervals = NULL;
    for (int i = 0; i < n; i++) {
        if (!isnan(value[i])) {
            tan_json_set_us_digits(w, object, keys[i], value[i], digits);
        }
    }
    for (int i = 0; i < n && ci95 != NULL; i++) {
        if (tan_interval_known(ci95[i])) {
            intervals = intervals != NULL ? intervals : tan_json_set_object(w, object, "ci95");
            tan_json_set_pair(w, intervals, keys[i], tan_json_us_digits(ci95[i].low, digits),
                              tan_json_us_digits(ci95[i].high, digits));
        }
    }
}
