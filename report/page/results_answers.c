/* results_answers.c - answers and doubts about measured waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/results/doubts.h"
#include "report/page/kinds.h"

/* Doubts about a cell. */
static void tell_warnings(struct page *p, const struct source *s, const struct cell *cell)
{
    if (cell->untrusted) {
        char text[600];
        snprintf(text, sizeof text, "The waves of %s are not trustworthy.", cell->topo);
        tan_page_doubt(p, s->name, text);
    }
    const json_t *warnings = tan_array_of(cell->whole, "warnings");
    for (size_t k = 0; k < json_array_size(warnings); k++) {
        const char *text = json_string_value(json_array_get(warnings, k));
        char *sentence = tan_cell_doubt_sentence(text != NULL ? text : "", cell->topo);
        tan_page_doubt(p, s->name, sentence != NULL ? sentence : "");
        free(sentence);
    }
}

/* The fastest and the slowest stream. */
static void tell_streams(struct page *p, const struct cells *cells)
{
    const struct cell *fast = NULL;
    const struct cell *slow = NULL;
    double most = 0.0;
    double least = INFINITY;
    for (size_t i = 0; i < cells->n; i++) {
        const double rate =
            tan_number_of(json_object_get(cells->list[i].whole, "stream"), "rate_per_s");
        if (rate > most) {
            most = rate;
            fast = &cells->list[i];
        }
        if (rate < least) {
            least = rate;
            slow = &cells->list[i];
        }
    }
    if (fast != NULL) {
        tan_page_answer(p, "%.80s sustains %.4g waves a second.", fast->topo, most);
    }
    if (slow != NULL && slow != fast) {
        tan_page_answer(p, "%.80s is the slowest: %.4g waves a second.", slow->topo, least);
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
    const bool untrusted =
        r.untrusted || json_is_false(json_object_get(s->document, "trustworthy"));
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

void tan_tell_results(struct page *p, const struct source *s)
{
    const struct cells *cells = &s->cells;
    double sum = 0.0;
    size_t predicted = 0;
    size_t untrusted = 0;
    for (size_t i = 0; i < cells->n; i++) {
        const double error = cells->list[i].tan_error;
        untrusted += cells->list[i].untrusted;
        sum += isfinite(error) ? fabs(error) : 0.0;
        predicted += isfinite(error) ? 1 : 0;
        tell_warnings(p, s, &cells->list[i]);
    }
    tell_streams(p, cells);
    tell_fastest(p, s);
    if (cells->n > cells->whole) {
        tan_page_remark(p, "For trees after the first %zu of %zu, see the doubts in the file.",
                        cells->whole, cells->n);
    }
    if (predicted > 0) {
        tan_page_answer(
            p,
            "TAN's predictions with the parameters of %.60s are off by %.3g %% on average over %zu "
            "trees%s.",
            tan_text_of(s->document, "machine"), 100.0 * sum / (double)predicted, predicted,
            tan_page_untrusted(json_is_false(json_object_get(s->document, "trustworthy"))));
    }
    if (cells->n > 0) {
        const bool run = json_array_size(tan_array_of(s->document, "doubts")) > 0 &&
                         json_is_false(json_object_get(s->document, "trustworthy"));
        tan_page_answer(p, "Trustworthy: %zu of %zu measured topologies%s.", cells->n - untrusted,
                        cells->n, run ? ", but not the run as a whole" : "");
    }
}
