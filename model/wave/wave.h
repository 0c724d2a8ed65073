/* wave.h - cost of a wave: level costs of TAN and variants of LogP in one recursion
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_WAVE_H
#define TAN_MODEL_WAVE_WAVE_H

#include <stdbool.h>

#include "model/machine/machine.h"
#include "model/wave/overlap.h"
#include "topo/tree.h"

/* A model is defined by the cost of a level: seconds from the moment the last child's partial
 * result is ready at the child until the parent's is ready, for a parent with `fanout` >= 1
 * children. Non-decreasing in fanout.
 * A model with `node` is not a sum of levels, since requests and answers overlap. Then `level` is a
 * lower bound of what a level adds, for messages of the measured size, and `bound` is one for those
 * of the payload, if the child with the most leaves has `leaves` leaves below it. The time of
 * a node follows from those of its children, of `n` kinds up to TAN_CHILDREN_KINDS in the order in
 * which they are asked. It is non-decreasing in the time of children of one kind; with several
 * kinds there are rare exceptions. Times of nodes are half the time from the arrival of a request
 * to the start of its answer; at the root, half the whole wave. */
struct tan_model {
    const char *name; /* "tan", "logp", ... */
    const char *help; /* the formula, for users */
    double (*level)(const struct tan_params *params, int64_t fanout);
    bool gap; /* g is a separate term of the level cost */
    /* All NULL in models that are sums of levels. */
    double (*bound)(const struct tan_params *params, int64_t fanout, int64_t leaves);
    double (*node)(const struct tan_params *params, const struct tan_children *kind, int n,
                   bool root);
    double (*leaf)(const struct tan_params *params); /* time of a leaf */
    /* Time between waves in steady state at a parent; `leaves` as for `bound`. */
    double (*period)(const struct tan_params *params, int64_t fanout, int64_t leaves);
};
/* Rows of tan_models. LogP is as used by TAN's authors: its level cost is TAN's without the growth
 * of the overhead, and so never higher. Models that are sums of levels come first. A row with name
 * NULL ends the table. */
enum tan_model_row {
    TAN_MODEL_TAN,
    TAN_MODEL_LOGP,
    TAN_MODEL_LOGP_SERIAL,
    TAN_MODEL_OVERLAP,
    TAN_MODELS
};
extern const struct tan_model tan_models[TAN_MODELS + 1];
const struct tan_model *tan_model_find(const char *name, struct tan_error *e);
/* The machine's parameters for the model: those of TAN or of tan-overlap; NULL if it has none. */
const struct tan_params *tan_model_params(const struct tan_model *model,
                                          const struct tan_machine *machine);
/* The same for all tiers; false if one of them has none. */
bool tan_model_tiers(const struct tan_model *model, const struct tan_machine *machine,
                     struct tan_tiers *out);

/* The cost of a level for messages of the payload in `params`; model->level if there is none. The
 * parent has `fanout` children: the one with the most leaves below it has `below` (1 if it is a
 * leaf itself), and the others have `others` in total, which are taken as evenly distributed.
 * Non-decreasing in `fanout` and `below`, and never negative. */
double tan_level_cost(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout, int64_t below, int64_t others);
/* The only level of a flat tree with that many leaves: its wave minus C. */
double tan_flat_level(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout);
/* The part of the filter's time that the cost of a level contains: for half round trips half of it,
 * since only the way up has a filter. */
double tan_level_work(const struct tan_params *params, int64_t fanout);
/* Time between waves in steady state at such a parent: by model->period if the model has one, else
 * the cost of the level with all of the filter's time. */
double tan_level_period(const struct tan_model *model, const struct tan_params *params,
                        int64_t fanout, int64_t below, int64_t others);

/* The phases of waves that the parameters are about; and how many times a wave their time is, since
 * waves of both are half round trips. */
enum tan_overlap_way tan_wave_way(const struct tan_params *params);
int tan_wave_ways(const struct tan_params *params);

/* Parameters of waves by tan-overlap, all of method TAN_METHOD_OVERLAP; what the last tier has is
 * borrowed, including its payload and filter. Messages of other sizes than measured differ by what
 * the payload's model of single messages predicts, separately for sender, receiver, gap and
 * network, each at least 0. */
struct tan_overlap tan_overlap_tiers(const struct tan_tiers *tiers);

/* A level on the critical path of a wave, from the root down. */
struct tan_level {
    int32_t child;   /* the next node on the path */
    int32_t fanout;  /* of its parent */
    double latency;  /* L */
    double overhead; /* the rest of the cost */
    double gap;      /* g; 0 for models in which it is not a separate term */
    double cost;     /* their sum */
};

struct tan_prediction {
    double wave;    /* seconds: half round trip */
    double period;  /* seconds between pipelined waves in steady state, by the slowest node */
    int32_t levels; /* length of the critical path */
    struct tan_level *level; /* `levels` entries, root first; owned */
};

/* The recursion T_i = max over children k of (cost_k + T_k), T_leaf = C of the last tier, where
 * cost_k is that of the link to child k: with x children
 *   cost_k = level_k(1) + sum over the other children j of (level_j(x) - level_j(1)) / (x - 1),
 * and level_j is the level cost with the parameters of child j's tier. So the last message pays for
 * its own link, and each of the others for its cost to the parent among x; with method joint,
 * cost_k = L_k + 2 a_k + sum over j of (b_j + c_j (x + 1)). If all links of a node belong to one
 * tier this is level(x). What a payload adds is taken from
 * the last tier. O(nodes). */
int tan_predict_at(const struct tan_model *model, const struct tan_tiers *tiers,
                   const struct tan_sites *sites, const struct tan_tree *tree,
                   struct tan_prediction *out, struct tan_error *e);
/* Only the wave time, NaN if memory is short. */
double tan_wave_time_at(const struct tan_model *model, const struct tan_tiers *tiers,
                        const struct tan_sites *sites, const struct tan_tree *tree);
/* Costs of a node's links to its children in seconds, by tier, without payload. Undefined for tiers
 * without such a link. */
void tan_link_costs(const struct tan_model *model, const struct tan_tiers *tiers,
                    const struct tan_sites *sites, const struct tan_tree *tree, int32_t node,
                    double cost[TAN_TIERS]);

/* tan_predict_at for one tier: T_i = level(x_i) + max over children T_child, T_leaf = C [Groves
 * 2015, equations 1 and 2]. O(nodes). */
int tan_predict(const struct tan_model *model, const struct tan_params *params,
                const struct tan_tree *tree, struct tan_prediction *out, struct tan_error *e);
void tan_prediction_clear(struct tan_prediction *p);
/* Only the wave time; NaN if memory is short. */
double tan_wave_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_tree *tree);

/* An assumption, since such a model knows only the cost of a whole level: with a process's first
 * child a message takes level(1) from the start of its send to the end of its receive, and further
 * messages of a process with x children follow each other at intervals of (level(x) - level(1)) /
 * (x - 1). By TAN (method joint) that is o_s = o_r = a, and a gap of b + c (x + 1). Down
 * (params->one_way is TAN_DOWN), children are sent to in the given order; up, they are received
 * from as they come. The last child of equal ones is served level(x) after the first begins.
 *
 * Seconds from the message at the node, or from the start of the leaves, until the last child's
 * time has passed, or the last message has been received. 0 <= n <= TAN_CHILDREN_KINDS. */
double tan_one_way_node(const struct tan_model *model, const struct tan_params *params,
                        const struct tan_children *kind, int n);

/* The same for a whole tree, with children in the order of tan_tree_children. Every message has the
 * times of its link's tier: it takes level(1), and keeps the process that others share from the
 * next one for its own interval. What a payload adds is taken from the last tier. NaN if memory is
 * short. O(nodes log fanout). */
double tan_one_way_time_at(const struct tan_model *model, const struct tan_tiers *tiers,
                           const struct tan_sites *sites, const struct tan_tree *tree);

#endif
