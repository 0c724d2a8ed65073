/* trees.c - costs of fanouts, Pareto fronts, and predictions for given trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/design_trees.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fanouts */

#define AT(member) offsetof(struct tan_fanout, member)
static const struct tan_field fanout_fields[] = {
    {"fanout", "fanout", TAN_FIELD_INT64, AT(fanout)},
    {"level_us", "level", TAN_FIELD_TIME, AT(level)},
    {"per_child_us", "per child", TAN_FIELD_TIME, AT(per_child)},
    {"ci95_us", "95 % of the level", TAN_FIELD_INTERVAL, AT(ci95)},
    TAN_FIELDS_END,
};

static const struct tan_field fanout_tree_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"topo", NULL, TAN_FIELD_SPEC, AT(plan)},
    {"ci95_us", NULL, TAN_FIELD_INTERVAL, AT(wave_ci95)},
    TAN_FIELDS_END,
};

/* With the trees of these fanouts. */
static const struct tan_field fanout_row_fields[] = {
    {"fanout", "fanout", TAN_FIELD_INT64, AT(fanout)},
    {"level_us", "level", TAN_FIELD_TIME, AT(level)},
    {"per_child_us", "per child", TAN_FIELD_TIME, AT(per_child)},
    {"ci95_us", "95 % of the level", TAN_FIELD_INTERVAL, AT(ci95)},
    {"height", "height", TAN_FIELD_INT32, AT(plan.height)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(plan.wave)},
    TAN_FIELDS_END,
};
#undef AT

static void set_fanouts(struct tan_json_writer *w, json_t *top,
                        const struct tan_fanout rows[TAN_FANOUTS], int64_t leaves,
                        const struct tan_basis *from)
{
    tan_report_set_waves(w, top, from);
    json_t *fanouts = tan_json_set_array(w, top, "fanouts");
    for (int i = 0; i < TAN_FANOUTS; i++) {
        json_t *row = tan_json_append_object(w, fanouts);
        tan_fields_set(w, row, fanout_fields, &rows[i]);
        if (leaves > 0) {
            tan_fields_set(w, tan_json_set_object(w, row, "tree"), fanout_tree_fields, &rows[i]);
        }
    }
}

json_t *tan_answer_fanouts(const struct tan_fanout rows[TAN_FANOUTS], int64_t leaves,
                           const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    json_t *document = tan_document_begin(&w, "tan-fanouts/1", leaves, from);
    if (from->whole) {
        set_fanouts(&w, document, rows, leaves, from);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    const int64_t most = from->machine->tan.max_fanout;
    const struct tan_fanout *best = &rows[0];
    for (int i = 0; i < TAN_FANOUTS; i++) {
        best = rows[i].plan.wave < best->plan.wave ? &rows[i] : best;
    }
    if (leaves > 0) {
        tan_reply_say(&w, answer, TAN_PART_FIRST,
                      "Of these fanouts %" PRId64 " is the best for %" PRId64
                      " leaves: %s a wave, height %d.",
                      best->fanout, leaves, tan_time_text(best->plan.wave).text, best->plan.height);
    } else {
        tan_reply_say(&w, answer, TAN_PART_FIRST,
                      "A level with %" PRId64 " children costs %s under %s%s; others:",
                      rows[TAN_FANOUTS / 2].fanout, tan_time_text(rows[TAN_FANOUTS / 2].level).text,
                      from->model->name, from->model->node != NULL ? ", if these are leaves" : "");
    }
    json_t *list =
        tan_fields_table(&w, answer, fanout_row_fields,
                         leaves > 0 ? "fanout level_us per_child_us ci95_us height wave_us"
                                    : "fanout level_us per_child_us ci95_us");
    for (int i = 0; i < TAN_FANOUTS; i++) {
        tan_fields_row(&w, list, fanout_row_fields, &rows[i]);
    }
    if (most > 0 && most < TAN_MOST_FANOUT) {
        tan_reply_say(&w, answer, TAN_PART_REMARKS,
                      "No fanout above %" PRId64 " was measured: costs beyond are extrapolated.",
                      most);
    }
    if (leaves > 0) {
        tan_reply_say(&w, answer, TAN_PART_REMARKS, "The trees are kary:FANOUT:%" PRId64 ".",
                      leaves);
    }
    tan_reply_say(&w, answer, TAN_PART_NEXT,
                  "Next: --leaves N without --fanouts recommends a tree.");
    return tan_json_finish(&w, document);
}

/* Pareto fronts */

static const struct tan_field front_fields[] = {
    TAN_PLAN_FIELDS(0),
    {"topo", "tree", TAN_FIELD_SPEC, 0},
    {"most_lost", "one takes at most", TAN_FIELD_INT64, offsetof(struct tan_plan, below)},
    TAN_FIELDS_END,
};

static void list_front(struct tan_json_writer *w, json_t *table, const struct tan_plans *trees,
                       bool loss, size_t most)
{
    json_t *rows = tan_fields_table(w, table, front_fields,
                                    loss ? "most_lost processes topo height wave_us"
                                         : "processes topo height wave_us");
    tan_fields_column(w, table, "slower", "slower");
    for (size_t i = 0; i < trees->n; i++) {
        json_t *row = tan_fields_row(w, rows, front_fields, &trees->plan[i]);
        tan_json_set_fixed(w, row, "slower", trees->plan[i].wave / trees->plan[0].wave - 1.0, 6);
    }
    tan_fields_spread(w, rows, most);
}

/* Of the front, the tree that pays best: the least product of wave time and processes. */
static const struct tan_plan *knee(const struct tan_plans *trees)
{
    const struct tan_plan *best = &trees->plan[0];
    for (const struct tan_plan *plan = best + 1; plan < trees->plan + trees->n; plan++) {
        const double product = plan->wave * (double)plan->processes;
        best = product < best->wave * (double)best->processes ? plan : best;
    }
    return best;
}

static void set_pareto(struct tan_json_writer *w, json_t *top, const struct tan_problem *problem,
                       const struct tan_front *front, const struct tan_plans *trees,
                       const struct tan_basis *from)
{
    tan_report_set_waves(w, top, from);
    tan_report_set_limits(w, top, problem);
    tan_json_set_string(w, top, "against", front->cost);
    tan_json_set_bool(w, top, "complete", !trees->cut);
    json_t *list = tan_json_set_array(w, top, "trees");
    for (size_t i = 0; i < trees->n; i++) {
        tan_fields_set(w, tan_json_append_object(w, list), front_fields, &trees->plan[i]);
    }
}

json_t *tan_answer_pareto(const struct tan_problem *problem, const struct tan_front *front,
                          const struct tan_plans *trees, const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    json_t *document = tan_document_begin(&w, "tan-pareto/1", problem->leaves, from);
    if (from->whole) {
        set_pareto(&w, document, problem, front, trees, from);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    const bool loss = strcmp(front->cost, "most_lost") == 0;
    const struct tan_plan *plan = knee(trees);
    tan_reply_say(&w, answer, TAN_PART_FIRST,
                  "%zu tree%s for %" PRId64 " %s: to none another is preferable in both, wave time "
                  "and %s.",
                  trees->n, tan_plural((int64_t)trees->n), problem->leaves,
                  tan_leaves_text(problem->leaves), front->help);
    if (!loss) { /* of which the flat tree has next to nothing */
        tan_reply_say(&w, answer, TAN_PART_FIRST,
                      "The product of both is least for %s: %s a wave, %" PRId64 " processes.",
                      tan_short_fanouts(plan).text, tan_time_text(plan->wave).text,
                      plan->processes);
    }
    list_front(&w, answer, trees, loss, TAN_REPLY_ROWS);
    if (trees->n > TAN_REPLY_ROWS) {
        tan_reply_say(&w, answer, TAN_PART_REMARKS,
                      "%zu more between them: --details, --json FILE.", trees->n - TAN_REPLY_ROWS);
    }
    if (trees->cut) {
        tan_reply_say(&w, answer, TAN_PART_REMARKS, "There are more, with fewer %s.", front->help);
    }
    list_front(&w, tan_reply_detail(&w, answer, "All of them"), trees, loss, trees->n);
    tan_reply_say(&w, answer, TAN_PART_NEXT,
                  "Next: --leaves N with --max-processes P or --max-loss N recommends one.");
    return tan_json_finish(&w, document);
}

/* Predictions */

/* Equal levels in one row. */
static void detail_levels(struct tan_json_writer *w, json_t *answer, const struct tan_forecast *f,
                          const struct tan_model *model, const struct tan_params *params)
{
    const struct tan_prediction *p = &f->prediction;
    const struct tan_text title = tan_printed(
        "%.280s under %s: the path that decides it, from the root down", f->spec, model->name);
    double once = p->wave;
    json_t *table = tan_reply_detail(w, answer, "");
    json_t *rows = tan_fields_table(w, table, tan_level_fields,
                                    "nodes:levels fanout latency_us overhead_us gap_us cost_us");
    for (int32_t i = 0, n; i < p->levels; i += n) {
        const struct tan_level *level = &p->level[i];
        struct tan_level_row row = tan_level_row(level, level->fanout, params);
        for (n = 1; i + n < p->levels && p->level[i + n].fanout == level->fanout &&
                    p->level[i + n].cost == level->cost;) {
            n++;
        }
        row.nodes = n;
        once -= n * row.cost;
        tan_fields_row(w, rows, tan_level_fields, &row);
    }
    tan_level_title(w, table, title.text, once > TAN_SEARCH_EQUAL * p->wave ? once : 0.0);
}

/* A column per model that has parameters. */
static void list_models(struct tan_json_writer *w, json_t *table, const struct tan_forecast *f,
                        size_t n)
{
    static const struct tan_field fields[] = {
        {"topo", "tree", TAN_FIELD_NAME, offsetof(struct tan_forecast, spec)},
        {"processes", "processes", TAN_FIELD_INT32, offsetof(struct tan_forecast, processes)},
        {"height", "height", TAN_FIELD_INT32, offsetof(struct tan_forecast, height)},
        TAN_FIELDS_END,
    };
    json_t *rows = tan_fields_table(w, table, fields, "topo processes height");
    for (int m = 0; m < TAN_MODELS && n > 0; m++) {
        if (!isnan(f[0].by_model[m].wave)) {
            tan_fields_column(w, table, tan_models[m].name, "us");
        }
    }
    tan_fields_column(w, table, "period", "us");
    for (size_t i = 0; i < n; i++) {
        json_t *row = tan_fields_row(w, rows, fields, &f[i]);
        for (int m = 0; m < TAN_MODELS; m++) {
            tan_report_set_us(w, row, tan_models[m].name, f[i].by_model[m].wave);
        }
        tan_report_set_us(w, row, "period", f[i].prediction.period);
    }
    tan_fields_spread(w, rows, TAN_REPLY_ROWS);
}

/* The waves by every model of single messages for which the machine file has parameters. */
static void detail_messages(struct tan_json_writer *w, json_t *answer, const struct tan_forecast *f,
                            size_t n, const struct tan_model *model)
{
    static const struct tan_field fields[] = {
        {"topo", "tree", TAN_FIELD_NAME, offsetof(struct tan_forecast, spec)},
        TAN_FIELDS_END,
    };
    json_t *table = tan_reply_detail(
        w, answer,
        tan_printed("The same under %s, by the models of single messages", model->name).text);
    json_t *rows = tan_fields_table(w, table, fields, "topo");
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        if (isfinite(f[0].by_message_model[m])) {
            tan_fields_column(w, table, tan_p2p_models[m].name, "us");
        }
    }
    for (size_t i = 0; i < n; i++) {
        json_t *row = tan_fields_row(w, rows, fields, &f[i]);
        for (int m = 0; m < TAN_P2P_MODELS; m++) {
            tan_report_set_us(w, row, tan_p2p_models[m].name, f[i].by_message_model[m]);
        }
    }
}

static void set_forecast(struct tan_json_writer *w, json_t *object, const struct tan_forecast *f,
                         const struct tan_params *params)
{
    tan_json_set_string(w, object, "topo", f->spec);
    tan_json_set_int(w, object, "leaves", f->leaves);
    tan_json_set_int(w, object, "processes", f->processes);
    tan_json_set_int(w, object, "height", f->height);
    tan_json_set_int(w, object, "max_fanout", f->max_fanout);
    tan_json_set_int(w, object, "most_lost", f->max_below);
    json_t *waves = tan_json_set_object(w, object, "wave_us");
    json_t *periods = tan_json_set_object(w, object, "period_us");
    for (int m = 0; m < TAN_MODELS; m++) {
        tan_report_set_us(w, waves, tan_models[m].name, f->by_model[m].wave);
        tan_report_set_us(w, periods, tan_models[m].name, f->by_model[m].period);
    }
    if (f->messages_known) {
        json_t *by_messages = tan_json_set_object(w, object, "wave_by_message_model_us");
        for (int m = 0; m < TAN_P2P_MODELS; m++) {
            tan_report_set_us(w, by_messages, tan_p2p_models[m].name, f->by_message_model[m]);
        }
    }
    json_t *levels = tan_json_set_array(w, object, "levels");
    for (int32_t i = 0; i < f->prediction.levels; i++) {
        const struct tan_level *level = &f->prediction.level[i];
        const struct tan_level_row row = tan_level_row(level, level->fanout, params);
        tan_fields_set(w, tan_json_append_object(w, levels), tan_level_fields, &row);
    }
}

static void set_forecasts(struct tan_json_writer *w, json_t *top,
                          const struct tan_forecast *forecasts, size_t n,
                          const struct tan_basis *from)
{
    tan_report_set_waves(w, top, from);
    json_t *trees = tan_json_set_array(w, top, "trees");
    for (size_t i = 0; i < n; i++) {
        set_forecast(w, tan_json_append_object(w, trees), &forecasts[i], &from->machine->tan);
    }
}

json_t *tan_answer_forecasts(const struct tan_forecast *forecasts, size_t n,
                             const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    const struct tan_model *model = from->model;
    json_t *document = tan_document_begin(&w, "tan-predict/1", 0, from);
    if (from->whole) {
        set_forecasts(&w, document, forecasts, n, from);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    const struct tan_forecast *best = &forecasts[0];
    for (size_t i = 1; i < n; i++) {
        best = forecasts[i].prediction.wave < best->prediction.wave ? &forecasts[i] : best;
    }
    tan_reply_say(&w, answer, TAN_PART_FIRST, "%s%s takes %s a wave (%s) under %s.", best->spec,
                  n > 1 ? tan_printed(", the fastest of these %zu,", n).text : "",
                  tan_time_text(best->prediction.wave).text, tan_span_text(&from->machine->tan),
                  model->name);
    list_models(&w, answer, forecasts, n);
    for (size_t i = 0; i < n; i++) {
        detail_levels(&w, answer, &forecasts[i], model, &from->machine->tan);
    }
    if (forecasts[0].messages_known) {
        detail_messages(&w, answer, forecasts, n, model);
    }
    char *platform = tan_answer_platform(&w, from);
    tan_reply_say(&w, answer, TAN_PART_NEXT, "Next: tanbench%s --topo %s measures it.",
                  platform != NULL ? platform : "", best->spec);
    free(platform);
    return tan_json_finish(&w, document);
}
