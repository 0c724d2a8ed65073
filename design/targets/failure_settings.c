/* failure_settings.c - wave time and what failures cost, by the value of a setting
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/failure_settings.h"

#include <stdlib.h>

/* The settings, without repetition. */
struct selection {
    struct tan_setting_failure *row;
    int n;
};

static void select_setting(struct selection *s, const struct tan_knob *knob, int64_t value)
{
    const struct tan_setting setting = {knob, value};
    for (int i = 0; i < s->n; i++) {
        if (tan_setting_same(&s->row[i].setting, &setting)) {
            return;
        }
    }
    if (s->n < TAN_SETTING_FAILURES) {
        s->row[s->n++].setting = setting;
    }
}

static int by_knob_and_value(const void *left, const void *right)
{
    const struct tan_setting *a = &((const struct tan_setting_failure *)left)->setting;
    const struct tan_setting *b = &((const struct tan_setting_failure *)right)->setting;
    return a->knob != b->knob ? (a->knob > b->knob) - (a->knob < b->knob)
                              : (a->value > b->value) - (a->value < b->value);
}

/* Powers of two, up to those that put all directly below the root, of which the largest value
 * follows, unless that is far beyond any tree. */
static void select_values(struct selection *s, const struct tan_knob *knob, int64_t size)
{
    enum { FAR = 65535 };
    const int64_t most = knob->most <= FAR || knob->most < size ? knob->most : size;
    for (int64_t value = 2; value < most && value < size; value *= 2) {
        if (value >= knob->least) {
            select_setting(s, knob, value);
        }
    }
    select_setting(s, knob, most);
}

static void select_settings(struct selection *s, const struct tan_target_problem *problem,
                            const struct tan_target_way *way)
{
    const struct tan_setting *first = &way->told[0].setting;
    const struct tan_setting *by_default = &way->by_default.setting;
    const bool values = first->knob->split != NULL && first->knob->most > 0;
    select_setting(s, first->knob, first->value);
    for (size_t i = 1; i < way->n_told; i++) {
        const struct tan_setting *told = &way->told[i].setting;
        if (!values || told->knob == first->knob) {
            select_setting(s, told->knob, told->value);
        }
    }
    if (by_default->knob != NULL) {
        select_setting(s, by_default->knob, by_default->value);
    }
    if (values) {
        select_values(s, first->knob, problem->members + problem->target->root_apart);
        qsort(s->row, (size_t)s->n, sizeof *s->row, by_knob_and_value);
    }
}

/* What failures cost the tree of a setting, which is built breadth first. */
static int cost_failures(const struct tan_target_problem *problem, const struct tan_target_way *way,
                         struct tan_setting_failure *row, struct tan_error *e)
{
    const bool members = problem->target->population == TAN_ALL_MEMBERS;
    struct tan_knob knob = *row->setting.knob;
    struct tan_shape shape =
        tan_shape_of(problem->target, &row->setting, problem->members, way->least.fanout);
    int32_t processes = 0;
    knob.parents = NULL; /* whose numbers need not rise */
    shape.knob = &knob;
    int32_t *parents = tan_shape_parents(&shape, &processes, e);
    struct tan_tree *tree = parents == NULL ? NULL : tan_tree_create(parents, processes, NULL, e);
    const int result =
        tree == NULL ? -1 : tan_failures_tree(tree, members, &problem->failures, &row->cost, e);
    tan_tree_destroy(tree);
    free(parents);
    return result;
}

int tan_setting_failures(const struct tan_target_problem *problem, const struct tan_target_way *way,
                         struct tan_setting_failure out[TAN_SETTING_FAILURES], struct tan_error *e)
{
    enum { LARGE = 1 << 20 };
    struct selection s = {out, 0};
    const bool given_tree = way->told[0].setting.knob->split == NULL && way->least.height == 0;
    if (way->told[0].cost.processes > LARGE || problem->target->failure.ends_all || given_tree) {
        return 0;
    }
    select_settings(&s, problem, way);
    for (int i = 0; i < s.n; i++) {
        struct tan_shape_cost cost;
        if (tan_target_cost(problem, &out[i].setting, way->direction, &cost, e) < 0 ||
            cost_failures(problem, way, &out[i], e) < 0) {
            return -1;
        }
        out[i].wave = cost.wave;
        out[i].max_fanout = cost.max_fanout;
    }
    return s.n;
}

double tan_setting_expected(const struct tan_setting_failure *s)
{
    return s->wave + s->cost.wait;
}

const struct tan_setting_failure *tan_least_expected(const struct tan_setting_failure *rows, int n)
{
    const struct tan_setting_failure *least = rows;
    for (int i = 1; i < n; i++) {
        least = tan_setting_expected(&rows[i]) < tan_setting_expected(least) ? &rows[i] : least;
    }
    return least;
}

bool tan_is_extrapolated(const struct tan_target_problem *p, const struct tan_setting_failure *s)
{
    return p->up->max_fanout > 0 && s->max_fanout > p->up->max_fanout;
}
