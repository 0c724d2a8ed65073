/* values.c - values with their intervals, and errors, in tables and in JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/values.h"

#include <math.h>

#include "base/units.h"
#include "model/machine/params.h"

void p2p_value_cell(struct tan_table *table, double value, struct tan_interval ci, double unit)
{
    if (!isfinite(value)) {
        tan_table_cell(table, "-");
    } else if (ci.low < ci.high) {
        tan_table_cell(table, "%s",
                       tan_value_text(value / unit, (ci.high - ci.low) / 6.0 / unit).text);
    } else {
        tan_table_cell(table, "%.4g", value / unit);
    }
}

void p2p_estimate_cell(struct tan_table *table, const struct tan_p2p_estimate *estimate,
                       double unit)
{
    p2p_value_cell(table, estimate->value, estimate->ci95, unit);
}

double p2p_error(double predicted, double measured, double of)
{
    const double clock = 20e-9; /* what readings of the clock tell apart */
    const double noise = 0.01;  /* of a time that is measured over and over */
    return measured > fmax(clock, noise * of) ? predicted / measured - 1.0 : NAN;
}

void p2p_errors_add(struct p2p_errors *errors, double error)
{
    if (!isnan(error)) {
        errors->n++;
        errors->mean += (fabs(error) - errors->mean) / (double)errors->n;
        errors->worst = fmax(errors->worst, fabs(error));
    }
}

void p2p_errors_set(struct tan_json_writer *w, json_t *object, const char *key,
                    const struct p2p_errors *errors)
{
    if (errors->n > 0) {
        json_t *o = tan_json_set_object(w, object, key);
        p2p_set(w, o, "mean_abs_error", errors->mean);
        p2p_set(w, o, "worst_abs_error", errors->worst);
    }
}

json_t *p2p_rounded(double value)
{
    return tan_json_rounded(value, TAN_P2P_DIGITS);
}

void p2p_set(struct tan_json_writer *w, json_t *object, const char *key, double value)
{
    if (!isnan(value)) {
        tan_json_set(w, object, key, p2p_rounded(value));
    }
}

void p2p_set_estimates(struct tan_json_writer *w, json_t *object, const char *const *keys, int n,
                       const struct tan_p2p_estimate *estimate)
{
    double value[4];
    struct tan_interval ci95[4];
    for (int i = 0; i < n; i++) {
        value[i] = estimate[i].value;
        ci95[i] = isfinite(value[i]) ? estimate[i].ci95 : TAN_INTERVAL_UNKNOWN;
    }
    tan_times_set(w, object, keys, n, value, ci95, TAN_P2P_DIGITS);
}
