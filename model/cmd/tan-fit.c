/* tan-fit.c - program: parameters of a machine from waves measured by any means
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/json_keys.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "model/fit/fit_report.h"
#include "model/fit/waves.h"
#include "model/machine/doubt_json.h"
#include "model/wave/wave.h"
#include "topo/spec.h"

enum {
    METHODS = 2,
    MAX_NAMED = 5,        /* fitted cells that are named */
    MIN_HELD_OUT = 3,     /* trees whose errors tell something of the model */
    MAX_PERCENT_OFF = 30, /* mean absolute error of predictions, beyond which the report warns */
};

struct config {
    const char *input, *output, *json, *name;
    enum tan_method method;
    double latency; /* seconds; NaN: not given */
    int64_t bootstrap, seed, bytes;
    bool oversubscribed;
};

/* A topology with its measured and predicted times, in seconds. */
struct line {
    const struct tan_wave_group *group;
    double median;
    double logp, tan[METHODS];
};

struct session {
    const struct config *config;
    struct tan_waves waves;
    struct tan_fit fit[METHODS]; /* by method */
    struct tan_latency latency;
    struct line *fitted, *held_out;
    size_t n_fitted, n_held_out;
};

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

#define AT(member) offsetof(struct config, member)
static const struct tan_option options[] = {
    TAN_HEADING("Options:"),
    TAN_TEXT("output", 'o', "FILE", "write the machine file here (-: standard output, no report)",
             AT(output)),
    TAN_TEXT("json", 'j', "FILE",
             "write the whole report as JSON here (-: standard output, no table)", AT(json)),
    TAN_TEXT("name", 0, "TEXT", "name of the machine [the input's file name]", AT(name)),
    TAN_CALL("method", 0, "NAME",
             "joint: one weighted fit of both experiments; paper: the published two steps [joint]",
             set_method),
    TAN_DURATION("latency", 0, "TIME",
                 "latency L, such as 98us, when the input has no pingpong rows", AT(latency)),
    TAN_SIZE("bytes", 0, "SIZE",
             "fit the waves of this message size [the only one there is, or 1024]", AT(bytes), 1,
             INT64_MAX),
    TAN_FLAG("oversubscribed", 0,
             "the waves were measured with more processes than cores: mark the machine file",
             AT(oversubscribed)),
    TAN_COUNT("bootstrap", 0, "N", "resamplings for the intervals, 0 for none [2000]",
              AT(bootstrap), 0, 100000),
    TAN_COUNT("seed", 0, "N", "seed of the resamplings [1]", AT(seed), 0, UINT32_MAX),
    TAN_OPTIONS_END,
};

static void more_help(FILE *to)
{
    fputs("The input has a heading line naming the columns topology and wave_us (half a round\n"
          "trip in microseconds), and perhaps bytes; other columns are ignored. Topologies:\n",
          to);
    tan_text_item(to, "chain:H", "fitted", 20);
    tan_text_item(to, "nto1:N, flat:N", "fitted", 20);
    tan_text_item(to, "pingpong, latency", "half round trips between two processes: L", 20);
    tan_text_item(to, "any other tree", "predicted and compared, not fitted:", 20);
    tan_spec_help(to);
    fputs("\nExit status: 0 done, 1 failed, 2 wrong usage, 3 fitted, but not trustworthy.\n", to);
}

static const struct tan_command commands[] = {
    {
        .usage = "[OPTION]... WAVES.csv\n[OPTION]... -",
        .purpose = "Fit the TAN model's parameters to measured waves of chains and N-to-1 trees, "
                   "and predict the other trees in the file.",
        .groups = (const struct tan_option *const[]){options, NULL},
        .max_operands = 1,
        .operand = set_input,
        .more_help = more_help,
    },
    {.usage = NULL},
};

static const struct tan_cli cli = {.program = "tan-fit", .commands = commands};

/* Fitting */

/* Observations and latency samples of the waves; `observations`: room for every group. */
static struct tan_fit_input prepare(const struct session *s, struct tan_observation *observations)
{
    struct tan_fit_input input = {
        .observations = observations,
        .L = s->config->latency,
        .bytes = s->waves.bytes,
        .bootstrap = (int)s->config->bootstrap,
        .seed = (uint64_t)s->config->seed,
    };
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind == TAN_WAVES_LATENCY) {
            input.latency = group->seconds;
            input.n_latency = group->n;
        } else if (group->kind != TAN_WAVES_OTHER) {
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

static int fit_waves(struct session *s, struct tan_error *e)
{
    int result = -1;
    struct tan_observation *observations = calloc(s->waves.n + 1, sizeof *observations);
    if (observations == NULL) {
        return tan_fail_nomem(e);
    }
    struct tan_fit_input input = prepare(s, observations);
    const char *path = s->config->input;
    if (input.n_observations == 0) {
        tan_fail_at(e, strcmp(path, "-") == 0 ? "standard input" : path, 0, 0,
                    "no waves of chain:H or nto1:N to fit%s",
                    s->waves.near > 0
                        ? ", but for those within a host, which tanbench calibrate fits"
                        : "");
        goto done;
    }
    if (input.n_latency > 0) {
        if (!isnan(s->config->latency)) {
            tan_fail_usage(e, "--latency is given, but the input has %zu pingpong rows too",
                           input.n_latency);
            goto done;
        }
        if (tan_latency_summarize(input.latency, input.n_latency, &s->latency, e) < 0) {
            goto done;
        }
    }
    for (int m = 0; m < METHODS; m++) {
        input.method = (enum tan_method)m;
        if (tan_fit(&input, &s->fit[m], e) < 0) {
            goto done;
        }
        if (s->waves.near > 0) {
            tan_fit_note(&s->fit[m],
                         "%zu waves of trees within a host, named ...@host, are left out: tanbench "
                         "calibrate fits them, as a tier of its own",
                         s->waves.near);
        }
    }
    result = 0;

done:
    free(observations);
    return result;
}

/* A model's prediction for a fitted tree, whose levels are all alike: nobody builds a tree of 268
 * million leaves for that. */
static double fitted_time(const struct tan_model *model, const struct tan_params *params,
                          const struct tan_wave_group *group)
{
    const double levels = group->kind == TAN_WAVES_CHAIN ? (double)group->size : 1;
    const int64_t fanout = group->kind == TAN_WAVES_CHAIN ? 1 : group->size;
    return params->value[TAN_C0] + levels * model->level(params, fanout);
}

/* The prediction of every model for a group's tree. */
static int predict(const struct session *s, const struct tan_wave_group *group, struct line *line,
                   struct tan_error *e)
{
    struct tan_summary summary;
    if (tan_summarize(group->seconds, group->n, &summary, e) < 0) {
        return -1;
    }
    *line = (struct line){.group = group, .median = summary.median};
    if (group->kind != TAN_WAVES_OTHER) {
        line->logp = fitted_time(&tan_models[1], &s->fit[s->config->method].params, group);
        for (int m = 0; m < METHODS; m++) {
            line->tan[m] = fitted_time(&tan_models[0], &s->fit[m].params, group);
        }
        return 0;
    }
    struct tan_error wrong = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(group->topology, &wrong);
    if (tree == NULL) {
        const char *path = s->config->input;
        return tan_fail_at(e, strcmp(path, "-") == 0 ? "standard input" : path, group->line, 0,
                           "%s%s%s", wrong.source, wrong.source[0] == '\0' ? "" : ": ", wrong.text);
    }
    line->logp = tan_wave_time(&tan_models[1], &s->fit[s->config->method].params, tree);
    for (int m = 0; m < METHODS; m++) {
        line->tan[m] = tan_wave_time(&tan_models[0], &s->fit[m].params, tree);
    }
    tan_tree_destroy(tree);
    return isnan(line->logp) || isnan(line->tan[0]) || isnan(line->tan[1]) ? tan_fail_nomem(e) : 0;
}

static int predict_all(struct session *s, struct tan_error *e)
{
    s->fitted = calloc(s->waves.n + 1, sizeof *s->fitted);
    s->held_out = calloc(s->waves.n + 1, sizeof *s->held_out);
    if (s->fitted == NULL || s->held_out == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < s->waves.n; i++) {
        const struct tan_wave_group *group = &s->waves.group[i];
        if (group->kind == TAN_WAVES_LATENCY) {
            continue;
        }
        struct line *line = group->kind == TAN_WAVES_OTHER ? &s->held_out[s->n_held_out++]
                                                           : &s->fitted[s->n_fitted++];
        if (predict(s, group, line, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The report */

static const double us = 1e-6;
static double percent_off(double predicted, double measured)
{
    return 100 * (predicted - measured) / measured;
}

static double mean_abs_off(const struct line *lines, size_t n, int method)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double predicted = method < 0 ? lines[i].logp : lines[i].tan[method];
        sum += fabs(percent_off(predicted, lines[i].median));
    }
    return sum / (double)n;
}

/* Trees that were not fitted show what no R2 does: whether the model holds here. */
static void doubt_held_out(struct session *s)
{
    const int method = (int)s->config->method;
    if (s->n_held_out < MIN_HELD_OUT) {
        return;
    }
    const double off = mean_abs_off(s->held_out, s->n_held_out, method);
    if (off > MAX_PERCENT_OFF) {
        tan_doubts_add(&s->fit[method].doubts, "held-out", off / 100, TAN_TOUCHES_ALL,
                       "%zu trees that were not fitted are predicted %.0f %% off on average",
                       s->n_held_out, off);
    }
}

static int farther(const void *a, const void *b)
{
    const double x = fabs(*(const double *)a);
    const double y = fabs(*(const double *)b);
    return (x < y) - (x > y);
}

/* The fitted cells farthest from the curve. */
static void print_worst(const struct session *s, FILE *to)
{
    const int method = (int)s->config->method;
    struct {
        double off;
        const struct line *line;
    } *worst = calloc(s->n_fitted, sizeof *worst);
    for (size_t i = 0; worst != NULL && i < s->n_fitted; i++) {
        worst[i].line = &s->fitted[i];
        worst[i].off = percent_off(s->fitted[i].tan[method], s->fitted[i].median);
    }
    if (worst != NULL) {
        qsort(worst, s->n_fitted, sizeof *worst, farther);
        fprintf(to, "Fitted, off by %.1f %% on average; farthest:\n ",
                mean_abs_off(s->fitted, s->n_fitted, method));
        for (size_t i = 0; i < s->n_fitted && i < MAX_NAMED; i++) {
            fprintf(to, "%s %s %+.1f %%", i == 0 ? "" : ",", worst[i].line->group->topology,
                    worst[i].off);
        }
        fputc('\n', to);
    }
    free(worst);
}

static void print_held_out(const struct session *s, FILE *to)
{
    static const char *const headings[] = {"<topology", "n",      "median us", "LogP us",
                                           "error",     "TAN us", "error"};
    const int method = (int)s->config->method;
    struct tan_table *table = tan_table_create(headings, 7);
    char text[32];
    for (size_t i = 0; i < s->n_held_out; i++) {
        const struct line *line = &s->held_out[i];
        tan_table_cell(table, "%s", line->group->topology);
        tan_table_cell(table, "%zu", line->group->n);
        tan_table_cell(table, "%s", tan_format_value(line->median / us, 0, text, sizeof text));
        tan_table_cell(table, "%s", tan_format_value(line->logp / us, 0, text, sizeof text));
        tan_table_cell(table, "%+.1f %%", percent_off(line->logp, line->median));
        tan_table_cell(table, "%s", tan_format_value(line->tan[method] / us, 0, text, sizeof text));
        tan_table_cell(table, "%+.1f %%", percent_off(line->tan[method], line->median));
    }
    fprintf(to, "\nHeld out: not fitted, predicted from the parameters above\n\n");
    tan_table_print(table, to);
    tan_table_destroy(table);
    fprintf(to, "\nMean absolute error: LogP %.1f %%, TAN %.1f %% (method %s: %.1f %%)\n",
            mean_abs_off(s->held_out, s->n_held_out, -1),
            mean_abs_off(s->held_out, s->n_held_out, method), tan_method_name(!method),
            mean_abs_off(s->held_out, s->n_held_out, !method));
    if (mean_abs_off(s->held_out, s->n_held_out, method) > MAX_PERCENT_OFF) {
        fprintf(to, "TAN does not describe these trees here. Did processes share cores? The model "
                    "gives each its own.\n");
    }
}

static void print_report(const struct session *s, FILE *to)
{
    const int method = (int)s->config->method;
    char size[32];
    fprintf(to,
            "%" PRId64 " waves of %s on %zu chains and N-to-1 trees; %zu other trees held out\n",
            s->fit[method].params.n, tan_format_size(s->waves.bytes, size, sizeof size),
            s->n_fitted, s->n_held_out);
    if (s->latency.n > 0) {
        tan_latency_print(&s->latency, to);
    }
    fputc('\n', to);
    tan_fit_print(&s->fit[method], &s->fit[!method], to);
    print_worst(s, to);
    if (s->n_held_out > 0) {
        print_held_out(s, to);
    }
}

/* The report as JSON. Setting a NULL value fails, so one sum shows whether memory ran out. */

static json_t *lines_to_json(const struct session *s, const struct line *lines, size_t n)
{
    const int method = (int)s->config->method;
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct line *line = &lines[i];
        json_array_append_new(array,
                              json_pack("{s:s, s:I, s:f, s:{s:f, s:f}, s:{s:f, s:f}}", "topo",
                                        line->group->topology, "n", (json_int_t)line->group->n,
                                        "median_us", line->median / us, "predicted_us", "logp",
                                        line->logp / us, "tan", line->tan[method] / us, "error",
                                        "logp", percent_off(line->logp, line->median) / 100, "tan",
                                        percent_off(line->tan[method], line->median) / 100));
    }
    if (json_array_size(array) != n) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *growth_to_json(const struct tan_fit *fit)
{
    json_t *array = json_array();
    for (int i = 0; i < TAN_GROWTHS && fit->best_growth >= 0; i++) {
        const struct tan_growth *g = &fit->growth[i];
        json_t *row = json_pack("{s:s, s:b, s:f, s:f, s:f}", "name", g->name, "best",
                                i == fit->best_growth, "b_us", g->coefficient[0] / us, "c_us",
                                g->coefficient[1] / us, "aicc", g->aicc);
        if (!isnan(g->r2)) {
            json_object_set_new(row, "r2", json_real(g->r2));
        }
        json_array_append_new(array, row);
    }
    return array;
}

static json_t *report_to_json(const struct session *s, const struct tan_machine *machine)
{
    static const char *const names[TAN_PARAMS] = {"L", "a", "b", "c", "g", "C"};
    const struct tan_fit *fit = &s->fit[s->config->method];
    json_t *top = json_object();
    json_t *told = json_object();
    json_t *bound = json_object();
    json_t *notes = json_array();
    int bad = 0;
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (p != TAN_G) {
            bad |= json_object_set_new(told, names[p], json_boolean(fit->identifiable[p]));
            bad |= json_object_set_new(bound, names[p], json_boolean(fit->at_bound[p]));
        }
    }
    for (int i = 0; i < fit->n_notes; i++) {
        bad |= json_array_append_new(notes, json_string(fit->notes[i]));
    }
    bad |= json_object_set_new(top, "schema", json_string("tan-fit/1"));
    struct tan_json_writer w = {false};
    bad |= json_object_set_new(top, "trustworthy", json_boolean(fit->doubts.n == 0));
    tan_doubts_set(&w, top, "doubts", &fit->doubts);
    bad |= w.failed;
    bad |= json_object_set_new(top, "machine", tan_machine_to_json(machine));
    bad |= json_object_set(top, "identifiable", told);
    bad |= json_object_set(top, "at_bound", bound);
    if (!isnan(fit->r2_chain)) {
        bad |= json_object_set_new(top, "r2_chain", json_real(fit->r2_chain));
    }
    if (!isnan(fit->r2_nto1)) {
        bad |= json_object_set_new(top, "r2_nto1", json_real(fit->r2_nto1));
    }
    bad |= json_object_set_new(top, "growth", growth_to_json(fit));
    bad |= json_object_set(top, "notes", notes);
    bad |= json_object_set_new(top, "fitted", lines_to_json(s, s->fitted, s->n_fitted));
    bad |= json_object_set_new(top, "held_out", lines_to_json(s, s->held_out, s->n_held_out));
    json_decref(told);
    json_decref(bound);
    json_decref(notes);
    if (bad != 0) {
        json_decref(top);
        return NULL;
    }
    return top;
}

/* The file's name without folders and ".csv". malloc'd. */
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

/* The machine that the fit describes. */
static struct tan_machine *make_machine(const struct session *s, struct tan_error *e)
{
    const struct tan_fit *fit = &s->fit[s->config->method];
    char *name = name_of(s->config);
    if (name == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    struct tan_machine *machine = tan_machine_create(name, e);
    free(name);
    if (machine == NULL || tan_machine_set_tan(machine, &fit->params, e) < 0) {
        tan_machine_destroy(machine);
        return NULL;
    }
    if (asprintf(&machine->source, "tan-fit: %" PRId64 " waves on %zu chains and N-to-1 trees",
                 fit->params.n, s->n_fitted) < 0) {
        machine->source = NULL;
        tan_machine_destroy(machine);
        tan_fail_nomem(e);
        return NULL;
    }
    machine->latency = s->latency;
    machine->doubts = fit->doubts;
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
    if (s->config->json != NULL && result == 0) {
        result = tan_json_save_new(s->config->json, report_to_json(s, machine), e);
    }
    tan_machine_destroy(machine);
    return result;
}

static int run(struct session *s, struct tan_error *e)
{
    const struct config *config = s->config;
    if (config->input == NULL) {
        return tan_fail_usage(e, "name a file of waves, or - for standard input");
    }
    const struct tan_output_name outputs[] = {{"--output", config->output},
                                              {"--json", config->json}};
    if (tan_output_distinct(outputs, 2, e) < 0 ||
        tan_output_spares(outputs, 2, "the waves", config->input, e) < 0) {
        return -1;
    }
    if (tan_waves_read(&s->waves, config->input, config->bytes, e) < 0 || fit_waves(s, e) < 0 ||
        predict_all(s, e) < 0) {
        return -1;
    }
    doubt_held_out(s);
    if (!tan_output_is_stdout(config->output) && !tan_output_is_stdout(config->json)) {
        print_report(s, stdout);
    }
    if (write_files(s, e) < 0) {
        return -1;
    }
    return tan_doubts_fail(&s->fit[config->method].doubts, e);
}

int main(int argc, char **argv)
{
    tan_json_notes_to(stderr);
    struct config config = {
        .method = TAN_METHOD_JOINT, .latency = NAN, .bootstrap = 2000, .seed = 1};
    struct session session = {.config = &config};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cli_answer answer;
    gsl_set_error_handler_off(); /* the default one aborts */
    if (tan_cli_parse(&cli, &config, argc, argv, &answer, &e) < 0) {
        return tan_error_print(&e, cli.program, stderr);
    }
    if (answer.action != TAN_CLI_RUN) {
        tan_cli_print(&cli, &answer);
    } else {
        run(&session, &e);
    }
    tan_waves_clear(&session.waves);
    for (int m = 0; m < METHODS; m++) {
        tan_fit_clear(&session.fit[m]);
    }
    free(session.fitted);
    free(session.held_out);
    tan_cli_close_stdout(&e);
    return e.status == TAN_DONE ? TAN_DONE : tan_error_print(&e, cli.program, stderr);
}
