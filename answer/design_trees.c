/* design_trees.c - levels and trees of a design: the best, by rules of thumb, and given ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/design_trees.h"

#include <math.h>

#include "answer/phrases.h"
#include "base/reply.h"

#define AT(member) offsetof(struct tan_level_row, member)
const struct tan_field tan_level_fields[] = {
    {"fanout", "fanout", TAN_FIELD_INT64, AT(fanout)},
    {"nodes", "nodes", TAN_FIELD_KNOWN, AT(nodes)},
    {"latency_us", "latency", TAN_FIELD_TIME, AT(latency)},
    {"overhead_us", "overhead", TAN_FIELD_TIME, AT(overhead)},
    {"work_us", NULL, TAN_FIELD_TIME, AT(work)},
    {"gap_us", "gap", TAN_FIELD_TIME, AT(gap)},
    {"cost_us", "cost", TAN_FIELD_TIME, AT(cost)},
    TAN_FIELDS_END,
};
#undef AT

struct tan_level_row tan_level_row(const struct tan_level *level, int64_t fanout,
                                   const struct tan_params *params)
{
    const bool split = !params->unidentified[TAN_L];
    return (struct tan_level_row){
        .fanout = fanout,
        .latency = split ? level->latency : NAN,
        .overhead = split ? level->overhead : NAN,
        .work = params->work > 0.0 ? tan_level_work(params, fanout) : NAN,
        .gap = level->gap,
        .cost = level->cost,
    };
}

static struct tan_level_row level_of(const struct tan_design *d, const struct tan_plan *plan,
                                     int level, int64_t nodes)
{
    const struct tan_problem *p = &d->problem;
    struct tan_level costs = {.latency = p->params->value[TAN_L],
                              .gap = p->model->gap ? p->params->value[TAN_G] : 0.0,
                              .cost = tan_plan_level(plan, level, p->model, p->params)};
    costs.overhead = costs.cost - costs.latency - costs.gap;
    struct tan_level_row row = tan_level_row(&costs, plan->fanout[level], p->params);
    row.nodes = nodes;
    return row;
}

void tan_level_title(struct tan_json_writer *w, json_t *table, const char *title, double once)
{
    char text[TAN_SENTENCE];
    const bool any = once > 0.0;
    snprintf(text, sizeof text, "%.320s%s%s%s", title, any ? ", and " : "",
             any ? tan_exact_text(once).text : "", any ? " once for the wave (C)" : "");
    tan_json_set_string(w, table, "title", text);
}

static void set_levels(struct tan_json_writer *w, json_t *levels, const struct tan_design *d,
                       const struct tan_plan *plan)
{
    int64_t nodes = 1;
    for (int i = 0; i < plan->height; i++) {
        const struct tan_level_row row = level_of(d, plan, i, nodes);
        tan_fields_row(w, levels, tan_level_fields, &row);
        nodes *= row.fanout;
    }
}

#define AT(member) offsetof(struct tan_choice, member)
static const struct tan_field choice_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"most_lost", "one takes at most", TAN_FIELD_INT64, AT(plan.below)},
    {"topo", "tree", TAN_FIELD_SPEC, AT(plan)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {"ci95_us", "95 % interval", TAN_FIELD_INTERVAL, AT(ci95)},
    {"mean_loss", NULL, TAN_FIELD_REAL, AT(mean_loss)},
    {"loss95", NULL, TAN_FIELD_REAL, AT(loss)},
    TAN_FIELDS_END,
};
#undef AT

void tan_design_set_choice(struct tan_json_writer *w, json_t *object, const struct tan_design *d,
                           const struct tan_choice *c)
{
    tan_fields_set(w, object, choice_fields, c);
    set_levels(w, tan_json_set_array(w, object, "levels"), d, &c->plan);
}

#define AT(member) offsetof(struct tan_comparison, member)
const struct tan_field tan_comparison_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"name", "rule", TAN_FIELD_NAME, AT(rule)},
    {"topo", "tree", TAN_FIELD_STRING, AT(spec)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    {"within_limits", NULL, TAN_FIELD_FLAG, AT(within_limits)},
    TAN_FIELDS_END,
};
#undef AT

#define AT(member) offsetof(struct tan_compared, member)
const struct tan_field tan_compared_fields[] = {
    {"topo", "tree", TAN_FIELD_NAME, AT(spec)},
    {"leaves", "leaves", TAN_FIELD_INT64, AT(leaves)},
    {"processes", "processes", TAN_FIELD_INT64, AT(processes)},
    {"height", "height", TAN_FIELD_INT32, AT(height)},
    {"max_fanout", NULL, TAN_FIELD_INT32, AT(max_fanout)},
    {"most_lost", NULL, TAN_FIELD_INT32, AT(max_below)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"ci95_us", NULL, TAN_FIELD_INTERVAL, AT(ci95)},
    {"slower", "slower", TAN_FIELD_SLOWER, AT(slower)},
    {"difference_us", "difference", TAN_FIELD_TIME, AT(difference)},
    {"difference_ci95_us", "95 % interval of the difference", TAN_FIELD_INTERVAL,
     AT(difference_ci95)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    TAN_FIELDS_END,
};
#undef AT

static void detail_choices(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                           int listed)
{
    json_t *rows = tan_fields_table(
        w, tan_reply_detail(w, answer, "The best trees of those that are searched"), choice_fields,
        "topo height processes wave_us slower period_us ci95_us");
    for (size_t i = 0; i < d->n_choices && i < (size_t)listed; i++) {
        tan_fields_row(w, rows, choice_fields, &d->choices[i]);
    }
}

static void detail_rules(struct tan_json_writer *w, json_t *answer, const struct tan_design *d)
{
    json_t *rows = tan_fields_table(
        w, tan_reply_detail(w, answer, "What rules of thumb build for as many leaves"),
        tan_comparison_fields, "name topo height processes wave_us slower");
    for (size_t i = 0; i < d->n_comparisons; i++) {
        tan_fields_row(w, rows, tan_comparison_fields, &d->comparisons[i]);
    }
}

static void detail_compared(struct tan_json_writer *w, json_t *answer,
                            const struct tan_compared *compared, size_t n)
{
    json_t *rows = tan_fields_table(
        w, tan_reply_detail(w, answer, "The given trees, compared with the fastest"),
        tan_compared_fields,
        "topo leaves processes height wave_us slower difference_us difference_ci95_us");
    for (size_t i = 0; i < n; i++) {
        tan_fields_row(w, rows, tan_compared_fields, &compared[i]);
    }
}

void tan_design_detail(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                       int listed, const struct tan_compared *compared, size_t n)
{
    json_t *levels = tan_reply_detail(w, answer, "");
    tan_level_title(w, levels, "Its levels, from the root", d->problem.params->value[TAN_C0]);
    set_levels(w, tan_fields_table(w, levels, tan_level_fields, TAN_LEVEL_COLUMNS), d,
               &d->choices[0].plan);
    detail_choices(w, answer, d, listed);
    if (n > 0) {
        detail_compared(w, answer, compared, n);
    } else {
        detail_rules(w, answer, d);
    }
}
