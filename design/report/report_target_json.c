/* report_target_json.c - settings of target systems as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/json_writer.h"
#include "design/report/json_parts.h"
#include "design/report/report_target.h"
#include "design/targets/setting.h"
#include "design/targets/terms.h"

static void set_told(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                     const struct tan_told *told)
{
    char text[TAN_SETTING_TEXT];
    tan_json_set_string(w, object, "setting", tan_setting_text(&told->setting, text));
    tan_report_set_us(w, object, "wave_us", told->cost.wave);
    if (tan_told_is_uncertain(p, told)) {
        tan_report_set_us(w, object, "in_turn_us", told->cost.in_turn);
    }
    tan_report_set_us(w, object, "period_us", told->cost.period);
    tan_json_set_real(w, object, "slower", told->slower);
    tan_json_set_int(w, object, "height", told->cost.height);
    tan_json_set_int(w, object, "max_fanout", told->cost.max_fanout);
    tan_json_set_int(w, object, "processes", told->cost.processes);
    tan_json_set_real(w, object, "behind_message", tan_shape_behind(&told->cost));
}

static void set_way(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                    const struct tan_target_way *way)
{
    static const char *const names[] = {
        [TAN_UP] = "up", [TAN_DOWN] = "down", [TAN_UP | TAN_DOWN] = "both"};
    tan_json_set_string(w, object, "direction", names[way->direction]);
    set_told(w, object, p, &way->told[0]);
    if (way->ci95.low <= way->ci95.high) {
        json_t *low = tan_json_us_digits(way->ci95.low, TAN_JSON_DIGITS);
        tan_json_set_pair(w, object, "wave_ci95_us", low,
                          tan_json_us_digits(way->ci95.high, TAN_JSON_DIGITS));
        tan_json_set_real(w, object, "probability", way->share);
        tan_json_set_real(w, object, "mean_regret", way->mean_regret);
        tan_json_set_real(w, object, "regret_95", way->regret95);
    }
    json_t *best = tan_json_set_object(w, object, "best_tree");
    tan_report_set_us(w, best, "wave_us", way->least.wave);
    json_t *fanouts = tan_json_set_array(w, best, "fanouts");
    for (int i = 0; i < way->least.height; i++) {
        tan_json_append(w, fanouts, json_integer(way->least.fanout[i]));
    }
    json_t *others = tan_json_set_array(w, object, "others");
    for (size_t i = 1; i < way->n_told; i++) {
        set_told(w, tan_json_append_object(w, others), p, &way->told[i]);
    }
    if (way->by_default.setting.knob != NULL) {
        set_told(w, tan_json_set_object(w, object, "untold"), p, &way->by_default);
    }
    if (way->default_name != NULL) {
        tan_json_set_string(w, object, "default_algorithm", way->default_name);
    }
}

static void set_parents(struct tan_json_writer *w, json_t *object, const char *key,
                        const int32_t *parents, int32_t n)
{
    if (parents == NULL) {
        return;
    }
    json_t *array = tan_json_set_array(w, object, key);
    for (int32_t i = 0; i < n; i++) {
        tan_json_append(w, array, json_integer(parents[i]));
    }
}

static void set_terms(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                      const struct tan_target_way *way)
{
    if (p->target->formula == NULL) {
        return;
    }
    tan_json_set_string(w, object, "formula", p->target->formula);
    json_t *terms = tan_json_set_array(w, object, "terms");
    for (const struct tan_term *t = p->target->terms; t->name != NULL; t++) {
        struct tan_interval ci95;
        const double value = tan_term_value(t, p, way, &ci95);
        if (isnan(value)) {
            continue;
        }
        json_t *term = tan_json_append_object(w, terms);
        tan_json_set_string(w, term, "name", t->name);
        tan_json_set_real(w, term, "value", value);
        if (ci95.low <= ci95.high) {
            tan_json_set_pair(w, term, "ci95", json_real(ci95.low), json_real(ci95.high));
        }
        tan_json_set_string(w, term, "unit", t->unit);
        tan_json_set_string(w, term, "meaning", t->meaning);
    }
}

static void set_head(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p)
{
    tan_json_set_string(w, object, "name", p->target->name);
    tan_json_set_int(w, object, p->target->population == TAN_ALL_MEMBERS ? "members" : "leaves",
                     p->members);
    tan_json_set_string(w, object, "counts", p->target->member);
}

json_t *tan_target_to_json(const struct tan_target_answer *answer,
                           const struct tan_provenance *from, const struct tan_trust *trust)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-target/1", 0, from, trust);
    json_t *target = tan_json_set_object(&w, top, "target");
    set_head(&w, target, &answer->problem);
    set_way(&w, target, &answer->problem, &answer->way[0]);
    set_terms(&w, target, &answer->problem, &answer->way[0]);
    set_parents(&w, target, "parents", answer->parents[0], answer->processes[0]);
    if (answer->n_ways > 1) {
        json_t *down = tan_json_set_object(&w, target, "down");
        set_way(&w, down, &answer->problem, &answer->way[1]);
        set_terms(&w, down, &answer->problem, &answer->way[1]);
        set_parents(&w, target, "down_parents", answer->parents[1], answer->processes[1]);
    } else if (answer->way[0].direction == TAN_DOWN) {
        set_parents(&w, target, "down_parents", answer->parents[0], answer->processes[0]);
    }
    if (answer->exported) {
        const struct tan_export *x = &answer->export[0];
        json_t *given = tan_json_set_object(&w, target, "export");
        tan_json_set_string(&w, given, "result", tan_exported_names[x->result]);
        tan_report_set_us(&w, given, "given_wave_us", x->wave);
        tan_report_set_us(&w, given, "lost_us", x->lost);
        tan_json_set_int(&w, given, "given_height", x->given.height);
        tan_json_set_int(&w, given, "given_max_fanout", x->given.max_fanout);
    }
    tan_json_set_int(&w, target, "flat_until", answer->flat_until);
    if (answer->flat_ci95.low <= answer->flat_ci95.high) {
        tan_json_set_pair(&w, target, "flat_until_ci95",
                          json_integer((json_int_t)answer->flat_ci95.low),
                          json_integer((json_int_t)answer->flat_ci95.high));
    }
    tan_json_set(&w, target, "configuration", tan_json_text(answer->configuration));
    return tan_json_finish(&w, top);
}

json_t *tan_targets_to_json(const struct tan_target_row *rows, size_t n,
                            const struct tan_provenance *from, const struct tan_trust *trust)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-targets/1", 0, from, trust);
    json_t *targets = tan_json_set_array(&w, top, "targets");
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < rows[i].n_ways; k++) {
            json_t *row = tan_json_append_object(&w, targets);
            set_head(&w, row, &rows[i].problem);
            set_way(&w, row, &rows[i].problem, &rows[i].way[k]);
        }
    }
    return tan_json_finish(&w, top);
}
