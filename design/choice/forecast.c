/* forecast.c - given trees, predicted and compared with the best one; costs of fanouts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/forecast.h"

#include <math.h>

#include "design/search/baselines.h"
#include "topo/spec.h"

int tan_forecast(const char *spec, const struct tan_model *model, const struct tan_machine *machine,
                 struct tan_forecast *out, struct tan_error *e)
{
    *out = (struct tan_forecast){.spec = spec};
    struct tan_tree *tree = tan_spec_build(spec, e);
    if (tree == NULL) {
        return -1;
    }
    int result = -1;
    out->processes = tan_tree_size(tree);
    out->leaves = tan_tree_leaves(tree);
    out->height = tan_tree_height(tree);
    out->max_fanout = tan_tree_max_fanout(tree);
    out->max_below = tan_tree_max_below(tree);
    for (int i = 0; i < TAN_MODELS; i++) {
        struct tan_prediction prediction;
        const struct tan_params *params = tan_model_params(&tan_models[i], machine);
        out->by_model[i].wave = out->by_model[i].period = NAN;
        if (params == NULL) {
            continue;
        }
        if (tan_predict(&tan_models[i], params, tree, &prediction, e) < 0) {
            goto done;
        }
        out->by_model[i].wave = prediction.wave;
        out->by_model[i].period = prediction.period;
        if (&tan_models[i] == model) {
            out->prediction = prediction;
        } else {
            tan_prediction_clear(&prediction);
        }
    }
    result = 0;

done:
    tan_tree_destroy(tree);
    if (result < 0) {
        tan_forecast_clear(out);
    }
    return result;
}

struct tan_payload *tan_params_by_messages(const struct tan_machine *machine,
                                           const struct tan_p2p_model *messages, int64_t bytes,
                                           const struct tan_payload_rule *rule,
                                           struct tan_params *params)
{
    struct tan_error lacking = TAN_ERROR_INIT;
    struct tan_payload *payload = NULL;
    *params = machine->tan;
    if (!params->derived || tan_params_from_messages(machine->messages, messages, params)) {
        payload = tan_payload_create(machine->messages, messages, params->bytes, bytes, rule, "",
                                     &lacking);
    }
    params->payload = payload;
    return payload;
}

/* NaN if the file lacks parameters of the message model. */
static double wave_by(const struct tan_p2p_model *messages, const struct tan_model *model,
                      const struct tan_machine *machine, int64_t bytes,
                      const struct tan_payload_rule *rule, const struct tan_tree *tree)
{
    struct tan_params params;
    struct tan_payload *payload = tan_params_by_messages(machine, messages, bytes, rule, &params);
    const double wave = payload == NULL ? NAN : tan_wave_time(model, &params, tree);
    tan_payload_destroy(payload);
    return wave;
}

int tan_forecast_messages(struct tan_forecast *f, const struct tan_model *model,
                          const struct tan_machine *machine, int64_t bytes,
                          const struct tan_payload_rule *rule, struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(f->spec, e);
    if (tree == NULL) {
        return -1;
    }
    f->messages_known = true;
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        f->by_message_model[m] = wave_by(&tan_p2p_models[m], model, machine, bytes, rule, tree);
    }
    tan_tree_destroy(tree);
    return 0;
}

void tan_forecast_clear(struct tan_forecast *f)
{
    tan_prediction_clear(&f->prediction);
}

struct question {
    const struct tan_tree *tree;
    const struct tan_plan *fastest; /* to compare with; NULL: the wave time of the tree itself */
    const struct tan_model *model;
};

static double answer_question(const void *context, const struct tan_params *params)
{
    const struct question *q = context;
    const double wave = tan_wave_time(q->model, params, q->tree);
    return q->fastest == NULL ? wave : wave - tan_plan_wave(q->fastest, q->model, params);
}

/* Fewer draws for trees with many nodes, so that all but the largest take seconds at most. */
static struct tan_params with_fewer_draws(const struct tan_params *params, int32_t nodes)
{
    enum { NODES = 100000000, LEAST = 100 };
    struct tan_params fewer = *params;
    const int most = NODES / nodes > LEAST ? NODES / nodes : LEAST;
    fewer.n_draws = fewer.n_draws < most ? fewer.n_draws : most;
    return fewer;
}

int tan_compare(const struct tan_design *d, const char *spec, struct tan_compared *out,
                struct tan_error *e)
{
    const struct tan_problem *p = &d->problem;
    struct tan_tree *tree = tan_spec_build(spec, e);
    if (tree == NULL) {
        return -1;
    }
    const struct tan_params params = with_fewer_draws(p->params, tan_tree_size(tree));
    const struct question wave = {tree, NULL, p->model};
    const struct question difference = {tree, &d->fastest, p->model};
    *out = (struct tan_compared){
        .spec = spec,
        .processes = tan_tree_size(tree),
        .leaves = tan_tree_leaves(tree),
        .height = tan_tree_height(tree),
        .max_fanout = tan_tree_max_fanout(tree),
        .max_below = tan_tree_max_below(tree),
        .wave = answer_question(&wave, &params),
    };
    int result = -1;
    if (isnan(out->wave)) {
        tan_fail_nomem(e);
        goto done;
    }
    out->difference = out->wave - d->fastest.wave;
    out->slower = d->fastest.wave > 0.0 ? out->difference / d->fastest.wave : 0.0;
    if (tan_spread_interval(answer_question, &wave, &params, &out->ci95, e) < 0 ||
        tan_spread_interval(answer_question, &difference, &params, &out->difference_ci95, e) < 0) {
        goto done;
    }
    out->tied = fabs(out->difference) <= TAN_SEARCH_EQUAL * d->fastest.wave ||
                (out->difference_ci95.low <= 0.0 && out->difference_ci95.high >= 0.0);
    result = 0;

done:
    tan_tree_destroy(tree);
    return result;
}

struct fanout_question {
    const struct tan_model *model;
    int64_t fanout;
};

static double level_cost(const void *context, const struct tan_params *params)
{
    const struct fanout_question *q = context;
    return tan_flat_level(q->model, params, q->fanout);
}

int tan_fanouts(const struct tan_model *model, const struct tan_params *params, int64_t leaves,
                struct tan_fanout out[TAN_FANOUTS], struct tan_error *e)
{
    int64_t fanout = TAN_LEAST_FANOUT;
    for (int i = 0; i < TAN_FANOUTS; i++, fanout *= 2) {
        const struct fanout_question q = {model, fanout};
        const double level = level_cost(&q, params);
        out[i] = (struct tan_fanout){
            .fanout = fanout, .level = level, .per_child = level / (double)fanout};
        if (tan_spread_interval(level_cost, &q, params, &out[i].ci95, e) < 0) {
            return -1;
        }
        if (leaves > 0) {
            tan_baseline_kary(fanout, leaves, &out[i].plan);
            tan_plan_spec(&out[i].plan, out[i].spec, sizeof out[i].spec);
            tan_plan_price(&out[i].plan, model, params);
            if (tan_spread_wave(&out[i].plan, NULL, model, params, &out[i].wave_ci95, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}
