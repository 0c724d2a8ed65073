/* fit_output.c - results of tan-fit as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-fit/fit_output.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/reply.h"
#include "base/text.h"
#include "base/units.h"
#include "model/stats/stats.h"

enum { MAX_NAMED = 5 }; /* outliers to list */

/* By how many percent a predictor is off. */
static double percent_off(const struct line *line, int predictor)
{
    return 100 * (line->predicted[predictor] - line->median) / line->median;
}

/* Whether a predictor's fit used a held-out tree. */
static bool is_used_by_fit(const struct session *s, int predictor, const struct line *line)
{
    return s->predictor[predictor].method == TAN_METHOD_OVERLAP && line->group == s->uneven;
}

/* By TAN's errors, the largest first. */
static int by_error(const void *left, const void *right)
{
    const struct line *a = *(const struct line *const *)left;
    const struct line *b = *(const struct line *const *)right;
    const double x = fabs(percent_off(a, 0));
    const double y = fabs(percent_off(b, 0));
    return x != y ? (x < y ? 1 : -1) : (a > b) - (a < b);
}

/* Print TAN's mean error on the fitted trees, and those with the largest errors. */
static void print_worst(const void *session, FILE *to)
{
    const struct session *s = session;
    const struct line **worst = calloc(s->n_fitted, sizeof(const struct line *));
    size_t n = 0;
    double sum = 0;
    if (worst == NULL) {
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        if (fit_uses(s, &s->line[i])) {
            worst[n++] = &s->line[i];
            sum += fabs(percent_off(&s->line[i], 0));
        }
    }
    qsort(worst, n, sizeof(const struct line *), by_error);
    fprintf(to, "Fitted, off by %.1f %% on average; farthest:", sum / (double)n);
    for (size_t i = 0; i < n && i < MAX_NAMED; i++) {
        fprintf(to, "%s %s %+.1f %%", i == 0 ? "" : ",", worst[i]->group->topology,
                percent_off(worst[i], 0));
    }
    fputc('\n', to);
    free(worst);
}

/* A predictor's errors for the held-out trees. False if memory is short, or if its fit used all of
 * them. */
static bool find_accuracy(const struct session *s, int predictor, struct tan_accuracy *out)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    double *predicted = calloc(2 * s->n, sizeof *predicted); /* then as many measured */
    size_t n = 0;
    for (size_t i = 0; i < s->n && predicted != NULL; i++) {
        if (!fit_uses(s, &s->line[i]) && !is_used_by_fit(s, predictor, &s->line[i])) {
            predicted[s->n + n] = s->line[i].median;
            predicted[n++] = s->line[i].predicted[predictor];
        }
    }
    const bool found = n > 0 && tan_accuracy(predicted, predicted + s->n, n, out, &ignored) == 0;
    free(predicted);
    return found;
}

/* The trees that no fit used, with the errors of the model that answers use. */
static void print_held_out(const void *session, FILE *to)
{
    const struct session *s = session;
    const int most = s->config->details ? INT_MAX : MAX_NAMED;
    const int best = tan_checks_best(&s->checks) == TAN_CHECK_OVERLAP && fit_has_overlap(s)
                         ? s->n_predictors - 1
                         : 0;
    int named = 0;
    fprintf(to, "Held out, predicted by %s:", s->predictor[best].name);
    for (size_t i = 0; i < s->n; i++) {
        const struct line *line = &s->line[i];
        if (!fit_uses(s, line) && !is_used_by_fit(s, best, line) && ++named <= most) {
            fprintf(to, "%s %.40s %+.1f %%", named > 1 ? "," : "", line->group->topology,
                    percent_off(line, best));
        }
    }
    fprintf(to, named > most ? " and %d more\n" : "\n", named - most);
}

/* Each model's mean error on them, and how well it orders them. */
static void print_accuracies(const struct session *s, FILE *to)
{
    for (int i = 0; i < s->n_predictors; i++) {
        struct tan_accuracy a;
        if (find_accuracy(s, i, &a)) {
            fprintf(to, "  %-12s %5.1f %% off on average, %.1f %% at most, tau %.2f\n",
                    s->predictor[i].name, 100 * a.mean_abs_error, 100 * a.worst_abs_error,
                    a.kendall_tau);
        }
    }
}

/* Whether a term's interval reaches more than a tenth of its value to either side. */
static bool is_uncertain(const struct tan_terms *fit, enum tan_tree_term term)
{
    const double value = fit->value[term];
    const struct tan_interval ci = fit->ci95[term];
    return !fit->identifiable[term] ||
           (tan_interval_known(ci) && fmax(ci.high - value, value - ci.low) > 0.1 * value);
}

static void print_trees(const struct tan_fit *fit, FILE *to)
{
    const struct tan_terms *terms = &fit->terms;
    const struct tan_interval slow = terms->ci95[TAN_TREE_BYTE]; /* seconds per byte */
    if (terms->identifiable[TAN_TREE_BYTE] && terms->value[TAN_TREE_BYTE] > 0) {
        fprintf(to, "Bandwidth: %s", tan_rate_text(8 / terms->value[TAN_TREE_BYTE]).text);
        if (tan_interval_known(slow)) {
            fprintf(to, slow.low > 0 ? ", %s to %s" : ", %s or more",
                    tan_rate_text(8 / slow.high).text, tan_rate_text(8 / slow.low).text);
        }
        fputc('\n', to);
    }
    if (is_uncertain(terms, TAN_TREE_HOP)) {
        fputs("A tree twice as high as the highest here would tell more of L + 2a\n", to);
    }
    if (is_uncertain(terms, TAN_TREE_CHILD)) {
        fputs("A root with twice as many children would tell more of b and c\n", to);
    }
    fprintf(to, "Medians lie %.1f %% off the fit\n", 100 * fit->scatter[0]);
}

/* What was fitted. */
static void print_input(const void *session, FILE *to)
{
    const struct session *s = session;
    const size_t held_out = s->n - s->n_fitted;
    const int64_t waves = s->fit[s->config->method].params.n;
    fprintf(to, "%" PRId64 " wave%s of %s%s on %zu ", waves, waves == 1 ? "" : "s",
            tan_size_text(s->waves.bytes).text, s->waves.sized ? " and more" : "", s->n_fitted);
    if (s->general) {
        fputs(s->n_fitted == 1 ? "tree\n" : "trees and sizes\n", to);
    } else {
        const bool uneven = s->uneven != NULL && fit_has_overlap(s);
        fprintf(to, "chains and N-to-1 trees; %zu other tree%s held out%s%s\n", held_out,
                held_out == 1 ? "" : "s", uneven ? ", but tan-overlap is fitted to " : "",
                uneven ? s->uneven->topology : "");
    }
}

static void print_model(const void *session, FILE *to)
{
    tan_checks_print(&((const struct session *)session)->checks, to);
}

void fit_output_print(const struct session *s, FILE *to)
{
    const int method = (int)s->config->method;
    tan_text_wrap_printed(to, print_input, s);
    print_model(s, to);
    fputc('\n', to);
    const struct tan_named_fit fits[] = {
        {method == TAN_METHOD_JOINT ? "TAN" : "paper", &s->fit[method]},
        {"tan-overlap", &s->fit[TAN_METHOD_OVERLAP]},
    };
    const int n_fits = fit_has_overlap(s) ? 2 : 1;
    tan_fits_print(fits, n_fits, to);
    if (s->general) {
        print_trees(&s->fit[method], to);
    }
    if (s->config->details) {
        tan_fits_print_notes(fits, n_fits, to);
        tan_text_wrap_printed(to, print_worst, s);
    }
    if (s->n > s->n_fitted) {
        fputc('\n', to);
        tan_text_wrap_printed(to, print_held_out, s);
        print_accuracies(s, to);
    }
    if (!s->config->details) {
        for (size_t i = 0; i < s->notes.n; i++) {
            fputs("Note: ", to);
            tan_text_wrap(to, s->notes.text[i], 6, 6);
        }
        fputs("Further notes and trees: --details\n", to);
    }
}

/* JSON */

/* The lines that TAN is fitted to, or the others. */
static void set_lines(struct tan_json_writer *w, json_t *top, const char *key,
                      const struct session *s, bool fitted)
{
    json_t *array = tan_json_set_array(w, top, key);
    for (size_t i = 0; i < s->n; i++) {
        const struct line *line = &s->line[i];
        if (fit_uses(s, line) != fitted) {
            continue;
        }
        json_t *row = tan_json_append_object(w, array);
        tan_json_set_string(w, row, "topo", line->group->topology);
        tan_json_set_int(w, row, "n", (json_int_t)line->group->n);
        if (s->waves.sized) {
            tan_json_set_int(w, row, "bytes", (json_int_t)line->group->bytes);
        }
        tan_json_set_us_digits(w, row, "median_us", line->median, TAN_JSON_DIGITS);
        json_t *predicted = tan_json_set_object(w, row, "predicted_us");
        json_t *error = tan_json_set_object(w, row, "error");
        for (int p = 0; p < s->n_predictors; p++) {
            const char *name = s->predictor[p].name;
            if (is_used_by_fit(s, p, line)) {
                continue;
            }
            tan_json_set_us_digits(w, predicted, name, line->predicted[p], TAN_JSON_DIGITS);
            tan_json_set_real(w, error, name, percent_off(line, p) / 100);
        }
    }
}

static void set_predictors(struct tan_json_writer *w, json_t *top, const struct session *s)
{
    json_t *models = tan_json_set_object(w, top, "models");
    for (int i = 0; i < s->n_predictors && s->n > s->n_fitted; i++) {
        struct tan_accuracy a;
        if (find_accuracy(s, i, &a)) {
            json_t *model = tan_json_set_object(w, models, s->predictor[i].name);
            json_t *o = tan_json_set_object(w, model, "waves");
            tan_json_set_real(w, o, "mean_abs_error", a.mean_abs_error);
            tan_json_set_real(w, o, "mean_error", a.mean_error);
            tan_json_set_real(w, o, "worst_abs_error", a.worst_abs_error);
            tan_json_set_real(w, o, "kendall_tau", a.kendall_tau);
        }
    }
}

/* One boolean per parameter of a fit. */
static void set_flags(struct tan_json_writer *w, json_t *top, const char *key,
                      enum tan_method method, const bool flags[TAN_PARAMS])
{
    json_t *o = tan_json_set_object(w, top, key);
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (p != TAN_G || method == TAN_METHOD_OVERLAP) { /* TAN's is not fitted */
            tan_json_set_bool(w, o, tan_param_symbol(method, p), flags[p]);
        }
    }
}

static void set_overlap(struct tan_json_writer *w, json_t *top, const struct session *s)
{
    const struct tan_fit *fit = &s->fit[TAN_METHOD_OVERLAP];
    json_t *o = tan_json_set_object(w, top, "overlap");
    set_flags(w, o, "identifiable", TAN_METHOD_OVERLAP, fit->identifiable);
    tan_json_set_bool(w, o, "exchangeable", fit->exchangeable);
    tan_json_set_string(w, o, "nic", fit->params.nic_shared ? "shared" : NULL);
    tan_json_set_string(w, o, "uneven", s->uneven != NULL ? s->uneven->topology : NULL);
}

static void set_trees(struct tan_json_writer *w, json_t *top, const struct tan_fit *fit,
                      const struct line *lines)
{
    const struct tan_terms *terms = &fit->terms;
    const struct tan_interval slow = terms->ci95[TAN_TREE_BYTE]; /* seconds per byte */
    tan_json_set_real(w, top, "scatter", fit->scatter[0]);
    if (terms->identifiable[TAN_TREE_BYTE] && terms->value[TAN_TREE_BYTE] > 0) {
        tan_json_set_real(w, top, "bits_per_second", 8 / terms->value[TAN_TREE_BYTE]);
    }
    if (terms->identifiable[TAN_TREE_BYTE] && tan_interval_known(slow)) {
        /* the lower end alone if it has no upper one */
        tan_json_set(w, top, "bits_per_second_ci95",
                     json_pack(slow.low > 0 ? "[f, f]" : "[f]", 8 / slow.high, 8 / slow.low));
    }
    json_t *aside = tan_json_set_array(w, top, "set_aside");
    for (size_t i = 0; i < fit->n_fitted; i++) {
        if (fit->fitted[i].aside) {
            tan_json_append(w, aside, json_string(lines[i].group->topology));
        }
    }
}

/* What is printed without tables, the doubts first. */
static void set_answer(struct tan_json_writer *w, json_t *top, const struct session *s,
                       const struct tan_doubts *doubts)
{
    json_t *answer = tan_json_set_object(w, top, "answer");
    tan_doubts_say(w, answer, doubts);
    tan_reply_say_printed(w, answer, TAN_PART_FIRST, print_model, s);
    tan_reply_say_printed(w, answer, TAN_PART_FIRST, print_input, s);
    tan_reply_say_printed(w, answer, TAN_PART_REMARKS, print_worst, s);
    if (s->n > s->n_fitted) {
        tan_reply_say_printed(w, answer, TAN_PART_REMARKS, print_held_out, s);
    }
    if (s->config->output != NULL) {
        tan_reply_say(w, answer, TAN_PART_NEXT, "Next: " FIT_NEXT, s->config->output);
    }
}

json_t *fit_output_json(const struct session *s, const struct tan_machine *machine)
{
    const struct tan_fit *fit = &s->fit[s->config->method];
    struct tan_json_writer w = {.failed = false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-fit/1");
    tan_json_set_bool(&w, top, "trustworthy", tan_doubts_trusted(&fit->doubts));
    tan_doubts_set(&w, top, "doubts", &fit->doubts, TAN_DOUBT);
    tan_json_set(&w, top, "machine", tan_machine_to_json(machine));
    set_flags(&w, top, "identifiable", TAN_METHOD_JOINT, fit->identifiable);
    set_flags(&w, top, "at_bound", TAN_METHOD_JOINT, fit->at_bound);
    if (fit_has_overlap(s)) {
        set_overlap(&w, top, s);
    }
    if (s->general) {
        set_trees(&w, top, fit, s->line);
    }
    tan_json_set_real(&w, top, "r2_chain", fit->r2_chain);
    tan_json_set_real(&w, top, "r2_nto1", fit->r2_nto1);
    json_t *notes = tan_json_set_array(&w, top, "notes");
    w.failed |= fit->notes.incomplete;
    for (size_t i = 0; i < fit->notes.n; i++) {
        tan_json_append(&w, notes, tan_json_text(fit->notes.row[i].text));
    }
    set_lines(&w, top, "fitted", s, true);
    set_lines(&w, top, "held_out", s, false);
    set_predictors(&w, top, s);
    set_answer(&w, top, s, &machine->doubts);
    return tan_json_finish(&w, top);
}
