/* wave.h - cost of a wave: TAN and the readings of LogP as level costs over one recursion
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef MODEL_WAVE_WAVE_H
#define MODEL_WAVE_WAVE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/machine/machine.h"
#include "topo/tree.h"

TAN_BEGIN_DECLS

/* A model is the cost of a level: the time from the last child's partial result being ready at the
 * child until the parent's is ready, in seconds, for a parent with `fanout` >= 1 children.
 * Non-decreasing in fanout. */
struct tan_model {
    const char *name; /* "tan", "logp", "logp-recursion", "logp-serial" */
    const char *help; /* the formula in words */
    double (*level)(const struct tan_params *params, int64_t fanout);
    bool gap; /* the level cost holds g once, as a term of its own */
};
/* A row with name NULL ends the table; row 0 is TAN, row 1 the default LogP. */
extern const struct tan_model tan_models[];
const struct tan_model *tan_model_find(const char *name, struct tan_error *e);
void tan_model_help(FILE *to);

/* The cost of a level under `params` with its payload: of a parent with `fanout` children, where
 * the fullest child has `below` leaves below it (1 when it is a leaf) and the other children
 * `others` together, taken as spread evenly. Without a payload model->level. Not falling with
 * `fanout` or `below`; with a payload never below the cost of the level without one. */
double tan_level_cost(const struct tan_model *model, const struct tan_params *params,
                      int64_t fanout, int64_t below, int64_t others);

/* One level of the critical path of a wave, from the root down. */
struct tan_level {
    int32_t node; /* the parent */
    int32_t fanout;
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

/* The recursion T_i = level(x_i) + max over children T_child, T_leaf = C (tan-model.txt, equations
 * 1 and 2). O(nodes). */
int tan_predict(const struct tan_model *model, const struct tan_params *params,
                const struct tan_tree *tree, struct tan_prediction *out, struct tan_error *e);
void tan_prediction_clear(struct tan_prediction *p);
/* Only the wave time, without allocation beyond one double per node; NaN when memory is short. */
double tan_wave_time(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_tree *tree);

TAN_END_DECLS

#endif
