/* fit_output.c - what tan-fit found, as text and as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cmd/fit_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json_keys.h"
#include "base/json_writer.h"
#include "base/table.h"
#include "base/units.h"
#include "model/fit/fit_report.h"
#include "model/machine/doubt_json.h"

enum { MAX_NAMED = 5 }; /* fitted cells that are named */

static const double us = 1e-6;

static double percent_off(double predicted, double measured)
{
    return 100 * (predicted - measured) / measured;
}

/* The same of what is left without the latency that is known. */
static double rest_off(double predicted, const struct line *line)
{
    return percent_off(predicted - line->known, line->median - line->known);
}

struct mean_off fit_output_mean_off(const struct line *lines, size_t n, int method)
{
    struct mean_off sum = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const double predicted = method == LOGP ? lines[i].logp : lines[i].tan[method];
        sum.all += fabs(percent_off(predicted, lines[i].median));
        sum.rest += fabs(rest_off(predicted, &lines[i]));
    }
    return (struct mean_off){sum.all / (double)n, sum.rest / (double)n};
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
        worst[i].off = rest_off(s->fitted[i].tan[method], &s->fitted[i]);
    }
    if (worst != NULL) {
        qsort(worst, s->n_fitted, sizeof *worst, farther);
        fprintf(to, "Fitted, off by %.1f %%%s on average; farthest:\n ",
                fit_output_mean_off(s->fitted, s->n_fitted, method).rest,
                links_on(&s->links) ? " of the rest" : "");
        for (size_t i = 0; i < s->n_fitted && i < MAX_NAMED; i++) {
            fprintf(to, "%s %s %+.1f %%", i == 0 ? "" : ",", worst[i].line->group->topology,
                    worst[i].off);
        }
        fputc('\n', to);
    }
    free(worst);
}

static void print_prediction(const struct session *s, const struct line *line, double predicted,
                             struct tan_table *table)
{
    char text[32];
    tan_table_cell(table, "%s", tan_format_value(predicted / us, 0, text, sizeof text));
    tan_table_cell(table, "%+.1f %%", percent_off(predicted, line->median));
    if (links_on(&s->links)) {
        tan_table_cell(table, "%+.1f %%", rest_off(predicted, line));
    }
}

static void print_means(const struct session *s, FILE *to)
{
    const int method = (int)s->config->method;
    const struct mean_off logp = fit_output_mean_off(s->held_out, s->n_held_out, LOGP);
    const struct mean_off tan = fit_output_mean_off(s->held_out, s->n_held_out, method);
    const struct mean_off other = fit_output_mean_off(s->held_out, s->n_held_out, !method);
    fprintf(to, "\nMean absolute error: LogP %.1f %%, TAN %.1f %% (method %s: %.1f %%)\n", logp.all,
            tan.all, tan_method_name(!method), other.all);
    if (links_on(&s->links)) {
        fprintf(to, "Of the rest: LogP %.1f %%, TAN %.1f %% (method %s: %.1f %%)\n", logp.rest,
                tan.rest, tan_method_name(!method), other.rest);
    }
    if (tan.rest > MAX_PERCENT_OFF) {
        fprintf(to, "TAN does not describe these trees here. Did processes share cores? The model "
                    "gives each its own.\n");
    }
}

static void print_held_out(const struct session *s, FILE *to)
{
    static const char *const plain[] = {"<topology", "n",      "median us", "LogP us",
                                        "error",     "TAN us", "error"};
    static const char *const with_links[] = {"<topology", "n",      "median us", "known us",
                                             "LogP us",   "error",  "of rest",   "TAN us",
                                             "error",     "of rest"};
    const bool links = links_on(&s->links);
    struct tan_table *table = links ? tan_table_create(with_links, 10) : tan_table_create(plain, 7);
    char text[32];
    for (size_t i = 0; i < s->n_held_out; i++) {
        const struct line *line = &s->held_out[i];
        tan_table_cell(table, "%s", line->group->topology);
        tan_table_cell(table, "%zu", line->group->n);
        tan_table_cell(table, "%s", tan_format_value(line->median / us, 0, text, sizeof text));
        if (links) {
            tan_table_cell(table, "%s", tan_format_value(line->known / us, 0, text, sizeof text));
        }
        print_prediction(s, line, line->logp, table);
        print_prediction(s, line, line->tan[s->config->method], table);
    }
    fprintf(to, "\nHeld out: not fitted, predicted from the parameters above\n\n");
    tan_table_print(table, to);
    tan_table_destroy(table);
    print_means(s, to);
}

void fit_output_print(const struct session *s, FILE *to)
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
    int bad = 0;
    for (size_t i = 0; i < n; i++) {
        const struct line *line = &lines[i];
        json_t *row =
            json_pack("{s:s, s:I, s:f, s:{s:f, s:f}, s:{s:f, s:f}}", "topo", line->group->topology,
                      "n", (json_int_t)line->group->n, "median_us", line->median / us,
                      "predicted_us", "logp", line->logp / us, "tan", line->tan[method] / us,
                      "error", "logp", percent_off(line->logp, line->median) / 100, "tan",
                      percent_off(line->tan[method], line->median) / 100);
        if (links_on(&s->links)) {
            json_t *rest = json_pack("{s:f, s:f}", "logp", rest_off(line->logp, line) / 100, "tan",
                                     rest_off(line->tan[method], line) / 100);
            bad |= json_object_set_new(row, "known_us", json_real(line->known / us));
            bad |= json_object_set_new(row, "overhead_error", rest);
        }
        bad |= json_array_append_new(array, row);
    }
    if (bad != 0 || array == NULL) {
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

json_t *fit_output_json(const struct session *s, const struct tan_machine *machine)
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
    if (links_on(&s->links)) {
        bad |= json_object_set_new(
            top, "links",
            json_pack("{s:f, s:f}", "L_us", s->links.L / us, "slot_us", s->links.slot / us));
    }
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
