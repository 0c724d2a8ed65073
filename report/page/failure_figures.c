/* failure_figures.c - answers and figures of waves in which processes fall silent
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/page/kinds.h"

/* At most: recoveries and healed trees that are shown; characters of lists of numbers, and of a
 * sentence. */
enum { RECOVERIES = 16, TREES = 4, NUMBERS = 64, SENTENCE = 600 };

/* The steps of a recovery: their keys, and what each lasts until. */
enum { STEPS = 3 };
static const struct {
    const char *key, *until;
} steps[STEPS] = {{"notice", "this was noticed"},
                  {"reparent", "every process had a parent"},
                  {"resend", "the missing leaves were in the result"}};

/* An interrupted wave of a cell: its recoveries, one in each pass. */
struct interruption {
    const struct cell *cell;
    const json_t *all;   /* recoveries of the cell; borrowed, like the next */
    const json_t *first; /* of this wave */
    double wave;
    bool only; /* the cell has those of no other wave */
};

/* Times of a recovery's steps, us; 0 for those that did not take place. */
struct row {
    char name[80];
    double us[STEPS];
};

static const json_t *failures_of(const struct cell *cell)
{
    return json_object_get(cell->whole, "failures");
}

/* Append those of a cell, until there is one too many, and return the new number of all. */
static size_t add_recoveries(const struct cell *cell, struct interruption *list, size_t n)
{
    const json_t *all = tan_array_of(failures_of(cell), "recoveries");
    const size_t before = n;
    for (size_t i = 0; i < json_array_size(all) && n <= RECOVERIES; i++) {
        const json_t *one = json_array_get(all, i);
        const double wave = tan_number_of(one, "wave");
        bool known = !(wave >= 0.0 && wave < INT32_MAX);
        for (size_t k = before; k < n; k++) {
            known = known || list[k].wave == wave;
        }
        if (!known) {
            list[n++] = (struct interruption){cell, all, one, wave, true};
        }
    }
    for (size_t k = before; k < n; k++) {
        list[k].only = n - before == 1;
    }
    return n;
}

/* By fanout, so that the figure shows what a fanout means for recovery. */
static int by_fanout(const void *left, const void *right)
{
    const struct interruption *a = left;
    const struct interruption *b = right;
    const double fanout[] = {a->cell->max_fanout, b->cell->max_fanout};
    return fanout[0] < fanout[1]   ? -1
           : fanout[0] > fanout[1] ? 1
           : a->cell != b->cell    ? (a->cell > b->cell) - (a->cell < b->cell)
                                   : (a->wave > b->wave) - (a->wave < b->wave);
}

/* Append numbers to a list like "0-3, 7"; "..." for those for which there is no room. */
static void add_numbers(char list[NUMBERS], double first, double last)
{
    const size_t used = strlen(list);
    char more[40];
    int length = snprintf(more, sizeof more, "%s%.0f", used > 0 ? ", " : "", first);
    if (last > first) {
        length += snprintf(more + length, sizeof more - (size_t)length, "-%.0f", last);
    }
    if (used + (size_t)length + sizeof ", ..." <= NUMBERS) {
        memcpy(list + used, more, (size_t)length + 1);
    } else if (used == 0 || list[used - 1] != '.') {
        snprintf(list + used, NUMBERS - used, ", ...");
    }
}

/* Numbers of the processes found silent, in the waves of number `wave` or, if that is NaN, in all:
 * "process 3", "processes 4, 9". */
static void name_silent(const json_t *recoveries, double wave, char text[NUMBERS + 16])
{
    double number[NUMBERS];
    char numbers[NUMBERS] = "";
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(recoveries); i++) {
        const json_t *one = json_array_get(recoveries, i);
        const json_t *list = tan_array_of(one, "silent");
        const bool asked = isnan(wave) || tan_number_of(one, "wave") == wave;
        for (size_t k = 0; asked && k < json_array_size(list) && n < NUMBERS; k++) {
            number[n] = tan_number_of(json_array_get(list, k), "process");
            bool known = !(number[n] >= 0.0 && number[n] < INT32_MAX);
            for (size_t m = 0; m < n; m++) {
                known = known || number[m] == number[n];
            }
            if (!known) {
                add_numbers(numbers, number[n], number[n]);
                n++;
            }
        }
    }
    snprintf(text, NUMBERS + 16, "process%s %s", n == 1 ? "" : "es", numbers);
}

/* The leaves of a cell that a result lacks, as "0-3, 7". Returns their number. */
static double missing_leaves(const struct cell *cell, const json_t *leaves, char numbers[NUMBERS])
{
    const json_t *ranges = tan_array_of(leaves, "ranges");
    const double end = cell->leaves >= 0.0 && cell->leaves < INT32_MAX ? cell->leaves : 0.0;
    double next = 0.0;
    double count = 0.0;
    numbers[0] = '\0';
    for (size_t i = 0; i <= json_array_size(ranges); i++) {
        const json_t *range = json_array_get(ranges, i);
        const double first = fmin(range != NULL ? tan_number_at(range, 0) : end, end);
        if (first > next) {
            add_numbers(numbers, next, first - 1.0);
            count += first - next;
        }
        next = fmax(next, tan_number_at(range, 1) + 1.0); /* not if that is NaN */
    }
    return count;
}

/* Median of a step's time over the passes; NaN if unknown. */
static double median_of(const struct interruption *r, const char *key)
{
    const size_t n = json_array_size(r->all);
    double *sample = calloc(n + 1, sizeof *sample);
    double median = NAN;
    size_t found = 0;
    for (size_t i = 0; i < n && sample != NULL; i++) {
        const json_t *one = json_array_get(r->all, i);
        const double value = tan_number_of(json_object_get(one, "measured_us"), key);
        if (tan_number_of(one, "wave") == r->wave && isfinite(value)) {
            sample[found++] = value;
        }
    }
    if (found > 0) {
        gsl_sort(sample, 1, found);
        median = gsl_stats_median_from_sorted_data(sample, 1, found);
    }
    free(sample);
    return median;
}

/* Measured times, or those that a model predicts; false if there are none. */
static bool times_of(const struct interruption *r, const char *model, double us[STEPS])
{
    const json_t *predicted = json_object_get(json_object_get(r->first, "predicted_us"), model);
    bool known = true;
    for (int k = 0; k < STEPS; k++) {
        us[k] = model == NULL ? median_of(r, steps[k].key) : tan_number_of(predicted, steps[k].key);
        known = known && isfinite(us[k]);
    }
    return known;
}

static double sum_of(const double us[STEPS])
{
    return us[0] + us[1] + us[2];
}

/* The longest deadline of the silent processes, and the number of levels that it is for; "" if the
 * file has none. */
static void describe_deadline(const struct interruption *r, char text[SENTENCE])
{
    const double detect = tan_number_of(failures_of(r->cell), "detect_us");
    const json_t *silent = tan_array_of(r->first, "silent");
    double longest = 0.0;
    char time[2][TAN_PAGE_TIME];
    for (size_t i = 0; i < json_array_size(silent); i++) {
        longest = fmax(longest, tan_number_of(json_array_get(silent, i), "deadline_us"));
    }
    text[0] = '\0';
    if (!(detect > 0.0 && longest >= detect)) {
        return;
    }
    if (longest < 1.5 * detect) {
        snprintf(text, SENTENCE, " (the deadline was --detect, %s)",
                 tan_page_time(longest, time[0]));
    } else {
        snprintf(text, SENTENCE, " (the deadline was %s: --detect, %s, for each of %.0f levels)",
                 tan_page_time(longest, time[0]), tan_page_time(detect, time[1]), longest / detect);
    }
}

/* Who fell silent at which wave, and how long each step of the recovery took. */
static void describe_steps(const struct interruption *r, char text[SENTENCE])
{
    char who[NUMBERS + 16];
    char time[TAN_PAGE_TIME];
    char deadline[SENTENCE];
    double us[STEPS];
    const char *link = ": it took ";
    describe_deadline(r, deadline);
    name_silent(r->all, r->wave, who);
    snprintf(text, SENTENCE, "At wave %.0f of %.80s %s fell silent", r->wave, r->cell->topo, who);
    if (!times_of(r, NULL, us)) {
        return;
    }
    for (int k = 0; k < STEPS; k++) {
        const size_t used = strlen(text);
        if (us[k] > 0.0) {
            snprintf(text + used, SENTENCE - used, "%s%s until %s%s", link,
                     tan_page_time(us[k], time), steps[k].until, k == 0 ? deadline : "");
            link = ", then ";
        }
    }
    const size_t used = strlen(text);
    if (us[1] + us[2] > 0.0) {
        snprintf(text + used, SENTENCE - used, "; in all %s%s", tan_page_time(sum_of(us), time),
                 tan_page_untrusted(r->cell->untrusted));
    } else {
        snprintf(text + used, SENTENCE - used, "%s", tan_page_untrusted(r->cell->untrusted));
    }
}

/* Which leaves were missing at first and in the end. */
static void describe_leaves(const struct interruption *r, char text[SENTENCE])
{
    char numbers[2][NUMBERS];
    char lacks[NUMBERS + 32] = "has all";
    const double at_first =
        missing_leaves(r->cell, json_object_get(r->first, "noticed"), numbers[0]);
    const double in_end =
        missing_leaves(r->cell, json_object_get(r->first, "recovered"), numbers[1]);
    if (in_end == r->cell->leaves) {
        snprintf(lacks, sizeof lacks, "has none");
    } else if (in_end > 0.0) {
        snprintf(lacks, sizeof lacks, "lacks %s %s", in_end == 1.0 ? "leaf" : "leaves", numbers[1]);
    }
    if (at_first == 0.0) {
        snprintf(text, SENTENCE, "When this was noticed, no leaf was missing; the wave's result %s",
                 lacks);
    } else {
        snprintf(
            text, SENTENCE,
            "When this was noticed, %s %s %s missing (%.0f of %.0f, numbered from 0); the wave's "
            "result %s",
            at_first == 1.0 ? "leaf" : "leaves", numbers[0], at_first == 1.0 ? "was" : "were",
            at_first, r->cell->leaves, lacks);
    }
}

/* Whether one of the cell's warnings is of that kind. */
static bool has_warning(const struct cell *cell, const char *kind)
{
    const json_t *warnings = tan_array_of(cell->whole, "warnings");
    bool found = false;
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const char *warning = json_string_value(json_array_get(warnings, i));
        found = found || (warning != NULL && strncmp(warning, kind, strlen(kind)) == 0);
    }
    return found;
}

/* Why waves before and after may not differ as they seem to. */
static const char *doubt_later(const struct cell *cell, const json_t *healed)
{
    const json_t *ci95 = tan_array_of(json_object_get(healed, "wave_us"), "ci95");
    const double low = tan_number_at(ci95, 0);
    const double high = tan_number_at(ci95, 1);
    if (cell->disturbed) {
        return ", but others used the cores meanwhile, which makes waves longer";
    }
    if (has_warning(cell, "healed:")) {
        return ", but there are too few waves or passes for intervals";
    }
    return low <= cell->high && high >= cell->low ? "; by the 95 % intervals they may take as long"
                                                  : "";
}

/* How much longer waves take after the last recovery of a cell; "" if there were none. */
static void describe_later(const struct interruption *r, bool last, char text[SENTENCE])
{
    const struct cell *cell = r->cell;
    const json_t *healed = last ? json_object_get(failures_of(cell), "healed") : NULL;
    const double after = tan_number_of(json_object_get(healed, "wave_us"), "median");
    const double change = after / cell->median - 1.0;
    char how[48] = "as long as";
    char time[2][TAN_PAGE_TIME];
    text[0] = '\0';
    if (!isfinite(change)) {
        return;
    }
    if (change >= 1.0) {
        snprintf(how, sizeof how, "%.3g times as long as", 1.0 + change);
    } else if (fabs(change) >= 0.0005) {
        char share[32];
        snprintf(how, sizeof how, "%s %s than", tan_format_share(fabs(change), share, sizeof share),
                 change > 0.0 ? "longer" : "less time");
    }
    snprintf(text, SENTENCE, "Waves on the healed tree take %s before: %s instead of %s%s%s", how,
             tan_page_time(after, time[0]), tan_page_time(cell->median, time[1]),
             doubt_later(cell, healed), tan_page_untrusted(cell->untrusted));
}

/* Of several trees, those with the shortest and the longest recovery from the first failures. */
static void tell_range(struct page *p, const struct interruption *list, size_t n)
{
    double least = INFINITY;
    double most = 0.0;
    double wave = INFINITY;
    char at[32] = "";
    char time[2][TAN_PAGE_TIME];
    const struct interruption *shortest = NULL;
    const struct interruption *longest = NULL;
    for (size_t i = 0; i < n; i++) {
        wave = fmin(wave, list[i].wave);
    }
    for (size_t i = 0; i < n; i++) {
        double us[STEPS];
        if (list[i].wave != wave || !times_of(&list[i], NULL, us)) {
            continue;
        }
        if (!list[i].only) {
            snprintf(at, sizeof at, " at wave %.0f", wave);
        }
        if (sum_of(us) < least) {
            least = sum_of(us);
            shortest = &list[i];
        }
        if (sum_of(us) > most) {
            most = sum_of(us);
            longest = &list[i];
        }
    }
    if (shortest != NULL && longest != NULL && shortest->cell != longest->cell) {
        tan_page_answer(
            p,
            "%.80s recovers soonest from a silent process%s, after %s, and %.80s latest, "
            "after %s%s.",
            shortest->cell->topo, at, tan_page_time(least, time[0]), longest->cell->topo,
            tan_page_time(most, time[1]),
            tan_page_untrusted(shortest->cell->untrusted || longest->cell->untrusted));
    }
}

/* A single recovery is the answer; of several there is a paragraph each, too. */
static void tell_recoveries(struct page *p, const struct interruption *list, size_t n)
{
    tell_range(p, list, n);
    for (size_t i = 0; i < n; i++) {
        char steps_of[SENTENCE];
        char leaves[SENTENCE];
        char later[SENTENCE];
        describe_steps(&list[i], steps_of);
        describe_leaves(&list[i], leaves);
        describe_later(&list[i], i + 1 == n || list[i + 1].cell != list[i].cell, later);
        tan_page_answer(p, "%s.", steps_of);
        if (n > 1) {
            tan_page_remark(p, "%s. %s.%s%s%s", steps_of, leaves, *later != '\0' ? " " : "", later,
                            *later != '\0' ? "." : "");
            continue;
        }
        tan_page_answer(p, "%s.", leaves);
        if (*later != '\0') {
            tan_page_answer(p, "%s.", later);
        }
    }
}

/* Rows of the figure, measured and predicted. Returns their number. */
static size_t fill_rows(const struct interruption *list, size_t n, struct row *row)
{
    const char *const models[] = {NULL, tan_report_cell_models[CELL_TAN],
                                  tan_report_cell_models[CELL_OVERLAP]};
    size_t rows = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
            struct row *at = &row[rows];
            char wave[32] = "";
            if (!times_of(&list[i], models[m], at->us)) {
                continue;
            }
            if (!list[i].only) {
                snprintf(wave, sizeof wave, ", wave %.0f", list[i].wave);
            }
            snprintf(at->name, sizeof at->name, "%.30s%s", list[i].cell->topo, wave);
            if (models[m] != NULL) {
                snprintf(at->name, sizeof at->name, "%s", models[m]);
            }
            rows++;
        }
    }
    return rows;
}

/* Whether the shortest step would be too thin a bar beside the longest. */
static bool differ_widely(const struct row *row, size_t n)
{
    enum { TIMES = 20 };
    double least = INFINITY;
    double most = 0.0;
    for (size_t i = 0; i < n * STEPS; i++) {
        const double us = row[i / STEPS].us[i % STEPS];
        least = us > 0.0 ? fmin(least, us) : least;
        most = fmax(most, us);
    }
    return most > TIMES * least;
}

static void show_steps(struct page *p, const struct interruption *list, size_t n)
{
    struct row row[3 * RECOVERIES];
    const size_t rows = fill_rows(list, n, row);
    const bool log = differ_widely(row, rows);
    char caption[400];
    struct tan_chart c;
    snprintf(caption, sizeof caption,
             "%s, by fanout%s. Notice: until the root knows who is silent; reparent: until every "
             "process has its new parent; resend: until the missing leaves are in the result.%s",
             log ? "The measured time of each step" : "The measured steps, one after another",
             rows > n ? ", and below what the models predict" : "",
             log ? " A step without a mark did not take place." : "");
    tan_chart_init(&c, "recoveries", "Recovery from silent processes", caption);
    c.x.log = log;
    c.x.title = log ? "step (logarithmic), us" : "since the wave began, us";
    for (int k = 0; k < STEPS; k++) {
        tan_chart_add(&c, log ? TAN_POINTS : TAN_SPAN, steps[k].key);
        for (size_t i = 0; i < rows; i++) {
            const double place = (double)i + 1.0;
            const double end =
                row[i].us[0] + (k > 0 ? row[i].us[1] : 0) + (k > 1 ? row[i].us[2] : 0);
            const double span[TAN_CHART_COLUMNS] = {place, end - row[i].us[k], end};
            if (k == 0) {
                tan_chart_name(&c, &c.y, row[i].name);
            }
            if (log) {
                tan_chart_point(&c, row[i].us[k], place);
            } else if (row[i].us[k] > 0.0) {
                tan_chart_row(&c, span);
            }
        }
    }
    tan_page_chart(p, &c);
}

/* Draw a healed tree, process by process or level by level. */
static void show_tree(struct page *p, const struct cell *cell, const json_t *failures)
{
    const json_t *healed = json_object_get(failures, "healed");
    const json_t *parents = tan_array_of(healed, "parents");
    const json_t *processes = tan_array_of(healed, "processes");
    const size_t n = json_array_size(parents);
    int32_t *parent = calloc(n + 1, sizeof *parent);
    int32_t *number = calloc(n + 1, sizeof *number);
    int64_t levels[TAN_DRAWN_LEVELS];
    char title[120];
    char caption[320];
    char who[NUMBERS + 16];
    name_silent(tan_array_of(failures, "recoveries"), NAN, who);
    snprintf(title, sizeof title, "Healed tree of %.80s", cell->topo);
    snprintf(caption, sizeof caption,
             "The tree after %s fell silent, with --heal %.20s; the root above.", who,
             tan_text_of(failures, "heal"));
    for (size_t i = 0; i < n && parent != NULL && number != NULL; i++) {
        const double of = tan_number_at(parents, i);
        const double before = tan_number_at(processes, i);
        parent[i] = of >= 0.0 && of < (double)n ? (int32_t)of : -1;
        number[i] = before >= 0.0 && before < INT32_MAX ? (int32_t)before : (int32_t)i;
    }
    if (parent != NULL && number != NULL && n > 0 && n <= TAN_DRAWN_NODES) {
        const struct tan_tree_marks marks = {.number = number};
        const size_t used = strlen(caption);
        snprintf(caption + used, sizeof caption - used,
                 " Processes have the numbers that they had before.");
        tan_page_tree(p, "healed", title, caption, parent, (int32_t)n, &marks);
    } else if (parent != NULL && n > 0 && n < INT32_MAX) {
        const int drawn = tan_levels_of(parent, (int32_t)n, levels, TAN_DRAWN_LEVELS);
        if (drawn > 0) {
            tan_page_levels(p, "healed", title, caption, levels, drawn);
        }
    }
    free(parent);
    free(number);
}

void tan_show_failures(struct page *p, const struct source *s)
{
    struct interruption list[RECOVERIES + 1];
    size_t n = 0;
    size_t trees = 0;
    for (size_t i = 0; i < s->cells.n; i++) {
        n = add_recoveries(&s->cells.list[i], list, n);
    }
    if (n == 0) {
        return;
    }
    if (n > RECOVERIES) {
        tan_page_remark(p, "Only the first %d recoveries are shown.", RECOVERIES);
        n = RECOVERIES;
    }
    qsort(list, n, sizeof *list, by_fanout);
    tell_recoveries(p, list, n);
    show_steps(p, list, n);
    for (size_t i = 0; i < n && trees < TREES; i++) {
        if (i == 0 || list[i].cell != list[i - 1].cell) {
            show_tree(p, list[i].cell, failures_of(list[i].cell));
            trees++;
        }
    }
    tan_page_remark(p, "The waves below are those before the first failure.");
}
