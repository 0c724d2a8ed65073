/* lowered.c - costs of messages less as much of one as all of them have
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/lowered.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double tan_cost_of(const struct tan_link *link, enum tan_cost cost)
{
    const double costs[TAN_COSTS] = {
        [TAN_COST_L] = (double)link->L, [TAN_COST_o] = (double)link->o, [TAN_COST_G] = link->G};
    return costs[cost];
}

static double least_of(const struct tan_link *link, enum tan_cost cost)
{
    const double cost_of = tan_cost_of(link, cost);
    return cost == TAN_COST_o ? fmin(cost_of, (double)tan_link_o_r(link)) : cost_of;
}

static void lower(struct tan_link *link, enum tan_cost cost, double by)
{
    link->L -= cost == TAN_COST_L ? (uint64_t)by : 0;
    link->o -= cost == TAN_COST_o ? (uint64_t)by : 0;
    link->G -= cost == TAN_COST_G ? by : 0.0;
}

double tan_cost_least(const struct tan_sim_params *p, enum tan_cost cost)
{
    double least = INFINITY;
    if (p->n_sizes == 0) {
        return fmin(least_of(&p->within, cost), least_of(&p->between, cost));
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        least = fmin(least,
                     fmin(least_of(&p->sizes[i].link, cost), least_of(&p->sizes[i].within, cost)));
    }
    return least;
}

int tan_lowered_make(const struct tan_sim_params *p, enum tan_cost cost, double by,
                     struct tan_lowered *out, struct tan_error *e)
{
    *out = (struct tan_lowered){.params = *p};
    if (p->n_sizes == 0) {
        lower(&out->params.within, cost, by);
        lower(&out->params.between, cost, by);
        return 0;
    }
    out->sizes = malloc(p->n_sizes * sizeof *out->sizes);
    if (out->sizes == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < p->n_sizes; i++) {
        out->sizes[i] = p->sizes[i];
        lower(&out->sizes[i].link, cost, by);
        lower(&out->sizes[i].within, cost, by);
    }
    out->params.sizes = out->sizes;
    return 0;
}

void tan_lowered_clear(struct tan_lowered *l)
{
    free(l->sizes);
    memset(l, 0, sizeof *l);
}
