/* wave.h - cost of a wave: TAN and the readings of LogP as level costs over one recursion
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_WAVE_WAVE_H
#define MODEL_WAVE_WAVE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/machine/machine.h"
#include "model/wave/children.h"
#include "model/wave/sites.h"
#include "topo/tree.h"

TAN_BEGIN_DECLS

/* A model is the cost of a level: the time from the last child's partial result being ready at the
 * child until the parent's is ready, in seconds, for a parent with `fanout` >= 1 children.
 * Non-decreasing in fanout.
 * A model with `node` is no sum of levels, since requests and answers overlap. `level` is then what
 * a level adds at least, of messages as measured, and `bound` the same where the fullest child has
 * `leaves` leaves below it; the time of a node follows from those of its children, of `n` kinds up
 * to TAN_CHILDREN_KINDS in the order in which they are asked, and does not fall with them. Times of
 * nodes are halves of those from the arrival of a request until its answer begins; at the root of
 * the whole wave. */
struct tan_model {
    const char *name; /* "tan", "logp", ... */
    const char *help; /* the formula in words */
    double (*level)(const struct tan_params *params, int64_t fanout);
    bool gap; /* the level cost holds g once, as a term of its own */
    double (*bound)(const struct tan_params *params, int64_t fanout, int64_t leaves);
    double (*node)(const struct tan_params *params, const struct tan_children *kind, int n,
                   bool root);
    double (*leaf)(const struct tan_params *params); /* the time of a leaf */
    double (*period)(const struct tan_params *params, int64_t fanout, int64_t leaves);
};
/* The rows. LogP is as TAN's authors use it: its level is TAN's without the growth of the overhead,
 * so never the dearer one. Models that are sums of levels come first. A row with name NULL ends the
 * table. */
enum tan_model_row {
    TAN_MODEL_TAN,
    TAN_MODEL_LOGP,
    TAN_MODEL_LOGP_SERIAL,
    TAN_MODEL_OVERLAP,
    TAN_MODELS
};
extern const struct tan_model tan_models[TAN_MODELS + 1];
const struct tan_model *tan_model_find(const char *name, struct tan_error *e);
/* The machine's parameters of the model: those of TAN or of tan-overlap. NULL: it has none. */
const struct tan_params *tan_model_params(const struct tan_model *model,
                                          const struct tan_machine *machine);
/* The same of all tiers; false: one of them has none. */
bool tan_model_tiers(const struct tan_model *model, const struct tan_machine *machine,
                     struct tan_tiers *out);
void tan_model_help(FILE *to);

/* The cost of a level under `params` with its payload: of a parent with `fanout` children, where
 * the fullest child has `below` leaves below it (1 when it is a leaf) and the other children
 * `others` together, taken as spread evenly. Without a payload model->level. Not falling with
 * `fanout` or `below`; with a payload never below the cost of the level without one. */
double tan_level_cost(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout, int64_t below, int64_t others);
/* The one level of a flat tree with so many leaves: its wave less C. */
double tan_flat_level(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout);
/* The time between waves in steady state of such a node: the level's cost, or the model's own. */
double tan_level_period(const struct tan_model *model, const struct tan_params *params,
                        int64_t fanout, int64_t below, int64_t others);

/* One level of the critical path of a wave, from the root down. */
struct tan_level {
    int32_t node; /* the parent */
    int32_t fanout;
    int tier;        /* of the link to the next node of the path */
    double latency;  /* L */
    double overhead; /* the rest of the cost */
    double gap;      /* g, 0 for models without it as a term */
    double cost;     /* their sum */
};

struct tan_prediction {
    double wave;   /* seconds: half round trip */
    double period; /* seconds between waves in steady state (pipelined): the largest level cost of a
                      node */
    int32_t levels;          /* length of the critical path */
    struct tan_level *level; /* `levels` entries, root first; owned */
};

/* The recursion T_i = max over children k of (cost_k + T_k), T_leaf = C of the last tier, where
 * cost_k is that of the link to child k: with x children
 *   cost_k = level_k(1) + sum over the other children j of (level_j(x) - level_j(1)) / (x - 1),
 * level_j being the level cost by the parameters of child j's tier. So the last message pays for
 * its own way, and every other one for what it costs the parent among x; with method joint,
 * cost_k = L_k + 2 a_k + sum over j of (b_j + c_j (x + 1)). Where all links of a node are of one
 * tier that is level(x), but for latencies that sites->latency knows. What other sizes of messages
 * cost is taken from the last tier. O(nodes).
 */
int tan_predict_at(const struct tan_model *model, const struct tan_tiers *tiers,
                   const struct tan_sites *sites, const struct tan_tree *tree,
                   struct tan_prediction *out, struct tan_error *e);
/* Only the wave time, NaN when memory is short. */
double tan_wave_time_at(const struct tan_model *model, const struct tan_tiers *tiers,
                        const struct tan_sites *sites, const struct tan_tree *tree);
/* Cost of a node's links to children, in seconds, by their tier (others are not meaningful);
 * without payload. */
void tan_link_costs(const struct tan_model *model, const struct tan_tiers *tiers,
                    const struct tan_sites *sites, const struct tan_tree *tree, int32_t node,
                    double cost[TAN_TIERS]);

/* The same for one tier: T_i = level(x_i) + max over children T_child, T_leaf = C (tan-model.txt,
 * equations 1 and 2). O(nodes). */
int tan_predict(const struct tan_model *model, const struct tan_params *params,
                const struct tan_tree *tree, struct tan_prediction *out, struct tan_error *e);
void tan_prediction_clear(struct tan_prediction *p);
/* Only the wave time, without allocation beyond one double per node; NaN when memory is short. */
double tan_wave_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_tree *tree);

TAN_END_DECLS

#endif
