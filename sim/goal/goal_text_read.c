/* goal_text_read.c - parser of GOAL text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "sim/goal/goal.h"
#include "sim/goal/goal_scan.h"
#include "sim/goal/labels.h"
#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule_internal.h"

struct reader {
    struct tan_scan scan;
    struct tan_schedule_builder *builder;
    bool compatible;
    uint32_t ranks;
    uint32_t ranks_line; /* of num_ranks */

    /* The current rank block */
    uint32_t rank;
    struct tan_scan_position opened;
    uint32_t last_line; /* where its last operation ended */
    struct tan_labels labels;
    uint32_t defined;            /* number of labels with an operation */
    struct tan_goal_wait *waits; /* refer to labels, which may be defined later */
    uint32_t n_waits, room_waits;

    /* lines: of ranks 0 to in_order - 1, which have been read. Other ranks read so far are labels
     * in `strays`, whose names are the bytes of their numbers. */
    uint32_t in_order, *lines, room_lines;
    struct tan_labels strays;
};

static const struct tan_scan_range ranks_range = {
    .what = "a number of ranks", .min = 1, .max = TAN_SCHEDULE_MAX_RANKS};

static const char *text_here(const struct reader *r)
{
    return r->scan.source->at;
}

static void skip_char(struct reader *r)
{
    r->scan.source->at++;
}

static int skip_blanks(struct reader *r, struct tan_error *e)
{
    return tan_scan_blanks(&r->scan, TAN_SCAN_LINES, e);
}

/* Labels */

static bool is_reserved(const char *word, size_t length)
{
    static const char *const words[] = {"send", "recv", "calc", "rank", "num_ranks"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Read a label. */
static int read_label(struct reader *r, uint32_t *label, struct tan_error *e)
{
    const char *word = text_here(r);
    const size_t length = tan_scan_word_length(word);
    if (length == 0) {
        return tan_scan_expected(&r->scan, e, "a label (letters, digits and _, a letter first)");
    }
    const struct tan_scan_position place = tan_scan_place(&r->scan);
    if (length >= TAN_SOURCE_AHEAD) {
        return tan_scan_fail(&r->scan, place, e, "a label must be shorter than %d characters",
                             TAN_SOURCE_AHEAD);
    }
    *label = tan_labels_find(&r->labels, word, length, e);
    if (*label == TAN_OP_NONE) {
        return -1;
    }
    struct tan_label *entry = &r->labels.list[*label];
    if (entry->line == 0) {
        if (is_reserved(word, length)) {
            return tan_scan_fail(&r->scan, place, e, "\"%.*s\" is reserved and cannot be a label",
                                 (int)length, word);
        }
        entry->line = place.line;
        entry->column = place.column;
    }
    r->scan.source->at += length;
    return 0;
}

/* "the label", abbreviated, for an error message */
static struct tan_text name_of(const struct tan_labels *labels, uint32_t label)
{
    const struct tan_label *entry = &labels->list[label];
    const bool whole = entry->length <= 40;
    return tan_printed("\"%.*s%s\"", whole ? (int)entry->length : 40, labels->names + entry->name,
                       whole ? "" : "...");
}

static int define_label(struct reader *r, uint32_t label, struct tan_scan_position place,
                        uint32_t op, struct tan_error *e)
{
    struct tan_label *entry = &r->labels.list[label];
    if (entry->op == TAN_OP_NONE) {
        entry->op = op;
        entry->line = place.line;
        entry->column = place.column;
        r->defined++;
        return 0;
    }
    if (r->compatible) {
        return 0;
    }
    return tan_scan_fail(&r->scan, place, e,
                         "the label %s is defined twice in rank %" PRIu32
                         ", first on line %" PRIu32,
                         name_of(&r->labels, label).text, r->rank, entry->line);
}

/* Operations */

/* Read an operation's operands. */
static int read_operation(struct reader *r, enum tan_op_kind kind, struct tan_scan_position place,
                          uint32_t *op, struct tan_error *e)
{
    struct tan_op_spec spec;
    if (tan_goal_read_op(&r->scan, kind, r->ranks, &spec, e) < 0) {
        return -1;
    }
    r->last_line = r->scan.line;
    if (tan_schedule_add(r->builder, &spec, place.line, op, e) < 0) {
        return tan_scan_locate(&r->scan, place, e);
    }
    return 0;
}

/* Statements */

/* Read the operand of "label [i]requires", another label. */
static int read_dependency(struct reader *r, uint32_t label, struct tan_scan_position place,
                           enum tan_requires when, struct tan_error *e)
{
    uint32_t on;
    if (skip_blanks(r, e) < 0 || read_label(r, &on, e) < 0) {
        return -1;
    }
    if (on == label) {
        return tan_scan_fail(&r->scan, place, e, "%s cannot wait for itself",
                             name_of(&r->labels, on).text);
    }
    if (r->n_waits == r->room_waits &&
        tan_grow(&r->waits, &r->room_waits, (uint64_t)r->n_waits + 1, sizeof *r->waits, e) < 0) {
        return -1;
    }
    r->waits[r->n_waits++] = (struct tan_goal_wait){label, on, place.line, place.column, when};
    return 0;
}

static int fail_unfinished(const struct reader *r, const char *before, struct tan_error *e)
{
    return tan_scan_fail(&r->scan, tan_scan_place(&r->scan), e,
                         "rank %" PRIu32 " (line %" PRIu32 ") is not closed: \"}\" is missing "
                         "before %s",
                         r->rank, r->opened.line, before);
}

/* Read a statement that starts with a label. */
static int read_labelled(struct reader *r, struct tan_error *e)
{
    const struct tan_scan_position place = tan_scan_place(&r->scan);
    uint32_t label;
    if (read_label(r, &label, e) < 0 || skip_blanks(r, e) < 0) {
        return -1;
    }
    if (tan_scan_take(&r->scan, "requires")) {
        return read_dependency(r, label, place, TAN_AFTER_FINISH, e);
    }
    if (tan_scan_take(&r->scan, "irequires")) {
        return read_dependency(r, label, place, TAN_AFTER_START, e);
    }
    if (!tan_scan_take(&r->scan, ":")) {
        const struct tan_text name = name_of(&r->labels, label);
        return place.line == r->last_line
                   ? tan_scan_fail(
                         &r->scan, place, e,
                         "%s is neither an option (tag, cpu, nic) nor a label followed by "
                         "\":\", \"requires\" or \"irequires\"",
                         name.text)
                   : tan_scan_expected(&r->scan, e, "\":\", \"requires\" or \"irequires\" after %s",
                                       name.text);
    }
    if (skip_blanks(r, e) < 0) {
        return -1;
    }
    const int kind = tan_goal_take_kind(&r->scan);
    if (kind == 0) {
        return tan_scan_expected(&r->scan, e, "send, recv or calc after the label");
    }
    uint32_t op;
    if (read_operation(r, (enum tan_op_kind)kind, place, &op, e) < 0) {
        return -1;
    }
    return define_label(r, label, place, op, e);
}

static int read_statement(struct reader *r, struct tan_error *e)
{
    const char first = *text_here(r);
    if (first == '\0') {
        return fail_unfinished(r, "the end of the file", e);
    }
    if (!tan_scan_is_letter(first)) {
        return tan_scan_expected(&r->scan, e, "send, recv, calc, a label or \"}\"");
    }
    const size_t length = tan_scan_word_length(text_here(r));
    if (length == 4 && (tan_scan_is(text_here(r), "send") || tan_scan_is(text_here(r), "recv") ||
                        tan_scan_is(text_here(r), "calc"))) {
        const struct tan_scan_position place = tan_scan_place(&r->scan);
        uint32_t op;
        return read_operation(r, (enum tan_op_kind)tan_goal_take_kind(&r->scan), place, &op, e);
    }
    if (length == 4 && tan_scan_is(text_here(r), "rank") && text_here(r)[4] != ':') {
        return fail_unfinished(r, "the next rank", e);
    }
    return read_labelled(r, e);
}

/* Rank blocks */

static uint32_t find_stray(struct reader *r, uint32_t rank, struct tan_error *e)
{
    return tan_labels_find(&r->strays, (const char *)&rank, sizeof rank, e);
}

static int keep_line(struct reader *r, uint32_t line, struct tan_error *e)
{
    if (tan_grow(&r->lines, &r->room_lines, (uint64_t)r->in_order + 1, sizeof *r->lines, e) < 0) {
        return -1;
    }
    r->lines[r->in_order++] = line;
    return 0;
}

/* Record that a rank was read. */
static int begin_rank(struct reader *r, uint32_t rank, struct tan_scan_position place,
                      struct tan_error *e)
{
    uint32_t before = rank < r->in_order ? r->lines[rank] : 0;
    if (rank == r->in_order && r->strays.count == 0) {
        if (keep_line(r, place.line, e) < 0) {
            return -1;
        }
    } else if (before == 0) {
        uint32_t stray = find_stray(r, rank, e);
        if (stray == TAN_OP_NONE) {
            return -1;
        }
        before = r->strays.list[stray].line;
        r->strays.list[stray].line = place.line;
    }
    if (before > 0) {
        return tan_scan_fail(&r->scan, place, e,
                             "rank %" PRIu32 " is here twice, first on line %" PRIu32, rank,
                             before);
    }
    return tan_schedule_rank(r->builder, rank, e);
}

/* After the last block: check that no rank is missing. */
static int check_ranks(struct reader *r, struct tan_error *e)
{
    const uint32_t found = r->in_order + r->strays.count;
    if (found == r->ranks) {
        return 0;
    }
    uint32_t missing = r->in_order;
    for (uint32_t known = r->strays.count;; missing++) {
        const uint32_t stray = find_stray(r, missing, e);
        if (stray == TAN_OP_NONE) {
            return -1;
        }
        if (stray >= known) {
            break;
        }
    }
    return tan_scan_fail(&r->scan, tan_scan_place(&r->scan), e,
                         "rank %" PRIu32 " is missing: num_ranks on line %" PRIu32
                         " asks for %" PRIu32 ", and %" PRIu32 " %s here",
                         missing, r->ranks_line, r->ranks, found, found == 1 ? "is" : "are");
}

static int fail_undefined(const struct reader *r, struct tan_error *e)
{
    uint32_t label = 0;
    while (r->labels.list[label].op != TAN_OP_NONE) {
        label++;
    }
    const struct tan_label *entry = &r->labels.list[label];
    return tan_scan_fail(&r->scan, (struct tan_scan_position){entry->line, entry->column}, e,
                         "the label %s is not defined in rank %" PRIu32,
                         name_of(&r->labels, label).text, r->rank);
}

static int end_rank(struct reader *r, struct tan_error *e)
{
    if (r->defined < r->labels.count) {
        return fail_undefined(r, e);
    }
    for (uint32_t i = 0; i < r->n_waits; i++) {
        const struct tan_goal_wait *wait = &r->waits[i];
        if (tan_schedule_require(r->builder, r->labels.list[wait->label].op,
                                 r->labels.list[wait->on].op, wait->when, e) < 0) {
            return tan_scan_locate(&r->scan, (struct tan_scan_position){wait->line, wait->column},
                                   e);
        }
    }
    uint32_t cyclic;
    struct tan_error problem = TAN_ERROR_INIT;
    if (tan_schedule_rank_end(r->builder, &cyclic, &problem) == 0) {
        return 0;
    }
    if (cyclic == TAN_OP_NONE) {
        tan_fail(e, "%s", problem.text);
        return tan_scan_locate(&r->scan, r->opened, e);
    }
    struct tan_scan_position place = r->opened;
    char text[sizeof problem.text];
    if (tan_goal_find_cycle(&r->labels, r->waits, r->n_waits, cyclic, &place.line, &place.column,
                            text, sizeof text, e) < 0) {
        return -1;
    }
    return tan_scan_fail(&r->scan, place, e, "this closes a cycle: %s", text);
}

/* Read the rest of a rank block after "rank". */
static int read_rank(struct reader *r, struct tan_scan_position opened, struct tan_error *e)
{
    if (skip_blanks(r, e) < 0) {
        return -1;
    }
    const struct tan_scan_position place = tan_scan_place(&r->scan);
    if (tan_goal_read_rank(&r->scan, "a rank", r->ranks, false, &r->rank, e) < 0 ||
        begin_rank(r, r->rank, place, e) < 0 || skip_blanks(r, e) < 0) {
        return -1;
    }
    if (!tan_scan_take(&r->scan, "{")) {
        return tan_scan_expected(&r->scan, e, "\"{\" after the rank");
    }
    r->opened = opened;
    r->last_line = 0;
    r->n_waits = 0;
    r->defined = 0;
    tan_labels_empty(&r->labels);
    if (skip_blanks(r, e) < 0) {
        return -1;
    }
    while (*text_here(r) != '}') {
        if (read_statement(r, e) < 0 || skip_blanks(r, e) < 0) {
            return -1;
        }
    }
    if (end_rank(r, e) < 0) {
        return -1;
    }
    skip_char(r);
    return 0;
}

static int read_ranks(struct reader *r, struct tan_error *e)
{
    for (;;) {
        if (skip_blanks(r, e) < 0) {
            return -1;
        }
        const struct tan_scan_position place = tan_scan_place(&r->scan);
        if (*text_here(r) == '\0') {
            return check_ranks(r, e);
        }
        if (tan_scan_take(&r->scan, "num_ranks")) {
            return tan_scan_fail(&r->scan, place, e,
                                 "num_ranks is given twice, first on line %" PRIu32, r->ranks_line);
        }
        if (!tan_scan_take(&r->scan, "rank")) {
            return tan_scan_expected(&r->scan, e, "\"rank\" or the end of the file");
        }
        if (read_rank(r, place, e) < 0) {
            return -1;
        }
    }
}

static int read_header(struct reader *r, struct tan_error *e)
{
    struct tan_source *in = r->scan.source;
    const size_t length = (size_t)(in->end - in->at);
    if (tan_text_check(in->at, length, in->name, e) < 0) {
        return -1;
    }
    in->at += tan_text_mark(in->at, length);
    if (skip_blanks(r, e) < 0) {
        return -1;
    }
    if (!tan_scan_take(&r->scan, "num_ranks")) {
        return tan_scan_expected(&r->scan, e, "\"num_ranks\" and the number of ranks first");
    }
    uint64_t ranks = 0;
    if (skip_blanks(r, e) < 0) {
        return -1;
    }
    const struct tan_scan_position place = tan_scan_place(&r->scan);
    if (tan_scan_number(&r->scan, &ranks_range, &ranks, e) < 0) {
        return -1;
    }
    r->ranks = (uint32_t)ranks;
    r->ranks_line = r->scan.line;
    r->builder = tan_schedule_begin(r->ranks, true, e);
    return r->builder == NULL ? tan_scan_locate(&r->scan, place, e) : 0;
}

struct tan_schedule *tan_goal_read_text(struct tan_source *in, bool compatible, struct tan_error *e)
{
    struct reader r = {.scan = {in, 1, 0}, .compatible = compatible};
    const bool good = read_header(&r, e) == 0 && read_ranks(&r, e) == 0;
    tan_labels_free(&r.labels);
    tan_labels_free(&r.strays);
    free(r.waits);
    free(r.lines);
    if (!good) {
        tan_schedule_abandon(r.builder);
        return NULL;
    }
    return tan_schedule_seal(r.builder, e);
}
