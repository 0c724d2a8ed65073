/* design.c - a recommended tree, and comparison with other trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/design_trees.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "design/search/limits.h"
#include "model/wave/payload.h"

/* A size as tanbench reads it: exact and without a blank. */
static struct tan_text bytes_text(int64_t bytes)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB"};
    size_t unit = 0;
    while (bytes % 1024 == 0 && bytes > 0 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    return tan_printed("%" PRId64 "%s", bytes, units[unit]);
}

/* The options that measure the tree with messages of the same size. */
static struct tan_text measure_text(const struct tan_design *d)
{
    enum { DEFAULT_BYTES = 1024 };
    const struct tan_params *params = d->problem.params;
    const struct tan_payload *payload = params->payload;
    const int64_t bytes = tan_params_bytes(params);
    const bool filtered = tan_payload_grows(payload);
    const bool other = bytes != DEFAULT_BYTES && bytes > 0;
    return tan_printed(
        " --topo %s%s%s%s%s",
        d->any_shape.tree != NULL ? "file:tree.top" : tan_plan_spec(&d->choices[0].plan).text,
        other ? " --bytes " : "", other ? bytes_text(bytes).text : "", filtered ? " --filter " : "",
        filtered ? tan_payload_rule_of(payload)->name : "");
}

static void say_next(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                     const struct tan_basis *from)
{
    enum { MAX_RANKS = 1 << 20 };
    const bool measurable = d->choices[0].plan.processes <= MAX_RANKS;
    const struct tan_interval ci95 = d->flat.ci95;
    char *platform = tan_answer_platform(w, from);
    const struct tan_text flat = tan_printed(
        "; up to %s%" PRId64 " leaves%s flat is the best%s",
        d->flat.until == TAN_FLAT_MOST ? "at least " : "", d->flat.until,
        ci95.low < ci95.high ? tan_printed(" (%.0f to %.0f)", ci95.low, ci95.high).text : "",
        d->problem.model->node != NULL ? " of even levels" : "");
    tan_reply_say(
        w, answer, TAN_PART_NEXT, "Next: -o tree.top writes it for MRNet%s%s%s%s%s%s.",
        measurable ? ", tanbench" : "", measurable && d->problem.params->one_way ? " oneway" : "",
        measurable && platform != NULL ? platform : "", measurable ? measure_text(d).text : "",
        measurable ? " measures it" : "", d->flat.until > 0 ? flat.text : "");
    free(platform);
}

/* Rows */

static void add_tree(struct tan_answer_rows *rows, const struct tan_plan *plan, const char *name,
                     const char *note)
{
    struct tan_answer_row *row =
        tan_answer_same(rows, 0, plan->wave, plan->height, plan->max_fanout);
    if (row == NULL) {
        row = tan_answer_row(rows, plan->wave);
        if (row == NULL) {
            return;
        }
        snprintf(row->name, sizeof row->name, "%.60s", name);
        row->height = plan->height;
        row->children = plan->max_fanout;
        row->processes = plan->processes;
        row->most_lost = plan->below[0];
    }
    if (*note != '\0' && strcmp(note, row->name) != 0) {
        tan_answer_note(row, note);
    }
}

/* Without the shape's name where fanouts say it, and without the number of leaves. */
static void add_comparison(struct tan_answer_rows *rows, const struct tan_comparison *c,
                           const char *note)
{
    static const char *const named[] = {"flat", "binary", "binomial"};
    const struct tan_text spec = tan_plan_spec(&c->plan);
    const bool levels = strncmp(spec.text, "levels:", 7) == 0;
    const char *number = strrchr(spec.text, ':');
    const struct tan_text leaves = tan_printed(":%" PRId64, c->plan.leaves);
    struct tan_text name = levels ? tan_printed("%s", spec.text + 7)
                                  : tan_printed("%.*s", (int)(number - spec.text), spec.text);
    char *end = strstr(name.text, leaves.text);
    if (end != NULL) {
        const char *rest = end + strlen(leaves.text);
        memmove(end, rest, strlen(rest) + 1);
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (strcmp(c->rule, named[i]) == 0 || (i == 0 && c->plan.height == 1)) {
            name = tan_printed("%s", named[i]);
        }
    }
    add_tree(rows, &c->plan, name.text, note);
}

static void add_by_other(struct tan_answer_rows *rows, const struct tan_by_other *other,
                         const char *note)
{
    if (other->exists) {
        add_comparison(rows, &other->best, note);
    }
}

/* The most different ones first. */
static void add_comparisons(struct tan_answer_rows *rows, const struct tan_design *d)
{
    static const char *const first[] = {"flat", "Flux, kary:32", "PRRTE, radix 64", "binomial",
                                        "STAT, fanout 64"};
    for (size_t k = 0; k < sizeof first / sizeof first[0]; k++) {
        for (size_t i = 0; i < d->n_comparisons; i++) {
            if (strcmp(d->comparisons[i].rule, first[k]) == 0) {
                add_comparison(rows, &d->comparisons[i], first[k]);
            }
        }
    }
    for (size_t i = 0; i < d->n_comparisons; i++) {
        add_comparison(rows, &d->comparisons[i], d->comparisons[i].rule);
    }
}

/* The recommended tree comes first. */
static void add_best(struct tan_answer_rows *rows, const struct tan_design *d)
{
    const struct tan_any_shape *any = &d->any_shape;
    if (any->tree != NULL) {
        struct tan_answer_row *row = tan_answer_row(rows, any->wave);
        snprintf(row->name, sizeof row->name, "any shape");
        row->height = tan_tree_height(any->tree);
        row->children = tan_tree_max_fanout(any->tree);
        row->processes = tan_tree_size(any->tree);
    }
    add_tree(rows, &d->choices[0].plan, tan_short_fanouts(&d->choices[0].plan).text, "");
}

/* Before other notes, of which the end may be cut off. */
static void note_before(struct tan_answer_row *row, const char *note)
{
    char others[sizeof row->note];
    memcpy(others, row->note, sizeof others);
    row->note[0] = '\0';
    tan_answer_note(row, note);
    if (*others != '\0') {
        tan_answer_note(row, others);
    }
}

/* Which trees break the limits or miss the objective. Others that are faster than the recommended
 * one are so within the error bars, or were not searched. */
static void note_limits(struct tan_answer_rows *rows, const struct tan_design *d)
{
    const struct tan_problem *p = &d->problem;
    for (size_t i = 1; i < rows->n; i++) {
        struct tan_answer_row *row = &rows->row[i];
        const int64_t size[] = {row->children, row->height, row->processes, row->most_lost};
        const bool faster = row->slower < -TAN_SEARCH_EQUAL;
        const bool allowed = tan_limits_allow(p, size[0], size[1], size[2], size[3]);
        if (!allowed && p->objective != NULL &&
            tan_limits_allow(tan_problem_asked(p), size[0], size[1], size[2], size[3])) {
            note_before(row, tan_printed("not %s", p->objective->least).text);
        } else if (!allowed) {
            note_before(row, "beyond the limits");
        } else if (faster) {
            note_before(row, row->wave >= d->fastest.wave * (1.0 - TAN_SEARCH_EQUAL)
                                 ? "within the error bars"
                                 : "faster, of a shape that is not searched");
        }
        row->slower = faster ? NAN : row->slower;
    }
}

static void add_others(struct tan_answer_rows *rows, const struct tan_design *d)
{
    const struct tan_plan *others[] = {&d->more_levels, &d->fewer_levels};
    add_by_other(rows, &d->by.logp, "what LogP would choose");
    for (size_t i = 0; i < 2; i++) {
        if (others[i]->height > 0) {
            add_tree(rows, others[i], tan_short_fanouts(others[i]).text, "");
        }
    }
    add_by_other(rows, &d->by.tan, "what TAN would choose");
    add_by_other(rows, &d->by.loggpo, "what LogGPO would choose");
    add_comparisons(rows, d);
}

static void add_compared(struct tan_answer_rows *rows, const struct tan_design *d,
                         const struct tan_compared *compared, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct tan_answer_row *row = tan_answer_row(rows, compared[i].wave);
        if (row == NULL) {
            break;
        }
        snprintf(row->name, sizeof row->name, "%.60s", tan_short_spec(compared[i].spec, 40).text);
        row->height = compared[i].height;
        row->children = compared[i].max_fanout;
        row->processes = compared[i].processes;
        row->most_lost = compared[i].max_below;
        if (compared[i].leaves != d->problem.leaves) {
            tan_answer_note(row, tan_printed("%" PRId64 " %s: not comparable", compared[i].leaves,
                                             tan_leaves_text(compared[i].leaves))
                                     .text);
        } else if (compared[i].tied) {
            tan_answer_note(row, "ties");
        }
    }
}

/* Sentences */

/* By how much a wave of at least `bound` may be faster than `wave`, rounded up to two digits. */
static struct tan_text faster_text(double bound, double wave)
{
    const double least = 0.01; /* per cent */
    const double faster = fmax(100.0 * (1.0 - bound / wave), least);
    const double unit = pow(10.0, floor(log10(faster)) - 1.0);
    return tan_share_text(ceil(faster / unit - 1e-9) * unit / 100.0);
}

static void say_first(struct tan_json_writer *w, json_t *answer, const struct tan_design *d)
{
    const struct tan_plan *plan = &d->choices[0].plan;
    const struct tan_any_shape *any = &d->any_shape;
    const char *of = tan_best_of_text(&d->problem);
    const bool all = strcmp(of, "all trees") == 0;
    const struct tan_text within = tan_within_text(&d->problem);
    const struct tan_text name = tan_short_fanouts(plan);
    if (any->tree != NULL) {
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "The best %s for %" PRId64 " leaves%s has uneven levels: %s a wave, height "
                      "%" PRId32 ", %" PRId32 " processes. The best of even levels, %s, takes %s "
                      "(%s).",
                      isnan(any->bound) ? "tree found" : "tree", d->problem.leaves, within.text,
                      tan_time_text(any->wave).text, tan_tree_height(any->tree),
                      tan_tree_size(any->tree), name.text,
                      tan_time_like(plan->wave, any->wave).text,
                      tan_slower_text(plan->wave / any->wave - 1.0).text);
    } else {
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "The best %s%s for %" PRId64 " %s%s is %s: %s a wave, height %d, %" PRId64
                      " processes.",
                      all ? "tree" : "of ", all ? "" : of, d->problem.leaves,
                      tan_leaves_text(d->problem.leaves), within.text, name.text,
                      tan_time_text(plan->wave).text, plan->height, plan->processes);
    }
    if (d->by.logp.exists) {
        const struct tan_plan *by_logp = &d->by.logp.best.plan;
        const bool same = tan_plan_order(by_logp, plan) == 0;
        tan_reply_say(w, answer, TAN_PART_FIRST, "By LogP %s takes %s, and LogP would choose %s.",
                      any->tree != NULL ? name.text : "it",
                      tan_time_like(d->by.logp.wave, plan->wave).text,
                      same                   ? "it, too"
                      : by_logp->height == 1 ? "the flat tree"
                                             : tan_short_fanouts(by_logp).text);
    }
    if (d->bound > 0.0) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "No even tree is more than %s faster.",
                      faster_text(d->bound, plan->wave).text);
    }
    if (any->tree == NULL && any->wave < d->fastest.wave) {
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "If messages leave one after the other a tree of uneven levels takes %s, but "
                      "it is slower if they share their sender's link.",
                      tan_time_like(any->wave, plan->wave).text);
    }
    if (d->problem.objective != NULL) {
        tan_reply_say(w, answer, TAN_PART_FIRST, "Waves can follow each other every %s.",
                      tan_time_like(plan->period, plan->wave).text);
    }
}

/* "The data cannot tell 3 levels (best in 61 % of the draws), such as 16x16x16, from 2 (39 %), such
 * as 64x64." */
static void say_heights(struct tan_json_writer *w, json_t *answer, const struct tan_design *d)
{
    const struct tan_height *h = d->levels.height;
    if (d->levels.n < 2) {
        return;
    }
    tan_reply_say(
        w, answer, TAN_PART_SURE,
        "%s data cannot tell %d level%s (best in %.0f %% of the draws), such as %s, from "
        "%d (%.0f %%), such as %s.%s",
        d->any_shape.tree != NULL ? "Of trees with even levels the" : "The", h[0].plan.height,
        tan_plural(h[0].plan.height), 100.0 * h[0].share, tan_short_fanouts(&h[0].plan).text,
        h[1].plan.height, 100.0 * h[1].share, tan_short_fanouts(&h[1].plan).text,
        d->levels.decide[0] != '\0' ? tan_printed(" To decide, measure %s.", d->levels.decide).text
                                    : "");
}

static void say_sure(struct tan_json_writer *w, json_t *answer, const struct tan_design *d,
                     const struct tan_basis *from)
{
    const struct tan_choice *best = &d->choices[0];
    const struct tan_any_shape *any = &d->any_shape;
    /* under max_processes no trees of draws were searched */
    const bool drawn = d->loss.n > 0 && d->problem.max_processes == 0;
    const struct tan_text within = tan_within_text(&d->problem);
    if (any->tree != NULL && any->bound < any->wave * (1.0 - TAN_SEARCH_EQUAL)) {
        tan_reply_say(w, answer, TAN_PART_SURE, "No tree of any kind%s is more than %s faster.",
                      within.text, faster_text(any->bound, any->wave).text);
    } else if (any->tree != NULL && !isnan(any->bound)) {
        tan_reply_say(w, answer, TAN_PART_SURE, "No tree of any kind%s is faster.", within.text);
    }
    tan_answer_sure(
        w, answer,
        &(struct tan_sure){
            .among = any->tree != NULL ? "of trees with even levels " : "",
            .name = tan_short_fanouts(&best->plan).text,
            .assuming = tan_answer_assuming(from),
            .share = drawn ? d->probability : NAN,
            .mean_loss = best->mean_loss,
            .loss95 = best->loss,
            .ci95 = best->ci95,
            .next = d->runner_up.exists ? tan_short_fanouts(&d->runner_up.plan).text : "",
            .next_loss = d->runner_up.mean_loss,
            .limit = d->ranges.row,
            .n_limits = d->ranges.n,
            .params = d->problem.params,
        });
    say_heights(w, answer, d);
    if (d->n_tied > 1) {
        tan_reply_say(
            w, answer, TAN_PART_NOTES,
            "%zu of %zu trees%s tie: none is significantly slower than the fastest, %s; of "
            "them that with the fewest processes %s, unless it may lose more.",
            d->n_tied, d->n_choices, any->tree != NULL ? " with even levels" : "",
            tan_short_fanouts(&d->fastest).text,
            any->tree != NULL ? "counts as the best" : "is recommended");
    }
    if (d->cut) {
        tan_reply_say(w, answer, TAN_PART_NOTES,
                      "Too many trees take almost the same time to tell which come next.");
    }
}

json_t *tan_answer_design(const struct tan_design *d, int listed,
                          const struct tan_compared *compared, size_t n_compared,
                          const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    struct tan_answer_rows rows = {.n = 0};
    json_t *document = tan_document_begin(&w, "tan-design/1", d->problem.leaves, from);
    if (from->whole) {
        tan_design_set(&w, document, d, listed, compared, n_compared, from);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    say_first(&w, answer, d);
    add_best(&rows, d);
    if (n_compared > 0) {
        add_compared(&rows, d, compared, n_compared);
    } else {
        add_others(&rows, d);
    }
    tan_answer_against(&rows, 0);
    note_limits(&rows, d);
    tan_answer_table(&w, answer, &rows, "name wave_us slower height processes note");
    tan_reply_say(&w, answer, TAN_PART_REMARKS,
                  d->problem.params->one_way ? "A wave goes one way."
                                             : "A wave goes down to all leaves and back; the time "
                                               "is half of that.");
    say_sure(&w, answer, d, from);
    say_next(&w, answer, d, from);
    tan_design_detail(&w, answer, d, listed, compared, n_compared);
    return tan_json_finish(&w, document);
}
