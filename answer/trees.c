/* trees.c - costs of fanouts, and predictions for given trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/design_trees.h"
#include "answer/json_parts.h"
#include "answer/phrases.h"
#include "base/table.h"

/* Fanouts */

#define AT(member) offsetof(struct tan_fanout, member)
static const struct tan_field fanout_fields[] = {
    {"fanout", "fanout", TAN_FIELD_INT64, AT(fanout)},
    {"level_us", "level", TAN_FIELD_TIME, AT(level)},
    {"per_child_us", "per child", TAN_FIELD_TIME, AT(per_child)},
    {"ci95_us", "95 % interval\nof the level", TAN_FIELD_INTERVAL, AT(ci95)},
    {".height", "height", TAN_FIELD_INT32, AT(plan.height)},
    {".wave", "wave", TAN_FIELD_TIME, AT(plan.wave)},
    {".wave_ci95", "95 % interval\nof the wave", TAN_FIELD_INTERVAL, AT(wave_ci95)},
    TAN_FIELDS_END,
};

static const struct tan_field fanout_tree_fields[] = {
    TAN_PLAN_FIELDS(AT(plan)),
    {"topo", NULL, TAN_FIELD_STRING, AT(spec)},
    {"ci95_us", NULL, TAN_FIELD_INTERVAL, AT(wave_ci95)},
    TAN_FIELDS_END,
};

void tan_report_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                        const struct tan_params *params, int64_t leaves, FILE *to)
{
    struct tan_listing table = tan_listing_create(
        fanout_fields, leaves > 0 ? "fanout level_us per_child_us ci95_us .height .wave .wave_ci95"
                                  : "fanout level_us per_child_us ci95_us");
    for (int i = 0; i < TAN_FANOUTS; i++) {
        tan_listing_add(&table, &rows[i], NULL);
    }
    fprintf(to, "\nCost of a level by its fanout, model %s", model->name);
    if (leaves > 0) {
        fprintf(to, "; height and wave of trees kary:FANOUT:%" PRId64, leaves);
    }
    fputs("\n\n", to);
    tan_listing_print(&table, to);
    if (params->max_fanout > 0 && params->max_fanout < TAN_MOST_FANOUT) {
        fprintf(to, "\nNo fanout above %" PRId64 " was measured: costs beyond are extrapolated.\n",
                params->max_fanout);
    }
}

json_t *tan_fanouts_to_json(const struct tan_fanout rows[TAN_FANOUTS],
                            const struct tan_model *model, int64_t leaves,
                            const struct tan_provenance *from, const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-fanouts/1", leaves, model, from, doubts);
    tan_report_set_model(&w, top, model, &from->machine->tan);
    tan_report_set_payload(&w, top, &from->machine->tan);
    json_t *fanouts = tan_json_set_array(&w, top, "fanouts");
    for (int i = 0; i < TAN_FANOUTS; i++) {
        json_t *row = tan_json_append_object(&w, fanouts);
        tan_fields_set(&w, row, fanout_fields, &rows[i]);
        if (leaves > 0) {
            tan_fields_set(&w, tan_json_set_object(&w, row, "tree"), fanout_tree_fields, &rows[i]);
        }
    }
    return tan_json_finish(&w, top);
}

/* Pareto fronts */

static const struct tan_field front_fields[] = {
    TAN_PLAN_FIELDS(0),
    {"topo", NULL, TAN_FIELD_SPEC, 0},
    {"most_lost", "one takes\nat most", TAN_FIELD_INT64, offsetof(struct tan_plan, below)},
    {".slower", "slower than\nthe fastest", TAN_FIELD_CELL, 0},
    TAN_FIELDS_END,
};

/* Whether the front's cost is shown in the first column, in place of the number of processes. */
static bool weighs_loss(const struct tan_front *front)
{
    return strcmp(front->cost, "most_lost") == 0;
}

static void list_front_tree(struct tan_listing *table, const struct tan_plan *plan, double fastest)
{
    char slower[TAN_CELL];
    const char *const cells[] = {
        tan_slower_text(fastest > 0.0 ? plan->wave / fastest - 1.0 : 0.0, false, slower)};
    tan_listing_add(table, plan, cells);
}

/* Of many trees some are listed, from the first to the last. */
void tan_report_pareto(const struct tan_problem *problem, const struct tan_front *front,
                       const struct tan_plans *trees, FILE *to)
{
    enum { MOST = 24 };
    struct tan_listing table = tan_listing_create(
        front_fields, weighs_loss(front)
                          ? "most_lost processes internal fanouts height wave_us .slower="
                          : "processes internal fanouts height wave_us .slower=");
    const size_t step = (trees->n + MOST - 2) / (MOST - 1);
    size_t listed = 0;
    for (size_t i = 0; i < trees->n; i++) {
        if (i % step == 0 || i + 1 == trees->n) {
            list_front_tree(&table, &trees->plan[i], trees->plan[0].wave);
            listed++;
        }
    }
    fprintf(to,
            "\nTrees for %" PRId64 " %s to which none is preferable in both, wave time and %s\n\n",
            problem->leaves, tan_leaves_text(problem->leaves), front->help);
    tan_listing_print(&table, to);
    if (listed < trees->n) {
        fprintf(to, "\nThere are %zu more between them; --json FILE lists all.\n",
                trees->n - listed);
    }
    if (trees->cut) {
        fprintf(to, "\nThere are more, with fewer %s.\n", front->help);
    }
}

json_t *tan_pareto_to_json(const struct tan_problem *problem, const struct tan_front *front,
                           const struct tan_plans *trees, const struct tan_provenance *from,
                           const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top =
        tan_report_begin(&w, "tan-pareto/1", problem->leaves, problem->model, from, doubts);
    tan_report_set_model(&w, top, problem->model, problem->params);
    tan_report_set_payload(&w, top, problem->params);
    tan_report_set_limits(&w, top, problem);
    tan_json_set_string(&w, top, "against", front->cost);
    tan_json_set_bool(&w, top, "complete", !trees->cut);
    json_t *list = tan_json_set_array(&w, top, "trees");
    for (size_t i = 0; i < trees->n; i++) {
        tan_fields_set(&w, tan_json_append_object(&w, list), front_fields, &trees->plan[i]);
    }
    return tan_json_finish(&w, top);
}

/* Predictions */

static void print_forecast_levels(const struct tan_forecast *f, const struct tan_model *model,
                                  const struct tan_params *params, FILE *to)
{
    const struct tan_prediction *p = &f->prediction;
    struct tan_listing table =
        tan_listing_create(tan_level_fields, ".levels= fanout= " TAN_LEVEL_COSTS);
    struct tan_level_row sum = {.fanout = 0};
    char text[TAN_CELL];
    for (int32_t i = 0, n; i < p->levels; i += n) {
        const struct tan_level *level = &p->level[i];
        const struct tan_level_row row = tan_level_row(level, level->fanout, params);
        char label[48];
        char fanout[16];
        for (n = 1; i + n < p->levels && p->level[i + n].fanout == level->fanout &&
                    p->level[i + n].cost == level->cost;) {
            n++;
        }
        if (n == 1) {
            snprintf(label, sizeof label, "%" PRId32, i + 1);
        } else {
            snprintf(label, sizeof label, "%" PRId32 "-%" PRId32 ", each", i + 1, i + n);
        }
        snprintf(fanout, sizeof fanout, "%" PRId32, level->fanout);
        tan_level_list(&table, &row, n, label, fanout, &sum);
    }
    tan_level_list(&table, &sum, 1, "sum", "", NULL);
    fprintf(to, "\n%s takes %s under %s;\nthe path that decides it, from the root down:\n\n",
            f->spec, tan_exact_text(p->wave, text), model->name);
    tan_listing_print(&table, to);
    const double once = p->wave - sum.cost;
    if (once > TAN_SEARCH_EQUAL * p->wave) {
        fprintf(to, "and %s once for the wave (C)\n", tan_exact_text(once, text));
    }
}

/* The waves by every model of single messages for which the machine file has parameters. */
static void print_by_message_model(const struct tan_forecast *forecasts, size_t n,
                                   const struct tan_model *model, FILE *to)
{
    const char *headings[1 + TAN_P2P_MODELS] = {"<tree"};
    int shown[TAN_P2P_MODELS];
    int columns = 0;
    for (int m = 0; m < TAN_P2P_MODELS; m++) {
        if (isfinite(forecasts[0].by_message_model[m])) {
            shown[columns++] = m;
            headings[columns] = tan_p2p_models[m].name;
        }
    }
    struct tan_table *table = tan_table_create(headings, 1 + columns);
    char spec[TAN_NAME];
    for (size_t i = 0; i < n; i++) {
        tan_table_cell(table, "%s", tan_short_spec(forecasts[i].spec, 16, spec));
        for (int k = 0; k < columns; k++) {
            tan_table_time(table, forecasts[i].by_message_model[shown[k]]);
        }
    }
    fprintf(to, "\nThe same under %s, by the models of single messages\n\n", model->name);
    tan_table_print(table, to);
}

void tan_report_forecasts(const struct tan_forecast *forecasts, size_t n,
                          const struct tan_model *model, const struct tan_params *params, FILE *to)
{
    const char *headings[4 + TAN_MODELS] = {"<tree", "processes", "height"};
    int columns = 3;
    char names[TAN_MODELS][32];
    char period[32];
    for (int m = 0; m < TAN_MODELS; m++) {
        const char *name = tan_models[m].name; /* "logp-serial" in two lines */
        if (n == 0 || isnan(forecasts[0].by_model[m].wave)) {
            continue;
        }
        const int first = (int)strcspn(name, "-") + (strchr(name, '-') != NULL);
        snprintf(names[m], sizeof names[m], "%.*s%s%s", first, name, name[first] ? "\n" : "",
                 name + first);
        headings[columns++] = names[m];
    }
    snprintf(period, sizeof period, "period\n(%s)", model->name);
    headings[columns++] = period;
    struct tan_table *table = tan_table_create(headings, columns);
    char spec[TAN_NAME];
    for (size_t i = 0; i < n; i++) {
        const struct tan_forecast *f = &forecasts[i];
        tan_table_cell(table, "%s", tan_short_spec(f->spec, 16, spec));
        tan_table_cell(table, "%" PRId32, f->processes);
        tan_table_cell(table, "%" PRId32, f->height);
        for (int m = 0; m < TAN_MODELS; m++) {
            if (!isnan(f->by_model[m].wave)) {
                tan_table_time(table, f->by_model[m].wave);
            }
        }
        tan_table_time(table, f->prediction.period);
    }
    fprintf(to, "\nWave times (%s) that the models predict\n\n", tan_span_text(params));
    tan_table_print(table, to);
    if (n > 0 && forecasts[0].messages_known) {
        print_by_message_model(forecasts, n, model, to);
    }
    for (size_t i = 0; i < n; i++) {
        print_forecast_levels(&forecasts[i], model, params, to);
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
        if (isnan(f->by_model[m].wave)) {
            continue;
        }
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

json_t *tan_forecasts_to_json(const struct tan_forecast *forecasts, size_t n,
                              const struct tan_model *model, const struct tan_provenance *from,
                              const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-predict/1", 0, model, from, doubts);
    tan_report_set_model(&w, top, model, &from->machine->tan);
    tan_report_set_payload(&w, top, &from->machine->tan);
    json_t *trees = tan_json_set_array(&w, top, "trees");
    for (size_t i = 0; i < n; i++) {
        set_forecast(&w, tan_json_append_object(&w, trees), &forecasts[i], &from->machine->tan);
    }
    return tan_json_finish(&w, top);
}
