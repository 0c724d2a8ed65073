/* answers.c - parts shared by all answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include "base/output.h"
#include "report/page/report.h"

bool prints_report(const struct config *c)
{
    return !tan_output_is_stdout(c->to.json) && !tan_output_is_stdout(c->to.output) &&
           !tan_output_is_stdout(c->to.map);
}

int put_answer(const struct config *c, json_t *document, struct tan_error *e)
{
    return tan_report_deliver(c->to.json, c->to.report, document, NULL, e);
}

struct tan_problem problem_of(const struct config *c, const struct tan_provenance *from)
{
    struct tan_problem problem = c->problem;
    problem.model = c->model;
    problem.params = &from->machine->tan;
    problem.beside = from->machine->overlap_known ? &from->machine->overlap : NULL;
    return problem;
}
