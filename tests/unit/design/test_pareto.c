/* test_pareto.c - fronts and objectives against all level-uniform trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

#include "design/choice/design.h"

#define US 1e-6

static const struct tan_params machines[] = {
    {.method = TAN_METHOD_PAPER, .value = {98 * US, 49.3 * US, 0.783 * US, 0.157 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {5 * US, 3 * US, 2 * US, 0.01 * US, 0, 0}},
    {.method = TAN_METHOD_JOINT, .value = {0, 1 * US, 3 * US, 1 * US, 0, 0}},
};

enum { FRONTS = 2 };

/* The least wave for every number of processes, and for every number of leaves below a process, of
 * all trees within the limits. */
struct table {
    const struct tan_problem *problem;
    double *least[FRONTS];
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
        allowed = allowed && within(plan.below[0], p->max_loss);
        if (allowed) {
            const int64_t cost[FRONTS] = {plan.processes, plan.below[0]};
            for (int f = 0; f < FRONTS; f++) {
                assert_true(cost[f] < t->room);
                t->least[f][cost[f]] = fmin(t->least[f][cost[f]], plan.wave);
            }
            t->narrowest = plan.max_fanout < t->narrowest ? plan.max_fanout : t->narrowest;
        }
        return;
    }
    if (!within(height + 1, p->max_height)) {
        return;
    }
    for (int64_t fanout = 2; fanout <= left && within(fanout, p->max_fanout); fanout++) {
        fanouts[height] = fanout;
        try_levels(t, fanouts, height + 1, (left + fanout - 1) / fanout);
    }
}

static struct table create_table(const struct tan_problem *problem)
{
    struct table t = {problem, {NULL, NULL}, 20 * problem->leaves + 200, INT64_MAX};
    int64_t fanouts[TAN_PLAN_LEVELS];
    for (int f = 0; f < FRONTS; f++) {
        t.least[f] = malloc((size_t)t.room * sizeof *t.least[f]);
        assert_non_null(t.least[f]);
        for (int64_t i = 0; i < t.room; i++) {
            t.least[f][i] = INFINITY;
        }
    }
    try_levels(&t, fanouts, 0, problem->leaves);
    return t;
}

static void free_table(struct table *t)
{
    for (int f = 0; f < FRONTS; f++) {
        free(t->least[f]);
    }
}

/* From a low cost up: those that are faster than all with a lower one. Returns the lowest cost. */
static int64_t check_front(const struct table *t, int f)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans front;
    assert_int_equal(tan_search_front(t->problem, tan_fronts[f].of, 1000, &front, &e), 0);
    assert_false(front.cut);
    size_t n = front.n;
    double best = INFINITY;
    int64_t lowest = 0;
    for (int64_t i = 0; i < t->room; i++) {
        if (t->least[f][i] < best * (1 - 1e-9)) {
            assert_true(n > 0);
            n--;
            assert_int_equal(tan_plan_cost(&front.plan[n], tan_fronts[f].of), i);
            assert_close(front.plan[n].wave, t->least[f][i], 1e-9 * t->least[f][i]);
            best = t->least[f][i];
            lowest = lowest == 0 ? i : lowest;
        }
    }
    assert_int_equal(n, 0);
    tan_plans_clear(&front);
    return lowest;
}

static void check(const struct tan_problem *problem)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct table t = create_table(problem);
    const int64_t fewest = check_front(&t, 0);
    check_front(&t, 1);
    struct tan_problem narrow = *problem;
    assert_int_equal(tan_objectives[1].narrow(&narrow, &e), 0);
    if (problem->leaves > 2) {
        assert_int_equal(narrow.max_fanout, t.narrowest);
    }
    struct tan_problem few = *problem;
    assert_int_equal(tan_objectives[2].narrow(&few, &e), 0);
    assert_int_equal(few.max_processes, fewest);
    free_table(&t);
}

TEST(all_trees)
{
    static const int64_t more[] = {51, 64, 100, 343, 500, 1000, 2000};
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        struct tan_problem p = {.model = &tan_models[TAN_MODEL_TAN], .params = &machines[m]};
        for (p.leaves = 2; p.leaves <= 40; p.leaves++) {
            for (p.max_fanout = 0; p.max_fanout <= 7; p.max_fanout += 7) {
                for (p.max_height = 0; p.max_height <= 3; p.max_height += 3) {
                    check(&p);
                }
            }
            p.max_height = 0;
            for (p.max_fanout = 2; p.max_fanout <= 8; p.max_fanout++) {
                check(&p);
            }
            p.max_fanout = 0;
            for (p.max_loss = 1; p.max_loss < p.leaves; p.max_loss += 3) {
                for (p.max_fanout = 0; p.max_fanout <= 7; p.max_fanout += 7) {
                    if (p.max_fanout == 0 || p.max_fanout * p.max_loss >= p.leaves) {
                        check(&p);
                    }
                }
            }
            p.max_loss = 0;
        }
        p.max_fanout = p.max_height = 0;
        for (size_t i = 0; i < (thorough() ? 7 : 4); i++) {
            p.leaves = more[i];
            check(&p);
        }
    }
}

/* Equal waves: the tree with fewer processes. */
TEST(tie)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_plans best;
    static const struct tan_params machine = {
        .method = TAN_METHOD_JOINT,
        .value = {[TAN_L] = 2 * US, [TAN_A] = 1 * US, [TAN_B] = 1 * US}};
    struct tan_problem p = {
        .leaves = 169, .model = &tan_models[TAN_MODEL_TAN], .params = &machine, .max_loss = 10};
    assert_int_equal(tan_search(&p, 1, &best, &e), 0);
    assert_int_equal(best.plan[0].processes, 187); /* 17x10, and not 17x2x5, 33 us both */
    tan_plans_clear(&best);
}

RUN_TESTS(NULL, NULL)
