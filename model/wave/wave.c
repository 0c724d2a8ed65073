/* wave.c - TAN and variants of LogP: level costs and the recursion over a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/wave.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/wave/overlap.h"
#include "model/wave/payload.h"

struct tan_sites tan_sites_of(const struct tan_tiers *tiers, const struct tan_racks *racks,
                              const int32_t *host, int32_t n, int32_t *spare)
{
    struct tan_sites sites = {.at = {NULL}};
    for (int t = 0; t < tiers->n - 1; t++, spare += n) {
        int level = tiers->level[t];
        while (level > 0 && (level > TAN_RACK_LEVELS || racks->rack[level - 1] == NULL)) {
            level--;
        }
        for (int32_t i = 0; i < n && level > 0; i++) {
            spare[i] = racks->rack[level - 1][host[i]];
        }
        sites.at[t] = level > 0 ? spare : host;
    }
    return sites;
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

/* Time of the filter in a wave. It takes the children's messages one by one, and only going up. */
static double work_time(const struct tan_params *params, int64_t fanout)
{
    return params->one_way == TAN_DOWN ? 0.0 : params->work * (double)fanout;
}

double tan_level_work(const struct tan_params *params, int64_t fanout)
{
    return work_time(params, fanout) / tan_wave_ways(params);
}

/* The part of the filter's time that the cost of a level does not contain. */
static double rest_of_work(const struct tan_params *params, int64_t fanout)
{
    return work_time(params, fanout) - tan_level_work(params, fanout);
}

static double level_tan(const struct tan_params *params, int64_t fanout)
{
    const double *v = params->value;
    const double x = (double)fanout;
    if (params->method == TAN_METHOD_PAPER) {
        return v[TAN_L] + v[TAN_A] + v[TAN_B] * (x + 1) + v[TAN_C2] * (x + 1) * (x + 1) + v[TAN_G] +
               tan_level_work(params, fanout);
    }
    return v[TAN_L] + 2 * v[TAN_A] + v[TAN_B] * (x - 1) + v[TAN_C2] * (x * x - 1) + v[TAN_G] +
           tan_level_work(params, fanout);
}

/* TAN with the constant a as o(x). */
static double level_logp(const struct tan_params *params, int64_t fanout)
{
    const double *v = params->value;
    const double overheads = params->method == TAN_METHOD_PAPER ? v[TAN_A] : 2 * v[TAN_A];
    return v[TAN_L] + overheads + v[TAN_G] + tan_level_work(params, fanout);
}

static double level_serial(const struct tan_params *params, int64_t fanout)
{
    const double *v = params->value;
    return v[TAN_L] + 2 * v[TAN_A] + (double)(fanout - 1) * fmax(v[TAN_G], v[TAN_A]) +
           tan_level_work(params, fanout);
}

/* tan-overlap: half round trips, or one way */

static const int both_ways = 2; /* half round trips per round trip */

enum tan_overlap_way tan_wave_way(const struct tan_params *params)
{
    return params->one_way == 0        ? TAN_OVERLAP_ROUND
           : params->one_way == TAN_UP ? TAN_OVERLAP_UP
                                       : TAN_OVERLAP_DOWN;
}

int tan_wave_ways(const struct tan_params *params)
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
    const enum tan_overlap_way way = tan_wave_way(params);
    const double whole = ((way & TAN_OVERLAP_DOWN) != 0 ? down : 0.0) +
                         ((way & TAN_OVERLAP_UP) != 0 ? up : 0.0) +
                         tan_overlap_others(&request, &answer, params->nic_shared, way, fanout);
    return at_least_0(whole - rounding * (double)fanout) / tan_wave_ways(params);
}

static double bound_overlap(const struct tan_params *params, int64_t fanout, int64_t leaves)
{
    if (params->payload == NULL) {
        return measured_bound(params, fanout);
    }
    const struct tan_overlap p = overlap_of(params);
    return tan_overlap_adds(&p, tan_wave_way(params), fanout, leaves) / tan_wave_ways(params);
}

static double level_overlap(const struct tan_params *params, int64_t fanout)
{
    struct tan_params measured = *params;
    measured.payload = NULL;
    return bound_overlap(&measured, fanout, 1);
}

static double node_overlap(const struct tan_params *params, const struct tan_children *kind, int n,
                           bool root)
{
    const struct tan_overlap p = overlap_of(params);
    const int ways = tan_wave_ways(params);
    struct tan_children whole[TAN_CHILDREN_KINDS];
    for (int i = 0; i < n; i++) {
        whole[i] = kind[i];
        whole[i].below *= ways;
    }
    return tan_overlap_node(&p, tan_wave_way(params), whole, n, root) / ways;
}

static double leaf_overlap(const struct tan_params *params)
{
    const struct tan_overlap p = overlap_of(params);
    return tan_overlap_leaf(&p, tan_wave_way(params)) / tan_wave_ways(params);
}

static double period_overlap(const struct tan_params *params, int64_t fanout, int64_t leaves)
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

const struct tan_model tan_models[TAN_MODELS + 1] = {
    [TAN_MODEL_TAN] =
        {.name = "tan",
         .help =
             "a level costs L + o(x+1) + g with o(x) = a + b x + c x^2 (method paper), or L + 2a + "
             "b (x-1) + c (x^2-1) + g (method joint)",
         .level = level_tan,
         .gap = true},
    [TAN_MODEL_LOGP] =
        {.name = "logp",
         .help =
             "a level costs L + a + g (method paper), or L + 2a + g (method joint), whatever its "
             "fanout",
         .level = level_logp,
         .gap = true},
    [TAN_MODEL_LOGP_SERIAL] =
        {.name = "logp-serial",
         .help = "a level costs L + 2a + (x-1) max(g, a): a parent receives one by one",
         .level = level_serial},
    [TAN_MODEL_OVERLAP] =
        {.name = "tan-overlap",
         .help = "requests and answers overlap: a parent sends to x children, o_s each, and takes "
                 "their answers as they come, o_r each; both take c (x-1) longer, and at least g",
         .level = level_overlap,
         .bound = bound_overlap,
         .node = node_overlap,
         .leaf = leaf_overlap,
         .period = period_overlap},
    [TAN_MODELS] = {.name = NULL},
};

const struct tan_params *tan_model_params(const struct tan_model *model,
                                          const struct tan_machine *machine)
{
    const bool overlap = model->node != NULL;
    if ((machine->tan.method == TAN_METHOD_OVERLAP) == overlap) {
        return machine->tan_known ? &machine->tan : NULL;
    }
    return machine->overlap_known ? &machine->overlap : NULL;
}

bool tan_model_tiers(const struct tan_model *model, const struct tan_machine *machine,
                     struct tan_tiers *out)
{
    const struct tan_params *last = tan_model_params(model, machine);
    bool known = last != NULL;
    *out = tan_machine_tiers(machine);
    out->params[machine->n_tiers] = last;
    for (int t = 0; t < machine->n_tiers && last != &machine->tan; t++) {
        out->params[t] = &machine->tier[t].overlap;
        known = known && machine->tier[t].overlap_known;
    }
    return known;
}

const struct tan_model *tan_model_find(const char *name, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_models), "--model", name, e);
    return row < 0 ? NULL : &tan_models[row];
}

/* Additional costs of a level for messages of other sizes than measured. */
struct surcharge {
    double once; /* for the message on the critical path */
    double each; /* for every other message */
};

static struct surcharge payload_surcharge(const struct tan_model *model,
                                          const struct tan_params *params, int64_t fanout,
                                          int64_t below, int64_t others)
{
    struct surcharge s = {0.0, 0.0};
    if (params->payload == NULL) {
        return s;
    }
    /* Adding a child never lowers the cost, even with short messages: in every model levels grow
     * least from one child to two. */
    const double least = model->level(params, 1) - model->level(params, 2);
    s.once = fmax(tan_payload_late(params->payload, below, params->draw), -model->level(params, 1));
    if (fanout > 1) {
        const int64_t mean = others / (fanout - 1);
        s.each = fmax(tan_payload_queue(params->payload, mean > 1 ? mean : 1, params->draw), least);
    }
    return s;
}

double tan_level_cost(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout, int64_t below, int64_t others)
{
    if (model->bound != NULL) {
        return model->bound(params, fanout, below);
    }
    const struct surcharge s = payload_surcharge(model, params, fanout, below, others);
    return model->level(params, fanout) + s.once + (double)(fanout - 1) * s.each;
}

double tan_flat_level(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout)
{
    if (model->node == NULL) {
        return tan_level_cost(model, params, fanout, 1, fanout - 1);
    }
    const struct tan_children leaves = {fanout, 1, model->leaf(params)};
    return model->node(params, &leaves, 1, true) - params->value[TAN_C0];
}

double tan_level_period(const struct tan_model *model, const struct tan_params *params,
                        int64_t fanout, int64_t below, int64_t others)
{
    return model->period != NULL ? model->period(params, fanout, below)
                                 : tan_level_cost(model, params, fanout, below, others) +
                                       rest_of_work(params, fanout);
}

void tan_link_costs(const struct tan_model *model, const struct tan_tiers *tiers,
                    const struct tan_sites *sites, const struct tan_tree *tree, int32_t node,
                    double cost[TAN_TIERS])
{
    const int64_t x = tan_tree_fanout(tree, node);
    const int32_t *child = tan_tree_children(tree, node);
    double alone[TAN_TIERS]; /* level(1) */
    double share[TAN_TIERS]; /* parent's time per message if there are others */
    int64_t fanout[TAN_TIERS] = {0};
    double all = 0.0;
    for (int64_t i = 0; i < x; i++) {
        fanout[tan_link_tier(tiers, sites, node, child[i])]++;
    }
    for (int t = 0; t < tiers->n; t++) {
        const struct tan_params *params = tiers->params[t];
        alone[t] = model->level(params, 1);
        share[t] = x > 1 ? (model->level(params, x) - alone[t]) / (double)(x - 1) : 0.0;
        all += (double)fanout[t] * share[t];
    }
    for (int t = 0; t < tiers->n; t++) {
        cost[t] = fanout[t] == x ? model->level(tiers->params[t], x) : alone[t] + all - share[t];
    }
}

/* State of the recursion for a wave. */
struct recursion {
    const struct tan_model *model;
    const struct tan_tiers *tiers;
    const struct tan_sites *sites;
    const struct tan_tree *tree;
    double *time;    /* T of every node */
    int32_t *leaves; /* below every node, 1 for a leaf; NULL without payload */
};

static const struct tan_params *farthest_params(const struct recursion *r)
{
    return r->tiers->params[r->tiers->n - 1];
}

/* Leaves below that child of a node which has the most. */
static int32_t fullest_leaves(const struct tan_tree *tree, const int32_t *leaves, int32_t node)
{
    const int32_t *child = tan_tree_children(tree, node);
    int32_t most = 0;
    for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
        most = leaves[child[i]] > most ? leaves[child[i]] : most;
    }
    return most;
}

static struct surcharge surcharge_of(const struct recursion *r, int32_t node)
{
    if (r->leaves == NULL) {
        return (struct surcharge){0.0, 0.0};
    }
    const int32_t fullest = fullest_leaves(r->tree, r->leaves, node);
    return payload_surcharge(r->model, farthest_params(r), tan_tree_fanout(r->tree, node), fullest,
                             r->leaves[node] - fullest);
}

/* Costs of the links to a node's children, by tier. */
static void costs_of(const struct recursion *r, int32_t node, double cost[TAN_TIERS])
{
    const struct surcharge more = surcharge_of(r, node);
    tan_link_costs(r->model, r->tiers, r->sites, r->tree, node, cost);
    for (int t = 0; t < r->tiers->n; t++) {
        cost[t] += more.once + (tan_tree_fanout(r->tree, node) - 1) * more.each;
    }
}

static int recursion_start(struct recursion *r, const struct tan_model *model,
                           const struct tan_tiers *tiers, const struct tan_sites *sites,
                           const struct tan_tree *tree)
{
    const size_t size = (size_t)tan_tree_size(tree);
    *r = (struct recursion){model, tiers, sites, tree, malloc(size * sizeof *r->time), NULL};
    const bool pays = farthest_params(r)->payload != NULL;
    if (pays && (r->leaves = malloc(size * sizeof *r->leaves)) != NULL) {
        tan_tree_leaf_counts(tree, r->leaves);
    }
    return r->time == NULL || (pays && r->leaves == NULL) ? -1 : 0;
}

static void recursion_end(struct recursion *r)
{
    free(r->time);
    free(r->leaves);
}

/* The child that determines its parent's time; the first of equals. */
struct last {
    int32_t child;
    int tier;
    double cost; /* of its link */
};

static struct last last_child(const struct recursion *r, int32_t node)
{
    const int32_t *child = tan_tree_children(r->tree, node);
    double costs[TAN_TIERS];
    struct last last = {.child = -1};
    costs_of(r, node, costs);
    for (int32_t i = 0; i < tan_tree_fanout(r->tree, node); i++) {
        const int tier = tan_link_tier(r->tiers, r->sites, node, child[i]);
        if (last.child < 0 || costs[tier] + r->time[child[i]] > last.cost + r->time[last.child]) {
            last = (struct last){child[i], tier, costs[tier]};
        }
    }
    return last;
}

static void compute_times(struct recursion *r)
{
    for (int32_t node = tan_tree_size(r->tree) - 1; node >= 0; node--) {
        if (tan_tree_fanout(r->tree, node) > 0) {
            const struct last last = last_child(r, node);
            r->time[node] = last.cost + r->time[last.child];
        } else {
            r->time[node] = farthest_params(r)->value[TAN_C0];
        }
    }
}

/* All times, and with tan-overlap the `latest` children, unless NULL. Returns the wave; NaN if
 * memory is short. */
static double compute_wave(struct recursion *r, int32_t *latest)
{
    if (r->model->node == NULL) {
        compute_times(r);
        return r->time[0];
    }
    const struct tan_overlap p = tan_overlap_tiers(r->tiers);
    const struct tan_params *last = farthest_params(r);
    return tan_overlap_times(&p, tan_wave_way(last), r->sites, r->tree, r->time, latest) /
           tan_wave_ways(last);
}

double tan_wave_time_at(const struct tan_model *model, const struct tan_tiers *tiers,
                        const struct tan_sites *sites, const struct tan_tree *tree)
{
    struct recursion r;
    const bool started = recursion_start(&r, model, tiers, sites, tree) == 0;
    const double wave = started ? compute_wave(&r, NULL) : NAN;
    recursion_end(&r);
    return wave;
}

double tan_wave_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_tree *tree)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    return tan_wave_time_at(model, &tiers, NULL, tree);
}

/* Time between waves at a node: by its most expensive link. */
static double node_period(const struct recursion *r, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(r->tree, node);
    const int32_t *child = tan_tree_children(r->tree, node);
    double costs[TAN_TIERS];
    double most = 0.0;
    if (r->model->period != NULL) {
        const int32_t below = r->leaves == NULL ? 1 : fullest_leaves(r->tree, r->leaves, node);
        return r->model->period(farthest_params(r), fanout, below);
    }
    costs_of(r, node, costs);
    for (int32_t i = 0; i < fanout; i++) {
        most = fmax(most, costs[tan_link_tier(r->tiers, r->sites, node, child[i])]);
    }
    return most + rest_of_work(farthest_params(r), fanout);
}

/* Half round trips, and their differences, are multiples of half a picosecond. */
static double in_half_ps(double seconds)
{
    return nearbyint(seconds * 2e12) / 2e12 + 0.0; /* + 0.0 turns -0 into 0 */
}

/* The contribution of a node to the wave. `latest`: of tan_overlap_times. */
static struct tan_level overlap_level(const struct recursion *r, const int32_t *latest,
                                      int32_t node)
{
    const int ways = tan_wave_ways(farthest_params(r));
    const int32_t next = latest[node];
    const int tier = tan_link_tier(r->tiers, r->sites, node, next);
    const bool leaf = tan_tree_fanout(r->tree, next) == 0;
    const double latency = r->tiers->params[tier]->value[TAN_L];
    const double below = leaf ? farthest_params(r)->value[TAN_C0] : r->time[next] / ways;
    const double cost = in_half_ps(r->time[node] / ways - below);
    return (struct tan_level){.child = next,
                              .fanout = tan_tree_fanout(r->tree, node),
                              .latency = latency,
                              .overhead = in_half_ps(cost - latency),
                              .cost = cost};
}

/* The same by the models that add costs of levels. */
static struct tan_level added_level(const struct recursion *r, int32_t node)
{
    const struct last next = last_child(r, node);
    const double gap = r->model->gap ? r->tiers->params[next.tier]->value[TAN_G] : 0.0;
    const double latency = r->tiers->params[next.tier]->value[TAN_L];
    return (struct tan_level){.child = next.child,
                              .fanout = tan_tree_fanout(r->tree, node),
                              .latency = latency,
                              .overhead = next.cost - latency - gap,
                              .gap = gap,
                              .cost = next.cost};
}

int tan_predict_at(const struct tan_model *model, const struct tan_tiers *tiers,
                   const struct tan_sites *sites, const struct tan_tree *tree,
                   struct tan_prediction *out, struct tan_error *e)
{
    struct recursion r;
    int32_t *latest = malloc((size_t)tan_tree_size(tree) * sizeof *latest);
    *out = (struct tan_prediction){
        .level = calloc((size_t)tan_tree_height(tree), sizeof *out->level), .wave = NAN};
    if (recursion_start(&r, model, tiers, sites, tree) == 0 && latest != NULL &&
        out->level != NULL) {
        out->wave = compute_wave(&r, latest);
    }
    const bool known = !isnan(out->wave);
    for (int32_t node = 0; known && node < tan_tree_size(tree); node++) {
        if (tan_tree_fanout(tree, node) > 0) {
            out->period = fmax(out->period, node_period(&r, node));
        }
    }
    for (int32_t node = 0; known && tan_tree_fanout(tree, node) > 0;) {
        struct tan_level *level = &out->level[out->levels++];
        *level = model->node != NULL ? overlap_level(&r, latest, node) : added_level(&r, node);
        node = level->child;
    }
    if (!known) {
        tan_prediction_clear(out);
        tan_fail_nomem(e);
    }
    free(latest);
    recursion_end(&r);
    return known ? 0 : -1;
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

static int by_rising_time(const void *left, const void *right)
{
    const struct tan_children *a = left;
    const struct tan_children *b = right;
    return (a->below > b->below) - (a->below < b->below);
}

double tan_one_way_node(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_children *kind, int n)
{
    struct tan_children order[TAN_CHILDREN_KINDS];
    int64_t fanout = 0;
    double next = 0.0; /* when the process can serve another child */
    double last = 0.0;
    for (int i = 0; i < n; i++) {
        fanout += kind[i].count;
        order[i] = kind[i];
    }
    if (params->one_way == TAN_UP) {
        qsort(order, (size_t)n, sizeof *order, by_rising_time);
    }
    for (int i = 0; i < n; i++) {
        const int64_t others = (fanout - 1) * order[i].leaves;
        const double first = tan_level_cost(model, params, 1, order[i].leaves, 0);
        const double all = tan_level_cost(model, params, fanout, order[i].leaves, others);
        const double interval = fanout > 1 ? (all - first) / (double)(fanout - 1) : 0.0;
        const double start = params->one_way == TAN_UP ? fmax(next, order[i].below) : next;
        const double served = start + (double)(order[i].count - 1) * interval;
        last = fmax(last, served + first + (params->one_way == TAN_UP ? 0.0 : order[i].below));
        next = served + interval;
    }
    return last;
}

/* A message from or to a child, one way. */
struct passing {
    double whole;    /* when the child has its part of the wave, if the process waits for nobody */
    double interval; /* that keeps the process from the next message */
};

/* As they come, before they keep the process busy. */
static int by_arrival(const void *left, const void *right)
{
    const struct passing *a = left;
    const struct passing *b = right;
    const double first = a->whole - a->interval;
    const double second = b->whole - b->interval;
    return (first > second) - (first < second);
}

/* What a process with so many children takes for one of them in that tier, with what a payload adds
 * on the last one. */
static double passing_cost(const struct recursion *r, int tier, int64_t fanout, int64_t leaves)
{
    const struct surcharge more =
        payload_surcharge(r->model, farthest_params(r), fanout, leaves, (fanout - 1) * leaves);
    return fmax(0.0, r->model->level(r->tiers->params[tier], fanout) + more.once +
                         (double)(fanout - 1) * more.each);
}

static double pass_children(const struct recursion *r, int32_t node, struct passing *passing)
{
    const int32_t *child = tan_tree_children(r->tree, node);
    const int32_t n = tan_tree_fanout(r->tree, node);
    const bool up = farthest_params(r)->one_way == TAN_UP;
    double next = 0.0; /* what the messages before keep the process busy */
    double last = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const int tier = tan_link_tier(r->tiers, r->sites, node, child[i]);
        const int64_t leaves = r->leaves == NULL ? 1 : r->leaves[child[i]];
        const double first = passing_cost(r, tier, 1, leaves);
        passing[i].whole = first + r->time[child[i]];
        passing[i].interval =
            n > 1 ? (passing_cost(r, tier, n, leaves) - first) / (double)(n - 1) : 0.0;
    }
    if (up) {
        qsort(passing, (size_t)n, sizeof *passing, by_arrival);
    }
    for (int32_t i = 0; i < n; i++) {
        last = up && i > 0 ? fmax(passing[i].whole, last + passing[i].interval)
                           : fmax(last, next + passing[i].whole);
        next += up ? 0.0 : passing[i].interval;
    }
    return last;
}

double tan_one_way_time_at(const struct tan_model *model, const struct tan_tiers *tiers,
                           const struct tan_sites *sites, const struct tan_tree *tree)
{
    struct recursion r;
    struct passing *passing = malloc((size_t)tan_tree_max_fanout(tree) * sizeof *passing);
    double wave = NAN;
    if (recursion_start(&r, model, tiers, sites, tree) == 0 && passing != NULL) {
        for (int32_t node = tan_tree_size(tree) - 1; node >= 0; node--) {
            r.time[node] = pass_children(&r, node, passing);
        }
        wave = r.time[0] + farthest_params(&r)->value[TAN_C0];
    }
    recursion_end(&r);
    free(passing);
    return wave;
}
