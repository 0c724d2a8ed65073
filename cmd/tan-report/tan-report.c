/* tan-report.c - program: a page of figures from the output of the other programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "page/report.h"

struct config {
    struct tan_report report;
    const char **files; /* room for all arguments */
    size_t n;
};

static int add_file(void *config, const char *value, struct tan_error *e)
{
    struct config *c = config;
    (void)e;
    c->files[c->n++] = value;
    return 0;
}

#define AT(member) offsetof(struct config, member)
static const struct tan_option options[] = {
    TAN_HEADING("Options:"),
    TAN_OUTPUT("output", 'o', "FILE", "write the page here [" TAN_REPORT_PAGE "]",
               AT(report.output)),
    TAN_TEXT("figures", 0, "DIR", "and each figure as SVG into this folder", AT(report.figures)),
    TAN_FLAG("paper", 0,
             "Figures 1, 2, 4, 6, 7 and 8 of the TAN paper instead, as far as the "
             "files have them",
             AT(report.paper)),
    TAN_OPTIONS_END,
};
static const struct tan_option *const groups[] = {options, NULL};

static void more_help(FILE *to)
{
    fputs("\nFiles that can be shown, by their schema:\n", to);
    tan_report_help(to);
    tan_text_say(to,
                 "\nExit status: 0 done, 1 a file cannot be shown (the others are) or written, 2 "
                 "wrong usage.");
}

static const struct tan_command commands[] = {
    {
        .usage = "[OPTION]... FILE...",
        .purpose = "Write one self-contained HTML page with figures and tables "
                   "from files that the other programs write with --json, and machine files. "
                   "Charts are drawn by gnuplot.",
        .groups = groups,
        .max_operands = -1,
        .operand = add_file,
        .more_help = more_help,
    },
    {.usage = NULL},
};
static const struct tan_cli cli = {.program = "tan-report", .commands = commands};

static int write_report(struct config *c, struct tan_error *e)
{
    if (c->n == 0) {
        return tan_fail_usage(e, "name a file that tanbench, tan-design or tan-sim has written, "
                                 "such as results.json");
    }
    const char *page = c->report.output != NULL ? c->report.output : TAN_REPORT_PAGE;
    if (tan_report_write(&c->report, c->files, c->n, stderr, e) < 0) {
        return -1;
    }
    fputs(tan_output_print_written(&page, 1, stdout) > 0 ? "\n" : "", stdout);
    return 0;
}

int main(int argc, char **argv)
{
    tan_json_notes_to(stderr);
    struct config config = {.report = {.output = NULL}};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    int result = -1;
    gsl_set_error_handler_off(); /* the default handler aborts */
    config.files = calloc((size_t)argc + 1, sizeof *config.files);
    if (config.files == NULL) {
        tan_fail_nomem(&e);
    } else if (tan_cli_parse(&cli, &config, argc, argv, &answer, &e) == 0) {
        if (answer.action != TAN_CLI_RUN) {
            tan_cli_print(&cli, &answer);
            result = 0;
        } else {
            result = write_report(&config, &e);
        }
    }
    free(config.files);
    return tan_cli_end(cli.program, result, &e);
}
