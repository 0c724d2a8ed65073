/* report_json.c - a design and predictions as programs read them
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jansson's set and append functions take NULL for a value as a failure, so one sum of results
 * tells whether memory was short. */
#include <jansson.h>
#include <stdlib.h>

#include "design/report.h"
#include "model/wave/payload.h"

static const double us = 1e-6;

/* Microseconds without the noise of the last bits: 205.984, not 205.98399999999998. */
static double in_us(double seconds)
{
    char text[32];
    snprintf(text, sizeof text, "%.12g", seconds / us);
    return strtod(text, NULL);
}

static json_t *us_json(double seconds)
{
    return json_real(in_us(seconds));
}

static json_t *interval_json(struct tan_interval ci95)
{
    return json_pack("[f, f]", in_us(ci95.low), in_us(ci95.high));
}

/* Give up an object when something in it could not be made. */
static json_t *unless(int bad, json_t *object)
{
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *machine_json(const struct tan_provenance *from)
{
    return json_pack("{s:s, s:s, s:s, s:b}", "name", from->machine->name, "file", from->file,
                     "method", tan_method_name(from->machine->tan.method), "oversubscribed",
                     from->machine->oversubscribed);
}

/* What the waves carry: the size that was asked for, and how it grows. */
static int set_payload(json_t *top, const struct tan_params *params)
{
    if (params->payload == NULL) {
        return json_object_set_new(top, "bytes", json_integer(params->bytes));
    }
    return json_object_set_new(top, "bytes", json_integer(tan_payload_bytes(params->payload))) |
           json_object_set_new(top, "growth",
                               json_string(tan_payload_rule_of(params->payload)->name));
}

/* The level's cost: latency, gap and what is left, the overhead. */
static json_t *level_json(const struct tan_design *d, const struct tan_plan *plan, int level,
                          int64_t nodes)
{
    const struct tan_problem *p = &d->problem;
    const double latency = p->params->value[TAN_L];
    const double gap = p->model->gap ? p->params->value[TAN_G] : 0.0;
    const double cost = tan_plan_level(plan, level, p->model, p->params);
    return json_pack("{s:I, s:I, s:f, s:f, s:f, s:f}", "fanout", (json_int_t)plan->fanout[level],
                     "nodes", (json_int_t)nodes, "latency_us", in_us(latency), "overhead_us",
                     in_us(cost - latency - gap), "gap_us", in_us(gap), "cost_us", in_us(cost));
}

/* What candidates and baselines have in common. */
static json_t *plan_json(const struct tan_plan *plan)
{
    json_t *object = json_object();
    json_t *fanouts = json_array();
    int bad = 0;
    for (int i = 0; i < plan->height; i++) {
        bad |= json_array_append_new(fanouts, json_integer(plan->fanout[i]));
    }
    bad |= json_object_set_new(object, "fanouts", fanouts);
    bad |= json_object_set_new(object, "height", json_integer(plan->height));
    bad |= json_object_set_new(object, "internal", json_integer(plan->internal));
    bad |= json_object_set_new(object, "processes", json_integer(plan->processes));
    bad |= json_object_set_new(object, "max_fanout", json_integer(plan->max_fanout));
    bad |= json_object_set_new(object, "wave_us", us_json(plan->wave));
    bad |= json_object_set_new(object, "period_us", us_json(plan->period));
    return unless(bad, object);
}

static json_t *choice_json(const struct tan_design *d, const struct tan_choice *c)
{
    json_t *object = plan_json(&c->plan);
    json_t *levels = json_array();
    char spec[280];
    int64_t nodes = 1;
    int bad = 0;
    for (int i = 0; i < c->plan.height; i++) {
        bad |= json_array_append_new(levels, level_json(d, &c->plan, i, nodes));
        nodes *= c->plan.fanout[i];
    }
    bad |= json_object_set_new(object, "topo",
                               json_string(tan_plan_spec(&c->plan, spec, sizeof spec)));
    bad |= json_object_set_new(object, "slower", json_real(c->slower));
    bad |= json_object_set_new(object, "tied", json_boolean(c->tied));
    if (c->ci95.low <= c->ci95.high) {
        bad |= json_object_set_new(object, "ci95_us", interval_json(c->ci95));
    }
    bad |= json_object_set_new(object, "levels", levels);
    return unless(bad, object);
}

static json_t *comparison_json(const struct tan_comparison *c)
{
    json_t *object = plan_json(&c->plan);
    int bad = json_object_set_new(object, "name", json_string(c->rule->name));
    bad |= json_object_set_new(object, "topo", json_string(c->spec));
    bad |= json_object_set_new(object, "slower", json_real(c->slower));
    bad |= json_object_set_new(object, "tied", json_boolean(c->tied));
    bad |= json_object_set_new(object, "within_limits", json_boolean(c->within_limits));
    return unless(bad, object);
}

static int set_limit(json_t *limits, const char *key, int64_t limit)
{
    return limit > 0 ? json_object_set_new(limits, key, json_integer(limit)) : 0;
}

json_t *tan_design_to_json(const struct tan_design *d, int listed,
                           const struct tan_provenance *from)
{
    const struct tan_problem *p = &d->problem;
    static const char *const spreads[] = {[TAN_SPREAD_UNKNOWN] = "none",
                                          [TAN_SPREAD_CI95] = "ci95",
                                          [TAN_SPREAD_DRAWS] = "bootstrap"};
    json_t *top = json_object();
    json_t *limits = json_object();
    json_t *candidates = json_array();
    json_t *baselines = json_array();
    json_t *best_while = json_object();
    int bad = set_limit(limits, "max_fanout", p->max_fanout);
    bad |= set_limit(limits, "max_height", p->max_height);
    bad |= set_limit(limits, "max_processes", p->max_processes);
    for (size_t i = 0; i < d->n_choices && i < (size_t)listed; i++) {
        bad |= json_array_append_new(candidates, choice_json(d, &d->choices[i]));
    }
    for (size_t i = 0; i < d->n_comparisons; i++) {
        bad |= json_array_append_new(baselines, comparison_json(&d->comparisons[i]));
    }
    if (d->more_levels.exists) {
        bad |= json_object_set_new(best_while, "min", us_json(d->more_levels.latency));
    }
    if (d->fewer_levels.exists) {
        bad |= json_object_set_new(best_while, "max", us_json(d->fewer_levels.latency));
    }
    bad |= json_object_set_new(top, "schema", json_string("tan-design/1"));
    bad |= json_object_set_new(top, "leaves", json_integer(p->leaves));
    bad |= json_object_set_new(top, "machine", machine_json(from));
    bad |= json_object_set_new(top, "model", json_string(p->model->name));
    bad |= set_payload(top, p->params);
    bad |= json_object_set(top, "limits", limits);
    bad |= json_object_set_new(top, "error_bars", json_string(spreads[d->spread]));
    bad |= json_object_set_new(top, "compared", json_integer((json_int_t)d->n_choices));
    bad |= json_object_set_new(top, "tied", json_integer((json_int_t)d->n_tied));
    bad |= json_object_set_new(top, "best", choice_json(d, &d->choices[0]));
    bad |= json_object_set_new(top, "fastest", plan_json(&d->fastest));
    bad |= json_object_set(top, "fastest_while_L_us", best_while);
    bad |= json_object_set(top, "candidates", candidates);
    bad |= json_object_set(top, "baselines", baselines);
    json_decref(limits);
    json_decref(candidates);
    json_decref(baselines);
    json_decref(best_while);
    return unless(bad, top);
}

static json_t *forecast_json(const struct tan_forecast *f)
{
    json_t *object = json_pack("{s:s, s:i, s:i, s:i, s:i}", "topo", f->spec, "leaves",
                               (int)f->leaves, "processes", (int)f->processes, "height",
                               (int)f->height, "max_fanout", (int)f->max_fanout);
    json_t *waves = json_object();
    json_t *periods = json_object();
    json_t *levels = json_array();
    int bad = 0;
    for (int m = 0; m < TAN_FORECAST_MODELS; m++) {
        bad |= json_object_set_new(waves, tan_models[m].name, us_json(f->by_model[m].wave));
        bad |= json_object_set_new(periods, tan_models[m].name, us_json(f->by_model[m].period));
    }
    for (int32_t i = 0; i < f->prediction.levels; i++) {
        const struct tan_level *l = &f->prediction.level[i];
        bad |= json_array_append_new(
            levels, json_pack("{s:i, s:f, s:f, s:f, s:f}", "fanout", (int)l->fanout, "latency_us",
                              in_us(l->latency), "overhead_us", in_us(l->overhead), "gap_us",
                              in_us(l->gap), "cost_us", in_us(l->cost)));
    }
    bad |= json_object_set_new(object, "wave_us", waves);
    bad |= json_object_set_new(object, "period_us", periods);
    bad |= json_object_set_new(object, "levels", levels);
    return unless(bad, object);
}

json_t *tan_forecasts_to_json(const struct tan_forecast *forecasts, size_t n,
                              const struct tan_model *model, const struct tan_provenance *from)
{
    json_t *top = json_object();
    json_t *trees = json_array();
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        bad |= json_array_append_new(trees, forecast_json(&forecasts[i]));
    }
    bad |= json_object_set_new(top, "schema", json_string("tan-predict/1"));
    bad |= json_object_set_new(top, "machine", machine_json(from));
    bad |= json_object_set_new(top, "model", json_string(model->name));
    bad |= set_payload(top, &from->machine->tan);
    bad |= json_object_set_new(top, "trees", trees);
    return unless(bad, top);
}
