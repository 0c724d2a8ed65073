/* goal_op.c - parsing of a single GOAL operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal_op.h"

#include "sim/goal/goal_internal.h"

static const struct tan_scan_range size_range = {.what = "a size in bytes",
                                                 .max = TAN_SCHEDULE_MAX_BYTES};
static const struct tan_scan_range time_range = {.what = "a time in nanoseconds",
                                                 .max = TAN_SCHEDULE_MAX_PS / TAN_GOAL_PS_PER_NS};
static const struct tan_scan_range tag_range = {
    .what = "a tag", .max = TAN_ANY_TAG - 1, .any = true, .wraps = true};
static const struct tan_scan_range cpu_range = {.what = "a CPU", .max = UINT16_MAX};
static const struct tan_scan_range nic_range = {.what = "a NIC", .max = UINT8_MAX};

/* Blanks, then a number. */
static int read_number(struct tan_scan *s, const struct tan_scan_range *range, uint64_t *value,
                       struct tan_error *e)
{
    return tan_scan_blanks(s, TAN_SCAN_LINES, e) < 0 || tan_scan_number(s, range, value, e) < 0 ? -1
                                                                                                : 0;
}

/* "1.5" nanoseconds are 1500 picoseconds. */
static int read_time(struct tan_scan *s, uint64_t *picoseconds, struct tan_error *e)
{
    if (read_number(s, &time_range, picoseconds, e) < 0) {
        return -1;
    }
    *picoseconds *= TAN_GOAL_PS_PER_NS;
    if (*s->source->at != '.') {
        return 0;
    }
    s->source->at++;
    if (!tan_scan_is_digit(*s->source->at)) {
        return tan_scan_expected(s, e, "decimals after the point");
    }
    for (uint64_t unit = TAN_GOAL_PS_PER_NS / 10; tan_scan_is_digit(*s->source->at); unit /= 10) {
        if (unit == 0) {
            return tan_scan_expected(s, e, "no more than 3 decimals: times are whole picoseconds");
        }
        *picoseconds += (uint64_t)(*s->source->at - '0') * unit;
        s->source->at++;
    }
    return 0;
}

enum { TAG = 1, CPU = 2, NIC = 4 };

static const struct option {
    const char *name;
    int flag;
    const struct tan_scan_range *range;
} option_rows[] = {
    {"tag", TAG, &tag_range},
    {"cpu", CPU, &cpu_range},
    {"nic", NIC, &nic_range},
};

/* The option at this position, NULL if none; it must end there. */
static const struct option *find_option(const char *at)
{
    for (size_t i = 0; i < sizeof option_rows / sizeof *option_rows; i++) {
        if (tan_scan_are_bytes(at, option_rows[i].name, 3)) {
            return tan_scan_is_letter(at[3]) || at[3] == '_' ? NULL : &option_rows[i];
        }
    }
    return NULL;
}

/* Read tag, cpu and nic, up to the end of the operation. */
static int read_options(struct tan_scan *s, struct tan_op_spec *spec, struct tan_error *e)
{
    int seen = 0;
    for (;;) {
        const uint64_t end = tan_source_offset(s->source);
        if (tan_scan_blanks(s, TAN_SCAN_LINE, e) < 0) {
            return -1;
        }
        const char next = *s->source->at;
        if (next == '\n' || next == '}' || next == '\0') {
            return 0;
        }
        const struct option *option = find_option(s->source->at);
        if (option == NULL && end == tan_source_offset(s->source)) {
            return tan_scan_expected(s, e, "a blank or the end of the operation");
        }
        if (option == NULL) {
            return 0;
        }
        if (spec->kind == TAN_OP_CALC && option->flag != CPU) {
            return tan_scan_fail(s, tan_scan_place(s), e, "a calculation takes no %s, only cpu",
                                 option->name);
        }
        if (seen & option->flag) {
            return tan_scan_fail(s, tan_scan_place(s), e, "%s is given twice for one operation",
                                 option->name);
        }
        seen |= option->flag;
        s->source->at += 3;
        uint64_t value;
        if (read_number(s, option->range, &value, e) < 0) {
            return -1;
        }
        if (option->flag == TAG) {
            spec->tag = (uint32_t)value;
        } else if (option->flag == CPU) {
            spec->cpu = (uint16_t)value;
        } else {
            spec->nic = (uint8_t)value;
        }
    }
}

/* Read the operands of "send" or "recv": BYTESb to|from RANK */
static int read_message(struct tan_scan *s, uint32_t ranks, struct tan_op_spec *spec,
                        struct tan_error *e)
{
    if (read_number(s, &size_range, &spec->amount, e) < 0 ||
        tan_scan_blanks(s, TAN_SCAN_LINES, e) < 0) {
        return -1;
    }
    if (!tan_scan_take(s, "b")) {
        return tan_scan_expected(s, e, "\"b\" (bytes) after the size");
    }
    if (tan_scan_blanks(s, TAN_SCAN_LINES, e) < 0) {
        return -1;
    }
    if (spec->kind == TAN_OP_SEND) {
        return tan_scan_take(s, "to")
                   ? tan_goal_read_rank(s, "a destination rank", ranks, false, &spec->peer, e)
                   : tan_scan_expected(s, e, "\"to\" and a rank");
    }
    return tan_scan_take(s, "from")
               ? tan_goal_read_rank(s, "a source rank", ranks, true, &spec->peer, e)
               : tan_scan_expected(s, e, "\"from\" and a rank");
}

int tan_goal_read_rank(struct tan_scan *s, const char *what, uint32_t ranks, bool any,
                       uint32_t *rank, struct tan_error *e)
{
    const struct tan_scan_range range = {.what = what, .max = ranks - 1, .any = any};
    uint64_t value;
    if (read_number(s, &range, &value, e) < 0) {
        return -1;
    }
    *rank = (uint32_t)value;
    return 0;
}

int tan_goal_take_kind(struct tan_scan *s)
{
    return tan_scan_take(s, "send")   ? TAN_OP_SEND
           : tan_scan_take(s, "recv") ? TAN_OP_RECV
           : tan_scan_take(s, "calc") ? TAN_OP_CALC
                                      : 0;
}

int tan_goal_read_op(struct tan_scan *s, enum tan_op_kind kind, uint32_t ranks,
                     struct tan_op_spec *spec, struct tan_error *e)
{
    *spec = (struct tan_op_spec){.kind = kind};
    const int result =
        kind == TAN_OP_CALC ? read_time(s, &spec->amount, e) : read_message(s, ranks, spec, e);
    return result < 0 ? -1 : read_options(s, spec, e);
}
