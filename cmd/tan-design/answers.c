/* answers.c - parts shared by all answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <stdlib.h>

#include "base/text.h"
#include "design/report/report_target.h"
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

int open_configuration(const struct config *c, const struct tan_target *target,
                       const struct tan_provenance *from, const struct tan_doubts *doubts,
                       const struct tan_target_answer *answer, struct tan_output **output,
                       struct tan_error *e)
{
    char *text = NULL;
    size_t length;
    *output = c->to.output == NULL ? NULL : tan_output_open(c->to.output, e);
    if (*output == NULL || target->comment == NULL) {
        return c->to.output != NULL && *output == NULL ? -1 : 0;
    }
    FILE *to = open_memstream(&text, &length);
    if (to != NULL) {
        tan_report_machine(from, c->model, doubts, 0, to);
        if (answer != NULL) {
            tan_report_sureness(answer, to);
        }
        fputc('\n', to);
    }
    if (to == NULL || fclose(to) != 0) {
        free(text);
        tan_output_discard(*output);
        return tan_fail_nomem(e);
    }
    tan_text_comment(text, target->comment, tan_output_stream(*output));
    free(text);
    return 0;
}

struct tan_problem problem_of(const struct config *c, const struct tan_provenance *from)
{
    struct tan_problem problem = c->problem;
    problem.model = c->model;
    problem.params = &from->machine->tan;
    problem.beside = from->machine->overlap_known ? &from->machine->overlap : NULL;
    return problem;
}
