/* report_json.c - a design and predictions as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/json_writer.h"
#include "design/report/json_parts.h"
#include "design/report/reading.h"
#include "design/report/report.h"
#include "model/wave/payload.h"

/* Payload of the waves: the requested size, and its growth. */
static void set_payload(struct tan_json_writer *w, json_t *top, const struct tan_params *params)
{
    if (params->payload == NULL) {
        tan_json_set_int(w, top, "bytes", params->bytes);
        return;
    }
    tan_json_set_int(w, top, "bytes", tan_payload_bytes(params->payload));
    tan_json_set_string(w, top, "growth", tan_payload_rule_of(params->payload)->name);
    tan_json_set_string(w, top, "message_model", tan_payload_model_of(params->payload)->name);
}

/* The level's cost: latency, gap and the rest, the overhead; the first and the last only where the
 * parameters tell one from the other. */
static void set_costs(struct tan_json_writer *w, json_t *level, const struct tan_level *costs,
                      const struct tan_params *params)
{
    if (!params->unidentified[TAN_L]) {
        tan_report_set_us(w, level, "latency_us", costs->latency);
        tan_report_set_us(w, level, "overhead_us", costs->overhead);
    }
    if (params->work > 0) { /* part of the overhead */
        tan_report_set_us(w, level, "work_us", params->work * (double)costs->fanout);
    }
    tan_report_set_us(w, level, "gap_us", costs->gap);
    tan_report_set_us(w, level, "cost_us", costs->cost);
}

static void append_level(struct tan_json_writer *w, json_t *levels, const struct tan_design *d,
                         const struct tan_plan *plan, int level, int64_t nodes)
{
    const struct tan_problem *p = &d->problem;
    struct tan_level costs = {.fanout = (int32_t)plan->fanout[level],
                              .latency = p->params->value[TAN_L],
                              .gap = p->model->gap ? p->params->value[TAN_G] : 0.0,
                              .cost = tan_plan_level(plan, level, p->model, p->params)};
    costs.overhead = costs.cost - costs.latency - costs.gap;
    json_t *object = tan_json_append_object(w, levels);
    tan_json_set_int(w, object, "fanout", plan->fanout[level]);
    tan_json_set_int(w, object, "nodes", nodes);
    set_costs(w, object, &costs, p->params);
}

static void set_ci95(struct tan_json_writer *w, json_t *object, const char *key,
                     struct tan_interval ci95)
{
    if (ci95.low <= ci95.high) {
        tan_json_set_pair(w, object, key, tan_json_us_digits(ci95.low, TAN_REPORT_DIGITS),
                          tan_json_us_digits(ci95.high, TAN_REPORT_DIGITS));
    }
}

/* Members common to candidates and baselines. */
static void set_shape(struct tan_json_writer *w, json_t *object, const struct tan_plan *plan)
{
    json_t *fanouts = tan_json_set_array(w, object, "fanouts");
    for (int i = 0; i < plan->height; i++) {
        tan_json_append(w, fanouts, json_integer(plan->fanout[i]));
    }
    tan_json_set_int(w, object, "height", plan->height);
    tan_json_set_int(w, object, "internal", plan->internal);
    tan_json_set_int(w, object, "processes", plan->processes);
    tan_json_set_int(w, object, "max_fanout", plan->max_fanout);
}

static void set_plan(struct tan_json_writer *w, json_t *object, const struct tan_plan *plan)
{
    set_shape(w, object, plan);
    tan_report_set_us(w, object, "wave_us", plan->wave);
    tan_report_set_us(w, object, "period_us", plan->period);
}

static void set_choice(struct tan_json_writer *w, json_t *object, const struct tan_design *d,
                       const struct tan_choice *c)
{
    char spec[280];
    int64_t nodes = 1;
    set_plan(w, object, &c->plan);
    tan_json_set_string(w, object, "topo", tan_plan_spec(&c->plan, spec, sizeof spec));
    tan_json_set_real(w, object, "slower", c->slower);
    tan_json_set_bool(w, object, "tied", c->tied);
    set_ci95(w, object, "ci95_us", c->ci95);
    if (isfinite(c->loss)) {
        tan_json_set_real(w, object, "mean_loss", c->mean_loss);
        tan_json_set_real(w, object, "loss95", c->loss);
    }
    json_t *levels = tan_json_set_array(w, object, "levels");
    for (int i = 0; i < c->plan.height; i++) {
        append_level(w, levels, d, &c->plan, i, nodes);
        nodes *= c->plan.fanout[i];
    }
}

static void set_comparison(struct tan_json_writer *w, json_t *object,
                           const struct tan_comparison *c)
{
    set_plan(w, object, &c->plan);
    tan_json_set_string(w, object, "name", c->rule);
    tan_json_set_string(w, object, "topo", c->spec);
    tan_json_set_real(w, object, "slower", c->slower);
    tan_json_set_bool(w, object, "tied", c->tied);
    tan_json_set_bool(w, object, "within_limits", c->within_limits);
}

static void set_limits(struct tan_json_writer *w, json_t *top, const struct tan_problem *p)
{
    const struct {
        const char *key;
        int64_t limit; /* 0: none */
    } rows[] = {{"max_fanout", p->max_fanout},
                {"max_height", p->max_height},
                {"max_processes", p->max_processes},
                {"max_connections", p->max_connections}};
    json_t *limits = tan_json_set_object(w, top, "limits");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].limit > 0) {
            tan_json_set_int(w, limits, rows[i].key, rows[i].limit);
        }
    }
}

/* [low, high] of each parameter, null without an upper end. */
static void set_stays(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    json_t *stays = NULL;
    for (int i = 0; i < TAN_BREAKPOINTS; i++) {
        const struct tan_interval *s = &d->stays[i];
        if (!(s->low <= s->high)) {
            continue;
        }
        if (stays == NULL) {
            stays = tan_json_set_object(w, top, "stays_fastest");
        }
        tan_json_set_pair(
            w, stays, tan_param_key(d->problem.params->method, tan_breakpoint_params[i]),
            tan_json_us_digits(s->low, TAN_REPORT_DIGITS),
            isfinite(s->high) ? tan_json_us_digits(s->high, TAN_REPORT_DIGITS) : json_null());
    }
}

static void set_heights(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    if (d->loss.n == 0) {
        return;
    }
    json_t *heights = tan_json_set_array(w, top, "heights");
    for (int i = 0; i < d->n_heights; i++) {
        char spec[280];
        json_t *row = tan_json_append_object(w, heights);
        tan_json_set_int(w, row, "height", d->heights[i].plan.height);
        tan_json_set_string(w, row, "topo", tan_plan_spec(&d->heights[i].plan, spec, sizeof spec));
        tan_json_set_fixed(w, row, "share", d->heights[i].share, 4);
    }
    if (d->decide[0] != '\0') {
        tan_json_set_string(w, top, "measure", d->decide);
    }
}

/* Latencies under which the fastest tree keeps its height, where the latency is known. */
static void set_fastest_while(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    if (d->problem.params->unidentified[TAN_L]) {
        return;
    }
    json_t *fastest_while = tan_json_set_object(w, top, "fastest_while_L_us");
    if (d->more_levels.exists) {
        tan_report_set_us(w, fastest_while, "min", d->more_levels.latency);
    }
    if (d->fewer_levels.exists) {
        tan_report_set_us(w, fastest_while, "max", d->fewer_levels.latency);
    }
}

static void set_compared(struct tan_json_writer *w, json_t *object, const struct tan_compared *c)
{
    tan_json_set_string(w, object, "topo", c->spec);
    tan_json_set_int(w, object, "leaves", c->leaves);
    tan_json_set_int(w, object, "processes", c->processes);
    tan_json_set_int(w, object, "height", c->height);
    tan_json_set_int(w, object, "max_fanout", c->max_fanout);
    tan_report_set_us(w, object, "wave_us", c->wave);
    set_ci95(w, object, "ci95_us", c->ci95);
    tan_json_set_real(w, object, "slower", c->slower);
    tan_report_set_us(w, object, "difference_us", c->difference);
    set_ci95(w, object, "difference_ci95_us", c->difference_ci95);
    tan_json_set_bool(w, object, "tied", c->tied);
}

static void set_model(struct tan_json_writer *w, json_t *top, const struct tan_model *model,
                      const struct tan_params *params)
{
    tan_json_set_string(w, top, "model", model->name);
    tan_json_set_string(w, top, "fanout_cost", tan_reading_name(tan_reading_of(model, params)));
}

json_t *tan_fanouts_to_json(const struct tan_fanout rows[TAN_FANOUTS],
                            const struct tan_model *model, int64_t leaves,
                            const struct tan_provenance *from, const struct tan_trust *trust)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-fanouts/1");
    if (leaves > 0) {
        tan_json_set_int(&w, top, "leaves", leaves);
    }
    tan_report_set_machine(&w, top, from);
    tan_report_set_trust(&w, top, trust);
    set_model(&w, top, model, &from->machine->tan);
    set_payload(&w, top, &from->machine->tan);
    json_t *fanouts = tan_json_set_array(&w, top, "fanouts");
    for (int i = 0; i < TAN_FANOUTS; i++) {
        const struct tan_fanout *f = &rows[i];
        json_t *row = tan_json_append_object(&w, fanouts);
        tan_json_set_int(&w, row, "fanout", f->fanout);
        tan_report_set_us(&w, row, "level_us", f->level);
        tan_report_set_us(&w, row, "per_child_us", f->level / (double)f->fanout);
        set_ci95(&w, row, "ci95_us", f->ci95);
        if (leaves > 0) {
            json_t *tree = tan_json_set_object(&w, row, "tree");
            set_plan(&w, tree, &f->plan);
            tan_json_set_string(&w, tree, "topo", f->spec);
            set_ci95(&w, tree, "ci95_us", f->wave_ci95);
        }
    }
    return tan_json_finish(&w, top);
}

static void set_by_other(struct tan_json_writer *w, json_t *top, const char *key,
                         const struct tan_by_other *other)
{
    if (other->exists) {
        json_t *object = tan_json_set_object(w, top, key);
        tan_report_set_us(w, object, "wave_us", other->wave);
        tan_report_set_us(w, object, "tree_us", other->best_wave);
        set_comparison(w, tan_json_set_object(w, object, "tree"), &other->best);
    }
}

static void set_any_shape(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    const struct tan_tree *tree = d->any_shape;
    if (tree == NULL) {
        return;
    }
    json_t *object = tan_json_set_object(w, top, "any_shape");
    tan_report_set_us(w, object, "wave_us", d->any_shape_wave);
    tan_json_set_int(w, object, "processes", tan_tree_size(tree));
    tan_json_set_int(w, object, "height", tan_tree_height(tree));
    tan_json_set_int(w, object, "max_fanout", tan_tree_max_fanout(tree));
    json_t *parents = tan_json_set_array(w, object, "parents");
    for (int32_t i = 0; i < tan_tree_size(tree); i++) {
        tan_json_append(w, parents, json_integer(tan_tree_parent(tree, i)));
    }
}

json_t *tan_design_to_json(const struct tan_design *d, int listed,
                           const struct tan_compared *compared, size_t n_compared,
                           const struct tan_provenance *from, const struct tan_trust *trust)
{
    const struct tan_problem *p = &d->problem;
    static const char *const spreads[] = {[TAN_SPREAD_UNKNOWN] = "none",
                                          [TAN_SPREAD_CI95] = "ci95",
                                          [TAN_SPREAD_DRAWS] = "bootstrap"};
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-design/1");
    tan_json_set_int(&w, top, "leaves", p->leaves);
    tan_report_set_machine(&w, top, from);
    tan_report_set_trust(&w, top, trust);
    set_model(&w, top, p->model, p->params);
    set_payload(&w, top, p->params);
    set_limits(&w, top, p);
    tan_json_set_string(&w, top, "error_bars", spreads[d->spread]);
    tan_json_set_int(&w, top, "compared", (json_int_t)d->n_choices);
    tan_json_set_int(&w, top, "tied", (json_int_t)d->n_tied);
    set_choice(&w, tan_json_set_object(&w, top, "best"), d, &d->choices[0]);
    set_plan(&w, tan_json_set_object(&w, top, "fastest"), &d->fastest);
    set_heights(&w, top, d);
    set_fastest_while(&w, top, d);
    set_stays(&w, top, d);
    if (d->flat_until > 0) {
        tan_json_set_int(&w, top, "flat_until", d->flat_until);
    }
    if (d->flat_until > 0 && d->flat_ci95.low <= d->flat_ci95.high) {
        tan_json_set_pair(&w, top, "flat_until_ci95", json_integer((json_int_t)d->flat_ci95.low),
                          json_integer((json_int_t)d->flat_ci95.high));
    }
    if (isfinite(d->probability)) {
        tan_json_set_fixed(&w, top, "probability", d->probability, 4);
    }
    json_t *candidates = tan_json_set_array(&w, top, "candidates");
    for (size_t i = 0; i < d->n_choices && i < (size_t)listed; i++) {
        set_choice(&w, tan_json_append_object(&w, candidates), d, &d->choices[i]);
    }
    json_t *baselines = tan_json_set_array(&w, top, "baselines");
    for (size_t i = 0; i < d->n_comparisons; i++) {
        set_comparison(&w, tan_json_append_object(&w, baselines), &d->comparisons[i]);
    }
    set_by_other(&w, top, "logp", &d->logp);
    set_by_other(&w, top, "tan", &d->tan);
    set_by_other(&w, top, "loggpo", &d->loggpo);
    set_any_shape(&w, top, d);
    json_t *given = n_compared > 0 ? tan_json_set_array(&w, top, "given_trees") : NULL;
    for (size_t i = 0; i < n_compared; i++) {
        set_compared(&w, tan_json_append_object(&w, given), &compared[i]);
    }
    return tan_json_finish(&w, top);
}

json_t *tan_pareto_to_json(const struct tan_problem *problem, const struct tan_plans *front,
                           const struct tan_provenance *from, const struct tan_trust *trust)
{
    struct tan_json_writer w = {false};
    char spec[280];
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-pareto/1");
    tan_json_set_int(&w, top, "leaves", problem->leaves);
    tan_report_set_machine(&w, top, from);
    tan_report_set_trust(&w, top, trust);
    set_model(&w, top, problem->model, problem->params);
    set_payload(&w, top, problem->params);
    set_limits(&w, top, problem);
    tan_json_set_bool(&w, top, "complete", !front->cut);
    json_t *trees = tan_json_set_array(&w, top, "trees");
    for (size_t i = 0; i < front->n; i++) {
        json_t *tree = tan_json_append_object(&w, trees);
        set_plan(&w, tree, &front->plan[i]);
        tan_json_set_string(&w, tree, "topo", tan_plan_spec(&front->plan[i], spec, sizeof spec));
    }
    return tan_json_finish(&w, top);
}

static void set_forecast(struct tan_json_writer *w, json_t *object, const struct tan_forecast *f,
                         const struct tan_params *params)
{
    tan_json_set_string(w, object, "topo", f->spec);
    tan_json_set_int(w, object, "leaves", f->leaves);
    tan_json_set_int(w, object, "processes", f->processes);
    tan_json_set_int(w, object, "height", f->height);
    tan_json_set_int(w, object, "max_fanout", f->max_fanout);
    json_t *waves = tan_json_set_object(w, object, "wave_us");
    json_t *periods = tan_json_set_object(w, object, "period_us");
    for (int m = 0; m < TAN_MODELS; m++) {
        if (isnan(f->by_model[m].wave)) {
            continue;
        }
        tan_report_set_us(w, waves, tan_models[m].name, f->by_model[m].wave);
        tan_report_set_us(w, periods, tan_models[m].name, f->by_model[m].period);
    }
    if (f->messages_known) {
        json_t *by_messages = tan_json_set_object(w, object, "wave_by_message_model_us");
        for (int m = 0; m < TAN_P2P_MODELS; m++) {
            if (isfinite(f->by_message_model[m])) {
                tan_report_set_us(w, by_messages, tan_p2p_models[m].name, f->by_message_model[m]);
            }
        }
    }
    json_t *levels = tan_json_set_array(w, object, "levels");
    for (int32_t i = 0; i < f->prediction.levels; i++) {
        json_t *level = tan_json_append_object(w, levels);
        tan_json_set_int(w, level, "fanout", f->prediction.level[i].fanout);
        set_costs(w, level, &f->prediction.level[i], params);
    }
}

json_t *tan_hosted_to_json(const struct tan_hosted_problem *problem,
                           const struct tan_hosted_design *d, const struct tan_provenance *from,
                           const struct tan_trust *trust)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-hosted/1");
    tan_report_set_machine(&w, top, from);
    tan_report_set_trust(&w, top, trust);
    tan_json_set_string(&w, top, "model", problem->tree.model->name);
    set_payload(&w, top, &from->machine->tan);
    tan_json_set_int(&w, top, "hosts", problem->room.hosts);
    tan_json_set_int(&w, top, "ranks_per_host", problem->room.per_host);
    if (problem->room.racks > 0) {
        tan_json_set_int(&w, top, "racks", problem->room.racks);
    }
    json_t *choices = tan_json_set_array(&w, top, "choices");
    for (size_t i = 0; i < d->n_choices; i++) {
        const struct tan_hosted *c = &d->choices[i];
        json_t *choice = tan_json_append_object(&w, choices);
        tan_json_set_string(&w, choice, "topo", c->spec);
        tan_json_set_string(&w, choice, "placement", c->place->name);
        tan_json_set_int(&w, choice, "leaves", c->leaves);
        tan_json_set_int(&w, choice, "processes", c->processes);
        tan_json_set_int(&w, choice, "height", c->height);
        tan_json_set_int(&w, choice, "hosts", c->hosts);
        if (c->racks > 0) {
            tan_json_set_int(&w, choice, "racks", c->racks);
        }
        tan_report_set_us(&w, choice, "wave_us", c->wave);
        tan_json_set_fixed(&w, choice, "slower", c->slower, 6);
        if (c->ci95.low <= c->ci95.high) {
            tan_json_set_pair(&w, choice, "ci95",
                              tan_json_us_digits(c->ci95.low, TAN_REPORT_DIGITS),
                              tan_json_us_digits(c->ci95.high, TAN_REPORT_DIGITS));
            tan_json_set_bool(&w, choice, "tied", c->tied);
        }
    }
    return tan_json_finish(&w, top);
}

json_t *tan_forecasts_to_json(const struct tan_forecast *forecasts, size_t n,
                              const struct tan_model *model, const struct tan_provenance *from,
                              const struct tan_trust *trust)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-predict/1");
    tan_report_set_machine(&w, top, from);
    tan_report_set_trust(&w, top, trust);
    set_model(&w, top, model, &from->machine->tan);
    set_payload(&w, top, &from->machine->tan);
    json_t *trees = tan_json_set_array(&w, top, "trees");
    for (size_t i = 0; i < n; i++) {
        set_forecast(&w, tan_json_append_object(&w, trees), &forecasts[i], &from->machine->tan);
    }
    return tan_json_finish(&w, top);
}
