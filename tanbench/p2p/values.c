/* values.c - values with their intervals, in tables and in JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

json_t *p2p_rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    return json_real(strtod(text, NULL));
}

int p2p_set_estimates(json_t *object, const char *const *keys, int n,
                      const struct tan_p2p_estimate *estimate, double unit)
{
    json_t *intervals = json_object();
    int bad = 0;
    for (int i = 0; i < n; i++) {
        const struct tan_interval ci = estimate[i].ci95;
        if (isfinite(estimate[i].value)) {
            bad |= json_object_set_new(object, keys[i], p2p_rounded(estimate[i].value / unit));
        }
        if (isfinite(estimate[i].value) && ci.low <= ci.high) {
            bad |= json_object_set_new(
                intervals, keys[i],
                json_pack("[o, o]", p2p_rounded(ci.low / unit), p2p_rounded(ci.high / unit)));
        }
    }
    if (json_object_size(intervals) > 0) {
        bad |= json_object_set(object, "ci95", intervals);
    }
    json_decref(intervals);
    return bad;
}

json_t *p2p_unless(int bad, json_t *object)
{
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}
