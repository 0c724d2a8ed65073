/* figures_json.c - data for the figures of an answer, as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/figures_json.h"

#include <math.h>
#include <stdlib.h>

#include "answer/json_parts.h"
#include "design/search/baselines.h"

static void append_us(struct tan_json_writer *w, json_t *array, double seconds)
{
    tan_json_append(
        w, array, isfinite(seconds) ? tan_json_us_digits(seconds, TAN_REPORT_DIGITS) : json_null());
}

/* A rule for the fanout; width 0: unused. */
struct rule {
    const char *name;
    tan_baseline *tree;
    int64_t width;
};

static const struct rule rules[] = {{"flat", tan_baseline_flat, 0},
                                    {"at most 16 children", tan_baseline_kary, 16},
                                    {"at most 50 children", tan_baseline_kary, 50},
                                    {"binomial", tan_baseline_binomial, 0}};
enum { RULES = sizeof rules / sizeof rules[0] };

static double wave_by_rule(const struct rule *rule, const struct tan_problem *p, int64_t leaves)
{
    struct tan_plan plan;
    rule->tree(rule->width, leaves, &plan);
    tan_plan_price(&plan, p->model, p->params);
    return plan.wave;
}

static void set_by_fanout(struct tan_json_writer *w, json_t *figures, const struct tan_problem *p)
{
    json_t *object = tan_json_set_object(w, figures, "by_fanout");
    json_t *fanouts = tan_json_set_array(w, object, "max_fanout");
    json_t *waves = tan_json_set_array(w, object, "wave_us");
    for (double k = 2.0; k <= (double)p->leaves; k = fmax(k * 1.07, k + 1.0)) {
        const struct rule at_most = {"", tan_baseline_kary, (int64_t)k};
        tan_json_append(w, fanouts, json_integer(at_most.width));
        append_us(w, waves, wave_by_rule(&at_most, p, p->leaves));
    }
}

/* The best wave over all trees, ignoring the problem's limits. NaN if the search fails. */
static double best_wave(const struct tan_problem *p, int64_t leaves)
{
    const struct tan_problem free_one = {.leaves = leaves, .model = p->model, .params = p->params};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans plans;
    if (tan_search(&free_one, 1, &plans, &e) < 0) {
        return NAN;
    }
    const double wave = plans.plan[0].wave;
    tan_plans_clear(&plans);
    return wave;
}

static int64_t next_leaves(int64_t n)
{
    return n + (n < 8 ? 1 : n / 4);
}

/* The smallest number of leaves for which a rule beats the flat tree; more than `most` if there is
 * none. */
static int64_t first_beaten(const struct rule *rule, const struct tan_problem *p, int64_t most)
{
    int64_t low = 1;
    int64_t high = 2;
    while (high <= most && wave_by_rule(&rules[0], p, high) <= wave_by_rule(rule, p, high)) {
        low = high;
        high = next_leaves(high);
    }
    while (high <= most && low + 1 < high) {
        const int64_t middle = low + (high - low) / 2;
        if (wave_by_rule(&rules[0], p, middle) <= wave_by_rule(rule, p, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

static void append_rule(struct tan_json_writer *w, json_t *list, const struct rule *rule,
                        const struct tan_problem *p, const int64_t *leaves, int n)
{
    json_t *object = tan_json_append_object(w, list);
    tan_json_set_string(w, object, "name", rule->name);
    json_t *waves = tan_json_set_array(w, object, "wave_us");
    for (int i = 0; i < n; i++) {
        append_us(w, waves, wave_by_rule(rule, p, leaves[i]));
    }
    const int64_t beaten = rule == &rules[0] ? INT64_MAX : first_beaten(rule, p, leaves[n - 1]);
    if (beaten <= leaves[n - 1]) {
        json_t *from = tan_json_set_object(w, object, "beats_flat");
        tan_json_set_int(w, from, "leaves", beaten);
        tan_report_set_us(w, from, "flat_us", wave_by_rule(&rules[0], p, beaten));
    }
}

/* Numbers of leaves from 2 to eight times the design's, but at least 64 and at most 10^10, in steps
 * of a quarter; includes the design's own, and the last for which the flat tree is best. Returns
 * their number, at most `most`. */
static int leaves_of_curves(const struct tan_design *d, int64_t *leaves, int most)
{
    const int64_t far = INT64_C(10000000000); /* a search takes 10 ms there */
    const int64_t wanted = d->problem.leaves > 8 ? 8 * d->problem.leaves : 64;
    const int64_t marks[] = {d->flat.until, d->problem.leaves};
    const int64_t last = wanted < far ? wanted : far;
    int count = 0;
    for (int64_t n = 2; n <= last && count < most; count++) {
        leaves[count] = n;
        const int64_t from = n;
        n = next_leaves(n);
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            n = from < marks[i] && marks[i] < n ? marks[i] : n;
        }
    }
    return count;
}

/* Searches get slower with the number of leaves: from DENSE leaves on, search only for every tenth
 * number, and for the design's own. */
static void set_by_leaves(struct tan_json_writer *w, json_t *figures, const struct tan_design *d)
{
    enum { MOST = 160, DENSE = 100000, SPARSE = 10 };
    int64_t leaves[MOST];
    const struct tan_problem *p = &d->problem;
    const int n = leaves_of_curves(d, leaves, MOST);
    json_t *object = tan_json_set_object(w, figures, "by_leaves");
    json_t *numbers = tan_json_set_array(w, object, "leaves");
    json_t *best = tan_json_set_array(w, object, "best_us");
    for (int i = 0; i < n; i++) {
        const bool searched = leaves[i] < DENSE || i % SPARSE == 0 || leaves[i] == p->leaves;
        tan_json_append(w, numbers, json_integer(leaves[i]));
        append_us(w, best, searched ? best_wave(p, leaves[i]) : NAN);
    }
    json_t *list = tan_json_set_array(w, object, "rules");
    for (int k = 0; k < RULES; k++) {
        append_rule(w, list, &rules[k], p, leaves, n);
    }
}

/* Effect of 10 % more of each parameter on the recommended tree's wave. */
static void set_by_parameter(struct tan_json_writer *w, json_t *figures, const struct tan_design *d)
{
    const struct tan_problem *p = &d->problem;
    const struct tan_plan *plan = &d->choices[0].plan;
    static const int params[] = {TAN_L, TAN_A, TAN_B, TAN_C2};
    json_t *list = tan_json_set_array(w, figures, "by_parameter");
    for (size_t i = 0; i < sizeof params / sizeof params[0]; i++) {
        const int param = params[i];
        struct tan_params more = *p->params;
        more.value[param] *= 1.1;
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "parameter", tan_param_key(p->params->method, param));
        tan_report_set_us(w, row, "value_us", p->params->value[param]);
        tan_json_set_fixed(w, row, "tenth_more",
                           tan_plan_wave(plan, p->model, &more) / plan->wave - 1.0, 8);
    }
}

void tan_figures_set_design(struct tan_json_writer *w, json_t *top, const struct tan_design *d)
{
    json_t *figures = tan_json_set_object(w, top, "figures");
    if (d->problem.leaves > 1) {
        set_by_fanout(w, figures, &d->problem);
        set_by_leaves(w, figures, d);
    }
    set_by_parameter(w, figures, d);
}
