/* wave.c - TAN and the readings of LogP: level costs and the recursion over a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/wave.h"

#include <math.h>
#include <stdlib.h>

#include "base/choice.h"
#include "base/text.h"
#include "model/wave/payload.h"

static double level_tan(const struct tan_params *params, int64_t fanout)
{
    const double *v = params->value;
    const double x = (double)fanout;
    if (params->method == TAN_METHOD_PAPER) {
        return v[TAN_L] + v[TAN_A] + v[TAN_B] * (x + 1) + v[TAN_C2] * (x + 1) * (x + 1) + v[TAN_G];
    }
    return v[TAN_L] + 2 * v[TAN_A] + v[TAN_B] * (x - 1) + v[TAN_C2] * (x * x - 1) + v[TAN_G];
}

static double level_logp(const struct tan_params *params, int64_t fanout)
{
    (void)fanout;
    return params->value[TAN_L] + 2 * params->value[TAN_A];
}

static double level_recursion(const struct tan_params *params, int64_t fanout)
{
    (void)fanout;
    return params->value[TAN_L] + params->value[TAN_A] + params->value[TAN_G];
}

static double level_serial(const struct tan_params *params, int64_t fanout)
{
    const double *v = params->value;
    return v[TAN_L] + 2 * v[TAN_A] + (double)(fanout - 1) * fmax(v[TAN_G], v[TAN_A]);
}

const struct tan_model tan_models[] = {
    {"tan",
     "a level costs L + o(x+1) + g with o(x) = a + b x + c x^2 (method paper), or L + 2a + b (x-1) "
     "+ c (x^2-1) + g (method joint)",
     level_tan, true},
    {"logp", "a level costs L + 2a, whatever its fanout", level_logp, false},
    {"logp-recursion", "a level costs L + a + g, whatever its fanout", level_recursion, true},
    {"logp-serial", "a level costs L + 2a + (x-1) max(g, a): a parent receives one by one",
     level_serial, false},
    {NULL, NULL, NULL, false},
};

const struct tan_model *tan_model_find(const char *name, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_models), "--model", name, e);
    return row < 0 ? NULL : &tan_models[row];
}

void tan_model_help(FILE *to)
{
    for (const struct tan_model *m = tan_models; m->name != NULL; m++) {
        tan_text_item(to, m->name, m->help, 18);
    }
}

double tan_level_cost(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout, int64_t below, int64_t others)
{
    const double level = model->level(params, fanout);
    if (params->payload == NULL) {
        return level;
    }
    /* Adding a child never lowers the cost, also where messages are short: the levels of every
     * model grow least from one child to two. */
    const double least = model->level(params, 1) - model->level(params, 2);
    const double late = tan_payload_late(params->payload, below);
    double queue = 0.0;
    if (fanout > 1) {
        const int64_t each = others / (fanout - 1);
        queue = fmax(tan_payload_queue(params->payload, each > 1 ? each : 1), least);
    }
    return fmax(level + late, level - model->level(params, 1)) + (double)(fanout - 1) * queue;
}

int tan_link_tier(const struct tan_tiers *tiers, const struct tan_sites *sites, int32_t a,
                  int32_t b)
{
    const int last = tiers->n - 1;
    int tier = 0;
    while (tier < last &&
           (sites == NULL || sites->at[tier] == NULL || sites->at[tier][a] != sites->at[tier][b])) {
        tier++;
    }
    return tier;
}

void tan_link_costs(const struct tan_model *model, const struct tan_tiers *tiers,
                    const struct tan_sites *sites, const struct tan_tree *tree, int32_t node,
                    double cost[TAN_TIERS])
{
    const int64_t x = tan_tree_fanout(tree, node);
    const int32_t *child = tan_tree_children(tree, node);
    int64_t fanout[TAN_TIERS] = {0};
    double share[TAN_TIERS]; /* of the parent's time that a message takes beside others */
    double queue = 0.0;
    for (int64_t i = 0; i < x; i++) {
        fanout[tan_link_tier(tiers, sites, node, child[i])]++;
    }
    for (int t = 0; t < tiers->n; t++) {
        const struct tan_params *params = tiers->params[t];
        const double first = model->level(params, 1);
        share[t] = x > 1 ? (model->level(params, x) - first) / (double)(x - 1) : 0.0;
        queue += (double)fanout[t] * share[t];
    }
    for (int t = 0; t < tiers->n; t++) {
        const struct tan_params *params = tiers->params[t];
        cost[t] =
            fanout[t] == x ? model->level(params, x) : model->level(params, 1) + queue - share[t];
    }
}

/* State of a wave: the costs and times of nodes, and the leaves below them. */
struct recursion {
    const struct tan_model *model;
    const struct tan_tiers *tiers;
    const struct tan_sites *sites;
    const struct tan_tree *tree;
    double *time;    /* T of every node */
    int64_t *leaves; /* below every node, a leaf counts itself; NULL without payload */
};

static const struct tan_params *farthest(const struct recursion *r)
{
    return r->tiers->params[r->tiers->n - 1];
}

/* What messages of another size cost beyond the measured one. */
static double payload_cost(const struct recursion *r, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(r->tree, node);
    const int32_t *child = tan_tree_children(r->tree, node);
    int64_t fullest = 0;
    for (int32_t i = 0; i < fanout; i++) {
        fullest = r->leaves[child[i]] > fullest ? r->leaves[child[i]] : fullest;
    }
    return tan_level_cost(r->model, farthest(r), fanout, fullest, r->leaves[node] - fullest) -
           r->model->level(farthest(r), fanout);
}

/* Costs of the links to the children of `node`, by tier. */
static void costs_of(const struct recursion *r, int32_t node, double cost[TAN_TIERS])
{
    const double more = r->leaves == NULL ? 0.0 : payload_cost(r, node);
    tan_link_costs(r->model, r->tiers, r->sites, r->tree, node, cost);
    for (int t = 0; t < r->tiers->n; t++) {
        cost[t] += more;
    }
}

static int recursion_start(struct recursion *r, const struct tan_model *model,
                           const struct tan_tiers *tiers, const struct tan_sites *sites,
                           const struct tan_tree *tree)
{
    const size_t size = (size_t)tan_tree_size(tree);
    *r = (struct recursion){model, tiers, sites, tree, malloc(size * sizeof *r->time), NULL};
    const bool pays = farthest(r)->payload != NULL;
    if (pays) {
        r->leaves = calloc(size, sizeof *r->leaves);
    }
    return r->time == NULL || (pays && r->leaves == NULL) ? -1 : 0;
}

static void recursion_end(struct recursion *r)
{
    free(r->time);
    free(r->leaves);
}

static void count_leaves(struct recursion *r, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(r->tree, node);
    const int32_t *child = tan_tree_children(r->tree, node);
    r->leaves[node] = fanout == 0;
    for (int32_t i = 0; i < fanout; i++) {
        r->leaves[node] += r->leaves[child[i]];
    }
}

static double latency_of(const struct recursion *r, int tier, int32_t child)
{
    return r->sites != NULL && r->sites->latency != NULL ? r->sites->latency[child]
                                                         : r->tiers->params[tier]->value[TAN_L];
}

/* The cost of the link to a child, from those of its parent's links: each model has L once. */
static double link_cost(const struct recursion *r, const double costs[TAN_TIERS], int tier,
                        int32_t child)
{
    return costs[tier] + (latency_of(r, tier, child) - r->tiers->params[tier]->value[TAN_L]);
}

/* The child whose result is done last, the first of equals; *cost and *tier: of its link. */
static int32_t last_child(const struct recursion *r, int32_t node, double *cost, int *tier)
{
    const int32_t *child = tan_tree_children(r->tree, node);
    double costs[TAN_TIERS];
    int32_t last = -1;
    costs_of(r, node, costs);
    for (int32_t i = 0; i < tan_tree_fanout(r->tree, node); i++) {
        const int t = tan_link_tier(r->tiers, r->sites, node, child[i]);
        const double mine = link_cost(r, costs, t, child[i]);
        if (last < 0 || mine + r->time[child[i]] > *cost + r->time[last]) {
            last = child[i];
            *cost = mine;
            *tier = t;
        }
    }
    return last;
}

static void recur(struct recursion *r)
{
    for (int32_t node = tan_tree_size(r->tree) - 1; node >= 0; node--) {
        double cost = 0.0;
        int tier;
        if (r->leaves != NULL) {
            count_leaves(r, node);
        }
        const int32_t last =
            tan_tree_fanout(r->tree, node) > 0 ? last_child(r, node, &cost, &tier) : -1;
        r->time[node] = last < 0 ? farthest(r)->value[TAN_C0] : cost + r->time[last];
    }
}

double tan_wave_time_at(const struct tan_model *model, const struct tan_tiers *tiers,
                        const struct tan_sites *sites, const struct tan_tree *tree)
{
    struct recursion r;
    double wave = NAN;
    if (recursion_start(&r, model, tiers, sites, tree) == 0) {
        recur(&r);
        wave = r.time[0];
    }
    recursion_end(&r);
    return wave;
}

double tan_wave_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_tree *tree)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    return tan_wave_time_at(model, &tiers, NULL, tree);
}

/* The dearest link that a node has. */
static double dearest(const struct recursion *r, int32_t node)
{
    const int32_t *child = tan_tree_children(r->tree, node);
    double costs[TAN_TIERS];
    double most = 0.0;
    costs_of(r, node, costs);
    for (int32_t i = 0; i < tan_tree_fanout(r->tree, node); i++) {
        const int t = tan_link_tier(r->tiers, r->sites, node, child[i]);
        most = fmax(most, link_cost(r, costs, t, child[i]));
    }
    return most;
}

int tan_predict_at(const struct tan_model *model, const struct tan_tiers *tiers,
                   const struct tan_sites *sites, const struct tan_tree *tree,
                   struct tan_prediction *out, struct tan_error *e)
{
    int result = -1;
    struct recursion r;
    *out =
        (struct tan_prediction){.level = calloc((size_t)tan_tree_height(tree), sizeof *out->level)};
    if (recursion_start(&r, model, tiers, sites, tree) < 0 || out->level == NULL) {
        tan_prediction_clear(out);
        tan_fail_nomem(e);
        goto done;
    }
    recur(&r);
    out->wave = r.time[0];
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        if (tan_tree_fanout(tree, node) > 0) {
            out->period = fmax(out->period, dearest(&r, node));
        }
    }
    for (int32_t node = 0; tan_tree_fanout(tree, node) > 0;) {
        double cost = 0.0;
        int tier = 0;
        const int32_t next = last_child(&r, node, &cost, &tier);
        const double gap = model->gap ? tiers->params[tier]->value[TAN_G] : 0.0;
        const double latency = latency_of(&r, tier, next);
        out->level[out->levels++] = (struct tan_level){
            .node = node,
            .fanout = tan_tree_fanout(tree, node),
            .tier = tier,
            .latency = latency,
            .overhead = cost - latency - gap,
            .gap = gap,
            .cost = cost,
        };
        node = next;
    }
    result = 0;

done:
    recursion_end(&r);
    return result;
}

int tan_predict(const struct tan_model *model, const struct tan_params *params,
                const struct tan_tree *tree, struct tan_prediction *out, struct tan_error *e)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    return tan_predict_at(model, &tiers, NULL, tree, out, e);
}

void tan_prediction_clear(struct tan_prediction *p)
{
    free(p->level);
    *p = (struct tan_prediction){.wave = 0};
}
