/* network.c - networks dominated by the transfer of messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/network.h"

#include <gsl/gsl_math.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"

bool tan_network_one_way(const struct tan_network *t)
{
    return t->rate > 0.0 && (t->up == 0) != (t->down == 0);
}

/* In the terms of params->one_way. */
static int way_of(const struct tan_network *t)
{
    return !tan_network_one_way(t) ? 0 : t->up > 0 ? TAN_UP : TAN_DOWN;
}

/* `child`: seconds that a further child takes without a transfer. */
static void set_network(const struct tan_network *t, double child, struct tan_params *params)
{
    params->bytes = GSL_MAX(t->up, t->down);
    params->one_way = way_of(t);
    params->rate = t->rate;
    params->child = child;
}

void tan_network_apply(const struct tan_network *t, struct tan_params *params)
{
    const double ways = tan_network_one_way(t) ? 1.0 : 2.0;
    double *v = params->value;
    v[TAN_L] += ((double)t->up + (double)t->down) / (ways * t->rate);
    set_network(t, fmax(v[TAN_A], v[TAN_B]), params);
    v[TAN_B] = fmax(params->child, (double)params->bytes / (ways * t->rate));
    v[TAN_C2] = 0.0;
    for (int p = 0; p < TAN_PARAMS; p++) {
        params->unidentified[p] = false;
    }
}

bool tan_network_same(const struct tan_network *t)
{
    return t->rate > 0.0 && t->up == t->down;
}

bool tan_network_overlaps(const struct tan_network *t)
{
    return tan_network_same(t) || tan_network_one_way(t);
}

void tan_network_apply_overlap(const struct tan_network *t, struct tan_params *params)
{
    set_network(t, fmax(params->value[TAN_B], params->value[TAN_G]), params);
    params->value[TAN_L] += (double)params->bytes / t->rate;
    params->value[TAN_G] = fmax(params->value[TAN_G], (double)params->bytes / t->rate);
}

const char *tan_network_text(const struct tan_network *t, char *buffer, size_t size)
{
    char rate[32];
    tan_format_rate(8.0 * t->rate, rate, sizeof rate);
    if (t->up == 0 && t->down == 0) {
        snprintf(buffer, size, "%s", rate);
    } else if (t->up == t->down) {
        snprintf(buffer, size, "%s, %" PRId64 " bytes each way", rate, t->up);
    } else if (tan_network_one_way(t)) {
        snprintf(buffer, size, "%s, %" PRId64 " bytes %s", rate, t->up + t->down,
                 t->up > 0 ? "up" : "down");
    } else {
        snprintf(buffer, size, "%s, %" PRId64 " bytes up and %" PRId64 " down", rate, t->up,
                 t->down);
    }
    return buffer;
}
