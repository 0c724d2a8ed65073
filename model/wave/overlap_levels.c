/* overlap_levels.c - tan-overlap as a row of the table of models: from parameters to levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/overlap_levels.h"

#include <math.h>

#include "model/wave/payload.h"

static const int both_ways = 2; /* halves of a round trip */

static double at_least_0(double value)
{
    return value > 0.0 ? value : 0.0;
}

/* What messages of so many leaves cost more than measured ones. */
static void add_payload(const struct tan_payload *payload, int64_t leaves, int draw,
                        struct tan_overlap_message *m)
{
    struct tan_payload_more more;
    tan_payload_more(payload, leaves, draw, &more);
    m->o_s = at_least_0(m->o_s + more.sender);
    m->o_r = at_least_0(m->o_r + more.receiver);
    m->g = at_least_0(m->g + more.gap);
    m->L = at_least_0(m->L + more.way);
    m->work = at_least_0(m->work + more.work);
}

static void size_answer(const void *context, int tier, int64_t leaves,
                        struct tan_overlap_message *answer)
{
    const struct tan_params *params = context;
    (void)tier;
    add_payload(params->payload, leaves, params->draw, answer);
}

struct tan_overlap tan_overlap_tiers(const struct tan_tiers *tiers)
{
    const struct tan_params *last = tiers->params[tiers->n - 1];
    struct tan_overlap all = {.tiers = tiers->n,
                              .growth = last->value[TAN_C2],
                              .leaf = both_ways * last->value[TAN_C0],
                              .sized = last->payload == NULL ? NULL : size_answer,
                              .context = last};
    for (int t = 0; t < tiers->n; t++) {
        const double *v = tiers->params[t]->value;
        all.request[t] = (struct tan_overlap_message){
            .L = v[TAN_L], .o_s = v[TAN_A], .o_r = v[TAN_B], .g = v[TAN_G]};
        all.answer[t] = all.request[t];
        all.answer[t].work = last->work;
        if (last->payload != NULL) {
            add_payload(last->payload, 1, last->draw, &all.request[t]);
            all.request[t].work = 0.0; /* what goes down is not reduced */
        }
    }
    return all;
}

static struct tan_overlap overlap_of(const struct tan_params *params)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    return tan_overlap_tiers(&tiers);
}

/* tan_overlap_adds of messages as measured, and not more for all that it rounds: the search asks
 * for it millions of times. */
static double measured_bound(const struct tan_params *params, int64_t fanout)
{
    const double rounding = 4e-12;
    const double *v = params->value;
    const double others = (double)(fanout - 1);
    const double s = v[TAN_A] + v[TAN_C2] * others;
    const double r = v[TAN_B] + v[TAN_C2] * others + params->work;
    const double pace = fmax(fmax(s, r), v[TAN_G]);
    const double whole = v[TAN_B] + s + v[TAN_L] + v[TAN_A] + v[TAN_L] + others * pace + r;
    return at_least_0(whole - rounding * (double)fanout) / both_ways;
}

double tan_overlap_model_bound(const struct tan_params *params, int64_t fanout, int64_t leaves)
{
    if (params->payload == NULL) {
        return measured_bound(params, fanout);
    }
    const struct tan_overlap p = overlap_of(params);
    return tan_overlap_adds(&p, fanout, leaves) / both_ways;
}

double tan_overlap_model_level(const struct tan_params *params, int64_t fanout)
{
    struct tan_params measured = *params;
    measured.payload = NULL;
    return tan_overlap_model_bound(&measured, fanout, 1);
}

double tan_overlap_model_node(const struct tan_params *params, const struct tan_children *kind,
                              int n, bool root)
{
    const struct tan_overlap p = overlap_of(params);
    struct tan_children both[TAN_CHILDREN_KINDS];
    for (int i = 0; i < n; i++) {
        both[i] = kind[i];
        both[i].below *= both_ways;
    }
    return tan_overlap_node(&p, TAN_OVERLAP_ROUND, both, n, root) / both_ways;
}

double tan_overlap_model_leaf(const struct tan_params *params)
{
    const struct tan_overlap p = overlap_of(params);
    return tan_overlap_leaf(&p, TAN_OVERLAP_ROUND) / both_ways;
}

double tan_overlap_model_period(const struct tan_params *params, int64_t fanout, int64_t leaves)
{
    const struct tan_overlap p = overlap_of(params);
    struct tan_overlap_message m = p.answer[0];
    if (p.sized != NULL) {
        p.sized(p.context, 0, leaves, &m);
    }
    const double x = (double)fanout;
    return fmax(x * (m.o_r + p.growth * (x - 1) + m.work) + m.o_s, x * m.g);
}
