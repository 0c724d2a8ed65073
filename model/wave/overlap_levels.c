/* overlap_levels.c - tan-overlap as a row of the table of models: levels from parameters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/overlap.h"

#include <math.h>

#include "model/wave/payload.h"

static const int both_ways = 2; /* half round trips per round trip */

enum tan_overlap_way tan_overlap_model_way(const struct tan_params *params)
{
    return params->one_way == 0        ? TAN_OVERLAP_ROUND
           : params->one_way == TAN_UP ? TAN_OVERLAP_UP
                                       : TAN_OVERLAP_DOWN;
}

int tan_overlap_model_ways(const struct tan_params *params)
{
    return params->one_way == 0 ? both_ways : 1;
}

static double at_least_0(double value)
{
    return value > 0.0 ? value : 0.0;
}

/* Add what messages of that many leaves cost beyond measured ones. */
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
                              .shared = last->nic_shared,
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
            all.request[t].work = 0.0; /* messages that go down are not reduced */
        }
    }
    return all;
}

static struct tan_overlap overlap_of(const struct tan_params *params)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    return tan_overlap_tiers(&tiers);
}

/* A lower bound of tan_overlap_adds for messages as measured, in spite of its rounding; fast, since
 * the search calls it millions of times. */
static double measured_bound(const struct tan_params *params, int64_t fanout)
{
    const double rounding = 4e-12;
    const double *v = params->value;
    const double growth = v[TAN_C2] * (double)(fanout - 1);
    const struct tan_overlap_message request = {.o_s = v[TAN_A] + growth, .g = v[TAN_G]};
    const struct tan_overlap_message answer = {
        .o_r = v[TAN_B] + growth, .g = v[TAN_G], .work = params->work};
    const double down = v[TAN_B] + request.o_s + v[TAN_L];
    const double up = v[TAN_A] + v[TAN_L] + answer.o_r + answer.work;
    const enum tan_overlap_way way = tan_overlap_model_way(params);
    const double whole = ((way & TAN_OVERLAP_DOWN) != 0 ? down : 0.0) +
                         ((way & TAN_OVERLAP_UP) != 0 ? up : 0.0) +
                         tan_overlap_others(&request, &answer, params->nic_shared, way, fanout);
    return at_least_0(whole - rounding * (double)fanout) / tan_overlap_model_ways(params);
}

double tan_overlap_model_bound(const struct tan_params *params, int64_t fanout, int64_t leaves)
{
    if (params->payload == NULL) {
        return measured_bound(params, fanout);
    }
    const struct tan_overlap p = overlap_of(params);
    return tan_overlap_adds(&p, tan_overlap_model_way(params), fanout, leaves) /
           tan_overlap_model_ways(params);
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
    const int ways = tan_overlap_model_ways(params);
    struct tan_children whole[TAN_CHILDREN_KINDS];
    for (int i = 0; i < n; i++) {
        whole[i] = kind[i];
        whole[i].below *= ways;
    }
    return tan_overlap_node(&p, tan_overlap_model_way(params), whole, n, root) / ways;
}

double tan_overlap_model_leaf(const struct tan_params *params)
{
    const struct tan_overlap p = overlap_of(params);
    return tan_overlap_leaf(&p, tan_overlap_model_way(params)) / tan_overlap_model_ways(params);
}

double tan_overlap_model_period(const struct tan_params *params, int64_t fanout, int64_t leaves)
{
    const struct tan_overlap p = overlap_of(params);
    struct tan_overlap_message m = p.answer[0];
    if (p.sized != NULL) {
        p.sized(p.context, 0, leaves, &m);
    }
    const double x = (double)fanout;
    if (params->one_way == TAN_DOWN) {
        const struct tan_overlap_message *q = &p.request[0];
        return fmax(q->o_r + x * (q->o_s + p.growth * (x - 1)), x * q->g);
    }
    return fmax(x * (m.o_r + p.growth * (x - 1) + m.work) + m.o_s, x * m.g);
}
