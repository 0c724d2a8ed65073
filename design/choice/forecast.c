/* forecast.c - given trees, predicted and compared with the best one; fanouts; doubts about trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/forecast.h"

#include <math.h>
#include <stdio.h>

#include "design/search/baselines.h"
#include "model/wave/wave_doubts.h"
#include "topo/spec.h"

int tan_forecast(const char *spec, const struct tan_tree *tree, const struct tan_model *model,
                 const struct tan_machine *machine, struct tan_forecast *out, struct tan_error *e)
{
    *out = (struct tan_forecast){.spec = spec,
                                 .processes = tan_tree_size(tree),
                                 .leaves = tan_tree_leaves(tree),
                                 .height = tan_tree_height(tree),
                                 .max_fanout = tan_tree_max_fanout(tree),
                                 .max_below = tan_tree_max_below(tree)};
    for (int i = 0; i < TAN_MODELS; i++) {
        struct tan_prediction prediction;
        const struct tan_params *params = tan_model_params(&tan_models[i], machine);
        out->by_model[i].wave = out->by_model[i].period = NAN;
        if (params == NULL) {
            continue;
        }
        if (tan_predict(&tan_models[i], params, tree, &prediction, e) < 0) {
            tan_forecast_clear(out);
            return -1;
        }
        out->by_model[i].wave = prediction.wave;
        out->by_model[i].period = prediction.period;
        if (&tan_models[i] == model) {
            out->prediction = prediction;
        } else {
            tan_prediction_clear(&prediction);
        }
    }
    return 0;
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

void tan_forecast_messages(struct tan_forecast *f, const struct tan_tree *tree,
                           const struct tan_model *model, const struct tan_machine *machine,
                           int64_t bytes, const struct tan_payload_rule *rule)
{
    f->messages_known = true;
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        f->by_message_model[m] = wave_by(&tan_p2p_models[m], model, machine, bytes, rule, tree);
    }
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
            tan_plan_price(&out[i].plan, model, params);
            if (tan_spread_wave(&out[i].plan, NULL, model, params, &out[i].wave_ci95, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

/* Doubts */

static void doubt_choice(const struct tan_design *d, struct tan_doubts *doubts)
{
    struct tan_text rival = {""};
    struct tan_text decide = {""};
    const struct tan_choice *choice = &d->choices[0];
    if (!(choice->loss > TAN_TRUSTED_LOSS)) {
        return;
    }
    if (d->levels.n > 1) {
        rival = tan_printed(", such as %.60s", tan_plan_fanouts(&d->levels.height[1].plan).text);
    }
    if (d->levels.decide[0] != '\0') {
        decide = tan_printed("; measure %s to decide", d->levels.decide);
    }
    tan_doubts_add(doubts, TAN_DOUBT, "undecided", choice->loss, TAN_TOUCHES_ALL,
                   "the parameters are too uncertain: this tree may be %.0f %% slower than the "
                   "best%s%s",
                   100.0 * choice->loss, rival.text, decide.text);
}

void tan_doubt_design(const struct tan_design *d, const struct tan_machine *machine,
                      struct tan_doubts *doubts)
{
    const struct tan_model *model = d->problem.model;
    const struct tan_params *params = d->problem.params;
    const struct tan_plan *plan = &d->choices[0].plan;
    for (int i = 0; i < plan->height; i++) {
        tan_doubt_fanout(plan->fanout[i], model, params, machine, doubts);
    }
    tan_doubt_size(plan->max_fanout, plan->processes, 0, model, params, machine, doubts);
    tan_doubt_handshakes(plan->below[0], model, params, doubts);
    doubt_choice(d, doubts);
}

void tan_doubt_compared(const struct tan_compared *compared, size_t n,
                        const struct tan_model *model, const struct tan_machine *machine,
                        struct tan_doubts *doubts)
{
    for (size_t i = 0; i < n; i++) { /* those about the machine come first */
        tan_doubt_fanout(compared[i].max_fanout, model, &machine->tan, machine, doubts);
    }
    for (size_t i = 0; i < n; i++) {
        tan_doubt_tree(compared[i].max_fanout, compared[i].max_below, compared[i].processes, 0,
                       model, &machine->tan, machine, doubts);
    }
}

void tan_doubt_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                       const struct tan_machine *machine, struct tan_doubts *doubts)
{
    for (int i = 0; i < TAN_FANOUTS; i++) { /* those about the machine come first */
        tan_doubt_fanout(rows[i].fanout, model, &machine->tan, machine, doubts);
    }
    for (int i = 0; i < TAN_FANOUTS; i++) {
        const struct tan_plan *plan = &rows[i].plan;
        tan_doubt_tree(rows[i].fanout, plan->height > 0 ? plan->below[0] : 1, plan->processes, 0,
                       model, &machine->tan, machine, doubts);
    }
}

/* Whether a fit without a latency suffices for the model's levels: it knows only the sum L + 2a. */
static bool needs_only_sum(const struct tan_model *model, const struct tan_params *params)
{
    struct tan_params moved = *params;
    moved.value[TAN_L] += params->value[TAN_A];
    moved.value[TAN_A] /= 2.0;
    const double level = model->level(params, 2);
    return tan_params_split(params) && fabs(model->level(&moved, 2) - level) <= 1e-9 * level;
}

/* A tree's times under draws of its levels' parameters, if those are not identified; else none. */
static struct tan_interval possible_times(const struct tan_forecast *f,
                                          const struct tan_model *model,
                                          const struct tan_params *params)
{
    struct tan_interval times = {INFINITY, 0.0};
    bool unidentified = false;
    for (int p = 0; p < TAN_PARAMS; p++) {
        unidentified = unidentified || (params->unidentified[p] && p != TAN_G &&
                                        !(p == TAN_L && needs_only_sum(model, params)));
    }
    for (int i = 0; i < params->n_draws && unidentified && params->payload == NULL; i++) {
        const struct tan_params moved = tan_params_drawn(params, i);
        double wave = moved.value[TAN_C0];
        for (int32_t k = 0; k < f->prediction.levels; k++) {
            wave += model->level(&moved, f->prediction.level[k].fanout);
        }
        times.low = fmin(times.low, wave);
        times.high = fmax(times.high, wave);
    }
    return times;
}

/* Doubt the times of trees for which draws of unidentified parameters give very different ones;
 * the doubt names the worst. */
static void doubt_times(const struct tan_forecast *forecasts, size_t n,
                        const struct tan_model *model, const struct tan_params *params,
                        struct tan_doubts *doubts)
{
    const double most = 1.0 + TAN_TRUSTED_LOSS;
    struct tan_interval widest = {1.0, 1.0};
    const char *spec = NULL;
    size_t others = 0;
    for (size_t i = 0; i < n; i++) {
        const struct tan_interval times = possible_times(&forecasts[i], model, params);
        if (!(times.high > most * times.low)) {
            continue;
        }
        others += spec != NULL;
        if (spec == NULL || times.high / times.low > widest.high / widest.low) {
            widest = times;
            spec = forecasts[i].spec;
        }
    }
    if (spec != NULL) {
        char more[64] = "";
        if (others > 0) {
            snprintf(more, sizeof more, ", and of %zu other%s", others, others > 1 ? "s" : "");
        }
        tan_doubts_add(doubts, TAN_DOUBT, "not-identified", widest.high / widest.low,
                       TAN_TOUCHES_ALL,
                       "the data do not identify the time of %.60s%s under %s: %.4g to %.4g us",
                       spec, more, model->name, 1e6 * widest.low, 1e6 * widest.high);
    }
}

void tan_doubt_forecasts(const struct tan_forecast *forecasts, size_t n,
                         const struct tan_model *model, const struct tan_machine *machine,
                         struct tan_doubts *doubts)
{
    for (size_t i = 0; i < n; i++) { /* those about the machine come first */
        const struct tan_forecast *f = &forecasts[i];
        for (int32_t k = 0; k < f->prediction.levels; k++) {
            if (k == 0 || f->prediction.level[k].fanout != f->prediction.level[k - 1].fanout) {
                tan_doubt_fanout(f->prediction.level[k].fanout, model, &machine->tan, machine,
                                 doubts);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        const struct tan_forecast *f = &forecasts[i];
        tan_doubt_tree(f->max_fanout, f->max_below, f->processes, f->hosts, model, &machine->tan,
                       machine, doubts);
    }
    doubt_times(forecasts, n, model, &machine->tan, doubts);
}
