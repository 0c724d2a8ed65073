/* report_trees.c - costs of fanouts, and predictions for given trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "design/report/phrases.h"

/* Fanouts */

void tan_report_fanouts(const struct tan_fanout rows[TAN_FANOUTS], const struct tan_model *model,
                        const struct tan_params *params, int64_t leaves, FILE *to)
{
    const bool bars = tan_spread_of(params) != TAN_SPREAD_UNKNOWN;
    const char *headings[7] = {"fanout", "level", "per child"};
    int columns = 3;
    if (bars) {
        headings[columns++] = "95 % interval\nof the level";
    }
    if (leaves > 0) {
        headings[columns++] = "height";
        headings[columns++] = "wave";
        if (bars) {
            headings[columns++] = "95 % interval\nof the wave";
        }
    }
    struct tan_table *table = tan_table_create(headings, columns);
    char text[TAN_CELL];
    for (int i = 0; i < TAN_FANOUTS; i++) {
        const struct tan_fanout *f = &rows[i];
        tan_table_cell(table, "%" PRId64, f->fanout);
        tan_table_cell(table, "%s", tan_exact_text(f->level, text));
        tan_table_cell(table, "%s", tan_exact_text(f->level / (double)f->fanout, text));
        if (bars) {
            tan_table_cell(table, "%s", tan_interval_text(f->ci95, text));
        }
        if (leaves > 0) {
            tan_table_cell(table, "%d", f->plan.height);
            tan_table_cell(table, "%s", tan_exact_text(f->plan.wave, text));
            if (bars) {
                tan_table_cell(table, "%s", tan_interval_text(f->wave_ci95, text));
            }
        }
    }
    fprintf(to, "\nCost of a level by its fanout, model %s", model->name);
    if (leaves > 0) {
        fprintf(to, "; height and wave of trees kary:FANOUT:%" PRId64, leaves);
    }
    fputs("\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (params->max_fanout > 0 && params->max_fanout < TAN_MOST_FANOUT) {
        fprintf(to, "\nNo fanout above %" PRId64 " was measured: costs beyond are extrapolated.\n",
                params->max_fanout);
    }
}

/* The front of wave time and processes */

void tan_report_pareto(const struct tan_problem *problem, const struct tan_plans *front, FILE *to)
{
    static const char *const headings[] = {"processes", "internal", "<tree",
                                           "height",    "wave",     "slower than\nthe fastest"};
    struct tan_table *table = tan_table_create(headings, 6);
    const double fastest = front->plan[0].wave;
    char fanouts[TAN_NAME];
    char text[TAN_NAME];
    for (size_t i = 0; i < front->n; i++) {
        const struct tan_plan *plan = &front->plan[i];
        tan_table_cell(table, "%" PRId64, plan->processes);
        tan_table_cell(table, "%" PRId64, plan->internal);
        tan_table_cell(table, "%s", tan_short_fanouts(plan, fanouts));
        tan_table_cell(table, "%d", plan->height);
        tan_table_cell(table, "%s", tan_exact_text(plan->wave, text));
        tan_table_cell(
            table, "%s",
            tan_slower_text(fastest > 0.0 ? plan->wave / fastest - 1.0 : 0.0, false, text));
    }
    fprintf(to,
            "\nTrees for %" PRId64
            " %s to which none is preferable in both, wave time and processes\n\n",
            problem->leaves, tan_leaves_text(problem->leaves));
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (front->cut) {
        fprintf(to, "\nThere are more, with fewer processes.\n");
    }
}

/* Predictions */

static void print_forecast_levels(const struct tan_forecast *f, const struct tan_model *model,
                                  bool split, FILE *to)
{
    const struct tan_prediction *p = &f->prediction;
    const double gap = p->level[0].gap;
    const char *headings[6] = {"levels", "fanout"};
    struct tan_table *table =
        tan_table_create(headings, 2 + tan_cost_headings(split, gap, headings + 2));
    char text[TAN_CELL];
    double latency = 0.0;
    double overhead = 0.0;
    for (int32_t i = 0, n; i < p->levels; i += n) {
        const struct tan_level *level = &p->level[i];
        for (n = 1; i + n < p->levels && p->level[i + n].fanout == level->fanout &&
                    p->level[i + n].cost == level->cost;) {
            n++;
        }
        if (n == 1) {
            tan_table_cell(table, "%" PRId32, i + 1);
        } else {
            tan_table_cell(table, "%" PRId32 "-%" PRId32 ", each", i + 1, i + n);
        }
        tan_table_cell(table, "%" PRId32, level->fanout);
        tan_cost_cells(table, split, level->latency, level->overhead, level->gap);
        latency += n * level->latency;
        overhead += n * level->overhead;
    }
    tan_table_cell(table, "sum");
    tan_table_cell(table, "%s", "");
    tan_cost_cells(table, split, latency, overhead, p->levels * gap);
    fprintf(to, "\n%s takes %s under %s;\nthe path that decides it, from the root down:\n\n",
            f->spec, tan_exact_text(p->wave, text), model->name);
    tan_table_print(table, to);
    tan_table_destroy(table);
    const double once = p->wave - latency - overhead - p->levels * gap;
    if (once > TAN_SEARCH_EQUAL * p->wave) {
        fprintf(to, "and %s once for the wave (C)\n", tan_exact_text(once, text));
    }
}

/* The waves by every model of single messages that the machine file has the parameters of. */
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
    char text[TAN_CELL];
    char spec[TAN_NAME];
    for (size_t i = 0; i < n; i++) {
        tan_table_cell(table, "%s", tan_short_spec(forecasts[i].spec, 16, spec));
        for (int k = 0; k < columns; k++) {
            tan_table_cell(table, "%s",
                           tan_exact_text(forecasts[i].by_message_model[shown[k]], text));
        }
    }
    fprintf(to, "\nThe same under %s, by the models of single messages\n\n", model->name);
    tan_table_print(table, to);
    tan_table_destroy(table);
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
    char text[TAN_CELL];
    char spec[TAN_NAME];
    for (size_t i = 0; i < n; i++) {
        const struct tan_forecast *f = &forecasts[i];
        tan_table_cell(table, "%s", tan_short_spec(f->spec, 16, spec));
        tan_table_cell(table, "%" PRId32, f->processes);
        tan_table_cell(table, "%" PRId32, f->height);
        for (int m = 0; m < TAN_MODELS; m++) {
            if (!isnan(f->by_model[m].wave)) {
                tan_table_cell(table, "%s", tan_exact_text(f->by_model[m].wave, text));
            }
        }
        tan_table_cell(table, "%s", tan_exact_text(f->prediction.period, text));
    }
    fprintf(to, "\nWave times (%s) that the models predict\n\n", tan_span_text(params));
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (n > 0 && forecasts[0].messages_known) {
        print_by_message_model(forecasts, n, model, to);
    }
    for (size_t i = 0; i < n; i++) {
        print_forecast_levels(&forecasts[i], model, !params->unidentified[TAN_L], to);
    }
}
