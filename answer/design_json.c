/* design_json.c - a design as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "answer/answer.h"
#include "answer/design_trees.h"
#include "answer/figures_json.h"
#include "answer/json_parts.h"

static void set_sureness(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    if (isfinite(d->probability)) {
        tan_json_set_fixed(w, top, "probability", d->probability, 4);
    }
    if (d->runner_up.exists) {
        json_t *next = tan_json_set_object(w, top, "runner_up");
        tan_json_set_string(w, next, "topo", tan_spec_text(&d->runner_up.plan).text);
        tan_json_set_fixed(w, next, "probability", d->runner_up.probability, 4);
        tan_json_set_fixed(w, next, "mean_loss", d->runner_up.mean_loss, 6);
    }
    tan_report_set_sensitivities(w, top, d->ranges.row, d->ranges.n, d->problem.params->method);
}

static void set_heights(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    if (d->loss.n == 0) {
        return;
    }
    json_t *heights = tan_json_set_array(w, top, "heights");
    for (int i = 0; i < d->levels.n; i++) {
        json_t *row = tan_json_append_object(w, heights);
        tan_json_set_int(w, row, "height", d->levels.height[i].plan.height);
        tan_json_set_string(w, row, "topo", tan_spec_text(&d->levels.height[i].plan).text);
        tan_json_set_fixed(w, row, "share", d->levels.height[i].share, 4);
    }
    if (d->levels.decide[0] != '\0') {
        tan_json_set_string(w, top, "measure", d->levels.decide);
    }
}

static void set_by_other(struct tan_json_writer *w, json_t *top, const char *key,
                         const struct tan_by_other *other)
{
    if (other->exists) {
        json_t *object = tan_json_set_object(w, top, key);
        tan_report_set_us(w, object, "wave_us", other->wave);
        tan_report_set_us(w, object, "tree_us", other->best_wave);
        tan_fields_set(w, tan_json_set_object(w, object, "tree"), tan_comparison_fields,
                       &other->best);
    }
}

/* Under a model that knows trees of any shape. */
static void set_any_shape(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    const struct tan_any_shape *any = &d->any_shape;
    if (d->problem.model->node == NULL) {
        return;
    }
    json_t *object = tan_json_set_object(w, top, "any_shape");
    if (d->any_shape_not != NULL) {
        tan_json_set_string(w, object, "left_out", d->any_shape_not);
        return;
    }
    tan_report_set_us(w, object, "bound_us", any->bound);
    if (any->tree != NULL) {
        tan_report_set_us(w, object, "wave_us", any->wave);
        tan_json_set_fixed(w, object, "less", 1.0 - any->wave / d->fastest.wave, 6);
        tan_json_set_int(w, object, "processes", tan_tree_size(any->tree));
        tan_json_set_int(w, object, "height", tan_tree_height(any->tree));
        tan_json_set_int(w, object, "max_fanout", tan_tree_max_fanout(any->tree));
    }
}

json_t *tan_design_to_json(const struct tan_design *d, int listed,
                           const struct tan_compared *compared, size_t n_compared,
                           const struct tan_provenance *from, const struct tan_doubts *doubts)
{
    const struct tan_problem *p = &d->problem;
    static const char *const spreads[] = {[TAN_SPREAD_UNKNOWN] = "none",
                                          [TAN_SPREAD_CI95] = "ci95",
                                          [TAN_SPREAD_DRAWS] = "bootstrap"};
    static const struct tan_field plan_fields[] = {TAN_PLAN_FIELDS(0), TAN_FIELDS_END};
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-design/1", p->leaves, p->model, from, doubts);
    tan_report_set_model(&w, top, p->model, p->params);
    tan_report_set_payload(&w, top, p->params);
    tan_report_set_limits(&w, top, p);
    tan_json_set_string(&w, top, "error_bars", spreads[d->spread]);
    tan_json_set_string(&w, top, "best_of", tan_best_of_text(p));
    tan_json_set_int(&w, top, "compared", (json_int_t)d->n_choices);
    tan_json_set_int(&w, top, "tied", (json_int_t)d->n_tied);
    tan_design_set_choice(&w, tan_json_set_object(&w, top, "best"), d, &d->choices[0]);
    tan_fields_set(&w, tan_json_set_object(&w, top, "fastest"), plan_fields, &d->fastest);
    if (d->fewer_levels.exists) {
        tan_fields_set(&w, tan_json_set_object(&w, top, "fewer_levels"), plan_fields,
                       &d->fewer_levels.plan);
    }
    if (d->more_levels.exists) {
        tan_fields_set(&w, tan_json_set_object(&w, top, "more_levels"), plan_fields,
                       &d->more_levels.plan);
    }
    set_heights(&w, top, d);
    tan_json_set_count(&w, top, "flat_until", d->flat.until);
    if (d->flat.until > 0 && d->flat.ci95.low <= d->flat.ci95.high) {
        tan_json_set_pair(&w, top, "flat_until_ci95", json_integer((json_int_t)d->flat.ci95.low),
                          json_integer((json_int_t)d->flat.ci95.high));
    }
    set_sureness(&w, top, d);
    json_t *candidates = tan_json_set_array(&w, top, "candidates");
    for (size_t i = 0; i < d->n_choices && i < (size_t)listed; i++) {
        tan_design_set_choice(&w, tan_json_append_object(&w, candidates), d, &d->choices[i]);
    }
    json_t *baselines = tan_json_set_array(&w, top, "baselines");
    for (size_t i = 0; i < d->n_comparisons; i++) {
        tan_fields_set(&w, tan_json_append_object(&w, baselines), tan_comparison_fields,
                       &d->comparisons[i]);
    }
    set_by_other(&w, top, "logp", &d->by.logp);
    set_by_other(&w, top, "tan", &d->by.tan);
    set_by_other(&w, top, "loggpo", &d->by.loggpo);
    set_any_shape(&w, top, d);
    json_t *given = n_compared > 0 ? tan_json_set_array(&w, top, "given_trees") : NULL;
    for (size_t i = 0; i < n_compared; i++) {
        tan_fields_set(&w, tan_json_append_object(&w, given), tan_compared_fields, &compared[i]);
    }
    tan_figures_set_design(&w, top, d);
    return tan_json_finish(&w, top);
}
