/* target.c - settings of target systems as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "answer/fields.h"
#include "answer/figures_json.h"
#include "answer/json_parts.h"
#include "answer/phrases.h"
#include "answer/sureness.h"
#include "base/table.h"
#include "base/text.h"
#include "base/units.h"
#include "design/search/search.h"
#include "design/systems/setting.h"
#include "design/systems/setting_answer.h"

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

/* How well the target can build a given tree. */
static void print_export(const struct tan_target_answer *a, const struct tan_export *x, FILE *to)
{
    char setting[TAN_SETTING_TEXT];
    char wave[TAN_CELL];
    const char *title = a->problem.target->title;
    tan_setting_text(&x->setting, setting);
    if (x->result == TAN_EXPORT_EXACT) {
        tan_text_say(to, "\nExact: %s builds this tree.", title);
    } else {
        const bool equal = fabs(x->lost) <= TAN_SEARCH_EQUAL * x->given.wave;
        tan_text_say(to,
                     "\n%s: no setting of %s builds this tree (height %" PRId64 ", at most %" PRId64
                     " children). %s is the nearest%s, and its wave takes %s%s.",
                     x->result == TAN_EXPORT_APPROXIMATE ? "Approximate" : "Impossible", title,
                     x->given.height, x->given.max_fanout, setting,
                     x->result == TAN_EXPORT_APPROXIMATE ? "" : ", of another height",
                     equal ? "as long" : tan_exact_text(fabs(x->lost), wave),
                     equal           ? ""
                     : x->lost < 0.0 ? " less"
                                     : " more");
    }
}

/* Meaning of the time, and what it is if siblings are served in turn, where that may differ. */
static void print_shares(const struct tan_target_answer *a, int w, FILE *to)
{
    const struct tan_told *told = &a->way[w].told[0];
    char text[TAN_CELL];
    fprintf(to, ", %s", tan_target_priced(&a->problem, a->way[w].direction));
    if (tan_told_is_uncertain(&a->problem, told)) {
        fprintf(to, " if children share the link; %s if they are served one after the other",
                tan_exact_text(told->cost.in_turn, text));
    }
}

/* What a direction's settings govern, and in which order children are served; "" for round
 * trips. */
static const char *operation_text(const struct tan_target *target, int direction,
                                  char text[TAN_SENTENCE])
{
    const char *const *what = target->operation;
    text[0] = '\0';
    if (!tan_target_one_way(target)) {
        return text;
    }
    if (direction == (TAN_UP | TAN_DOWN)) {
        snprintf(text, TAN_SENTENCE, "%s, then %s", what[0], what[1]);
    } else if (direction == TAN_UP) {
        snprintf(text, TAN_SENTENCE, "%s, eager messages as they come", what[0]);
    } else if (target->senders > 1) {
        snprintf(text, TAN_SENTENCE, "%s, to %d children at a time", what[1], target->senders);
    } else {
        snprintf(text, TAN_SENTENCE, "%s, to one child after the other", what[1]);
    }
    return text;
}

static bool has_also_down(const struct tan_target *target, const struct tan_target_way *way)
{
    return target->also_down != NULL && (way->direction & TAN_UP) != 0;
}

/* The time of what else goes down the same tree. */
static void print_also_down(const struct tan_target_problem *p, const struct tan_target_way *way,
                            FILE *to)
{
    struct tan_shape_cost own;
    struct tan_shape_cost other;
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    if (!has_also_down(p->target, way) ||
        tan_target_cost(p, &way->told[0].setting, TAN_DOWN, &own, NULL) < 0) {
        return;
    }
    fprintf(to, "  Also:    %s goes down the same tree: %s", p->target->also_down,
            tan_exact_text(own.wave, text));
    if (way->by_default.setting.knob != NULL &&
        tan_target_cost(p, &way->by_default.setting, TAN_DOWN, &other, NULL) == 0) {
        fprintf(to, "; by default (%s) %s", tan_setting_text(&way->by_default.setting, setting),
                tan_exact_text(other.wave, text));
    }
    fputc('\n', to);
}

/* Of which trees the least one is searched. */
static const char *compared_trees(const struct tan_target_problem *p)
{
    return p->model->node != NULL ? "even levels evaluated" : "all";
}

/* What the default costs more than a setting; nothing if it is not predicted. */
static void print_default(const struct tan_target_way *way, FILE *to)
{
    const struct tan_told *other = &way->by_default;
    const double wave = way->told[0].cost.wave;
    const double more = other->cost.wave - wave;
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    if (other->setting.knob == NULL || !(wave > 0.0)) {
        return;
    }
    fprintf(to, "  Default: %s, %s: ", tan_setting_text(&other->setting, setting),
            tan_exact_text(other->cost.wave, text));
    if (fabs(more) > TAN_SEARCH_EQUAL * wave) {
        fprintf(to, "%s %s, ", tan_exact_text(fabs(more), text), more > 0.0 ? "longer" : "less");
    }
    fprintf(to, "%s\n", tan_slower_text(more / wave, false, text));
}

/* The setting with the least expected wave, and another: the one whose wave is the shortest without
 * failures, or the given one. */
struct expected {
    const struct tan_setting_failure *least, *other;
};

static const struct tan_setting_failure *failure_of(const struct tan_target_answer *a, int w,
                                                    const struct tan_setting *setting)
{
    for (int i = 0; i < a->n_failures[w]; i++) {
        if (tan_setting_same(&a->failure[w][i].setting, setting)) {
            return &a->failure[w][i];
        }
    }
    return NULL;
}

/* False without a probability of failures, and if both are equally good. */
static bool find_expected(const struct tan_target_answer *a, int w, struct expected *out)
{
    if (a->problem.p_down == 0.0 || a->n_failures[w] == 0) {
        return false;
    }
    out->least = tan_least_expected(a->failure[w], a->n_failures[w]);
    out->other = failure_of(a, w, &a->shortest[w]);
    return out->other != NULL && out->other->expected > 1.01 * out->least->expected;
}

/* "With these failures (p = 0.0002) TreeWidth=64 has the least expected wave, 1.2 s; that of
 * TreeWidth=5, the fastest without them, is 2.5 s, 2.1x." */
static const char *expected_text(const struct tan_target_answer *a, const struct expected *x,
                                 char text[TAN_SENTENCE])
{
    char names[2][TAN_SETTING_TEXT];
    char times[2][TAN_CELL];
    char share[TAN_CELL];
    char doubt[80] = "";
    if (tan_is_extrapolated(&a->problem, x->least)) {
        snprintf(doubt, sizeof doubt, " (extrapolated: no fanout beyond %" PRId64 " was measured)",
                 a->problem.up->max_fanout);
    }
    snprintf(text, TAN_SENTENCE,
             "With these failures (p = %.3g) %s has the least expected wave, %s%s; that of %s%s is "
             "%s, %s.",
             a->problem.p_down, tan_setting_text(&x->least->setting, names[0]),
             tan_exact_text(x->least->expected, times[0]), doubt,
             tan_setting_text(&x->other->setting, names[1]),
             a->given ? "" : ", the fastest without them,",
             tan_exact_text(x->other->expected, times[1]),
             tan_slower_text(x->other->expected / x->least->expected - 1.0, false, share));
    return text;
}

/* False with a probability of failures, and if no setting that waits less is slower. */
static bool find_break_even(const struct tan_target_answer *a, int w, struct tan_break_even *out)
{
    *out = tan_break_even(a->failure[w], a->n_failures[w], &a->way[w].told[0].setting);
    return a->problem.p_down == 0.0 && out->instead != NULL;
}

/* With which failures both have the same expected wave, as rare ones do. */
static double break_even_p(const struct tan_target_answer *a, int w, const struct tan_break_even *x)
{
    return 1.0 / (x->waves * (double)(a->way[w].told[0].cost.processes - 1));
}

static const char *break_even_text(const struct tan_target_answer *a, int w,
                                   const struct tan_break_even *x, char text[TAN_SENTENCE])
{
    char names[2][TAN_SETTING_TEXT];
    char times[2][TAN_CELL];
    char waves[TAN_CELL];
    snprintf(text, TAN_SENTENCE,
             "%s saves %s a wave against %s and costs %s more, on average, in one that meets a "
             "process that is down: it is worth that while fewer than one wave in %s does "
             "(--failures p=%.2g).",
             tan_setting_text(&x->best->setting, names[0]), tan_exact_text(x->saved, times[0]),
             tan_setting_text(&x->instead->setting, names[1]),
             tan_exact_text(x->lost - x->saved, times[1]),
             tan_format_value(x->waves, x->waves / 10.0, waves, sizeof waves),
             break_even_p(a, w, x));
    return text;
}

void tan_report_expected(const struct tan_target_answer *a, int way, FILE *to)
{
    struct expected x;
    struct tan_break_even even;
    char text[TAN_SENTENCE] = "";
    if (find_expected(a, way, &x)) {
        expected_text(a, &x, text);
    } else if (find_break_even(a, way, &even)) {
        break_even_text(a, way, &even, text);
    }
    if (*text != '\0') {
        tan_text_say(to, "\n%s", text);
    }
}

static void set_expected(struct tan_json_writer *w, json_t *object,
                         const struct tan_target_answer *a, int way)
{
    struct expected x;
    struct tan_break_even even;
    char text[TAN_SENTENCE];
    char name[TAN_SETTING_TEXT];
    if (find_expected(a, way, &x)) {
        json_t *with = tan_json_set_object(w, object, "least_expected");
        tan_json_set_string(w, with, "setting", tan_setting_text(&x.least->setting, name));
        tan_report_set_us(w, with, "expected_us", x.least->expected);
        tan_json_set_string(w, with, "text", expected_text(a, &x, text));
    }
    if (find_break_even(a, way, &even)) {
        json_t *with = tan_json_set_object(w, object, "break_even");
        tan_json_set_string(w, with, "setting", tan_setting_text(&even.instead->setting, name));
        tan_json_set_real(w, with, "waves", even.waves);
        tan_json_set_real(w, with, "p", break_even_p(a, way, &even));
        tan_json_set_string(w, with, "text", break_even_text(a, way, &even, text));
    }
}

static void print_setting(const struct tan_target_answer *a, int w, FILE *to)
{
    const struct tan_target_way *way = &a->way[w];
    const struct tan_told *told = &way->told[0];
    char text[TAN_CELL];
    char setting[TAN_SETTING_TEXT];
    char operation[TAN_SENTENCE];
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
    print_shares(a, w, to);
    fputc('\n', to);
    if (*operation_text(a->problem.target, way->direction, operation) != '\0') {
        fprintf(to, "  For:     %s\n", operation);
    }
    fprintf(to, "  Tree:    height %" PRId64 ", at most %" PRId64 " children\n", told->cost.height,
            told->cost.max_fanout);
    print_default(way, to);
    fprintf(to, "  Load:    at most one wave every %s; %.1f processes behind a message\n",
            tan_exact_text(told->cost.period, text), tan_shape_behind(&told->cost));
    print_also_down(&a->problem, way, to);
    if (way->least.height > 0) {
        fprintf(to, "  Against: the best tree of %s, ", compared_trees(&a->problem));
        print_fanouts(&way->least, to);
        fprintf(to, ", %s: %s\n", tan_exact_text(way->least.wave, text),
                tan_slower_text(told->slower, false, setting));
    }
    tan_report_expected(a, w, to);
}

/* A setting and the tree that the target builds with it. */
struct setting_row {
    char label[TAN_NAME], setting[TAN_SETTING_TEXT];
    /* Seconds; in_turn: NaN where it is `wave`. */
    double wave, in_turn, period, slower, behind, default_wave;
    int64_t height, max_fanout, processes;
};

#define AT(member) offsetof(struct setting_row, member)
static const struct tan_field setting_fields[] = {
    {".target", "<target", TAN_FIELD_STRING, AT(label)},
    {".rule", "<rule", TAN_FIELD_STRING, AT(label)},
    {".label", "<", TAN_FIELD_STRING, AT(label)},
    {"setting", "<setting", TAN_FIELD_STRING, AT(setting)},
    {".best", "<best setting", TAN_FIELD_STRING, AT(setting)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"in_turn_us", "in turn", TAN_FIELD_TIME, AT(in_turn)},
    {"period_us", NULL, TAN_FIELD_TIME, AT(period)},
    {"slower", "against\nthe best", TAN_FIELD_SLOWER, AT(slower)},
    {"height", "height", TAN_FIELD_INT64, AT(height)},
    {"max_fanout", "most\nchildren", TAN_FIELD_INT64, AT(max_fanout)},
    {"processes", NULL, TAN_FIELD_INT64, AT(processes)},
    {"behind_message", NULL, TAN_FIELD_REAL, AT(behind)},
    {".default", "<default", TAN_FIELD_CELL, 0},
    {".default_wave", "its\nwave", TAN_FIELD_TIME, AT(default_wave)},
    {".of", "<waves are", TAN_FIELD_CELL, 0},
    {".counts", "<N counts", TAN_FIELD_CELL, 0},
    TAN_FIELDS_END,
};
#undef AT

static struct setting_row setting_row(const struct tan_target_problem *p,
                                      const struct tan_told *told)
{
    struct setting_row row = {.default_wave = NAN};
    row.wave = told->cost.wave;
    row.in_turn = tan_told_is_uncertain(p, told) ? told->cost.in_turn : NAN;
    row.period = told->cost.period;
    row.slower = told->slower;
    row.height = told->cost.height;
    row.max_fanout = told->cost.max_fanout;
    row.processes = told->cost.processes;
    row.behind = tan_shape_behind(&told->cost);
    tan_setting_text(&told->setting, row.setting);
    return row;
}

/* Name the defaults that are not predicted. */
static void print_no_tree(const struct tan_target_answer *a, FILE *to)
{
    for (int w = 0; w < a->n_ways; w++) {
        if (a->way[w].default_name != NULL) {
            tan_text_say(to,
                         "\nBy default, %s is used here, which is not a tree and not predicted.",
                         a->way[w].default_name);
        }
    }
}

static void print_told(const struct tan_target_answer *a, FILE *to)
{
    struct tan_listing table = tan_listing_create(
        setting_fields, tan_target_shares_link(&a->problem)
                            ? ".label setting wave_us slower height max_fanout in_turn_us"
                            : ".label setting wave_us slower height max_fanout");
    for (int w = 0; w < a->n_ways; w++) {
        const struct tan_target_way *way = &a->way[w];
        const char *direction = a->n_ways > 1 ? way_text(way->direction) : "";
        for (size_t i = 0; i < way->n_told; i++) {
            struct setting_row row = setting_row(&a->problem, &way->told[i]);
            snprintf(row.label, sizeof row.label, "%s", direction);
            tan_listing_add(&table, &row, NULL);
        }
        if (way->by_default.setting.knob != NULL) {
            struct setting_row row = setting_row(&a->problem, &way->by_default);
            snprintf(row.label, sizeof row.label, "%s%sdefault", direction,
                     a->n_ways > 1 ? ", " : "");
            tan_listing_add(&table, &row, NULL);
        }
    }
    fputs(a->given ? "\nCompared with the default:\n\n"
                   : "\nThe best value of each setting, and the default:\n\n",
          to);
    tan_listing_print(&table, to);
}

/* Where any tree can be set, but is not searched for. */
static void print_any_tree(const struct tan_target_answer *a, FILE *to)
{
    const struct tan_target *target = a->problem.target;
    for (const struct tan_knob *k = target->knobs; k->name != NULL && !a->given; k++) {
        if (k->split == NULL && tan_target_one_way(target)) {
            fprintf(to, "\n%s takes any tree: --tree SPEC prices and writes one of yours.\n",
                    k->name);
        }
    }
}

/* A row of the target's defaults and advice; false if it cannot be evaluated. */
static bool default_row(const struct tan_target_problem *p, const struct tan_default *d,
                        struct setting_row *row)
{
    const struct tan_setting s = tan_setting_default(p->target, d, p->members);
    struct tan_target_way way;
    if (tan_target_evaluate(p, &s, false, &way, NULL) < 0) {
        return false;
    }
    *row = setting_row(p, &way.told[0]);
    snprintf(row->label, sizeof row->label, "%s", d->name);
    return true;
}

static void print_defaults(const struct tan_target_answer *a, FILE *to)
{
    const struct tan_target *target = a->problem.target;
    struct tan_listing table = tan_listing_create(setting_fields, ".rule setting wave_us slower");
    int rows = 0;
    for (const struct tan_default *d = target->defaults; d != NULL && d->name != NULL; d++) {
        struct setting_row row;
        if (default_row(&a->problem, d, &row)) {
            tan_listing_add(&table, &row, NULL);
            rows++;
        }
    }
    if (rows > 0) {
        fputs("\nIts defaults, and what its documents advise:\n\n", to);
        tan_listing_print(&table, to);
    } else {
        tan_table_destroy(table.table);
    }
}

/* The constants of the formula in the system's documentation, for this machine. */
static void print_terms(const struct tan_target_answer *a, FILE *to)
{
    static const char *const headings[] = {"<constant", "value", "95 % interval", "<unit",
                                           "<meaning"};
    const struct tan_target *target = a->problem.target;
    struct tan_table *table;
    char text[TAN_CELL];
    char low[TAN_CELL];
    if (target->formula == NULL) {
        return;
    }
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
    tan_text_say(to, "\nThe constants of %s by its own formula, %s:\n", target->title,
                 target->formula);
    tan_table_print(table, to);
}

#define AT(member) offsetof(struct tan_setting_failure, member)
static const struct tan_field failure_fields[] = {
    {".setting", "<setting", TAN_FIELD_CELL, 0},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"most_lost", "behind one,\nat most", TAN_FIELD_INT64, AT(most_lost)},
    {"one_down_us", "wave with\none down", TAN_FIELD_TIME, AT(one_down)},
    {"expected_us", "expected\nwave", TAN_FIELD_TIME, AT(expected)},
    TAN_FIELDS_END,
};
#undef AT

/* The setting, and whether it is the best or given one, or the default. */
static const char *failure_label(const struct tan_target_answer *a,
                                 const struct tan_target_way *way,
                                 const struct tan_setting_failure *s, char label[TAN_NAME])
{
    char setting[TAN_SETTING_TEXT];
    const bool is_first = tan_setting_same(&s->setting, &way->told[0].setting);
    const bool is_default = tan_setting_same(&s->setting, &way->by_default.setting);
    snprintf(label, TAN_NAME, "%s%s%s%s", tan_setting_text(&s->setting, setting),
             !is_first  ? ""
             : a->given ? ", given"
                        : ", best",
             is_default ? ", default" : "",
             tan_is_extrapolated(&a->problem, s) ? ", extrapolated" : "");
    return label;
}

static void print_extrapolated(const struct tan_target_answer *a,
                               const struct tan_setting_failure *rows, int n, FILE *to)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        any |= tan_is_extrapolated(&a->problem, &rows[i]);
    }
    if (any) {
        fprintf(to, "Extrapolated: no fanout beyond %" PRId64 " was measured.\n",
                a->problem.up->max_fanout);
    }
}

/* What a failure costs by the setting. */
static void print_failure_settings(const struct tan_target_answer *a, FILE *to)
{
    char which[TAN_CELL] = "";
    for (int w = 0; w < a->n_ways; w++) {
        const struct tan_target_way *way = &a->way[w];
        if (a->n_failures[w] == 0) {
            continue;
        }
        struct tan_listing table = tan_listing_create(
            failure_fields, ".setting= wave_us most_lost one_down_us expected_us");
        for (int i = 0; i < a->n_failures[w]; i++) {
            char label[TAN_NAME];
            const char *const cells[] = {failure_label(a, way, &a->failure[w][i], label)};
            tan_listing_add(&table, &a->failure[w][i], cells);
        }
        if (a->problem.p_down > 0.0) {
            snprintf(which, sizeof which, ", each but the root down with p = %.3g",
                     a->problem.p_down);
        }
        fprintf(to, "\nWhen processes fail%s%s%s:\n\n", a->n_ways > 1 ? " on the way " : "",
                a->n_ways > 1 ? way_text(way->direction) : "", which);
        tan_listing_print(&table, to);
        print_extrapolated(a, a->failure[w], a->n_failures[w], to);
    }
}

/* What the system does when a process fails. */
static void print_failure(const struct tan_target *target, FILE *to)
{
    tan_text_say(to, "\nIf a process fails: %s",
                 target->failure != NULL ? target->failure : "what it does is not known here.");
}

/* " The runner-up, TreeWidth=11, ..."; "" if there is none. */
static const char *runner_up_text(const struct tan_target_way *way, char text[TAN_SENTENCE])
{
    const struct tan_runner_up *next = &way->runner_up;
    char setting[TAN_SETTING_TEXT];
    text[0] = '\0';
    if (next->setting.knob != NULL) {
        tan_runner_up_text(tan_setting_text(&next->setting, setting), next->share,
                           next->mean_regret, next->slower, text);
    }
    return text;
}

/* How sure a setting is by the draws of the parameters. */
static void print_drawn(const struct tan_target_way *way, bool expected, FILE *to)
{
    char next[TAN_SENTENCE];
    char setting[TAN_SETTING_TEXT];
    char mean[TAN_CELL];
    char most[TAN_CELL];
    tan_text_say(
        to,
        "\nHow sure: %s %s with a probability of %.0f %%, if waves cost what the "
        "model says; choosing it costs %s on average and at most %s in 95 of 100 cases. %s",
        tan_setting_text(&way->told[0].setting, setting),
        expected ? "has the least expected wave" : "is the best setting", 100.0 * way->share,
        tan_format_share(way->mean_regret, mean, sizeof mean),
        tan_format_share(way->regret95, most, sizeof most), runner_up_text(way, next));
}

void tan_report_sureness(const struct tan_target_answer *a, FILE *to)
{
    char setting[TAN_SETTING_TEXT];
    char next[TAN_SENTENCE];
    for (int w = 0; w < a->n_ways; w++) {
        const struct tan_target_way *way = &a->way[w];
        if (!isnan(way->share)) {
            print_drawn(way, a->problem.p_down > 0.0 && a->n_failures[w] > 0, to);
            continue;
        }
        tan_sensitivities_print(way->sensitivity, way->n_sensitivities, a->problem.up->method,
                                tan_setting_text(&way->told[0].setting, setting), to);
        if (*runner_up_text(way, next) != '\0') {
            tan_text_wrap(to, next, 0, 0);
        }
    }
}

/* The lines for the configuration, without comments. */
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
        fprintf(to, "    ... %d more line%s\n", lines - MOST, lines == MOST + 1 ? "" : "s");
    }
    tan_text_say(to, "\n%s", a->problem.target->read_back);
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
    print_any_tree(answer, to);
    print_defaults(answer, to);
    print_terms(answer, to);
    print_failure(answer->problem.target, to);
    print_failure_settings(answer, to);
    tan_report_sureness(answer, to);
    if (answer->way[0].least.height > 0) {
        tan_report_flat(NULL, answer->flat_until, answer->flat_ci95, to);
    }
    print_lines(answer, to);
}

void tan_report_targets(const struct tan_target_row *rows, size_t n, FILE *to)
{
    struct tan_listing table = tan_listing_create(
        setting_fields, ".target .best wave_us .default= .default_wave .of= height .counts=");
    for (size_t i = 0; i < n; i++) {
        const struct tan_target_problem *p = &rows[i].problem;
        for (int w = 0; w < rows[i].n_ways; w++) {
            const struct tan_target_way *way = &rows[i].way[w];
            const struct tan_told *other = &way->by_default;
            const bool known = other->setting.knob != NULL;
            char setting[TAN_SETTING_TEXT];
            const char *const cells[] = {known ? tan_setting_text(&other->setting, setting)
                                         : way->default_name != NULL ? way->default_name
                                                                     : "-",
                                         tan_target_priced(p, way->direction), p->target->member};
            struct setting_row row = setting_row(p, &way->told[0]);
            row.default_wave = known ? other->cost.wave : NAN;
            snprintf(row.label, sizeof row.label, "%s%s%s", p->target->name,
                     rows[i].n_ways > 1 ? ", " : "",
                     rows[i].n_ways > 1 ? way_text(way->direction) : "");
            tan_listing_add(&table, &row, cells);
        }
    }
    fputc('\n', to);
    tan_listing_print(&table, to);
    fputs(
        "\ntan-design --target NAME says more of one, and what to write into its configuration.\n",
        to);
}

/* JSON */

static void set_told(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                     const struct tan_told *told)
{
    const struct setting_row row = setting_row(p, told);
    tan_fields_set(w, object, setting_fields, &row);
}

static void set_sureness(struct tan_json_writer *w, json_t *object,
                         const struct tan_target_problem *p, const struct tan_target_way *way)
{
    const struct tan_runner_up *next = &way->runner_up;
    char setting[TAN_SETTING_TEXT];
    if (!isnan(way->share)) {
        tan_json_set_real(w, object, "probability", way->share);
        tan_json_set_real(w, object, "mean_regret", way->mean_regret);
        tan_json_set_real(w, object, "regret_95", way->regret95);
    }
    if (next->setting.knob != NULL) {
        json_t *row = tan_json_set_object(w, object, "runner_up");
        tan_json_set_string(w, row, "setting", tan_setting_text(&next->setting, setting));
        tan_json_set_fixed(w, row, "slower", next->slower, 6);
        if (!isnan(next->share)) {
            tan_json_set_fixed(w, row, "probability", next->share, 4);
            tan_json_set_fixed(w, row, "mean_regret", next->mean_regret, 6);
        }
    }
    tan_sensitivities_set(w, object, way->sensitivity, way->n_sensitivities, p->up->method,
                          tan_setting_text(&way->told[0].setting, setting));
}

/* The times of what else goes down the same trees. */
static void set_also_down(struct tan_json_writer *w, json_t *object,
                          const struct tan_target_problem *p, const struct tan_target_way *way)
{
    struct tan_shape_cost cost;
    if (!has_also_down(p->target, way)) {
        return;
    }
    json_t *also = tan_json_set_object(w, object, "also_down");
    tan_json_set_string(w, also, "what", p->target->also_down);
    w->failed |= tan_target_cost(p, &way->told[0].setting, TAN_DOWN, &cost, NULL) < 0;
    tan_report_set_us(w, also, "wave_us", cost.wave);
    if (way->by_default.setting.knob != NULL) {
        w->failed |= tan_target_cost(p, &way->by_default.setting, TAN_DOWN, &cost, NULL) < 0;
        tan_report_set_us(w, also, "default_us", cost.wave);
    }
}

static void set_way(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                    const struct tan_target_way *way)
{
    char text[TAN_SENTENCE];
    tan_json_set_string(w, object, "direction", tan_direction_names[way->direction]);
    tan_json_set_string(w, object, "priced", tan_target_priced(p, way->direction));
    if (*operation_text(p->target, way->direction, text) != '\0') {
        tan_json_set_string(w, object, "operation", text);
    }
    set_told(w, object, p, &way->told[0]);
    set_also_down(w, object, p, way);
    if (way->ci95.low <= way->ci95.high) {
        json_t *low = tan_json_us_digits(way->ci95.low, TAN_JSON_DIGITS);
        tan_json_set_pair(w, object, "wave_ci95_us", low,
                          tan_json_us_digits(way->ci95.high, TAN_JSON_DIGITS));
    }
    set_sureness(w, object, p, way);
    if (way->least.height > 0) {
        json_t *best = tan_json_set_object(w, object, "best_tree");
        tan_report_set_us(w, best, "wave_us", way->least.wave);
        tan_json_set_string(w, best, "of", compared_trees(p));
        json_t *fanouts = tan_json_set_array(w, best, "fanouts");
        for (int i = 0; i < way->least.height; i++) {
            tan_json_append(w, fanouts, json_integer(way->least.fanout[i]));
        }
    }
    json_t *others = tan_json_set_array(w, object, "others");
    for (size_t i = 1; i < way->n_told; i++) {
        set_told(w, tan_json_append_object(w, others), p, &way->told[i]);
    }
    if (way->by_default.setting.knob != NULL) {
        set_told(w, tan_json_set_object(w, object, "untold"), p, &way->by_default);
    }
    tan_json_set_string(w, object, "default_algorithm", way->default_name);
}

/* The target's defaults, and what its documents advise. */
static void set_advised(struct tan_json_writer *w, json_t *object,
                        const struct tan_target_problem *p)
{
    json_t *advised = tan_json_set_array(w, object, "advised");
    for (const struct tan_default *d = p->target->defaults; d != NULL && d->name != NULL; d++) {
        struct setting_row row;
        if (default_row(p, d, &row)) {
            json_t *rule = tan_json_append_object(w, advised);
            tan_json_set_string(w, rule, "rule", row.label);
            tan_fields_set(w, rule, setting_fields, &row);
        }
    }
}

/* The wave time by the value of the recommended setting, if it takes one. */
static void set_curve(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                      const struct tan_target_way *way)
{
    const struct tan_knob *knob = way->told[0].setting.knob;
    const double most = fmin((double)knob->most, (double)p->members);
    if (knob->split == NULL || knob->most == 0) {
        return;
    }
    json_t *curve = tan_json_set_object(w, object, "by_value");
    tan_json_set_string(w, curve, "setting", knob->name);
    json_t *values = tan_json_set_array(w, curve, "value");
    json_t *waves = tan_json_set_array(w, curve, "wave_us");
    for (double value = (double)knob->least; value <= most; value = fmax(value * 1.07, value + 1)) {
        const struct tan_setting setting = {knob, (int64_t)value};
        struct tan_shape_cost cost;
        if (tan_target_cost(p, &setting, way->direction, &cost, NULL) < 0) {
            w->failed = true;
            return;
        }
        tan_json_append(w, values, json_integer(setting.value));
        tan_json_append(w, waves, tan_json_us_digits(cost.wave, TAN_REPORT_DIGITS));
    }
}

static void set_failure_settings(struct tan_json_writer *w, json_t *object,
                                 const struct tan_target_answer *a, int index)
{
    json_t *list = tan_json_set_array(w, object, "failure_by_setting");
    for (int i = 0; i < a->n_failures[index]; i++) {
        const struct tan_setting_failure *s = &a->failure[index][i];
        char setting[TAN_SETTING_TEXT];
        json_t *entry = tan_json_append_object(w, list);
        tan_json_set_string(w, entry, "setting", tan_setting_text(&s->setting, setting));
        tan_fields_set(w, entry, failure_fields, s);
        tan_json_set_true(w, entry, "extrapolated", tan_is_extrapolated(&a->problem, s));
    }
    set_expected(w, object, a, index);
}

/* The tree of one direction; if it is small enough to be drawn, also the critical path of its
 * wave. */
static void set_tree(struct tan_json_writer *w, json_t *object, const struct tan_target_answer *a,
                     int way, bool down)
{
    const struct tan_target_problem *p = &a->problem;
    const int32_t *parents = a->parents[way];
    if (parents == NULL) {
        return;
    }
    tan_report_set_numbers(w, object, down ? "down_parents" : "parents", parents,
                           a->processes[way]);
    tan_figures_set_critical(w, object, down ? "down_critical" : "critical", parents,
                             a->processes[way], p->model, down ? p->down : p->up);
}

static void set_terms(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                      const struct tan_target_way *way)
{
    if (p->target->formula == NULL) {
        return;
    }
    tan_json_set_string(w, object, "formula", p->target->formula);
    json_t *terms = tan_json_set_array(w, object, "terms");
    for (const struct tan_term *t = p->target->terms; t->name != NULL; t++) {
        struct tan_interval ci95;
        const double value = tan_term_value(t, p, way, &ci95);
        if (isnan(value)) {
            continue;
        }
        json_t *term = tan_json_append_object(w, terms);
        tan_json_set_string(w, term, "name", t->name);
        tan_json_set_real(w, term, "value", value);
        if (ci95.low <= ci95.high) {
            tan_json_set_pair(w, term, "ci95", json_real(ci95.low), json_real(ci95.high));
        }
        tan_json_set_string(w, term, "unit", t->unit);
        tan_json_set_string(w, term, "meaning", t->meaning);
    }
}

static void set_head(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p)
{
    tan_json_set_string(w, object, "name", p->target->name);
    tan_json_set_string(w, object, "title", p->target->title);
    tan_json_set_string(w, object, "asked", p->asked);
    tan_json_set_int(w, object, p->target->population == TAN_ALL_MEMBERS ? "members" : "leaves",
                     p->members);
    tan_json_set_string(w, object, "counts", p->target->member);
}

json_t *tan_target_to_json(const struct tan_target_answer *answer,
                           const struct tan_provenance *from, const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-target/1", 0, answer->problem.model, from, doubts);
    tan_json_set_string(&w, top, "model", answer->problem.model->name);
    if (answer->problem.p_down > 0.0) {
        tan_json_set_real(&w, tan_json_set_object(&w, top, "failures"), "p",
                          answer->problem.p_down);
    }
    json_t *target = tan_json_set_object(&w, top, "target");
    set_head(&w, target, &answer->problem);
    tan_json_set_true(&w, target, "given", answer->given);
    set_way(&w, target, &answer->problem, &answer->way[0]);
    set_advised(&w, target, &answer->problem);
    set_curve(&w, target, &answer->problem, &answer->way[0]);
    set_terms(&w, target, &answer->problem, &answer->way[0]);
    tan_json_set_string(&w, target, "failure", answer->problem.target->failure);
    set_failure_settings(&w, target, answer, 0);
    set_tree(&w, target, answer, 0, false);
    if (answer->n_ways > 1) {
        json_t *down = tan_json_set_object(&w, target, "down");
        set_way(&w, down, &answer->problem, &answer->way[1]);
        set_curve(&w, down, &answer->problem, &answer->way[1]);
        set_terms(&w, down, &answer->problem, &answer->way[1]);
        set_failure_settings(&w, down, answer, 1);
        set_tree(&w, target, answer, 1, true);
    } else if (answer->way[0].direction == TAN_DOWN) {
        set_tree(&w, target, answer, 0, true);
    }
    if (answer->exported) {
        const struct tan_export *x = &answer->export[0];
        json_t *given = tan_json_set_object(&w, target, "export");
        tan_json_set_string(&w, given, "result", tan_exported_names[x->result]);
        tan_report_set_us(&w, given, "given_wave_us", x->given.wave);
        tan_report_set_us(&w, given, "lost_us", x->lost);
        tan_json_set_int(&w, given, "given_height", x->given.height);
        tan_json_set_int(&w, given, "given_max_fanout", x->given.max_fanout);
    }
    const bool flat = answer->way[0].least.height > 0;
    if (flat) {
        tan_json_set_int(&w, target, "flat_until", answer->flat_until);
    }
    if (flat && answer->flat_ci95.low <= answer->flat_ci95.high) {
        tan_json_set_pair(&w, target, "flat_until_ci95",
                          json_integer((json_int_t)answer->flat_ci95.low),
                          json_integer((json_int_t)answer->flat_ci95.high));
    }
    tan_json_set(&w, target, "configuration", tan_json_text(answer->configuration));
    return tan_json_finish(&w, top);
}

json_t *tan_targets_to_json(const struct tan_target_row *rows, size_t n,
                            const struct tan_provenance *from, const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-targets/1", 0, rows[0].problem.model, from, doubts);
    json_t *targets = tan_json_set_array(&w, top, "targets");
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < rows[i].n_ways; k++) {
            json_t *row = tan_json_append_object(&w, targets);
            set_head(&w, row, &rows[i].problem);
            set_way(&w, row, &rows[i].problem, &rows[i].way[k]);
        }
    }
    return tan_json_finish(&w, top);
}
