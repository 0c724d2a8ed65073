/* values.c - values with their intervals, in tables and in JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/units.h"

void p2p_value_cell(struct tan_table *table, double value, struct tan_interval ci, double unit)
{
    char text[32];
    if (!isfinite(value)) {
        tan_table_cell(table, "-");
    } else if (ci.low < ci.high) {
        tan_table_cell(
            table, "%s",
            tan_format_value(value / unit, (ci.high - ci.low) / 6.0 / unit, text, sizeof text));
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

json_t *p2p_rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return json_real(strtod(text, NULL));
}

int p2p_set_estimates(json_t *object, const char *const *keys, int n,
                      const struct tan_p2p_estimate *estimate)
{
    double value[4];
    struct tan_interval ci95[4];
    for (int i = 0; i < n; i++) {
        value[i] = estimate[i].value;
        ci95[i] = isfinite(value[i]) ? estimate[i].ci95 : TAN_INTERVAL_UNKNOWN;
    }
    struct tan_json_writer w = {false};
    tan_p2p_set_values(&w, object, keys, n, value, ci95);
    return w.failed ? -1 : 0;
}

json_t *p2p_unless(int bad, json_t *object)
{
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}
