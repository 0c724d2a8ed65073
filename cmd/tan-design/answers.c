/* answers.c - what all answers share
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
    return (struct tan_problem){
        .leaves = c->leaves,
        .model = c->model,
        .params = &from->machine->tan,
        .beside = from->machine->overlap_known ? &from->machine->overlap : NULL,
        .max_fanout = c->most.fanout,
        .max_height = c->most.height,
        .max_processes = c->most.processes,
        .max_connections = c->most.connections,
    };
}
