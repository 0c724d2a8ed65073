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
#include "base/units.h"
#include "cmd/tan-fit/fit_output.h"
#include "design/measured/named_tree.h"
#include "model/machine/p2p.h"
#include "model/wave/wave.h"
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
        .max_operands = 1,
        .operand = set_input,
        .more_help = more_help,
    },
    {.usage = NULL},
};

static const struct tan_cli cli = {.program = "tan-fit", .commands = commands};

/* Fitting */

/* Observations and latency samples of the waves; `observations` has room for every group. */
static struct tan_fit_input input_of(const struct session *s, struct tan_observation *observations)
{
    struct tan_fit_input input = {
        .observations = observations,
        .L = s->config->latency,
        .bytes = s->waves.bytes,
        .bootstrap = TAN_FIT_RESAMPLINGS,
        .seed = FIT_SEED,
    };
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind == TAN_WAVES_LATENCY) {
            input.latency = group->seconds;
            input.n_latency = group->n;
        } else if (group->kind == TAN_WAVES_CHAIN || group->kind == TAN_WAVES_NTO1) {
            observations[input.n_observations++] = (struct tan_observation){
                .experiment = group->kind == TAN_WAVES_CHAIN ? TAN_CHAIN : TAN_NTO1,
                .size = group->size,
                .waves = group->seconds,
                .n = group->n,
            };
        }
    }
    return input;
}

/* Fit chains and N-to-1 trees by both methods. */
static int fit_experiments(struct session *s, struct tan_fit_input *input, struct tan_error *e)
{
    for (int m = 0; m < METHODS; m++) {
        input->method = (enum tan_method)m;
        if (tan_fit(input, &s->fit[m], e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int check_latency(struct session *s, const struct tan_fit_input *input, struct tan_error *e)
{
    if (input->n_latency > 0 && !isnan(s->config->latency)) {
        return tan_fail_usage(e, "--latency is given, but the input has pingpong rows too");
    }
    return input->n_latency > 0
               ? tan_latency_summarize(input->latency, input->n_latency, &s->latency, e)
               : 0;
}

static void note_input(struct session *s)
{
    for (int m = 0; m < METHODS; m++) {
        for (size_t i = 0; i < s->notes.n; i++) {
            tan_fit_note(&s->fit[m], "%s", s->notes.text[i]);
        }
    }
    for (int m = 0; m < METHODS && s->waves.near > 0; m++) {
        tan_fit_note(&s->fit[m],
                     "waves of trees within a host, named ...@host, are left out (%zu): tanbench "
                     "calibrate fits them, as a tier of its own",
                     s->waves.near);
    }
}

static int fit_waves(struct session *s, struct tan_error *e)
{
    int result = -1;
    struct tan_observation *observations = calloc(s->waves.n + 1, sizeof *observations);
    s->tree = calloc(s->waves.n + 1, sizeof *s->tree);
    if (observations == NULL || s->tree == NULL) {
        free(observations);
        return tan_fail_nomem(e);
    }
    struct tan_fit_input input = input_of(s, observations);
    s->general = fit_trees_wanted(s);
    if (input.n_observations == 0 && !s->general) {
        tan_fail_at(e, tan_input_name(s->config->input), 0, 0, "no waves of trees to fit%s",
                    s->waves.near > 0
                        ? ", but for those within a host, which tanbench calibrate fits"
                        : "");
        e->status = TAN_USAGE;
    } else if (s->general && s->config->method != TAN_METHOD_JOINT) {
        tan_fail_usage(e, "--method paper needs chains and N-to-1 trees of four sizes each, and "
                          "one message size");
    } else if (check_latency(s, &input, e) == 0) {
        result = s->general ? fit_trees(s, e) : fit_experiments(s, &input, e);
        note_input(s);
    }
    free(observations);
    return result;
}

/* Predict a chain or an N-to-1 tree from its equal levels. Such a tree is not built, since it may
 * have 268 million leaves. */
static double fitted_time(const struct tan_model *model, const struct tan_params *params,
                          const struct tan_wave_group *group)
{
    const double levels = group->kind == TAN_WAVES_CHAIN ? (double)group->size : 1;
    const int64_t fanout = group->kind == TAN_WAVES_CHAIN ? 1 : group->size;
    return params->value[TAN_C0] + levels * model->level(params, fanout);
}

static void list_predictors(struct session *s)
{
    for (int i = 0; i < TAN_MODELS; i++) {
        if (tan_models[i].node != NULL) {
            continue;
        }
        struct fit_predictor *p = &s->predictor[s->n_predictors++];
        *p = (struct fit_predictor){.model = &tan_models[i], .method = s->config->method};
        snprintf(p->name, sizeof p->name, "%s", tan_models[i].name);
    }
    struct fit_predictor *other = &s->predictor[s->n_predictors++];
    *other =
        (struct fit_predictor){.model = &tan_models[TAN_MODEL_TAN], .method = !s->config->method};
    snprintf(other->name, sizeof other->name, "%s-%s", tan_models[TAN_MODEL_TAN].name,
             tan_method_name(other->method));
    if (s->overlap_known) {
        s->predictor[s->n_predictors++] =
            (struct fit_predictor){.method = TAN_METHOD_OVERLAP, .name = "tan-overlap"};
    }
}

/* A predictor's time for a group's tree; `tree` is NULL for a chain or an N-to-1 tree. */
static double predicted_time(const struct session *s, const struct fit_predictor *p,
                             const struct tan_wave_group *group, const struct tan_tree *tree)
{
    if (p->method == TAN_METHOD_OVERLAP) {
        const struct tan_overlap overlap = tan_overlap_of(s->overlap.value, s->overlap.shared);
        return tan_overlap_time(&overlap, TAN_OVERLAP_ROUND, NULL,
                                s->tree[group - s->waves.group]) /
               2;
    }
    const struct tan_params *params = &s->fit[p->method].params;
    return tree == NULL ? fitted_time(p->model, params, group)
                        : tan_wave_time(p->model, params, tree);
}

static int predict_group(const struct session *s, const struct tan_wave_group *group,
                         struct line *line, struct tan_error *e)
{
    struct tan_summary summary;
    if (tan_summarize(group->seconds, group->n, &summary, e) < 0) {
        return -1;
    }
    *line = (struct line){.group = group, .median = summary.median};
    if (group->kind != TAN_WAVES_OTHER) {
        for (int i = 0; i < s->n_predictors; i++) {
            line->predicted[i] = predicted_time(s, &s->predictor[i], group, NULL);
        }
        return 0;
    }
    const struct tan_tree *tree = fit_trees_of(s, group, e);
    if (tree == NULL) {
        return -1;
    }
    bool short_of_memory = false;
    for (int i = 0; i < s->n_predictors; i++) {
        line->predicted[i] = predicted_time(s, &s->predictor[i], group, tree);
        short_of_memory |= isnan(line->predicted[i]);
    }
    return short_of_memory ? tan_fail_nomem(e) : 0;
}

static int predict_all(struct session *s, struct tan_error *e)
{
    s->fitted = calloc(s->waves.n + 1, sizeof *s->fitted);
    s->held_out = calloc(s->waves.n + 1, sizeof *s->held_out);
    if (s->fitted == NULL || s->held_out == NULL) {
        return tan_fail_nomem(e);
    }
    list_predictors(s);
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind == TAN_WAVES_LATENCY) {
            continue;
        }
        struct line *line = group->kind == TAN_WAVES_OTHER ? &s->held_out[s->n_held_out++]
                                                           : &s->fitted[s->n_fitted++];
        if (predict_group(s, group, line, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static void add_seen(const struct session *s, const struct line *line, struct tan_seen_tree *seen)
{
    const struct tan_wave_group *group = line->group;
    /* LogP follows TAN, where it is predicted. */
    const int from[TAN_CHECK_MODELS] = {0, 1, s->n_predictors - 1};
    *seen = (struct tan_seen_tree){group->topology,
                                   s->tree[group - s->waves.group],
                                   fit_overlap_role(s, group),
                                   s->general ? &s->trees[line - s->fitted] : NULL,
                                   group->seconds,
                                   group->n,
                                   line->median,
                                   {NAN, NAN, NAN}};
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        if (m == TAN_CHECK_OVERLAP ? s->overlap_known : m == TAN_CHECK_TAN || !s->general) {
            seen->error[m] = line->predicted[from[m]] / line->median - 1;
        }
    }
}

/* Where all trees were fitted: by tan-overlap, too. */
static void predict_overlap(struct session *s)
{
    if (!s->overlap_known) {
        return;
    }
    const struct fit_predictor overlap = {.method = TAN_METHOD_OVERLAP, .name = "tan-overlap"};
    s->predictor[s->n_predictors++] = overlap;
    for (size_t i = 0; i < s->n_fitted; i++) {
        s->fitted[i].predicted[1] = predicted_time(s, &overlap, s->fitted[i].group, NULL);
    }
}

/* Judge the models by all trees; if tan-overlap was not fitted, by those held out. */
static int judge_models(struct session *s, struct tan_error *e)
{
    const size_t n_fitted = s->overlap_known ? s->n_fitted : 0;
    struct tan_observation *ignored = calloc(s->waves.n + 1, sizeof *ignored);
    struct tan_seen_tree *seen = calloc(s->waves.n + 1, sizeof *seen);
    if (ignored == NULL || seen == NULL) {
        free(ignored);
        free(seen);
        return tan_fail_nomem(e);
    }
    struct tan_fit_input input = input_of(s, ignored);
    input.n_observations = 0;
    input.bootstrap = 0;
    input.method = s->config->method;
    input.L = s->general && s->latency.n > 0 ? s->latency.median : input.L;
    for (size_t i = 0; i < n_fitted; i++) {
        add_seen(s, &s->fitted[i], &seen[i]);
    }
    for (size_t i = 0; i < s->n_held_out; i++) {
        add_seen(s, &s->held_out[i], &seen[n_fitted + i]);
    }
    const int result = tan_cross_validate(seen, n_fitted + s->n_held_out, &input, &s->checks, e);
    struct tan_doubts *doubts = &s->fit[s->config->method].doubts;
    if (s->general && tan_checks_best(&s->checks) == TAN_CHECK_OVERLAP) {
        tan_doubts_drop(doubts, "scatter"); /* about TAN, which answers do not use */
    }
    tan_checks_doubt(&s->checks, 0, doubts);
    free(ignored);
    free(seen);
    return result;
}

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
    section.value[TAN_P2P_G_BYTE] = s->paths.value[TAN_TREE_BYTE];
    section.ci95[TAN_P2P_G_BYTE] = s->paths.ci95[TAN_TREE_BYTE];
    json_t *block = tan_p2p_to_json(&p2p);
    return block == NULL ? tan_fail_nomem(e) : tan_machine_set_p2p(machine, block, e);
}

static struct tan_machine *make_machine(const struct session *s, struct tan_error *e)
{
    const struct tan_fit *fit = &s->fit[s->config->method];
    char *name = name_of(s->config);
    if (name == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    const struct tan_params overlap = tan_overlap_fit_params(&s->overlap, s->waves.bytes);
    struct tan_machine *machine = tan_machine_create(name, e);
    free(name);
    if (machine == NULL || tan_machine_set_tan(machine, &fit->params, e) < 0 ||
        (s->overlap_known && tan_machine_set_overlap(machine, &overlap, e) < 0)) {
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
    if (s->paths.identifiable[TAN_TREE_BYTE] && set_bandwidth(machine, s, e) < 0) {
        tan_machine_destroy(machine);
        return NULL;
    }
    machine->latency = s->latency;
    machine->checks = s->checks;
    tan_fit_tell(fit, &machine->doubts);
    tan_overlap_fit_tell(&s->overlap, &machine->doubts);
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
    const char *before = "Wrote ";
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] != NULL) {
            fprintf(to, "%s%s", before, files[i]);
            before = ", ";
        }
    }
    if (c->output != NULL) {
        fprintf(to, "; next: tan-design --machine %s --leaves N, or --members N --target NAME",
                c->output);
    }
    fputs(c->output != NULL || c->json != NULL || c->report != NULL ? "\n" : "", to);
}

static int run_session(struct session *s, struct tan_error *e)
{
    const struct config *config = s->config;
    if (config->input == NULL) {
        return tan_fail_usage(e, "name a file of waves, or - for standard input");
    }
    if (tan_measured_read(&config->file, config->input, &s->waves, &s->notes, e) < 0 ||
        fit_waves(s, e) < 0 || fit_overlap(s, e) < 0 || (!s->general && predict_all(s, e) < 0)) {
        return -1;
    }
    if (s->general) {
        predict_overlap(s);
    }
    if ((!s->general || s->overlap_known) && judge_models(s, e) < 0) {
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
    fit_trees_clear(&session); /* one tree for each group of the waves */
    tan_waves_clear(&session.waves);
    for (int m = 0; m < METHODS; m++) {
        tan_fit_clear(&session.fit[m]);
    }
    tan_overlap_fit_clear(&session.overlap);
    free(session.fitted);
    free(session.held_out);
    return tan_cli_end(cli.program, result, &e);
}
