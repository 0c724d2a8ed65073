/* answers.c - parts shared by all answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <stdlib.h>

#include "base/output.h"
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
    return tan_report_deliver(c->to.json, c->to.report, document, e);
}

int write_basis(const struct config *c, const struct basis *basis, const char *comment, FILE *to,
                struct tan_error *e)
{
    char *text = NULL;
    size_t length;
    if (comment == NULL) {
        return 0;
    }
    FILE *lines = open_memstream(&text, &length);
    if (lines == NULL) {
        return tan_fail_nomem(e);
    }
    tan_report_machine(basis->from, c->model, basis->doubts, basis->leaves, lines);
    if (basis->setting != NULL) {
        for (int w = 0; w < basis->setting->n_ways; w++) {
            tan_report_expected(basis->setting, w, lines);
        }
        tan_report_sureness(basis->setting, lines);
    }
    if (basis->tree != NULL) {
        tan_report_design_sureness(basis->tree, lines);
    }
    fputc('\n', lines);
    const int result = fclose(lines) == 0 ? 0 : tan_fail_nomem(e);
    if (result == 0) {
        tan_text_comment(text, comment, to);
    }
    free(text);
    return result;
}

struct tan_problem problem_of(const struct config *c, const struct tan_provenance *from)
{
    struct tan_problem problem = c->problem;
    problem.model = c->model;
    problem.params = &from->machine->tan;
    problem.beside = from->machine->overlap_known ? &from->machine->overlap : NULL;
    return problem;
}
