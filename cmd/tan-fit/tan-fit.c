/* tan-fit.c - program: parameters of a machine from measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/json.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/tan-fit/fit_output.h"
#include "design/measured/named_tree.h"
#include "model/machine/p2p.h"
#include "page/report.h"
#include "topo/spec.h"

/* Options */

static int set_method(void *config, const char *what, const char *value, struct tan_error *e)
{
    (void)what;
    return tan_method_parse(value, &((struct config *)config)->method, e);
}

static int set_input(void *config, const char *value, struct tan_error *e)
{
    (void)e;
    ((struct config *)config)->input = value;
    return 0;
}

/* What --column describes. */
static const struct column_row {
    const char *name;
    size_t to; /* member of struct tan_measured */
} column_rows[] = {
    {"tree", offsetof(struct tan_measured, tree)},
    {"wave", offsetof(struct tan_measured, wave)},
    {"bytes", offsetof(struct tan_measured, bytes)},
};

static int set_column(void *config, const char *what, const char *value, struct tan_error *e)
{
    const size_t length = strcspn(value, "=");
    for (size_t i = 0; i < sizeof column_rows / sizeof column_rows[0]; i++) {
        if (strlen(column_rows[i].name) == length && value[length] == '=' &&
            strncmp(column_rows[i].name, value, length) == 0) {
            char *member = (char *)&((struct config *)config)->file + column_rows[i].to;
            *(const char **)(void *)member = value + length + 1;
            return 0;
        }
    }
    return tan_fail_usage(e, "%s takes tree=NAME, wave=COLUMN or bytes=COLUMN, not \"%.64s\"", what,
                          value);
}

#define AT(member) offsetof(struct config, member)
static const struct tan_option options[] = {
    TAN_HEADING("Options:"),
    TAN_OUTPUT("output", 'o', "FILE", "write the machine file here (-: standard output, no report)",
               AT(output)),
    TAN_OUTPUT("json", 'j', "FILE",
               "write the whole report as JSON here (-: standard output, no table)", AT(json)),
    TAN_OUTPUT("report", 0, "FILE", "write a page with figures here (HTML)", AT(report)),
    TAN_TEXT("name", 0, "TEXT", "name of the machine [the input's file name]", AT(name)),
    TAN_CALL("method", 0, "NAME",
             "joint: one weighted fit of both experiments; paper: the published two steps [joint]",
             set_method),
    TAN_DURATION("latency", 0, "TIME",
                 "latency L, such as 98us, when the input has no pingpong rows", AT(latency)),
    TAN_CALL("column", 0, "WHAT=TEXT",
             "where the input has what: tree=kary:{radix}:{nodes}, a tree's name from columns, or "
             "wave=barrier_us/2, half a round trip from one, with a unit where the heading has "
             "none, {time}ms, or bytes=size",
             set_column),
    TAN_SIZE("bytes", 0, "SIZE",
             "fit the waves of this message size [all; 1024 where the input has none]",
             AT(file.message), 1, INT64_MAX),
    TAN_FLAG("oversubscribed", 0,
             "the waves were measured with more processes than cores: mark the machine file",
             AT(oversubscribed)),
    TAN_FLAG("details", 0,
             "print further notes, the fitted trees that are farthest off, and all that are held "
             "out, too",
             AT(details)),
    TAN_OPTIONS_END,
};

static void more_help(FILE *to)
{
    tan_text_say(to, "The input is a table with a tree and a time in each row. By its headings:");
    tan_measured_help(to);
    fputs("\nTrees:\n", to);
    tan_text_item(to, "pingpong, latency",
                  "half round trips between two processes: taken as L, with their overheads", 20);
    tan_text_item(to, "TARGET:SETTING:N",
                  "as a system builds it, such as slurm:TreeWidth=16:700; see tan-design --targets",
                  20);
    tan_spec_help(to);
    tan_text_say(to,
                 "\nWhere there are four heights of chain:H and four sizes of nto1:N, these are "
                 "fitted and all other trees predicted; otherwise, or with messages of several "
                 "sizes, all trees are fitted.\n"
                 "\nExit status: 0 done, 1 failed, 2 wrong usage, 3 fitted, but not trustworthy.");
}

static const struct tan_command commands[] = {
    {
        .usage = "[OPTION]... WAVES.csv\n[OPTION]... -",
        .purpose = "Fit the parameters of TAN and of tan-overlap to measured waves of chains and "
                   "N-to-1 trees, and predict the other trees in the file; or fit TAN's to any "
                   "trees.",
        .groups = (const struct tan_option *const[]){options, NULL},
        .brief = 1,
        .max_operands = 1,
        .operand = set_input,
        .more_help = more_help,
    },
    {.usage = NULL},
};

static const struct tan_cli cli = {.program = "tan-fit", .commands = commands};

/* Results */

/* The machine's name: --name, or the input's file name without folders and ending; malloc'd. */
static char *name_of(const struct config *config)
{
    if (config->name != NULL) {
        return strdup(config->name);
    }
    const char *slash = strrchr(config->input, '/');
    const char *base = slash != NULL ? slash + 1 : config->input;
    const char *dot = strrchr(base, '.');
    return strcmp(base, "-") == 0 ? strdup("unnamed")
                                  : strndup(base, dot > base ? (size_t)(dot - base) : strlen(base));
}

/* Add a p2p block, so that designs can predict longer messages: LogGP, with the fitted time per
 * byte as G. */
static int set_bandwidth(struct tan_machine *machine, const struct session *s, struct tan_error *e)
{
    const struct tan_params *params = &s->fit[TAN_METHOD_JOINT].params;
    struct tan_p2p_section section = {.from = 1, .to = INT64_MAX};
    struct tan_p2p p2p = {.section = &section,
                          .n_sections = 1,
                          .eager = -1,
                          .alone = -1,
                          .control = NAN,
                          .s_s = NAN,
                          .s_r = NAN,
                          .S_byte = NAN};
    for (int i = 0; i < TAN_P2P_PARAMS; i++) {
        section.value[i] = NAN;
        section.ci95[i] = TAN_INTERVAL_UNKNOWN;
    }
    section.value[TAN_P2P_L] = params->value[TAN_L];
    section.value[TAN_P2P_O_S] = params->value[TAN_A];
    section.value[TAN_P2P_O_R] = params->value[TAN_A];
    section.value[TAN_P2P_G] = fmax(params->value[TAN_A], params->value[TAN_B]);
    section.value[TAN_P2P_G_BYTE] = s->fit[TAN_METHOD_JOINT].terms.value[TAN_TREE_BYTE];
    section.ci95[TAN_P2P_G_BYTE] = s->fit[TAN_METHOD_JOINT].terms.ci95[TAN_TREE_BYTE];
    json_t *block = tan_p2p_to_json(&p2p);
    return block == NULL ? tan_fail_nomem(e) : tan_machine_set_p2p(machine, block, e);
}

static struct tan_machine *make_machine(const struct session *s, struct tan_error *e)
{
    const struct tan_fit *fit = &s->fit[s->config->method];
    const struct tan_fit *overlap = &s->fit[TAN_METHOD_OVERLAP];
    char *name = name_of(s->config);
    if (name == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    struct tan_machine *machine = tan_machine_create(name, e);
    free(name);
    if (machine == NULL || tan_machine_set_tan(machine, &fit->params, e) < 0 ||
        (fit_has_overlap(s) && tan_machine_set_overlap(machine, &overlap->params, e) < 0) ||
        (fit->terms.identifiable[TAN_TREE_BYTE] && set_bandwidth(machine, s, e) < 0)) {
        tan_machine_destroy(machine);
        return NULL;
    }
    if (asprintf(&machine->source, "tan-fit: %" PRId64 " wave%s on %zu %s", fit->params.n,
                 fit->params.n == 1 ? "" : "s", s->n_fitted,
                 !s->general        ? "chains and N-to-1 trees"
                 : s->n_fitted == 1 ? "tree"
                                    : "trees") < 0) {
        machine->source = NULL;
        tan_machine_destroy(machine);
        tan_fail_nomem(e);
        return NULL;
    }
    machine->latency = s->latency;
    machine->checks = s->checks;
    tan_fit_tell(fit, &machine->doubts);
    tan_fit_tell(overlap, &machine->doubts);
    machine->oversubscribed = s->config->oversubscribed;
    return machine;
}

static int write_files(const struct session *s, struct tan_error *e)
{
    int result = 0;
    struct tan_machine *machine = make_machine(s, e);
    if (machine == NULL) {
        return -1;
    }
    if (s->config->output != NULL) {
        result = tan_machine_save(machine, s->config->output, e);
    }
    if ((s->config->json != NULL || s->config->report != NULL) && result == 0) {
        result =
            tan_report_deliver(s->config->json, s->config->report, fit_output_json(s, machine), e);
    }
    tan_machine_destroy(machine);
    return result;
}

/* What was written, and what it is for. */
static void print_written(const struct config *c, FILE *to)
{
    const char *const files[] = {c->output, c->json, c->report};
    const size_t written = tan_output_print_written(files, sizeof files / sizeof files[0], to);
    if (c->output != NULL) {
        fprintf(to, "; next: " FIT_NEXT, c->output);
    }
    fputs(written > 0 ? "\n" : "", to);
}

static int run_session(struct session *s, struct tan_error *e)
{
    const struct config *config = s->config;
    if (config->input == NULL) {
        return tan_fail_usage(e, "name a file of waves, or - for standard input");
    }
    if (tan_measured_read(&config->file, config->input, &s->waves, &s->notes, e) < 0 ||
        fit_all(s, e) < 0) {
        return -1;
    }
    const bool prints =
        !tan_output_is_stdout(config->output) && !tan_output_is_stdout(config->json);
    if (prints) {
        fit_output_print(s, stdout);
    }
    if (write_files(s, e) < 0) {
        return -1;
    }
    if (prints) {
        print_written(config, stdout);
    }
    return tan_doubts_fail(&s->fit[config->method].doubts, e);
}

int main(int argc, char **argv)
{
    tan_json_notes_to(stderr);
    struct config config = {.method = TAN_METHOD_JOINT, .latency = NAN};
    struct session session = {.config = &config};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    gsl_set_error_handler_off(); /* the default handler aborts */
    tan_named_accept();
    if (tan_cli_parse(&cli, &config, argc, argv, &answer, &e) < 0) {
        return tan_error_print(&e, cli.program, stderr);
    }
    int result = 0;
    if (answer.action != TAN_CLI_RUN) {
        tan_cli_print(&cli, &answer);
    } else {
        result = run_session(&session, &e);
    }
    fit_clear(&session);
    return tan_cli_end(cli.program, result, &e);
}
