/* pareto.c - Pareto fronts of wave time and a second cost; objectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/choice/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/choice.h"
#include "design/search/failures.h"

static int64_t processes_of(const struct tan_plan *plan)
{
    return plan->processes;
}

static int64_t loss_of(const struct tan_plan *plan)
{
    return plan->below[0];
}

#define AT(member) offsetof(struct tan_problem, member)
const struct tan_front tan_fronts[] = {
    {"latency,processes", "processes", "processes", processes_of, AT(max_processes),
     tan_search_front},
    {"latency,loss", "most_lost", "leaves lost by a failure", loss_of, AT(max_loss), NULL},
    {.name = NULL},
};
#undef AT

const struct tan_front *tan_front_find(const char *name, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_fronts), "--pareto", name, e);
    return row < 0 ? NULL : &tan_fronts[row];
}

/* One search per tree, each with a lower cost than the one before. */
static int follow_front(const struct tan_problem *problem, const struct tan_front *front,
                        size_t most, struct tan_plans *out, struct tan_error *e)
{
    struct tan_problem less = *problem;
    int64_t *limit = (int64_t *)(void *)((char *)&less + front->limit);
    struct tan_error why = TAN_ERROR_INIT;
    struct tan_plans best;
    *out = (struct tan_plans){.plan = calloc(most, sizeof *out->plan)};
    if (out->plan == NULL) {
        return tan_fail_nomem(e);
    }
    while (tan_search(&less, 1, &best, &why) == 0) {
        const int64_t cost = front->of(&best.plan[0]);
        /* a tree with a lower cost may be just as fast */
        if (out->n > 0 &&
            best.plan[0].wave <= out->plan[out->n - 1].wave * (1 + TAN_SEARCH_EQUAL)) {
            out->n--;
        }
        if (out->n == most) {
            out->cut = true;
            tan_plans_clear(&best);
            return 0;
        }
        out->plan[out->n++] = best.plan[0];
        tan_plans_clear(&best);
        if (cost == 1) { /* 0 is no limit */
            return 0;
        }
        *limit = cost - 1;
        less.least_wave = out->plan[out->n - 1].wave;
    }
    if (why.status != TAN_INFEASIBLE || out->n == 0) {
        *e = why;
        tan_plans_clear(out);
        return -1;
    }
    return 0;
}

int tan_pareto(const struct tan_problem *problem, const struct tan_front *front, size_t most,
               struct tan_plans *out, struct tan_error *e)
{
    return front->find != NULL ? front->find(problem, most, out, e)
                               : follow_front(problem, front, most, out, e);
}

static int limit_nothing(struct tan_problem *problem, struct tan_error *e)
{
    (void)problem;
    (void)e;
    return 0;
}

/* The shortest period: waves follow each other at the pace of the most expensive level, that of the
 * widest node, so bisect for the smallest fanout that is feasible. */
static int limit_fanout(struct tan_problem *problem, struct tan_error *e)
{
    const int64_t limit = problem->max_fanout > 0 ? problem->max_fanout : problem->leaves;
    struct tan_problem tried = *problem;
    int64_t none = 1; /* largest fanout known to be too small */
    int64_t enough = limit;
    struct tan_plans plans;
    if (problem->leaves < 3) {
        return 0;
    }
    tried.max_fanout = limit;
    if (tan_search(&tried, 1, &plans, e) < 0) {
        return -1;
    }
    tan_plans_clear(&plans);
    while (enough - none > 1) {
        struct tan_error why = TAN_ERROR_INIT;
        tried.max_fanout = none + (enough - none) / 2;
        if (tan_search(&tried, 1, &plans, &why) == 0) {
            tan_plans_clear(&plans);
            enough = tried.max_fanout;
        } else if (why.status == TAN_INFEASIBLE) {
            none = tried.max_fanout;
        } else {
            *e = why;
            return -1;
        }
    }
    problem->max_fanout = enough;
    return 0;
}

/* The fewest processes, those of the last tree of the front; by bisection, since a front with many
 * trees would take long to follow. */
static int limit_processes(struct tan_problem *problem, struct tan_error *e)
{
    struct tan_problem tried = *problem;
    struct tan_plans plans;
    if (tan_search(&tried, 1, &plans, e) < 0) {
        return -1;
    }
    int64_t enough = plans.plan[0].processes;
    int64_t none = problem->leaves;
    tan_plans_clear(&plans);
    while (enough - none > 1) {
        struct tan_error why = TAN_ERROR_INIT;
        tried.max_processes = none + (enough - none) / 2;
        if (tan_search(&tried, 1, &plans, &why) == 0) {
            enough = plans.plan[0].processes;
            tan_plans_clear(&plans);
        } else if (why.status == TAN_INFEASIBLE) {
            none = tried.max_processes;
        } else {
            *e = why;
            return -1;
        }
    }
    problem->max_processes = enough;
    return 0;
}

int tan_expected_wave(const struct tan_problem *problem, const struct tan_plan *plan,
                      double *seconds, struct tan_error *e)
{
    struct tan_failure_cost cost;
    if (tan_failures_plan(plan, problem->failures, &cost, e) < 0) {
        return -1;
    }
    *seconds = plan->wave + cost.wait;
    return 0;
}

static int check_failures(const struct tan_failures *failures, struct tan_error *e)
{
    if (failures == NULL) {
        return tan_fail_usage(e, "--objective expected needs --failures p=...,timeout=TIME: how "
                                 "often processes fail, and how long others wait for them");
    }
    if (isnan(failures->timeout)) {
        return tan_fail_usage(e, "--objective expected needs timeout=TIME in --failures: without "
                                 "it failures take no time");
    }
    return failures->wait == TAN_WAIT_ONCE || failures->wait == TAN_WAIT_LEVELS
               ? 0
               : tan_fail_usage(e,
                                "--objective expected searches with wait=%s or wait=%s only: leave "
                                "out wait=%s, or compare trees with --compare",
                                tan_waits[TAN_WAIT_ONCE].name, tan_waits[TAN_WAIT_LEVELS].name,
                                tan_waits[failures->wait].name);
}

/* The most processes of a tree whose failures cost at most `wait` seconds. */
static int64_t most_processes(const struct tan_failures *failures, double wait)
{
    const double rounding = 1.0 + 1e-9;
    const double any = rounding * wait / failures->timeout; /* probability that one is down */
    const double others = any < 1.0 ? log1p(-any) / log1p(-failures->p) : INFINITY;
    return others < 1e15 ? (int64_t)(others * rounding) + 2 : INT64_MAX / 2;
}

/* Leave the trees whose failures cost at most `wait` seconds. Under wait=once this depends on the
 * number of processes, of which `processes` is an exact limit. */
static void limit_wait(struct tan_problem *problem, double wait, int64_t processes)
{
    const bool once = problem->failures->wait == TAN_WAIT_ONCE;
    int64_t most = most_processes(problem->failures, wait);
    most = once && processes < most ? processes : most;
    if (problem->max_processes == 0 || problem->max_processes > most) {
        problem->max_processes = most;
    }
    problem->max_wait = once ? 0.0 : wait / problem->failures->timeout;
}

/* The search along the front of wave time and wait. */
struct front_search {
    const struct tan_problem *asked;
    struct tan_problem narrow; /* to the best tree so far */
    double best;               /* its expected wave */
    double wave, wait;         /* of the last tree found */
    int64_t processes;
};

/* Find the fastest tree within these limits. */
static int find_fastest(struct front_search *s, const struct tan_problem *limits,
                        struct tan_error *e)
{
    struct tan_plans plans;
    struct tan_failure_cost cost;
    if (tan_search(limits, 1, &plans, e) < 0) {
        return -1;
    }
    const struct tan_plan plan = plans.plan[0];
    tan_plans_clear(&plans);
    if (tan_failures_plan(&plan, limits->failures, &cost, e) < 0) {
        return -1;
    }
    s->wave = plan.wave;
    s->wait = cost.wait;
    s->processes = plan.processes;
    if (s->wave + s->wait < s->best) {
        s->best = s->wave + s->wait;
        s->narrow = *s->asked;
        limit_wait(&s->narrow, s->wait, s->processes);
    }
    return 0;
}

/* Try waits at decreasing distances from the least one, so that the way along the front, which may
 * have many trees, starts close to the best. */
static int try_waits(struct front_search *s, double least, struct tan_error *e)
{
    double more = (s->wait - least) / 2.0;
    int result = 0;
    while (result == 0 && s->wave < s->best && more > TAN_SEARCH_EQUAL * least) {
        struct tan_problem tried = *s->asked;
        limit_wait(&tried, least + more, INT64_MAX);
        result = find_fastest(s, &tried, e);
        more /= 2.0;
    }
    return result;
}

/* The least expected wave time. It is the sum of wave time and wait, so that the best tree is on
 * their front. Whatever comes later on the front takes at least the present wave time; to be better
 * it must have a wait, and with it processes, short of what is left. */
static int limit_expected(struct tan_problem *problem, struct tan_error *e)
{
    const struct tan_problem asked = *problem;
    const struct tan_failures *failures = asked.failures;
    struct front_search s = {.asked = &asked, .best = INFINITY};
    struct tan_error why = TAN_ERROR_INIT;
    if (check_failures(failures, e) < 0 || find_fastest(&s, &asked, e) < 0) {
        return -1;
    }
    const double least = failures->timeout * tan_any_down(failures->p, (double)asked.leaves);
    const struct front_search fastest = s; /* where the way along the front starts */
    int result = try_waits(&s, least, &why);
    s.wave = fastest.wave;
    s.wait = fastest.wait;
    s.processes = fastest.processes;
    result = why.status == TAN_INFEASIBLE ? 0 : result;
    while (result == 0 && s.wave < s.best) {
        const double wait = fmin(s.wait * (1.0 - TAN_SEARCH_EQUAL), s.best - s.wave);
        struct tan_problem tried = asked;
        limit_wait(&tried, wait, s.processes - 1);
        if (wait < least) {
            break;
        }
        result = find_fastest(&s, &tried, &why);
    }
    if (result < 0 && why.status != TAN_INFEASIBLE) {
        *e = why;
        return -1;
    }
    *problem = s.narrow;
    return 0;
}

const struct tan_objective tan_objectives[] = {
    {"latency", limit_nothing, NULL, false},
    {"period", limit_fanout, "the shortest period", false},
    {"processes", limit_processes, "the fewest processes", false},
    {"expected", limit_expected, "the least expected wave time", true},
    {NULL, NULL, NULL, false},
};

const struct tan_objective *tan_objective_find(const char *name, struct tan_error *e)
{
    const int row = tan_choice_find(TAN_CHOICES(tan_objectives), "--objective", name, e);
    return row < 0 ? NULL : &tan_objectives[row];
}
