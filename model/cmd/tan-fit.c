/* tan-fit.c - program: parameters of a machine from waves measured by any means
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/json_writer.h"
#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "model/cmd/fit_overlap.h"
#include "model/wave/wave.h"
#include "topo/spec.h"

/* Trees whose errors tell something of the model. */
enum { MIN_HELD_OUT = 3 };

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
    TAN_OUTPUT("output", 'o', "FILE", "write the machine file here (-: standard output, no report)",
               AT(output)),
    TAN_OUTPUT("json", 'j', "FILE",
               "write the whole report as JSON here (-: standard output, no table)", AT(json)),
    TAN_TEXT("name", 0, "TEXT", "name of the machine [the input's file name]", AT(name)),
    TAN_CALL("method", 0, "NAME",
             "joint: one weighted fit of both experiments; paper: the published two steps [joint]",
             set_method),
    TAN_DURATION("latency", 0, "TIME",
                 "latency L, such as 98us, when the input has no pingpong rows", AT(latency)),
    TAN_TEXT("links", 0, "LINKS",
             "the waves came over links of known latency, of which leaves took turns: "
             "L=300us,slot=500us or a tan-links/1 file",
             AT(links)),
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
    tan_text_item(to, "any other tree", "predicted; one uneven tree is fitted by tan-overlap:", 20);
    tan_spec_help(to);
    fputs("\nExit status: 0 done, 1 failed, 2 wrong usage, 3 fitted, but not trustworthy.\n", to);
}

static const struct tan_command commands[] = {
    {
        .usage = "[OPTION]... WAVES.csv\n[OPTION]... -",
        .purpose = "Fit the parameters of TAN and of tan-overlap to measured waves of chains and "
                   "N-to-1 trees, and predict the other trees in the file.",
        .groups = (const struct tan_option *const[]){options, NULL},
        .max_operands = 1,
        .operand = set_input,
        .more_help = more_help,
    },
    {.usage = NULL},
};

static const struct tan_cli cli = {.program = "tan-fit", .commands = commands};

/* Fitting */

/* What links take of a wave of a fitted tree, which nobody builds (fitted_time). */
static double fitted_known(const struct session *s, const struct tan_wave_group *group)
{
    const double n = (double)group->size;
    return group->kind == TAN_WAVES_CHAIN ? n * s->links.L
                                          : s->links.L + (n - 1) / 2 * s->links.slot;
}

/* No wave is faster than its links. */
static int check_known(const struct session *s, const struct tan_wave_group *group, double known,
                       struct tan_error *e)
{
    for (size_t i = 0; links_on(&s->links) && i < group->n; i++) {
        if (group->seconds[i] <= known) {
            return tan_fail_at(e, tan_input_name(s->config->input), group->line, 0,
                               "a wave of %s took %.6g us, but its links alone take %.6g us",
                               group->topology, group->seconds[i] * 1e6, known * 1e6);
        }
    }
    return 0;
}

/* Waves of a group to fit, at the end of s->rest. */
static int subtract_known(struct session *s, const struct tan_wave_group *group, double *rest,
                          struct tan_error *e)
{
    const double known = fitted_known(s, group);
    for (size_t i = 0; i < group->n; i++) {
        rest[i] = group->seconds[i] - known;
    }
    return check_known(s, group, known, e);
}

/* Observations and latency samples of the waves; `observations`: room for every group. */
static int prepare(struct session *s, struct tan_observation *observations,
                   struct tan_fit_input *out, struct tan_error *e)
{
    size_t total = 0;
    for (size_t i = 0; i < s->waves.n; i++) {
        total += s->waves.group[i].n;
    }
    s->rest = malloc((total + 1) * sizeof *s->rest);
    if (s->rest == NULL) {
        return tan_fail_nomem(e);
    }
    double *rest = s->rest;
    struct tan_fit_input input = {
        .observations = observations,
        .L = links_on(&s->links) ? 0 : s->config->latency,
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
            if (subtract_known(s, group, rest, e) < 0) {
                return -1;
            }
            observations[input.n_observations++] = (struct tan_observation){
                .experiment = group->kind == TAN_WAVES_CHAIN ? TAN_CHAIN : TAN_NTO1,
                .size = group->size,
                .waves = rest,
                .n = group->n,
            };
            rest += group->n;
        }
    }
    *out = input;
    return 0;
}

static int fit_waves(struct session *s, struct tan_error *e)
{
    int result = -1;
    struct tan_observation *observations = calloc(s->waves.n + 1, sizeof *observations);
    if (observations == NULL) {
        return tan_fail_nomem(e);
    }
    struct tan_fit_input input;
    if (prepare(s, observations, &input, e) < 0) {
        goto done;
    }
    if (input.n_observations == 0) {
        tan_fail_at(
            e, tan_input_name(s->config->input), 0, 0, "no waves of chain:H or nto1:N to fit%s",
            s->waves.near > 0 ? ", but for those within a host, which tanbench calibrate fits"
                              : "");
        goto done;
    }
    if (input.n_latency > 0) {
        if (!isnan(s->config->latency) || links_on(&s->links)) {
            tan_fail_usage(e, "%s is given, but the input has %zu pingpong rows too",
                           links_on(&s->links) ? "--links" : "--latency", input.n_latency);
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
        if (links_on(&s->links)) {
            tan_fit_set_latency(&s->fit[m], s->links.L);
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
static double fitted_time(const struct session *s, const struct tan_model *model,
                          const struct tan_params *params, const struct tan_wave_group *group)
{
    const double levels = group->kind == TAN_WAVES_CHAIN ? (double)group->size : 1;
    const int64_t fanout = group->kind == TAN_WAVES_CHAIN ? 1 : group->size;
    const double beyond = fitted_known(s, group) - levels * s->links.L; /* L is in the level */
    return params->value[TAN_C0] + levels * model->level(params, fanout) + beyond;
}

/* The same for any other tree. */
static double other_time(const struct tan_model *model, const struct tan_params *params,
                         const double *latency, const struct tan_tree *tree)
{
    const struct tan_tiers tiers = tan_tiers_of(params);
    const struct tan_sites sites = {.latency = latency};
    return tan_wave_time_at(model, &tiers, &sites, tree);
}

static void list_predictors(struct session *s)
{
    for (int i = 0; tan_models[i].name != NULL && tan_models[i].node == NULL; i++) {
        struct fit_predictor *p = &s->predictor[s->n_predictors++];
        *p = (struct fit_predictor){.model = &tan_models[i], .method = s->config->method};
        snprintf(p->name, sizeof p->name, "%s", tan_models[i].name);
    }
    struct fit_predictor *other = &s->predictor[s->n_predictors++];
    *other = (struct fit_predictor){.model = &tan_models[0], .method = !s->config->method};
    snprintf(other->name, sizeof other->name, "%s-%s", tan_models[0].name,
             tan_method_name(other->method));
    if (s->overlap_known) {
        s->predictor[s->n_predictors++] =
            (struct fit_predictor){.method = TAN_METHOD_OVERLAP, .name = "tan-overlap"};
    }
}

/* A predictor's time for a group's tree, which is built unless it is a chain or an N-to-1 tree. */
static double predicted_time(const struct session *s, const struct fit_predictor *p,
                             const struct tan_wave_group *group, const double *latency,
                             const struct tan_tree *tree)
{
    if (p->method == TAN_METHOD_OVERLAP) {
        return fit_overlap_time(s, group, tree);
    }
    const struct tan_params *params = &s->fit[p->method].params;
    return tree == NULL ? fitted_time(s, p->model, params, group)
                        : other_time(p->model, params, latency, tree);
}

/* The predictions for a group's tree. */
static int predict(const struct session *s, const struct tan_wave_group *group, struct line *line,
                   struct tan_error *e)
{
    struct tan_summary summary;
    if (tan_summarize(group->seconds, group->n, &summary, e) < 0) {
        return -1;
    }
    *line = (struct line){.group = group, .median = summary.median};
    if (group->kind != TAN_WAVES_OTHER) {
        line->known = fitted_known(s, group);
        for (int i = 0; i < s->n_predictors; i++) {
            line->predicted[i] = predicted_time(s, &s->predictor[i], group, NULL, NULL);
        }
        return 0;
    }
    struct tan_error wrong = TAN_ERROR_INIT;
    struct tan_tree *tree = tan_spec_build(group->topology, &wrong);
    if (tree == NULL) {
        return tan_fail_at(e, tan_input_name(s->config->input), group->line, 0, "%s%s%s",
                           wrong.source, wrong.source[0] == '\0' ? "" : ": ", wrong.text);
    }
    double *latency = links_on(&s->links) ? tan_links_latencies(&s->links, tree) : NULL;
    line->known = tan_links_known(&s->links, tree);
    bool short_of_memory = (latency == NULL && links_on(&s->links)) || isnan(line->known);
    for (int i = 0; i < s->n_predictors; i++) {
        line->predicted[i] = predicted_time(s, &s->predictor[i], group, latency, tree);
        short_of_memory |= isnan(line->predicted[i]);
    }
    tan_tree_destroy(tree);
    free(latency);
    if (short_of_memory) {
        return tan_fail_nomem(e);
    }
    return check_known(s, group, line->known, e);
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
        if (predict(s, group, line, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Trees that were not fitted show what no R2 does: whether the model holds here. */
static void doubt_held_out(struct session *s)
{
    const int method = (int)s->config->method;
    if (s->n_held_out < MIN_HELD_OUT) {
        return;
    }
    const double off = fit_output_mean_off(s->held_out, s->n_held_out);
    if (off > MAX_PERCENT_OFF) {
        tan_doubts_add(&s->fit[method].doubts, "held-out", off / 100, TAN_TOUCHES_ALL,
                       "%zu trees that were not fitted are predicted %.0f %% off on average",
                       s->n_held_out, off);
    }
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
    if (machine == NULL || tan_machine_set_tan(machine, &fit->params, e) < 0 ||
        (s->overlap_known && tan_machine_set_overlap(machine, &s->overlap_params, e) < 0)) {
        tan_machine_destroy(machine);
        return NULL;
    }
    char added[96] = "";
    if (links_on(&s->links)) {
        snprintf(added, sizeof added, "; L was known, with slots of %g us", s->links.slot * 1e6);
    }
    if (asprintf(&machine->source, "tan-fit: %" PRId64 " waves on %zu chains and N-to-1 trees%s",
                 fit->params.n, s->n_fitted, added) < 0) {
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
        result = tan_json_save_new(s->config->json, fit_output_json(s, machine), e);
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
    if (config->links != NULL && tan_links_read(&s->links, config->links, e) < 0) {
        return -1;
    }
    if (config->links != NULL && s->links.slot <= 0) {
        return tan_fail_usage(e, "--links needs the slot of the waves too, as in "
                                 "L=300us,slot=500us: tanbench prints the one that it chose");
    }
    if (config->links != NULL && !isnan(config->latency)) {
        return tan_fail_usage(e, "--latency and --links both give L");
    }
    if (tan_waves_read(&s->waves, config->input, config->bytes, e) < 0 || fit_waves(s, e) < 0 ||
        (!links_on(&s->links) && fit_overlap(s, e) < 0) || predict_all(s, e) < 0) {
        return -1;
    }
    doubt_held_out(s);
    if (!tan_output_is_stdout(config->output) && !tan_output_is_stdout(config->json)) {
        fit_output_print(s, stdout);
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
    int result = 0;
    if (answer.action != TAN_CLI_RUN) {
        tan_cli_print(&cli, &answer);
    } else {
        result = run(&session, &e);
    }
    tan_waves_clear(&session.waves);
    for (int m = 0; m < METHODS; m++) {
        tan_fit_clear(&session.fit[m]);
    }
    tan_overlap_fit_clear(&session.overlap);
    free(session.rest);
    free(session.fitted);
    free(session.held_out);
    return tan_cli_end(cli.program, result, &e);
}
