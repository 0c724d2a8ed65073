/* answer_lists.c - costs of fanouts, and the Pareto front
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include "model/wave/doubts.h"

int answer_pareto(const struct config *c, const struct tan_provenance *from, struct tan_error *e)
{
    enum { MOST = 1000 };
    const struct tan_problem problem = problem_of(c, from);
    struct tan_plans front;
    struct tan_doubts doubts = {.n = 0};
    int result = -1;
    if (tan_pareto(&problem, c->aim.front, MOST, &front, e) < 0) {
        return -1;
    }
    int64_t widest = 0;
    int64_t below = 0;
    for (size_t i = 0; i < front.n; i++) {
        const struct tan_plan *plan = &front.plan[i];
        widest = plan->max_fanout > widest ? plan->max_fanout : widest;
        below = plan->below[0] > below ? plan->below[0] : below;
    }
    tan_doubt_tree(widest, below, front.plan[0].processes, 0, c->model, &from->machine->tan,
                   from->machine, &doubts);
    if (prints_report(c)) {
        tan_report_machine(from, c->model, &doubts, c->problem.leaves, stdout);
        tan_report_pareto(&problem, c->aim.front, &front, stdout);
    }
    if (!wants_document(c) ||
        put_answer(c, tan_pareto_to_json(&problem, c->aim.front, &front, from, &doubts), e) == 0) {
        result = tan_doubts_fail(&doubts, e);
    }
    tan_doubts_clear(&doubts);
    tan_plans_clear(&front);
    return result;
}

int answer_fanouts(const struct config *c, const struct tan_provenance *from, struct tan_error *e)
{
    struct tan_fanout rows[TAN_FANOUTS];
    const struct tan_params *params = &from->machine->tan;
    struct tan_doubts doubts = {.n = 0};
    int result = -1;
    if (tan_fanouts(c->model, params, c->problem.leaves, rows, e) < 0) {
        return -1;
    }
    tan_doubt_fanouts(rows, c->model, from->machine, &doubts);
    if (prints_report(c)) {
        tan_report_machine(from, c->model, &doubts, c->problem.leaves, stdout);
        tan_report_fanouts(rows, c->model, params, c->problem.leaves, stdout);
    }
    if (!wants_document(c) ||
        put_answer(c, tan_fanouts_to_json(rows, c->model, c->problem.leaves, from, &doubts), e) ==
            0) {
        result = tan_doubts_fail(&doubts, e);
    }
    tan_doubts_clear(&doubts);
    return result;
}
