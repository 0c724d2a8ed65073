/* test_pareto.c - fronts and objectives against all level-uniform trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

#include "design/choice/pareto.h"

#define US 1e-6

static const struct tan_params machines[] = {
    {.method = TAN_METHOD_PAPER, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {5 * US, 3 * US, 2 * US, 0.01 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {0, 1 * US, 3 * US, 1 * US, 0, 0}},
};

/* For every number of processes the least wave, of all trees within the limits. */
struct table {
    const struct tan_problem *problem;
    double *least; /* by processes */
    int64_t room;
    int64_t narrowest; /* the least largest fanout */
};

static bool within(int64_t value, int64_t limit)
{
    return limit == 0 || value <= limit;
}

static void try_levels(struct table *t, int64_t *fanouts, int height, int64_t left)
{
    const struct tan_problem *p = t->problem;
    if (left == 1) {
        struct tan_plan plan;
        tan_plan_levels(&plan, p->leaves, fanouts, height);
        tan_plan_price(&plan, p->model, p->params);
        bool allowed = within(plan.max_fanout, p->max_fanout) && within(plan.height, p->max_height);
        for (int i = 0; i < plan.height; i++) { /* one more to its parent, but for the root */
            allowed = allowed && within(plan.fanout[i] + (i > 0), p->max_connections);
        }
        if (allowed) {
            assert_true(plan.processes < t->room);
            t->least[plan.processes] = fmin(t->least[plan.processes], plan.wave);
            t->narrowest = plan.max_fanout < t->narrowest ? plan.max_fanout : t->narrowest;
        }
        return;
    }
    for (int64_t fanout = 2; fanout <= left; fanout++) {
        fanouts[height] = fanout;
        try_levels(t, fanouts, height + 1, (left + fanout - 1) / fanout);
    }
}

static void check(const struct tan_problem *problem)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct table t = {problem, NULL, 20 * problem->leaves + 200, INT64_MAX};
    int64_t fanouts[TAN_PLAN_LEVELS];
    struct tan_plans front;
    t.least = malloc((size_t)t.room * sizeof *t.least);
    assert_non_null(t.least);
    for (int64_t i = 0; i < t.room; i++) {
        t.least[i] = INFINITY;
    }
    try_levels(&t, fanouts, 0, problem->leaves);
    assert_int_equal(tan_pareto(problem, 1000, &front, &e), 0);
    assert_false(front.cut);
    /* from few processes up: those that are faster than all with fewer */
    size_t n = front.n;
    double best = INFINITY;
    int64_t fewest = 0;
    for (int64_t i = 0; i < t.room; i++) {
        if (t.least[i] < best * (1 - 1e-9)) {
            assert_true(n > 0);
            n--;
            assert_int_equal(front.plan[n].processes, i);
            assert_close(front.plan[n].wave, t.least[i], 1e-9 * t.least[i]);
            best = t.least[i];
            fewest = fewest == 0 ? i : fewest;
        }
    }
    assert_int_equal(n, 0);
    struct tan_problem narrow = *problem;
    assert_int_equal(tan_objective_find("period", &e)->narrow(&narrow, &e), 0);
    if (problem->leaves > 2) {
        assert_int_equal(narrow.max_fanout, t.narrowest);
    }
    struct tan_problem few = *problem;
    assert_int_equal(tan_objective_find("processes", &e)->narrow(&few, &e), 0);
    assert_int_equal(few.max_processes, fewest);
    free(t.least);
    tan_plans_clear(&front);
}

static void all_trees(void **state)
{
    (void)state;
    static const int64_t more[] = {100, 343, 500, 1000, 2000};
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        struct tan_problem p = {.model = &tan_models[TAN_MODEL_TAN], .params = &machines[m]};
        for (p.leaves = 2; p.leaves <= 40; p.leaves++) {
            for (p.max_fanout = 0; p.max_fanout <= 7; p.max_fanout += 7) {
                for (p.max_height = 0; p.max_height <= 3; p.max_height += 3) {
                    check(&p);
                }
            }
            p.max_fanout = p.max_height = 0;
            for (p.max_connections = 3; p.max_connections <= 8; p.max_connections++) {
                check(&p);
            }
            p.max_connections = 0;
        }
        p.max_fanout = p.max_height = 0;
        for (size_t i = 0; i < (thorough() ? 5 : 2); i++) {
            p.leaves = more[i];
            check(&p);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
