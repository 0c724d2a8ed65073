/* results_answers.c - answers and doubts about measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/kinds.h"
#include "page/rows.h"
#include "tanbench/results/cell_doubts.h"

/* Whether the run or one of its cells is not trustworthy. */
static bool is_doubted(const struct source *s)
{
    return json_is_false(json_object_get(s->document, "trustworthy"));
}

/* Whether there are doubts about the run as a whole. */
static bool is_run_doubted(const struct source *s)
{
    return json_array_size(tan_array_of(s->document, "doubts")) > 0 && is_doubted(s);
}

/* Append a cell to the sentence of a doubt, unless it names enough of them. */
static void name_cell(FILE *to, const struct cells *cells, const struct cell *cell, size_t before)
{
    char size[32];
    if (before < TAN_DOUBT_NAMED) {
        fprintf(to, "%s %s", before > 0 ? "," : "", cell->topo);
        if (isfinite(cell->bytes) && !tan_report_cells_one_size(cells)) {
            fprintf(to, " of %s", tan_page_size(cell->bytes, size, sizeof size));
        }
    }
}

/* Add the doubt in `text`, a stream for it that is closed here, about `found` cells. */
static void end_doubt(struct page *p, const struct source *s, FILE *to, char **text, size_t found)
{
    if (to != NULL && found > TAN_DOUBT_NAMED) {
        fprintf(to, " and %zu more", found - TAN_DOUBT_NAMED);
    }
    if (to != NULL && fclose(to) == 0 && found > 0) {
        tan_page_doubt(p, s->name, *text);
    }
    free(*text);
    *text = NULL;
}

/* A doubt that names the cells that are not trustworthy, unless the whole run is not. */
static void tell_untrusted(struct page *p, const struct source *s)
{
    char *text = NULL;
    size_t size;
    size_t found = 0;
    if (is_run_doubted(s)) {
        return;
    }
    FILE *to = open_memstream(&text, &size);
    for (size_t i = 0; to != NULL && i < s->cells.n; i++) {
        const struct cell *cell = &s->cells.list[i];
        if (cell->untrusted) {
            fputs(found == 0 ? "These waves are not trustworthy:" : "", to);
            name_cell(to, &s->cells, cell, found++);
        }
    }
    end_doubt(p, s, to, &text, found);
}

/* All warnings with that meaning, as one doubt; NULL: a doubt for each of unknown kinds. */
static void tell_meaning(struct page *p, const struct source *s, const char *meaning)
{
    char *text = NULL;
    size_t size;
    size_t found = 0;
    FILE *to = open_memstream(&text, &size);
    for (size_t i = 0; to != NULL && i < s->cells.n; i++) {
        const struct cell *cell = &s->cells.list[i];
        const json_t *warnings = tan_array_of(cell->whole, "warnings");
        for (size_t k = 0; k < json_array_size(warnings); k++) {
            const char *warning = json_string_value(json_array_get(warnings, k));
            const char *finding = "";
            if (warning == NULL || tan_cell_doubt_meaning(warning, &finding) != meaning) {
                continue;
            }
            if (meaning == NULL) {
                char whole[600];
                snprintf(whole, sizeof whole, "%.200s: %.380s", cell->topo, warning);
                tan_page_doubt(p, s->name, whole);
                continue;
            }
            fputs(found == 0 ? meaning : "", to);
            name_cell(to, &s->cells, cell, found);
            if (found++ < TAN_DOUBT_NAMED) {
                fprintf(to, " (%s)", finding);
            }
        }
    }
    end_doubt(p, s, to, &text, found);
}

/* Doubts about cells, one for each kind, in the order of the cells. */
static void tell_warnings(struct page *p, const struct source *s)
{
    enum { KINDS = 16 };
    const char *told[KINDS];
    size_t n = 0;
    tell_untrusted(p, s);
    for (size_t i = 0; i < s->cells.n; i++) {
        const json_t *warnings = tan_array_of(s->cells.list[i].whole, "warnings");
        for (size_t k = 0; k < json_array_size(warnings); k++) {
            const char *warning = json_string_value(json_array_get(warnings, k));
            const char *finding;
            const char *meaning =
                warning == NULL ? NULL : tan_cell_doubt_meaning(warning, &finding);
            bool known = warning == NULL || n == KINDS;
            for (size_t t = 0; t < n; t++) {
                known = known || told[t] == meaning;
            }
            if (!known) {
                told[n++] = meaning;
                tell_meaning(p, s, meaning);
            }
        }
    }
}

/* How many measurements ended before their interval was narrow. */
static void tell_limits(struct page *p, const struct cells *cells)
{
    size_t limited = 0;
    for (size_t i = 0; i < cells->n; i++) {
        const char *stopped = tan_text_of(cells->list[i].whole, "stopped");
        limited += strcmp(stopped, "--max-waves") == 0 || strcmp(stopped, "--max-time") == 0;
    }
    if (limited > 0) {
        tan_page_remark(p,
                        "%zu of %zu measurements ended because they reached --max-waves "
                        "or --max-time, not because their interval was narrow enough.",
                        limited, cells->n);
    }
}

/* The fastest and the slowest stream. */
static void tell_streams(struct page *p, const json_t *document)
{
    const json_t *cells = tan_array_of(document, "cells");
    const json_t *fast = tan_least_of(cells, "0 - stream.rate_per_s");
    const json_t *slow = tan_least_of(cells, "stream.rate_per_s");
    tan_page_tell(p, fast, "{topo:%.80s} sustains {stream.rate_per_s:%.4g} waves a second.");
    if (slow != fast) {
        tan_page_tell(p, slow,
                      "{topo:%.80s} is the slowest: {stream.rate_per_s:%.4g} waves a second.");
    }
}

/* Of the trees with the most leaves, and messages of the size of the first of them, the fastest,
 * and what it is compared with. */
struct race {
    double leaves, bytes; /* bytes NaN: unknown */
    const struct cell *fastest;
    size_t rivals;    /* all these trees */
    size_t close;     /* of them, others whose intervals overlap with the fastest one's */
    size_t disturbed; /* of them, measured only while others used the cores */
    bool untrusted;   /* one of them is */
};

static bool takes_part(const struct cell *cell, const struct race *r)
{
    return cell->leaves == r->leaves && isfinite(cell->median) &&
           tan_report_cell_has_size(cell, r->bytes);
}

static struct race find_fastest(const struct cells *cells)
{
    struct race r = {.bytes = NAN};
    for (size_t i = 0; i < cells->n; i++) {
        const struct cell *cell = &cells->list[i];
        if (cell->leaves > r.leaves && isfinite(cell->median)) {
            r.leaves = cell->leaves;
            r.bytes = cell->bytes;
        }
    }
    for (size_t i = 0; i < cells->n; i++) {
        const struct cell *cell = &cells->list[i];
        if (takes_part(cell, &r)) {
            r.rivals++;
            r.disturbed += cell->disturbed;
            r.untrusted = r.untrusted || cell->untrusted;
            r.fastest = r.fastest == NULL || cell->median < r.fastest->median ? cell : r.fastest;
        }
    }
    for (size_t i = 0; i < cells->n && r.fastest != NULL; i++) {
        const struct cell *cell = &cells->list[i];
        r.close += takes_part(cell, &r) && cell != r.fastest && cell->low <= r.fastest->high;
    }
    return r;
}

static void tell_fastest(struct page *p, const struct source *s)
{
    const struct race r = find_fastest(&s->cells);
    const bool untrusted = r.untrusted || is_doubted(s);
    char wave[TAN_PAGE_TIME];
    char doubt[160] = "";
    char size[48] = "";
    if (r.fastest == NULL || (r.rivals > 1 && r.leaves <= 1.0) ||
        (r.rivals == 1 && s->cells.n > 1)) {
        return;
    }
    tan_page_time(r.fastest->median, wave);
    if (r.rivals == 1) {
        tan_page_answer(p, "%.80s takes %s a wave%s.", r.fastest->topo, wave,
                        tan_page_untrusted(untrusted));
        return;
    }
    if (!untrusted && r.disturbed > 0) {
        snprintf(doubt, sizeof doubt,
                 ", but others used the cores during the measurement of %zu of these %zu trees, "
                 "which makes waves longer",
                 r.disturbed, r.rivals);
    } else if (!untrusted && r.close > 0) {
        snprintf(doubt, sizeof doubt, "; by the 95 %% intervals %zu other%s may be as fast",
                 r.close, r.close > 1 ? "s" : "");
    }
    if (isfinite(r.bytes) && !tan_report_cells_one_size(&s->cells)) {
        snprintf(size, sizeof size, " and messages of %.0f B", r.bytes);
    }
    tan_page_answer(p, "Of the measured trees with %.0f leaves%s, %.80s is the fastest: %s%s%s.",
                    r.leaves, size, r.fastest->topo, wave, doubt, tan_page_untrusted(untrusted));
}

/* Predictions of TAN for the shapes that fits use, and for all others. */
static void tell_predictions(struct page *p, const struct source *s)
{
    double sum[2] = {0.0, 0.0};
    size_t n[2] = {0, 0};
    char others[100] = "";
    char fitted[160] = "";
    char share[32];
    for (size_t i = 0; i < s->cells.n; i++) {
        const struct cell *cell = &s->cells.list[i];
        const int of_fit =
            tan_report_cell_is_of(cell, "chain:") || tan_report_cell_is_of(cell, "nto1:");
        if (isfinite(cell->tan_error)) {
            sum[of_fit] += fabs(cell->tan_error);
            n[of_fit]++;
        }
    }
    if (n[0] + n[1] == 0) {
        return;
    }
    if (n[0] > 0) {
        snprintf(others, sizeof others, " by %s on average over %zu %stree%s",
                 tan_format_share(sum[0] / (double)n[0], share, sizeof share), n[0],
                 n[1] > 0 ? "other " : "", n[0] > 1 ? "s" : "");
    }
    if (n[1] > 0) {
        snprintf(fitted, sizeof fitted,
                 " by %s on average over %zu chains and N-to-1 trees, the shapes of fits%s",
                 tan_format_share(sum[1] / (double)n[1], share, sizeof share), n[1],
                 n[0] > 0 ? ", and" : "");
    }
    tan_page_answer(p, "TAN's predictions with the parameters of \"%.60s\" are off%s%s%s.",
                    tan_text_of(s->document, "machine"), fitted, others,
                    tan_page_untrusted(is_doubted(s)));
}

/* The model with the smallest mean error; NULL if there are none. */
static const char *best_model(const json_t *models)
{
    const char *best = NULL;
    double least = INFINITY;
    const char *name;
    const json_t *accuracy;
    json_object_foreach((json_t *)models, name, accuracy)
    {
        if (tan_number_of(accuracy, "mean_abs_error") < least) {
            least = tan_number_of(accuracy, "mean_abs_error");
            best = name;
        }
    }
    return best;
}

/* Whether a model's order of the trees is closer to the measured one than by chance: Kendall's tau
 * exceeds 1.64 standard deviations of that of n trees in random order, a one-sided test at 5 %.
 * With few trees no tau does, so a perfect order is enough. */
static bool ranks_trees(const json_t *accuracy)
{
    const double tau = tan_number_of(accuracy, "kendall_tau");
    const double n = tan_number_of(accuracy, "trees");
    const double deviation = sqrt(2.0 * (2.0 * n + 5.0) / (9.0 * n * (n - 1.0)));
    return !isfinite(tau) || n < 2.0 || tau > fmin(1.64 * deviation, 0.999);
}

/* The best model on the random trees, or, where there are none, on those of named shapes, and how
 * much it errs on the shapes that were fitted. */
static void tell_accuracy(struct page *p, const struct source *s, size_t untrusted)
{
    const json_t *random = json_object_get(s->document, "models");
    const bool any_random = json_object_size(random) > 0;
    const json_t *models = any_random ? random : json_object_get(s->document, "named");
    char choice[120];
    char text[1000];
    const char *best = best_model(models);
    if (best == NULL) {
        return;
    }
    const json_t *a = json_object_get(models, best);
    const struct tan_place at = {.entry = a, .each = s->document, .key = best};
    snprintf(choice, sizeof choice,
             "which tree is the fastest is uncertain, since the waves of %zu of %zu are not "
             "trustworthy",
             untrusted, s->cells.n);
    snprintf(text, sizeof text,
             "On {trees:%%.0f} %s, {@:%%.40s} with the parameters of \"{.machine:%%.60s}\" errs "
             "least: by {mean_abs_error * 100:%%.1f} %% on average, at worst by {worst_abs_error * "
             "100:%%.1f} %%; %s[{?1 - .trustworthy} (not trustworthy: see the doubts)].",
             any_random ? "random trees that no fit has seen" : "trees of named shapes",
             !ranks_trees(a) ? "it does not tell which of them are fast: what its order of the "
                               "trees has in common with the measured one may be chance (tau "
                               "{kendall_tau:%.2f})"
             : untrusted > 0
                 ? choice
                 : "the tree that it predicts to be the fastest [{?!regret - 0.0005}is the fastest "
                   "one][{?regret - 0.0005}{?1 - regret}takes {regret * 100:%.1f} % more time than "
                   "the fastest one][{?!1 - regret}takes {regret + 1:%.3g} times as long as the "
                   "fastest one]");
    tan_page_tell_at(p, &at, text);
    const struct tan_place all = {.entry = s->document, .key = best};
    tan_page_tell_at(p, &all,
                     "On {reference_models.@.trees:%.0f} chains and N-to-1 trees, the shapes that "
                     "it was fitted to, it errs by {reference_models.@.mean_abs_error * "
                     "100:%.1f} % on average.");
}

#define ERRORS(on, models)                                                                         \
    {                                                                                              \
        "Errors of the models on " on, models, 40,                                                 \
        {                                                                                          \
            {"model", "{@}"}, {"n", "{trees:%.0f}"},                                               \
                {"mean |error|", "{mean_abs_error * 100:%.1f} %"},                                 \
                {"median", "{median_abs_error * 100:%.1f} %"},                                     \
                {"worst", "{worst_abs_error * 100:%.1f} %"},                                       \
                {"bias", "{mean_error * 100:%+.1f} %"}, {"tau", "{kendall_tau:%.2f}"},             \
            {                                                                                      \
                "regret", "[{?!1 - regret}{regret:slower}][{?1 - regret}{regret * 100:%.1f} %]"    \
            }                                                                                      \
        }                                                                                          \
    }

void tan_show_accuracy(struct page *p, const struct source *s)
{
    static const struct tan_listing errors[] = {
        ERRORS("random trees, which no fit has seen", "models"),
        ERRORS("trees of named shapes, which no fit has seen but the binomial one", "named"),
        ERRORS("chains and N-to-1 trees, the shapes of fits", "reference_models"),
    };
    bool shown = false;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        shown |= tan_show_listing(p, s->document, &errors[i]);
    }
    if (shown) {
        tan_page_remark(p, "tau: Kendall's, 1 if a model ranks the trees as they were measured; "
                           "regret: how much more time the tree with the smallest prediction takes "
                           "than the fastest one.");
    }
}

/* Doubts about the parameters that predictions are computed from, unless their machine file is on
 * the page, too. */
static void tell_machine_doubts(struct page *p, const struct source *s)
{
    const json_t *doubts = tan_array_of(s->document, "machine_doubts");
    const bool shown = tan_page_machine(p, tan_text_of(s->document, "machine")) != NULL;
    for (size_t i = 0; i < json_array_size(doubts) && !shown; i++) {
        const struct tan_place at = {.entry = json_array_get(doubts, i), .each = s->document};
        char text[900];
        tan_place_text(&at,
                       "Predictions with the parameters of \"{.machine:%.60s}\": {text:%.800s}",
                       text, sizeof text);
        tan_page_doubt(p, s->name, text);
    }
}

void tan_tell_results(struct page *p, const struct source *s)
{
    const struct cells *cells = &s->cells;
    size_t untrusted = 0;
    tell_machine_doubts(p, s);
    for (size_t i = 0; i < cells->n; i++) {
        untrusted += cells->list[i].untrusted;
    }
    tell_warnings(p, s);
    tell_limits(p, cells);
    tell_streams(p, s->document);
    if (json_object_get(s->document, "models") != NULL) {
        tell_accuracy(p, s,
                      untrusted); /* its trees were not chosen to be compared with each other */
    } else {
        tell_fastest(p, s);
        tell_predictions(p, s);
    }
    if (cells->n > 0) {
        const bool run = is_run_doubted(s);
        const bool parameters = json_array_size(tan_array_of(s->document, "machine_doubts")) > 0;
        tan_page_answer(p, "Trustworthy: %zu of %zu measured topologies%s%s.", cells->n - untrusted,
                        cells->n,
                        !run                   ? ""
                        : untrusted < cells->n ? ", but not the run as a whole"
                                               : ", since the run as a whole is not",
                        !parameters ? ""
                        : run       ? ", nor the parameters of predictions"
                                    : ", but not the parameters of predictions");
    }
}
