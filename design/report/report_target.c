/* report_target.c - settings of target systems as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/report_target.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "design/report/phrases.h"
#include "design/search/search.h"
#include "design/targets/setting.h"
#include "design/targets/terms.h"

static const char *way_text(int direction)
{
    return direction == TAN_UP ? "up" : direction == TAN_DOWN ? "down" : "up and down";
}

static const char *members_text(const struct tan_target_problem *p, char text[TAN_NAME])
{
    snprintf(text, TAN_NAME, "%" PRId64 " %s", p->members, p->target->member);
    return text;
}

static void print_fanouts(const struct tan_least_tree *tree, FILE *to)
{
    for (int i = 0; i < tree->height; i++) {
        fprintf(to, "%s%" PRId64, i > 0 ? "x" : "", tree->fanout[i]);
    }
}

/* What became of a given tree. */
static void print_export(const struct tan_target_answer *a, const struct tan_export *x, FILE *to)
{
    char sentence[TAN_SENTENCE];
    char setting[TAN_SETTING_TEXT];
    char wave[TAN_CELL];
    const char *title = a->problem.target->title;
    tan_setting_text(&x->setting, setting);
    if (x->result == TAN_EXPORT_EXACT) {
        snprintf(sentence, sizeof sentence, "Exact: %s builds this tree.", title);
    } else {
        const bool equal = fabs(x->lost) <= TAN_SEARCH_EQUAL * x->wave;
        snprintf(sentence, sizeof sentence,
                 "%s: no setting of %s builds this tree (height %" PRId64 ", at most %" PRId64
                 " children). %s is the nearest%s, and its wave takes %s%s.",
                 x->result == TAN_EXPORT_APPROXIMATE ? "Approximate" : "Impossible", title,
                 x->given.height, x->given.max_fanout, setting,
                 x->result == TAN_EXPORT_APPROXIMATE ? "" : ", of another height",
                 equal ? "as long" : tan_exact_text(fabs(x->lost), wave),
                 equal           ? ""
                 : x->lost < 0.0 ? " less"
                                 : " more");
    }
    fputc('\n', to);
    tan_text_wrap(to, sentence, 0, 0);
}

/* What the time is, and its range where siblings have different trees below them. */
static void print_shares(const struct tan_target_answer *a, const struct tan_told *told, FILE *to)
{
    char text[TAN_CELL];
    fprintf(to, ", %s", tan_span_text(a->problem.up));
    if (tan_told_is_uncertain(&a->problem, told)) {
        fprintf(to, " if children share the link; %s if they are served one after the other",
                tan_exact_text(told->cost.in_turn, text));
    }
}

static void print_setting(const struct tan_target_answer *a, int w, FILE *to)
{
    const struct tan_target_way *way = &a->way[w];
    const struct tan_told *told = &way->told[0];
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    const bool both = way->direction == (TAN_UP | TAN_DOWN);
    if (a->exported) {
        print_export(a, &a->export[w], to);
    }
    fprintf(to, "\n%s%s%s: %s\n", a->given ? "Setting" : "Best setting", both ? "" : ", ",
            both ? "" : way_text(way->direction), tan_setting_text(&told->setting, setting));
    fprintf(to, "  Wave:    %s", tan_exact_text(told->cost.wave, text));
    if (tan_is_wide(way->ci95)) {
        fprintf(to, " (95 %% interval %s)", tan_interval_text(way->ci95, text));
    }
    print_shares(a, told, to);
    fprintf(to, "\n  Tree:    height %" PRId64 ", at most %" PRId64 " children\n",
            told->cost.height, told->cost.max_fanout);
    fprintf(to, "  Load:    waves at least %s apart; %.1f processes behind a message\n",
            tan_exact_text(told->cost.period, text), tan_shape_behind(&told->cost));
    fprintf(to, "  Against: the best tree of %s, ",
            a->problem.model->node != NULL ? "even levels" : "all");
    print_fanouts(&way->least, to);
    fprintf(to, ", %s: %s\n", tan_exact_text(way->least.wave, text),
            tan_slower_text(told->slower, false, setting));
}

static void told_cells(struct tan_table *table, const struct tan_target_problem *problem,
                       const struct tan_told *told)
{
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    tan_table_cell(table, "%s", tan_setting_text(&told->setting, setting));
    tan_table_cell(table, "%s", tan_exact_text(told->cost.wave, text));
    tan_table_cell(table, "%s", tan_slower_text(told->slower, false, text));
    tan_table_cell(table, "%" PRId64, told->cost.height);
    tan_table_cell(table, "%" PRId64, told->cost.max_fanout);
    if (problem->up->one_way) {
        tan_table_cell(
            table, "%s",
            tan_told_is_uncertain(problem, told) ? tan_exact_text(told->cost.in_turn, text) : "");
    }
}

/* Algorithms that no tree stands for. */
static void print_no_tree(const struct tan_target_answer *a, FILE *to)
{
    for (int w = 0; w < a->n_ways; w++) {
        if (a->way[w].default_name != NULL) {
            char sentence[TAN_SENTENCE];
            snprintf(sentence, sizeof sentence,
                     "By default, %s is used here, which is no tree and not predicted.",
                     a->way[w].default_name);
            fputc('\n', to);
            tan_text_wrap(to, sentence, 0, 0);
        }
    }
}

static void print_told(const struct tan_target_answer *a, FILE *to)
{
    static const char *const headings[] = {
        "<", "<setting", "wave", "against the\nbest tree", "height", "most\nchildren", "in turn",
    };
    const bool one_way = a->problem.up->one_way;
    struct tan_table *table = tan_table_create(headings, one_way ? 7 : 6);
    for (int w = 0; w < a->n_ways; w++) {
        const struct tan_target_way *way = &a->way[w];
        const char *direction = a->n_ways > 1 ? way_text(way->direction) : "";
        for (size_t i = 0; i < way->n_told; i++) {
            tan_table_cell(table, "%s", direction);
            told_cells(table, &a->problem, &way->told[i]);
        }
        if (way->by_default.setting.knob != NULL) {
            tan_table_cell(table, "%s%sdefault", direction, a->n_ways > 1 ? ", " : "");
            told_cells(table, &a->problem, &way->by_default);
        }
    }
    fputs(a->given ? "\nCompared with the default:\n\n"
                   : "\nThe best value of each setting, and the default:\n\n",
          to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void print_defaults(const struct tan_target_answer *a, FILE *to)
{
    static const char *const headings[] = {"<rule", "<setting", "wave", "against the\nbest tree"};
    const struct tan_target *target = a->problem.target;
    struct tan_table *table = tan_table_create(headings, 4);
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    int rows = 0;
    for (const struct tan_default *d = target->defaults; d != NULL && d->name != NULL; d++) {
        const struct tan_setting s = tan_setting_default(target, d, a->problem.members);
        struct tan_target_way way;
        if (tan_target_evaluate(&a->problem, &s, false, &way, NULL) < 0) {
            continue;
        }
        tan_table_cell(table, "%s", d->name);
        tan_table_cell(table, "%s", tan_setting_text(&s, setting));
        tan_table_cell(table, "%s", tan_exact_text(way.told[0].cost.wave, text));
        tan_table_cell(table, "%s", tan_slower_text(way.told[0].slower, false, text));
        rows++;
    }
    if (rows > 0) {
        fputs("\nIts defaults, and what its documents advise:\n\n", to);
        tan_table_print(table, to);
    }
    tan_table_destroy(table);
}

/* What the system's documents ask for, in their terms. */
static void print_terms(const struct tan_target_answer *a, FILE *to)
{
    static const char *const headings[] = {"<constant", "value", "95 % interval", "<unit",
                                           "<meaning"};
    const struct tan_target *target = a->problem.target;
    struct tan_table *table;
    char sentence[TAN_SENTENCE];
    char text[TAN_CELL];
    char low[TAN_CELL];
    if (target->formula == NULL) {
        return;
    }
    fputc('\n', to);
    table = tan_table_create(headings, 5);
    for (int w = 0; w < a->n_ways; w++) {
        for (const struct tan_term *t = target->terms; t->name != NULL; t++) {
            struct tan_interval ci95;
            const double value = tan_term_value(t, &a->problem, &a->way[w], &ci95);
            const double half = (ci95.high - ci95.low) / 2.0;
            const bool known = ci95.low <= ci95.high;
            if (isnan(value)) {
                continue;
            }
            tan_table_cell(table, "%s%s", t->name,
                           a->n_ways > 1 ? a->way[w].direction == TAN_UP ? ", up" : ", down" : "");
            tan_table_cell(table, "%s",
                           tan_format_value(value, known ? half : 0.0, text, sizeof text));
            if (known && half > 0.0) {
                tan_table_cell(table, "%s to %s", tan_format_value(ci95.low, half, low, sizeof low),
                               tan_format_value(ci95.high, half, text, sizeof text));
            } else {
                tan_table_cell(table, "%s", "");
            }
            tan_table_cell(table, "%s", t->unit);
            tan_table_cell(table, "%s", t->meaning);
        }
    }
    snprintf(sentence, sizeof sentence,
             "The constants of %s by its own formula, %s:", target->title, target->formula);
    tan_text_wrap(to, sentence, 0, 0);
    fputc('\n', to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

static void print_sureness(const struct tan_target_answer *a, FILE *to)
{
    char sentence[TAN_SENTENCE];
    char setting[TAN_SETTING_TEXT];
    char mean[TAN_CELL];
    char most[TAN_CELL];
    for (int w = 0; w < a->n_ways; w++) {
        const struct tan_target_way *way = &a->way[w];
        if (isnan(way->share)) {
            continue;
        }
        snprintf(
            sentence, sizeof sentence,
            "How sure: %s is the best setting with a probability of %.0f %%; choosing it costs "
            "%s in the mean and at most %s in 95 of 100 cases.",
            tan_setting_text(&way->told[0].setting, setting), 100.0 * way->share,
            tan_share_text(way->mean_regret, mean), tan_share_text(way->regret95, most));
        fputc('\n', to);
        tan_text_wrap(to, sentence, 0, 0);
    }
    tan_report_flat(NULL, a->flat_until, a->flat_ci95, to);
}

/* The lines that count. */
static void print_lines(const struct tan_target_answer *a, FILE *to)
{
    enum { MOST = 12 };
    const char *comment = a->problem.target->comment;
    int lines = 0;
    fputs("\nFor its configuration (--output FILE writes all of it, with comments):\n\n", to);
    for (const char *line = a->configuration; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool counts =
            length > 0 && (comment == NULL || strncmp(line, comment, strlen(comment)) != 0);
        if (counts && lines++ < MOST) {
            fprintf(to, "    %.*s\n", (int)length, line);
        }
        line += length + (line[length] == '\n');
    }
    if (lines > MOST) {
        fprintf(to, "    ... %d more lines\n", lines - MOST);
    }
    fputc('\n', to);
    tan_text_wrap(to, a->problem.target->read_back, 0, 0);
}

void tan_report_target(const struct tan_target_answer *answer, FILE *to)
{
    char text[TAN_NAME];
    fprintf(to, "\n%s, %s\n", answer->problem.target->title, members_text(&answer->problem, text));
    for (int w = 0; w < answer->n_ways; w++) {
        print_setting(answer, w, to);
    }
    print_told(answer, to);
    print_no_tree(answer, to);
    print_defaults(answer, to);
    print_terms(answer, to);
    print_sureness(answer, to);
    print_lines(answer, to);
}

void tan_report_targets(const struct tan_target_row *rows, size_t n, FILE *to)
{
    static const char *const headings[] = {
        "<target",  "<best setting", "wave",   "against the\nbest tree",
        "<default", "its\nwave",     "height", "<N counts"};
    struct tan_table *table = tan_table_create(headings, 8);
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    for (size_t i = 0; i < n; i++) {
        for (int w = 0; w < rows[i].n_ways; w++) {
            const struct tan_target_way *way = &rows[i].way[w];
            const struct tan_told *told = &way->told[0];
            tan_table_cell(table, "%s%s%s", rows[i].problem.target->name,
                           rows[i].n_ways > 1 ? ", " : "",
                           rows[i].n_ways > 1 ? way_text(way->direction) : "");
            tan_table_cell(table, "%s", tan_setting_text(&told->setting, setting));
            tan_table_cell(table, "%s", tan_exact_text(told->cost.wave, text));
            tan_table_cell(table, "%s", tan_slower_text(told->slower, false, text));
            if (way->by_default.setting.knob == NULL) {
                tan_table_cell(table, "%s", way->default_name != NULL ? way->default_name : "-");
                tan_table_cell(table, "-");
            } else {
                tan_table_cell(table, "%s", tan_setting_text(&way->by_default.setting, setting));
                tan_table_cell(table, "%s", tan_exact_text(way->by_default.cost.wave, text));
            }
            tan_table_cell(table, "%" PRId64, told->cost.height);
            tan_table_cell(table, "%s", rows[i].problem.target->member);
        }
    }
    fputc('\n', to);
    tan_table_print(table, to);
    tan_table_destroy(table);
    fputs(
        "\ntan-design --target NAME says more of one, and what to write into its configuration.\n",
        to);
}
