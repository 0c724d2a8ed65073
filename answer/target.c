/* target.c - settings of target systems, as an answer and as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/answer.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "design/systems/setting.h"

static const char *way_text(int direction)
{
    return direction == TAN_UP ? "up" : direction == TAN_DOWN ? "down" : "up and down";
}

/* "MPI_Reduce" */
static const char *way_name(const struct tan_target *target, int direction)
{
    const char *operation = target->operation[direction == TAN_DOWN];
    return operation != NULL ? operation : way_text(direction);
}

/* What a direction's settings govern, and in which order children are served; "" for round
 * trips. */
static struct tan_text operation_text(const struct tan_target_problem *p, int direction)
{
    const struct tan_target *target = p->target;
    const char *const *what = target->operation;
    direction = tan_target_passes(p, direction);
    if (!tan_target_one_way(target)) {
        return (struct tan_text){""};
    }
    return direction == (TAN_UP | TAN_DOWN) ? tan_printed("%s, then %s", what[0], what[1])
           : direction == TAN_UP ? tan_printed("%s, eager messages as they come", what[0])
           : target->senders > 1
               ? tan_printed("%s, to %d children at a time", what[1], target->senders)
               : tan_printed("%s, to %s", what[1],
                             tan_target_shares_link(p, p->down)
                                 ? "children that share their parent's link"
                                 : "one child after the other");
}

/* Whether the parameters were measured with smaller fanouts only. */
static bool is_beyond(const struct tan_target_problem *p, int64_t fanout)
{
    return p->up->max_fanout > 0 && fanout > p->up->max_fanout;
}

static bool has_also_down(const struct tan_target *target, const struct tan_target_way *way)
{
    return target->also_down != NULL && (way->direction & TAN_UP) != 0;
}

/* With a probability of failures the expected wave, where it is known. */
static double expected_or_wave(const struct tan_target_answer *a, int w,
                               const struct tan_priced *priced)
{
    const struct tan_setting_failure *row =
        tan_failure_of(a->failure[w], a->n_failures[w], &priced->setting);
    return a->problem.p_down > 0.0 && row != NULL ? row->expected : priced->cost.wave;
}

/* False with a probability of failures, and if no setting that waits less is slower, or the default
 * is kept beside a faster one. */
static bool find_break_even(const struct tan_target_answer *a, int w, struct tan_break_even *out)
{
    *out = tan_break_even(a->failure[w], a->n_failures[w], &a->way[w].priced[0].setting);
    return a->problem.p_down == 0.0 && (a->given || a->instead[w].setting.knob == NULL) &&
           out->instead != NULL;
}

/* With which failures both have the same expected wave, as rare ones do. */
static double break_even_p(const struct tan_target_answer *a, int w, const struct tan_break_even *x)
{
    return 1.0 / (x->waves * (double)(a->way[w].priced[0].cost.processes - 1));
}

static struct tan_text break_even_text(const struct tan_target_answer *a, int w,
                                       const struct tan_break_even *x)
{
    return tan_printed("If more than one wave in %s meets a process that is down, %s is better "
                       "(--failures p=%.2g).",
                       tan_value_text(x->waves, x->waves / 10.0).text,
                       tan_setting_text(&x->instead->setting).text, break_even_p(a, w, x));
}

/* A setting and the tree that the target builds with it. */
struct setting_row {
    const char *label;
    struct tan_priced priced; /* cost.in_turn: NaN where it is `wave` */
    struct tan_text by_default;
    double behind;
};

#define AT(member) offsetof(struct setting_row, member)
static const struct tan_field setting_fields[] = {
    {"label", "system", TAN_FIELD_NAME, AT(label)},
    {"setting", "best setting", TAN_FIELD_SETTING, AT(priced.setting)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(priced.cost.wave)},
    {"in_turn_us", "in turn", TAN_FIELD_TIME, AT(priced.cost.in_turn)},
    {"period_us", NULL, TAN_FIELD_TIME, AT(priced.cost.period)},
    {"default", "default", TAN_FIELD_STRING, AT(by_default)},
    {"slower", "against the best", TAN_FIELD_SLOWER, AT(priced.slower)},
    {"height", "height", TAN_FIELD_INT64, AT(priced.cost.height)},
    {"max_fanout", "most children", TAN_FIELD_INT64, AT(priced.cost.max_fanout)},
    {"processes", NULL, TAN_FIELD_INT64, AT(priced.cost.processes)},
    {"behind_message", NULL, TAN_FIELD_REAL, AT(behind)},
    TAN_FIELDS_END,
};
#undef AT

static struct setting_row setting_row(const struct tan_target_problem *p,
                                      const struct tan_priced *priced)
{
    struct setting_row row = {.priced = *priced};
    row.behind = tan_shape_behind(&priced->cost);
    if (!tan_priced_is_uncertain(p, priced)) {
        row.priced.cost.in_turn = NAN;
    }
    return row;
}

#define AT(member) offsetof(struct tan_setting_failure, member)
static const struct tan_field failure_fields[] = {
    {"setting", "setting", TAN_FIELD_SETTING, AT(setting)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"most_lost", "behind one, at most", TAN_FIELD_INT64, AT(most_lost)},
    {"wait_us", "delay, 1 down", TAN_FIELD_TIME, AT(wait)},
    {"expected_us", "expected wave", TAN_FIELD_TIME, AT(expected)},
    TAN_FIELDS_END,
};
#undef AT

static struct tan_text fanouts_text(const struct tan_least_tree *tree)
{
    struct tan_text text = {""};
    for (int i = 0; i < tree->height; i++) {
        text = tan_printed("%s%s%" PRId64, text.text, i > 0 ? "x" : "", tree->fanout[i]);
    }
    return text;
}

/* What N counts, without remarks: "nodes", of "nodes below the controller". */
static int noun_length(const char *member)
{
    static const char *const ends[] = {",", " (", " below ", " of "};
    size_t length = strlen(member);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const char *end = strstr(member, ends[i]);
        length = end != NULL && (size_t)(end - member) < length ? (size_t)(end - member) : length;
    }
    return (int)length;
}

/* Rows */

static void note_default(const struct tan_target_answer *a, const struct tan_target_way *way,
                         struct tan_answer_row *row, const struct tan_setting *setting)
{
    const struct tan_target *target = a->problem.target;
    const bool decided = target->decisions[way->direction == TAN_DOWN] != NULL;
    for (const struct tan_default *d = target->defaults; d != NULL && d->name != NULL; d++) {
        const struct tan_setting s = tan_setting_default(target, d, a->problem.members);
        if (tan_setting_same(&s, setting)) {
            tan_answer_note(row, d->name);
        }
    }
    if (decided && way->by_default.setting.knob != NULL &&
        tan_setting_same(&way->by_default.setting, setting)) {
        tan_answer_note(row, "default");
    }
}

/* Rows of one direction under construction. */
struct listing {
    struct tan_json_writer *w; /* fails when memory is short */
    const struct tan_target_answer *a;
    const struct tan_target_problem *p;
    const struct tan_target_way *way;
    struct tan_answer_rows *rows;
    size_t first; /* the row of the recommended setting */
};

/* Whether a wave is shorter than another, and reads so. */
static bool reads_shorter(double wave, double than)
{
    return wave < than && strcmp(tan_time_like(wave, than).text, tan_time_text(than).text) != 0;
}

/* Add a setting, or its name to the row of another one that builds the same tree. */
static void add_setting(const struct listing *l, const struct tan_setting *setting,
                        const struct tan_shape_cost *cost)
{
    struct tan_setting_failure failure = {.setting = *setting};
    const struct tan_text name = tan_setting_text(setting);
    const struct tan_shape_cost *first = &l->way->priced[0].cost;
    struct tan_answer_row *row =
        tan_answer_same(l->rows, l->first, cost->wave, cost->height, cost->max_fanout);
    if (row != NULL) {
        note_default(l->a, l->way, row, setting);
        if (strcmp(row->name, name.text) != 0) {
            tan_answer_note(row, name.text);
        }
        return;
    }
    row = tan_answer_row(l->rows, cost->wave);
    if (row == NULL) {
        return;
    }
    snprintf(row->name, sizeof row->name, "%.64s", name.text);
    row->height = cost->height;
    row->children = cost->max_fanout;
    row->most_lost = cost->max_below;
    note_default(l->a, l->way, row, setting);
    if (cost->height == 1) {
        tan_answer_note(row, "flat");
    }
    if (is_beyond(l->p, cost->max_fanout)) {
        tan_answer_note(row,
                        tan_printed("beyond the %" PRId64 " measured", l->p->up->max_fanout).text);
    }
    const int known = tan_setting_failure(l->p, l->way, &failure, NULL);
    if (known > 0) {
        row->wait = failure.wait;
        row->expected = failure.expected;
    }
    l->w->failed |= known < 0;
    if (!l->a->given &&
        reads_shorter(tan_answer_cost(row), tan_answer_cost(&l->rows->row[l->first]))) {
        tan_answer_note(row, l->p->network && cost->in_turn >= first->in_turn
                                 ? "faster if shared"
                                 : "faster, within error");
    }
}

static struct tan_shape_cost cost_of(const struct listing *l, const struct tan_setting *setting)
{
    struct tan_shape_cost cost = {.wave = NAN};
    l->w->failed |= tan_target_cost(l->p, setting, l->way->direction, &cost, NULL) < 0;
    return cost;
}

static void add_priced(const struct listing *l, const struct tan_setting *setting)
{
    const struct tan_shape_cost cost = cost_of(l, setting);
    add_setting(l, setting, &cost);
}

/* Of the values beyond that of the first setting, in steps, the best one with the next height. */
static void add_next_height(const struct listing *l, bool wider)
{
    const struct tan_priced *priced = &l->way->priced[0];
    const struct tan_knob *knob = priced->setting.knob;
    const double most = (double)tan_setting_widest(knob, l->p->members);
    struct tan_setting best = {NULL, 0};
    struct tan_shape_cost least = {.wave = INFINITY};
    for (double value = (double)priced->setting.value;;) {
        value =
            wider ? fmax(floor(value * 1.03), value + 1.0) : fmin(ceil(value / 1.03), value - 1.0);
        const struct tan_setting setting = {knob, (int64_t)value};
        if (value > most || value < (double)knob->least) {
            break;
        }
        const struct tan_shape_cost cost = cost_of(l, &setting);
        if (best.knob != NULL && cost.height != least.height) {
            break;
        }
        if (cost.height != priced->cost.height && cost.wave < least.wave) {
            best = setting;
            least = cost;
        }
    }
    if (best.knob != NULL) {
        add_setting(l, &best, &least);
    }
}

/* Of the values whose expected waves are known, those with the least one of lower and of higher
 * trees. */
static void add_expected(const struct listing *l)
{
    const int w = (int)(l->way - l->a->way);
    const struct tan_priced *priced = &l->way->priced[0];
    const struct tan_setting_failure *least[2] = {NULL, NULL};
    for (int i = 0; i < l->a->n_failures[w]; i++) {
        const struct tan_setting_failure *row = &l->a->failure[w][i];
        const int higher = row->height > priced->cost.height;
        if (row->setting.knob == priced->setting.knob && row->height != priced->cost.height &&
            (least[higher] == NULL || row->expected < least[higher]->expected)) {
            least[higher] = row;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (least[i] != NULL) {
            add_priced(l, &least[i]->setting);
        }
    }
}

/* What the system sets by default, and its documents advise, as far as it is priced. */
static void add_defaults(const struct listing *l)
{
    const struct tan_priced *by_default = &l->way->by_default;
    const struct tan_target *target = l->p->target;
    if (by_default->setting.knob != NULL) {
        add_setting(l, &by_default->setting, &by_default->cost);
    }
    for (const struct tan_default *d = target->defaults; d != NULL && d->name != NULL; d++) {
        const struct tan_setting s = tan_setting_default(target, d, l->p->members);
        if ((s.knob->directions & l->way->direction) != 0 && s.knob->split != NULL) {
            add_priced(l, &s);
        }
    }
}

/* Beside a file with any tree: the best of even levels, and rules of thumb. */
static void add_trees(const struct listing *l)
{
    const struct tan_target_problem *p = l->p;
    const struct tan_least_tree *least = &l->way->least;
    struct tan_thumb thumbs[TAN_THUMBS];
    const size_t n = p->target->counts.population == TAN_LEAVES_APART ? tan_thumbs(thumbs) : 0;
    struct tan_answer_row *row =
        least->height > 0 ? tan_answer_same(l->rows, l->first, least->wave, least->height,
                                            l->way->priced[0].cost.max_fanout)
                          : NULL;
    if (row == NULL && least->height > 0 && (row = tan_answer_row(l->rows, least->wave)) != NULL) {
        row->height = least->height;
        tan_answer_note(row, "best of even levels");
    }
    if (row != NULL) {
        snprintf(row->name, sizeof row->name, "%.127s", fanouts_text(least).text);
    }
    for (size_t i = n; i-- > 0;) { /* common shapes come last in the table */
        struct tan_plan plan;
        tan_thumb_tree(&thumbs[i], p->members, &plan);
        tan_plan_price(&plan, p->model, p->up);
        row = tan_answer_same(l->rows, l->first, plan.wave, plan.height, plan.max_fanout);
        if (row == NULL && (row = tan_answer_row(l->rows, plan.wave)) != NULL) {
            row->height = plan.height;
            row->children = plan.max_fanout;
            snprintf(row->name, sizeof row->name, "%s", thumbs[i].name);
        } else if (row != NULL) {
            tan_answer_note(row, thumbs[i].name);
        }
    }
}

/* The first setting, one that is not preferred to it, the default, what documents advise, the one
 * with the shortest wave where failures decide, the best of the next heights or of lower and higher
 * trees, the best values of other settings, and the widest one. */
static void add_way(const struct listing *l, const struct tan_setting *shortest)
{
    const struct tan_target_way *way = l->way;
    const struct tan_knob *knob = way->priced[0].setting.knob;
    const bool values = knob->split != NULL && knob->most > 0;
    const struct tan_setting widest = {knob, tan_setting_widest(knob, l->p->members)};
    const struct tan_priced *best = &l->a->instead[way - l->a->way];
    add_setting(l, &way->priced[0].setting, &way->priced[0].cost);
    if (best->setting.knob != NULL) {
        add_setting(l, &best->setting, &best->cost);
    }
    add_defaults(l);
    if (shortest->knob != NULL && shortest->knob->split != NULL) {
        add_priced(l, shortest);
    }
    if (values && l->p->p_down > 0.0 && l->a->n_failures[way - l->a->way] > 0) {
        add_expected(l);
    } else if (values) {
        add_next_height(l, false);
        add_next_height(l, true);
    }
    for (size_t i = 1; i < way->n_priced; i++) {
        add_setting(l, &way->priced[i].setting, &way->priced[i].cost);
    }
    if (values) {
        add_priced(l, &widest);
    }
    if (knob->split == NULL) {
        add_trees(l);
    }
    for (size_t i = l->first; i < l->rows->n; i++) { /* half of the table for each direction */
        l->rows->row[i].rank = (int64_t)(i - l->first) * l->a->n_ways;
    }
    tan_answer_against(l->rows, l->first);
    for (size_t i = l->first; i < l->rows->n; i++) { /* where one that is faster is not sure */
        struct tan_answer_row *row = &l->rows->row[i];
        if (row->slower < 0.0 && !l->a->given) {
            const double first = tan_answer_cost(&l->rows->row[l->first]);
            row->slower = reads_shorter(tan_answer_cost(row), first) ? NAN : 0.0;
        }
    }
}

/* "TreeWidth" as the column's label and "4" in it, in place of "TreeWidth=4", if all rows are of
 * that setting. */
static struct tan_text shorten(struct tan_answer_rows *rows, const struct tan_knob *knob)
{
    const size_t length = strlen(knob->name);
    for (size_t i = 0; i < rows->n; i++) {
        if (strncmp(rows->row[i].name, knob->name, length) != 0 ||
            rows->row[i].name[length] == '\0') {
            return (struct tan_text){"setting"};
        }
    }
    for (size_t i = 0; i < rows->n; i++) {
        memmove(rows->row[i].name, rows->row[i].name + length,
                strlen(rows->row[i].name + length) + 1);
    }
    return tan_printed("%.*s", (int)strcspn(knob->name, "=:"), knob->name);
}

/* A wait that is the same in all rows is a sentence. */
static void say_waits(struct tan_json_writer *w, json_t *answer, struct tan_answer_rows *rows)
{
    bool same = rows->n > 1;
    for (size_t i = 1; i < rows->n; i++) {
        same &= rows->row[i].wait == rows->row[0].wait;
    }
    if (same) {
        tan_reply_say(w, answer, TAN_PART_REMARKS,
                      "One that is down delays a wave by %s, whatever the tree.",
                      tan_time_text(rows->row[0].wait).text);
    }
    for (size_t i = 0; i < rows->n && same; i++) {
        rows->row[i].wait = NAN;
    }
}

static void say_rows(struct tan_json_writer *w, json_t *answer, const struct tan_target_answer *a)
{
    struct tan_answer_rows rows = {.n = 0};
    for (int i = 0; i < a->n_ways; i++) {
        const struct listing l = {w, a, &a->problem, &a->way[i], &rows, rows.n};
        add_way(&l, &a->shortest[i]);
    }
    const struct tan_text label = shorten(&rows, a->way[0].priced[0].setting.knob);
    say_waits(w, answer, &rows);
    tan_answer_table(w, answer, &rows,
                     tan_printed("name:%s wave_us expected_us slower height %s wait_us note",
                                 label.text, strcmp(label.text, "setting") == 0 ? "children" : "")
                         .text);
}

/* Sentences */

/* "5" for TreeWidth=5 after a setting of the same name, else all of it. */
static struct tan_text other_text(const struct tan_setting *setting, const struct tan_setting *like)
{
    return setting->knob == like->knob && setting->knob->most > 0
               ? tan_printed("%" PRId64, setting->value)
               : tan_setting_text(setting);
}

/* "set TreeWidth=5", "keep the default, TreeWidth=16", "TreeWidth=16" if it was given, and for a
 * system that takes any tree "a tree of height 6 with at most 6 children". */
static struct tan_text advice_text(const struct tan_target_answer *a,
                                   const struct tan_target_way *way, bool same)
{
    const struct tan_priced *priced = &way->priced[0];
    const struct tan_text setting = tan_setting_text(&priced->setting);
    if (way->by_default.setting.knob == NULL && way->default_name != NULL && !a->given) {
        return tan_printed("the best of its settings is %s", setting.text);
    }
    if (priced->setting.knob->split == NULL) {
        return tan_printed("%s tree has height %" PRId64 " and at most %" PRId64 " children (%s)",
                           a->given ? "the" : "the best", priced->cost.height,
                           priced->cost.max_fanout, setting.text);
    }
    return tan_printed("%s%s", a->given ? "" : same ? "keep the default, " : "set ", setting.text);
}

/* "; TreeWidth=5 takes 33.5 us (-0.3 %), within what the model errs (8 %)." */
static struct tan_text kept_text(const struct tan_target_answer *a, int i)
{
    const struct tan_priced *best = &a->instead[i];
    const double wave = expected_or_wave(a, i, &a->way[i].priced[0]);
    const double least = expected_or_wave(a, i, best);
    const double share = 1.0 - least / wave;
    const double error = a->problem.error;
    const bool shared = a->problem.network &&
                        tan_priced_longer(&a->problem, &a->way[i].priced[0], best, false) <= 0.0;
    const struct tan_text setting = tan_setting_text(&best->setting);
    if (share <= (shared ? TAN_SEARCH_EQUAL : TAN_DEFAULT_LEAST)) {
        return tan_printed("; %s is %s.", setting.text,
                           share <= TAN_SEARCH_EQUAL ? "as fast" : "less than 1 % faster");
    }
    return tan_printed("; %s takes %s, %s less, %s.", setting.text, tan_time_like(least, wave).text,
                       tan_share_text(share).text,
                       shared ? "only if children share their parent's link"
                              : tan_printed("within what the model errs (%s%s)",
                                            tan_share_text(error).text,
                                            share > error ? " of each" : "")
                                    .text);
}

static void say_advice(struct tan_json_writer *w, json_t *answer, const struct tan_target_answer *a,
                       int i)
{
    const struct tan_target_way *way = &a->way[i];
    const struct tan_priced *priced = &way->priced[0];
    const struct tan_priced *other = &way->by_default;
    const bool known = other->setting.knob != NULL;
    const bool expected = a->problem.p_down > 0.0 &&
                          tan_failure_of(a->failure[i], a->n_failures[i], &priced->setting) != NULL;
    const double wave = expected_or_wave(a, i, priced);
    const double others = expected_or_wave(a, i, other);
    const bool same = known && tan_setting_same(&priced->setting, &other->setting);
    const char *member = a->problem.target->counts.member;
    const struct tan_shared_hosts *hosts = a->problem.shared;
    struct tan_text over = {""};
    struct tan_text than = {"."};
    struct tan_text start = advice_text(a, way, same);
    if (a->n_ways > 1) {
        start = tan_printed("%s: %.200s", way_name(a->problem.target, way->direction), start.text);
    }
    if (!a->given || a->n_ways > 1 || priced->setting.knob->split == NULL) {
        start.text[0] = (char)toupper((unsigned char)start.text[0]);
    }
    if (i == 0) {
        over = tan_printed(
            "a wave over %" PRId64 " %.*s %s%s ", a->problem.members, noun_length(member), member,
            tan_target_shares_hosts(&a->problem)
                ? tan_printed("on %" PRId32 " host%s ", hosts->n, tan_plural(hosts->n)).text
                : "",
            expected ? "is expected to take" : "takes");
    }
    if (!a->given && a->instead[i].setting.knob != NULL) {
        than = kept_text(a, i);
    } else if (same) {
        than = tan_printed(a->given ? ", the default." : "; no other setting is faster.");
    } else if (known) {
        than = tan_printed(
            "; by default (%s) %s (%s).", other_text(&other->setting, &priced->setting).text,
            tan_time_like(others, wave).text, tan_slower_text(others / wave - 1.0).text);
    } else if (way->default_name != NULL) {
        than = tan_printed("; by default %s is used, which is not predicted.", way->default_name);
    }
    tan_reply_say(w, answer, TAN_PART_FIRST, "%s: %s%s%s", start.text, over.text,
                  tan_time_text(wave).text, than.text);
}

/* What comes before all settings where ranks share hosts. */
static void say_replaced(struct tan_json_writer *w, json_t *answer,
                         const struct tan_target_answer *a)
{
    const struct tan_target_way *way = &a->way[0];
    const struct tan_target *target = a->problem.target;
    const char *by = target->shared.by[way->direction == TAN_DOWN];
    if (a->problem.shared != NULL && target->shared.off != NULL && way->default_name == by) {
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "While %s is used these lines have no effect: %s switches it off. Measure "
                      "both.",
                      by, target->shared.off);
    }
}

/* How well the target can build the given tree. */
static void say_export(struct tan_json_writer *w, json_t *answer, const struct tan_target_answer *a,
                       int i)
{
    const struct tan_export *x = &a->export[i];
    const bool equal = x->lost == 0.0;
    const bool near = x->result == TAN_EXPORT_APPROXIMATE;
    const char *title = a->problem.target->title;
    if (x->result == TAN_EXPORT_EXACT) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "Exact: %s builds this tree.", title);
        return;
    }
    tan_reply_say(w, answer, TAN_PART_FIRST,
                  "%s: no setting of %s builds this tree (height %" PRId64 ", at most %" PRId64
                  " children). %s is the nearest%s, and its wave takes %s%s.",
                  near ? "Approximate" : "Impossible", title, x->given.height, x->given.max_fanout,
                  tan_setting_text(&x->setting).text, near ? "" : ", of another height",
                  equal ? "as long" : tan_time_text(fabs(x->lost)).text,
                  equal           ? ""
                  : x->lost < 0.0 ? " less"
                                  : " more");
}

/* What the times of all directions stand for. */
static void say_meaning(struct tan_json_writer *w, json_t *answer,
                        const struct tan_target_answer *a)
{
    const struct tan_target_problem *p = &a->problem;
    struct tan_text text[2] = {{""}, {""}};
    for (int i = 0; i < a->n_ways; i++) {
        text[i] = operation_text(p, a->way[i].direction);
    }
    const bool delayed = p->p_down > 0.0 && a->n_failures[0] > 0 && tan_target_halves(p);
    tan_reply_say(w, answer, TAN_PART_REMARKS, "A wave's time: %s%s%s%s%s%s.",
                  tan_target_priced(p, a->way[0].direction),
                  delayed ? "; half of a delay counts" : "", text[0].text[0] != '\0' ? "; " : "",
                  text[0].text, text[1].text[0] != '\0' ? "; " : "", text[1].text);
}

/* Of the best values of all settings and the default the fastest one if children that share a link
 * are served one after the other instead. */
static const struct tan_priced *fastest_in_turn(const struct tan_target_answer *a, int w)
{
    const struct tan_target_way *way = &a->way[w];
    const struct tan_priced *fastest = way->priced;
    for (size_t i = 1; i < way->n_priced + !a->given; i++) {
        const struct tan_priced *other = i < way->n_priced ? &way->priced[i] : &way->by_default;
        if (other->setting.knob != NULL && tan_priced_is_uncertain(&a->problem, other) &&
            other->cost.in_turn < fastest->cost.in_turn * (1 - TAN_SEARCH_EQUAL)) {
            fastest = other;
        }
    }
    return fastest;
}

/* What settings do not change, and other times. */
static void say_others(struct tan_json_writer *w, json_t *answer, const struct tan_target_answer *a,
                       int i)
{
    const struct tan_target_problem *p = &a->problem;
    const struct tan_target_way *way = &a->way[i];
    const struct tan_priced *priced = &way->priced[0];
    const bool kept = a->instead[i].setting.knob != NULL;
    const double best = (kept ? &a->instead[i] : priced)->cost.wave;
    struct tan_shape_cost cost;
    struct tan_break_even even;
    if (find_break_even(a, i, &even)) {
        tan_reply_say(w, answer, TAN_PART_REMARKS, "%s", break_even_text(a, i, &even).text);
    }
    const struct tan_priced *in_turn = fastest_in_turn(a, i);
    if (tan_priced_is_uncertain(p, in_turn)) {
        tan_reply_say(
            w, answer, TAN_PART_REMARKS, "If children are served one after the other, %s is %s%s.",
            in_turn == priced && a->n_ways == 1 ? "it" : tan_setting_text(&in_turn->setting).text,
            in_turn == priced ? "" : "faster, ", tan_time_text(in_turn->cost.in_turn).text);
    }
    if (has_also_down(p->target, way) &&
        tan_target_cost(p, &priced->setting, TAN_DOWN, &cost, NULL) == 0) {
        tan_reply_say(w, answer, TAN_PART_REMARKS, "Down the same tree %s takes %s.",
                      p->target->also_down, tan_time_text(cost.wave).text);
    }
    if (a->given && a->instead[i].setting.knob != NULL) {
        tan_reply_say(
            w, answer, TAN_PART_REMARKS, "The best setting, %s, takes %s.",
            tan_setting_text(&a->instead[i].setting).text,
            tan_time_like(expected_or_wave(a, i, &a->instead[i]), expected_or_wave(a, i, priced))
                .text);
    } else if (a->any_shape[i] > 0.0 && reads_shorter(a->any_shape[i], best) && p->p_down == 0.0) {
        tan_reply_say(
            w, answer, TAN_PART_REMARKS, "%s tree of any shape, which no setting builds, takes %s.",
            a->n_ways > 1 ? tan_printed("%s: a", way_name(p->target, way->direction)).text : "A",
            tan_time_like(a->any_shape[i], priced->cost.wave).text);
    } else if (way->least.height > 0 && reads_shorter(way->least.wave, best) && p->p_down == 0.0) {
        tan_reply_say(
            w, answer, TAN_PART_REMARKS, "No setting builds the best %s, %s, which takes %s.",
            p->model->node != NULL ? "evaluated tree of even levels" : "tree of all",
            fanouts_text(&way->least).text, tan_time_like(way->least.wave, priced->cost.wave).text);
    }
}

static void say_sure(struct tan_json_writer *w, json_t *answer, const struct tan_target_answer *a,
                     int i, const struct tan_basis *from)
{
    const struct tan_target_way *way = &a->way[i];
    const struct tan_runner_up *next = &way->runner_up;
    const char *assuming = tan_answer_assuming(from);
    tan_answer_sure(
        w, answer,
        &(struct tan_sure){
            .among = "",
            .name = way->priced[0].setting.knob->split == NULL
                        ? "this tree"
                        : tan_setting_text(&way->priced[0].setting).text,
            .expected = a->problem.p_down > 0.0 && a->n_failures[i] > 0,
            .kept = !a->given && (a->instead[i].setting.knob != NULL ||
                                  (a->problem.p_down == 0.0 && tan_target_outdone(way))),
            .assuming = assuming != NULL                       ? assuming
                        : fastest_in_turn(a, i) != way->priced ? "If siblings share a link"
                                                               : NULL,
            .share = way->share,
            .mean_loss = way->mean_regret,
            .loss95 = way->regret95,
            .ci95 = way->ci95,
            .next = next->setting.knob != NULL ? tan_setting_text(&next->setting).text : "",
            .next_loss = isnan(next->mean_regret) ? next->slower : next->mean_regret,
            .limit = way->sensitivity,
            .n_limits = way->n_sensitivities,
            .params = a->problem.up,
        });
}

/* The next line of a configuration that is no comment, and its length; NULL after the last. */
static const char *next_line(const struct tan_target *target, const char *at, size_t *length)
{
    for (; *at != '\0'; at += *length + (at[*length] == '\n')) {
        *length = strcspn(at, "\n");
        if (*length > 0 && (target->comment == NULL ||
                            strncmp(at, target->comment, strlen(target->comment)) != 0)) {
            return at;
        }
    }
    return NULL;
}

/* The lines for the configuration, without comments, or how many there are, unless nothing is to be
 * changed, and how to check it. */
static void say_paste(struct tan_json_writer *w, json_t *answer, const struct tan_target_answer *a,
                      const struct tan_basis *from)
{
    enum { MOST = 1000 };
    const struct tan_target *target = a->problem.target;
    const char *line = a->configuration;
    const bool change = !tan_target_keeps(a, 0) || (a->n_ways > 1 && !tan_target_keeps(a, 1));
    size_t length;
    int lines = 0;
    for (; (line = next_line(target, line, &length)) != NULL; line += length) {
        lines++;
    }
    if (change && lines > MOST) {
        tan_reply_say(w, answer, TAN_PART_PASTE, "(%d lines)", lines);
    }
    for (line = a->configuration;
         change && lines <= MOST && (line = next_line(target, line, &length)) != NULL;
         line += length) {
        tan_reply_say(w, answer, TAN_PART_PASTE, "%.*s", (int)length, line);
    }
    tan_reply_say(w, answer, TAN_PART_NEXT, "Next: --output FILE writes %s%s.",
                  change                        ? "it with comments"
                  : target->write_rules != NULL ? "comments and no rule"
                                                : "the default with comments",
                  from->file != NULL ? ""
                  : target->counts.ranks
                      ? "; tanbench calibrate measures instead of assuming"
                      : "; tan-fit of times measured there replaces what is assumed");
    tan_reply_say(w, answer, TAN_PART_NOTES, "%s", target->read_back);
    tan_reply_say(w, answer, TAN_PART_NOTES, "If a process fails: %s",
                  target->fails.how != NULL ? target->fails.how
                                            : "what it does is not known here.");
}

/* Details */

static void detail_terms(struct tan_json_writer *w, json_t *answer,
                         const struct tan_target_answer *a)
{
    struct term_row {
        struct tan_term term;
        double value;
        struct tan_interval ci95;
        const char *way;
    };
#define AT(member) offsetof(struct term_row, member)
    static const struct tan_field fields[] = {
        {"name", "constant", TAN_FIELD_NAME, AT(term.name)},
        {"way", "way", TAN_FIELD_NAME, AT(way)},
        {"value", "value", TAN_FIELD_REAL, AT(value)},
        {"low", "95 % from", TAN_FIELD_REAL, AT(ci95.low)},
        {"high", "to", TAN_FIELD_REAL, AT(ci95.high)},
        {"unit", "unit", TAN_FIELD_NAME, AT(term.unit)},
        {"meaning", "meaning", TAN_FIELD_NAME, AT(term.meaning)},
        TAN_FIELDS_END,
    };
#undef AT
    const struct tan_target *target = a->problem.target;
    if (target->own.formula == NULL) {
        return;
    }
    const struct tan_text title = tan_printed(
        "The constants of %s by its own formula, %s:", target->title, target->own.formula);
    json_t *rows = tan_fields_table(w, tan_reply_detail(w, answer, title.text), fields,
                                    "name way value low high unit meaning");
    for (int i = 0; i < a->n_ways; i++) {
        for (const struct tan_term *t = target->own.terms; t->name != NULL; t++) {
            struct term_row row = {.way = NULL};
            row.term = *t;
            row.value = tan_term_value(t, &a->problem, &a->way[i], &row.ci95);
            row.way = a->n_ways > 1 ? way_text(a->way[i].direction) : NULL;
            if (!tan_interval_known(row.ci95)) {
                row.ci95 = (struct tan_interval){NAN, NAN};
            }
            if (!isnan(row.value)) {
                tan_fields_row(w, rows, fields, &row);
            }
        }
    }
}

static void detail_failures(struct tan_json_writer *w, json_t *answer,
                            const struct tan_target_answer *a, int i)
{
    if (a->n_failures[i] == 0) {
        return;
    }
    const struct tan_text title = tan_printed("When processes fail%s%s", a->n_ways > 1 ? ", " : "",
                                              a->n_ways > 1 ? way_text(a->way[i].direction) : "");
    json_t *rows = tan_fields_table(w, tan_reply_detail(w, answer, title.text), failure_fields,
                                    "setting wave_us most_lost wait_us expected_us");
    for (int k = 0; k < a->n_failures[i]; k++) {
        tan_fields_row(w, rows, failure_fields, &a->failure[i][k]);
    }
}

/* JSON */

static void set_priced(struct tan_json_writer *w, json_t *object,
                       const struct tan_target_problem *p, const struct tan_priced *priced)
{
    const struct setting_row row = setting_row(p, priced);
    tan_fields_set(w, object, setting_fields, &row);
}

static void set_sureness(struct tan_json_writer *w, json_t *object,
                         const struct tan_target_problem *p, const struct tan_target_way *way)
{
    const struct tan_runner_up *next = &way->runner_up;
    if (!isnan(way->share)) {
        tan_json_set_real(w, object, "probability", way->share);
        tan_json_set_real(w, object, "mean_regret", way->mean_regret);
        tan_json_set_real(w, object, "regret_95", way->regret95);
    }
    if (next->setting.knob != NULL) {
        json_t *row = tan_json_set_object(w, object, "runner_up");
        tan_json_set_string(w, row, "setting", tan_setting_text(&next->setting).text);
        tan_json_set_fixed(w, row, "slower", next->slower, 6);
        if (!isnan(next->share)) {
            tan_json_set_fixed(w, row, "probability", next->share, 4);
            tan_json_set_fixed(w, row, "mean_regret", next->mean_regret, 6);
        }
    }
    tan_report_set_sensitivities(w, object, way->sensitivity, way->n_sensitivities, p->up->method);
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
    w->failed |= tan_target_cost(p, &way->priced[0].setting, TAN_DOWN, &cost, NULL) < 0;
    tan_report_set_us(w, also, "wave_us", cost.wave);
    if (way->by_default.setting.knob != NULL) {
        w->failed |= tan_target_cost(p, &way->by_default.setting, TAN_DOWN, &cost, NULL) < 0;
        tan_report_set_us(w, also, "default_us", cost.wave);
    }
}

static void set_way(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                    const struct tan_target_way *way)
{
    tan_json_set_string(w, object, "direction", tan_direction_names[way->direction]);
    tan_json_set_string(w, object, "priced", tan_target_priced(p, way->direction));
    if (tan_target_one_way(p->target)) {
        tan_json_set_string(w, object, "operation", operation_text(p, way->direction).text);
    }
    set_priced(w, object, p, &way->priced[0]);
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
        tan_json_set_string(w, best, "of",
                            p->model->node != NULL ? "even levels evaluated" : "all");
        json_t *fanouts = tan_json_set_array(w, best, "fanouts");
        for (int i = 0; i < way->least.height; i++) {
            tan_json_append(w, fanouts, json_integer(way->least.fanout[i]));
        }
    }
    json_t *others = tan_json_set_array(w, object, "others");
    for (size_t i = 1; i < way->n_priced; i++) {
        set_priced(w, tan_json_append_object(w, others), p, &way->priced[i]);
    }
    if (way->by_default.setting.knob != NULL) {
        set_priced(w, tan_json_set_object(w, object, "default"), p, &way->by_default);
    }
    tan_json_set_string(w, object, "default_algorithm", way->default_name);
}

/* The target's defaults for a direction, and what its documents advise. */
static void set_advised(struct tan_json_writer *w, json_t *object,
                        const struct tan_target_problem *p, const struct tan_target_way *way)
{
    json_t *advised = tan_json_set_array(w, object, "advised");
    for (const struct tan_default *d = p->target->defaults; d != NULL && d->name != NULL; d++) {
        struct tan_priced row = {.setting = tan_setting_default(p->target, d, p->members)};
        if ((row.setting.knob->directions & way->direction) == 0) {
            continue;
        }
        w->failed |= tan_target_cost(p, &row.setting, way->direction, &row.cost, NULL) < 0;
        row.slower = tan_slower_than_least(way, row.cost.wave);
        json_t *rule = tan_json_append_object(w, advised);
        tan_json_set_string(w, rule, "rule", d->name);
        set_priced(w, rule, p, &row);
    }
}

/* The wave time by the value of the recommended setting, if it takes one. */
static void set_curve(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                      const struct tan_target_way *way)
{
    const struct tan_knob *knob = way->priced[0].setting.knob;
    const double most = (double)tan_setting_widest(knob, p->members);
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
    struct tan_break_even even;
    json_t *list = tan_json_set_array(w, object, "failure_by_setting");
    for (int i = 0; i < a->n_failures[index]; i++) {
        const struct tan_setting_failure *s = &a->failure[index][i];
        json_t *entry = tan_json_append_object(w, list);
        tan_fields_set(w, entry, failure_fields, s);
        tan_json_set_true(w, entry, "extrapolated", is_beyond(&a->problem, s->max_fanout));
    }
    if (find_break_even(a, index, &even)) {
        json_t *with = tan_json_set_object(w, object, "break_even");
        tan_json_set_string(w, with, "setting", tan_setting_text(&even.instead->setting).text);
        tan_json_set_real(w, with, "waves", even.waves);
        tan_json_set_real(w, with, "p", break_even_p(a, index, &even));
        tan_json_set_string(w, with, "text", break_even_text(a, index, &even).text);
    }
}

/* The tree of one direction. */
static void set_tree(struct tan_json_writer *w, json_t *object, const struct tan_target_answer *a,
                     int way, bool down)
{
    const struct tan_tree *tree = a->tree[way];
    json_t *parents =
        tree == NULL ? NULL : tan_json_set_array(w, object, down ? "down_parents" : "parents");
    for (int32_t i = 0; tree != NULL && i < tan_tree_size(tree); i++) {
        tan_json_append(w, parents, json_integer(tan_tree_parent(tree, i)));
    }
}

static void set_terms(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p,
                      const struct tan_target_way *way)
{
    if (p->target->own.formula == NULL) {
        return;
    }
    tan_json_set_string(w, object, "formula", p->target->own.formula);
    json_t *terms = tan_json_set_array(w, object, "terms");
    for (const struct tan_term *t = p->target->own.terms; t->name != NULL; t++) {
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

/* A direction: the setting, what is faster than the default that is kept, and what the first one
 * has of the target, too. */
static void set_direction(struct tan_json_writer *w, json_t *object,
                          const struct tan_target_answer *a, int i)
{
    const struct tan_target_problem *p = &a->problem;
    set_way(w, object, p, &a->way[i]);
    if (a->instead[i].setting.knob != NULL) {
        set_priced(w, tan_json_set_object(w, object, "instead"), p, &a->instead[i]);
    }
    tan_report_set_us(w, object, "any_shape_us", a->any_shape[i]);
    set_advised(w, object, p, &a->way[i]);
    set_curve(w, object, p, &a->way[i]);
    set_terms(w, object, p, &a->way[i]);
    if (i == 0) {
        tan_json_set_string(w, object, "failure", p->target->fails.how);
    }
    set_failure_settings(w, object, a, i);
}

static void set_head(struct tan_json_writer *w, json_t *object, const struct tan_target_problem *p)
{
    tan_json_set_string(w, object, "name", p->target->name);
    tan_json_set_string(w, object, "title", p->target->title);
    tan_json_set_string(w, object, "asked", p->asked);
    tan_json_set_int(w, object,
                     p->target->counts.population == TAN_ALL_MEMBERS ? "members" : "leaves",
                     p->members);
    tan_json_set_string(w, object, "counts", p->target->counts.member);
    if (p->shared != NULL) {
        tan_json_set_int(w, object, "hosts", p->shared->n);
    }
}

static void set_target(struct tan_json_writer *w, json_t *top,
                       const struct tan_target_answer *answer)
{
    tan_json_set_string(w, top, "model", answer->problem.model->name);
    if (answer->problem.p_down > 0.0) {
        tan_json_set_real(w, tan_json_set_object(w, top, "failures"), "p", answer->problem.p_down);
    }
    json_t *target = tan_json_set_object(w, top, "target");
    set_head(w, target, &answer->problem);
    tan_json_set_true(w, target, "given", answer->given);
    set_direction(w, target, answer, 0);
    set_tree(w, target, answer, 0, false);
    if (answer->n_ways > 1) {
        set_direction(w, tan_json_set_object(w, target, "down"), answer, 1);
        set_tree(w, target, answer, 1, true);
    } else if (answer->way[0].direction == TAN_DOWN) {
        set_tree(w, target, answer, 0, true);
    }
    if (answer->exported) {
        const struct tan_export *x = &answer->export[0];
        json_t *given = tan_json_set_object(w, target, "export");
        tan_json_set_string(w, given, "result", tan_exported_names[x->result]);
        tan_report_set_us(w, given, "given_wave_us", x->given.wave);
        tan_report_set_us(w, given, "lost_us", x->lost);
        tan_json_set_int(w, given, "given_height", x->given.height);
        tan_json_set_int(w, given, "given_max_fanout", x->given.max_fanout);
    }
    const bool flat = answer->way[0].least.height > 0;
    if (flat) {
        tan_json_set_int(w, target, "flat_until", answer->flat_until);
    }
    if (flat && answer->flat_ci95.low <= answer->flat_ci95.high) {
        tan_json_set_pair(w, target, "flat_until_ci95",
                          json_integer((json_int_t)answer->flat_ci95.low),
                          json_integer((json_int_t)answer->flat_ci95.high));
    }
    tan_json_set(w, target, "configuration", tan_json_text(answer->configuration));
}

static void set_targets(struct tan_json_writer *w, json_t *top, const struct tan_target_row *rows,
                        size_t n)
{
    json_t *targets = tan_json_set_array(w, top, "targets");
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < rows[i].n_ways; k++) {
            json_t *row = tan_json_append_object(w, targets);
            set_head(w, row, &rows[i].problem);
            set_way(w, row, &rows[i].problem, &rows[i].way[k]);
        }
    }
}

/* Answers */

/* Sizes that were asked for, other than that of the measured waves. */
static void say_sizes(struct tan_json_writer *w, json_t *answer, const struct tan_target_problem *p,
                      const struct tan_basis *from)
{
    static const char *const ways[] = {"up", "down"};
    const struct tan_params *params[] = {p->up, p->down};
    const int64_t measured = from->machine->tan.bytes;
    struct tan_text sizes = {""};
    for (int i = 0; i < 2; i++) {
        const int64_t bytes = tan_params_bytes(params[i]);
        if (bytes != measured) {
            sizes = tan_printed("%s%s%s %s", sizes.text, *sizes.text != '\0' ? " and " : "",
                                tan_size_text(bytes).text, ways[i]);
        }
    }
    if (from->file != NULL && from->machine->tan.payload == NULL && measured > 0 &&
        *sizes.text != '\0') {
        tan_reply_say(w, answer, TAN_PART_FROM, "Times for %s are by single messages.", sizes.text);
    }
}

json_t *tan_answer_target(const struct tan_target_answer *a, const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    json_t *document = tan_document_begin(&w, "tan-target/1", 0, from);
    if (from->whole) {
        set_target(&w, document, a);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    say_sizes(&w, answer, &a->problem, from);
    for (int i = 0; i < a->n_ways; i++) {
        if (a->exported) {
            say_export(&w, answer, a, i);
        }
        say_advice(&w, answer, a, i);
    }
    say_replaced(&w, answer, a);
    say_rows(&w, answer, a);
    say_meaning(&w, answer, a);
    for (int i = 0; i < a->n_ways; i++) {
        say_others(&w, answer, a, i);
    }
    for (int i = 0; i < a->n_ways; i++) {
        if (!a->given || !isnan(a->way[i].share)) { /* else it was not asked */
            say_sure(&w, answer, a, i, from);
        }
    }
    say_paste(&w, answer, a, from);
    detail_terms(&w, answer, a);
    for (int i = 0; i < a->n_ways; i++) {
        detail_failures(&w, answer, a, i);
    }
    return tan_json_finish(&w, document);
}

json_t *tan_answer_targets(const struct tan_target_row *rows, size_t n,
                           const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    json_t *document = tan_document_begin(&w, "tan-targets/1", 0, from);
    if (from->whole) {
        set_targets(&w, document, rows, n);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    if (n > 0) {
        say_sizes(&w, answer, &rows[0].problem, from);
    }
    json_t *list =
        tan_fields_table(&w, answer, setting_fields,
                         "label:system setting wave_us slower:default default:is height");
    for (size_t i = 0; i < n; i++) {
        const struct tan_target_problem *p = &rows[i].problem;
        const bool again =
            p->target->write_rules != NULL; /* the settings of another row, as rules */
        for (int k = 0; k < rows[i].n_ways && !again; k++) {
            const struct tan_target_way *way = &rows[i].way[k];
            const struct tan_priced *other = &way->by_default;
            const bool known = other->setting.knob != NULL;
            const bool same =
                known && other->cost.wave <= way->priced[0].cost.wave * (1 + TAN_SEARCH_EQUAL);
            struct setting_row row = setting_row(p, same ? other : &way->priced[0]);
            row.priced.slower = known ? other->cost.wave / row.priced.cost.wave - 1.0 : NAN;
            row.label = p->target->name;
            if (known) {
                row.by_default = tan_setting_text(&other->setting);
            } else if (way->default_name != NULL) {
                snprintf(row.by_default.text, sizeof row.by_default.text, "%s", way->default_name);
            }
            tan_fields_row(&w, list, setting_fields, &row);
        }
    }
    tan_reply_say(&w, answer, TAN_PART_FIRST,
                  "The best setting of each system for %" PRId64
                  " members or leaves, and what its default takes more.",
                  rows[0].problem.members);
    tan_reply_say(
        &w, answer, TAN_PART_NEXT,
        "Next: --target NAME says more of one, and what to write into its configuration.");
    return tan_json_finish(&w, document);
}
