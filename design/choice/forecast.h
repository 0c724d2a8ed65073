/* forecast.h - given trees, predicted and compared with the best one; costs of fanouts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_CHOICE_FORECAST_H
#define TAN_DESIGN_CHOICE_FORECAST_H

#include "design/choice/design.h"
#include "design/search/spread.h"
#include "design/systems/setting.h"
#include "model/machine/machine.h"
#include "model/wave/payload.h"
#include "model/wave/wave.h"

struct tan_forecast {
    const char *spec; /* borrowed */
    int32_t processes, leaves, height, max_fanout;
    int32_t hosts;     /* 0: one per process */
    int32_t max_below; /* most leaves below a node other than the root */
    struct {
        double wave, period; /* seconds; NaN: the machine lacks parameters of the model */
    } by_model[TAN_MODELS];  /* in the order of tan_models */
    bool messages_known;     /* whether by_message_model was requested */
    /* under the requested model, by the models of single messages; seconds, NaN: the file lacks
     * parameters */
    double by_message_model[TAN_P2P_MODELS];
    struct tan_prediction prediction; /* under the requested model, which has parameters; owned */
};

/* Predict the waves of a tree, which is called `spec`, by every model; `model` is the requested
 * one. O(nodes). Fails when memory is short. */
int tan_forecast(const char *spec, const struct tan_tree *tree, const struct tan_model *model,
                 const struct tan_machine *machine, struct tan_forecast *out, struct tan_error *e);
/* The machine's parameters for messages of `bytes` that grow by `rule`, by a model of single
 * messages: those derived from them are derived again. Returns params->payload, which the caller
 * destroys; NULL if the file lacks parameters of `messages`. */
struct tan_payload *tan_params_by_messages(const struct tan_machine *machine,
                                           const struct tan_p2p_model *messages, int64_t bytes,
                                           const struct tan_payload_rule *rule,
                                           struct tan_params *params);
/* Also predict it by every model of single messages, with messages of `bytes` that grow by `rule`.
 * machine->messages must not be NULL. */
void tan_forecast_messages(struct tan_forecast *f, const struct tan_tree *tree,
                           const struct tan_model *model, const struct tan_machine *machine,
                           int64_t bytes, const struct tan_payload_rule *rule);
void tan_forecast_clear(struct tan_forecast *f);

struct tan_compared {
    const char *spec; /* borrowed */
    int64_t processes, leaves;
    int32_t height, max_fanout;
    int32_t max_below;        /* most leaves below a node other than the root */
    double wave;              /* seconds */
    struct tan_interval ci95; /* of the wave; low > high if unknown */
    /* Share of the fastest tree's wave time. May be negative: with fewer leaves, beyond the limits,
     * or under a model with `node`. */
    double slower;
    double difference; /* from the fastest tree's wave, seconds */
    struct tan_interval difference_ci95;
    bool tied; /* the difference is not significant */
};

/* Build the tree that `spec` names (topo/spec.h) and compare it with d->fastest. O(nodes * draws),
 * where large trees use only the first 10^8 / nodes draws, but at least 100. Fails if there is no
 * such tree, or when memory is short. */
int tan_compare(const struct tan_design *d, const char *spec, struct tan_compared *out,
                struct tan_error *e);

/* One fanout; times are seconds, 95 % intervals have low > high if unknown. */
struct tan_fanout {
    int64_t fanout;
    double level; /* cost of a level whose parent has this many children, all leaves */
    double per_child;
    struct tan_interval ci95; /* of the level */
    /* The tree with at most this many children per node; height 0 if no leaves are given. */
    struct tan_plan plan;
    struct tan_interval wave_ci95;
};

/* Powers of two from the least to the most. */
enum { TAN_FANOUTS = 7, TAN_LEAST_FANOUT = 2, TAN_MOST_FANOUT = 128 };
/* Costs of all of them, and of their trees for `leaves` leaves (0: no trees). Fails only when
 * memory is short. */
int tan_fanouts(const struct tan_model *model, const struct tan_params *params, int64_t leaves,
                struct tan_fanout out[TAN_FANOUTS], struct tan_error *e);

/* Doubts */

/* Loss in 95 of 100 draws above which a recommendation is doubted. */
#define TAN_TRUSTED_LOSS 0.1

/* All functions append to `doubts`. */

/* The machine's doubts that concern the recommended tree, its excess over the measured sizes,
 * handshakes, and a possible loss of more than TAN_TRUSTED_LOSS. */
void tan_doubt_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_doubts *doubts);
/* The same, without the loss, for `n` trees that are compared with it. */
void tan_doubt_compared(const struct tan_compared *compared, size_t n,
                        const struct tan_model *model, const struct tan_machine *machine,
                        struct tan_doubts *doubts);
/* The same for every fanout of the table, and its tree if it has one. */
void tan_doubt_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                       const struct tan_machine *machine, struct tan_doubts *doubts);
/* The same for the predicted times of `n` trees, and doubts about unidentified parameters that
 * matter for them. */
void tan_doubt_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_doubts *doubts);

#endif
