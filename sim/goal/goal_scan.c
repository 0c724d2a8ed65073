/* goal_scan.c - tokens and operations of GOAL text, with their positions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal_scan.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Refill at the end of the buffer, which a NUL marks; true if there is more. A NUL in the input is
 * an error. */
static bool read_more(struct tan_scan *s, int *result, struct tan_error *e)
{
    struct tan_source *in = s->source;
    if (in->at < in->end) {
        *result = tan_scan_fail(s, tan_scan_place(s), e, "a text must not hold NUL bytes");
    } else if (!in->ended) {
        *result = tan_source_fill(in, e);
        return *result == 0;
    }
    return false;
}

static void pass_newline(struct tan_scan *s)
{
    s->source->at++;
    s->line++;
    s->line_start = tan_source_offset(s->source);
}

static int skip_line_comment(struct tan_scan *s, struct tan_error *e)
{
    struct tan_source *in = s->source;
    int result = 0;
    do {
        while (*in->at != '\0' && *in->at != '\n') {
            in->at++;
        }
    } while (*in->at == '\0' && read_more(s, &result, e));
    return result;
}

static int skip_comment(struct tan_scan *s, struct tan_error *e)
{
    struct tan_source *in = s->source;
    const struct tan_scan_position start = tan_scan_place(s);
    int result = 0;
    bool star = false; /* the previous character was one */
    in->at += 2;
    for (;;) {
        const char c = *in->at;
        if (c == '\0') {
            if (!read_more(s, &result, e)) {
                return result < 0 ? -1
                                  : tan_scan_fail(s, start, e,
                                                  "this comment has no end: "
                                                  "\"*/\" is missing");
            }
        } else if (c == '\n') {
            pass_newline(s);
        } else {
            in->at++;
            if (star && c == '/') {
                return 0;
            }
        }
        star = c == '*' || (star && c == '\0');
    }
}

int tan_scan_all_blanks(struct tan_scan *s, enum tan_scan_lines lines, struct tan_error *e)
{
    struct tan_source *in = s->source;
    int result = 0;
    for (;;) {
        const char c = *in->at;
        if (c == ' ' || c == '\t' || c == '\r') {
            in->at++;
        } else if (c == '\n' && lines == TAN_SCAN_LINES) {
            pass_newline(s);
        } else if (c == '\0') {
            if (!read_more(s, &result, e)) {
                return result;
            }
        } else if (in->end - in->at < TAN_SOURCE_AHEAD && !in->ended) {
            if (tan_source_fill(in, e) < 0) {
                return -1;
            }
        } else if (c == '/' && in->at[1] == '/') {
            if (skip_line_comment(s, e) < 0) {
                return -1;
            }
        } else if (c == '/' && in->at[1] == '*') {
            if (skip_comment(s, e) < 0) {
                return -1;
            }
        } else {
            return 0;
        }
    }
}

/* Quote the line of the error just set. */
static void quote_line(const struct tan_scan *s, struct tan_error *e)
{
    const struct tan_source *in = s->source;
    const char *from = in->buffer;
    uint32_t line = s->line;
    for (const char *at = in->at; at > from; at--) {
        line -= at[-1] == '\n';
    }
    if (in->offset > 0) { /* the start of the first line may be gone */
        const char *newline = memchr(from, '\n', (size_t)(in->end - from));
        if (newline == NULL) {
            return;
        }
        from = newline + 1;
        line++;
    }
    if (line <= INT_MAX) {
        tan_error_quote(e, from, (size_t)(in->end - from), (int)line);
    }
}

int tan_scan_locate(const struct tan_scan *s, struct tan_scan_position place, struct tan_error *e)
{
    if (e != NULL && e->status != TAN_DONE && e->source[0] == '\0') {
        tan_error_locate(e, s->source->name, place.line < INT_MAX ? (int)place.line : INT_MAX,
                         (int)place.column);
        quote_line(s, e);
    }
    return -1;
}

int tan_scan_fail(const struct tan_scan *s, struct tan_scan_position place, struct tan_error *e,
                  const char *format, ...)
{
    if (e == NULL || e->status != TAN_DONE) {
        return -1;
    }
    char text[sizeof e->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tan_fail(e, "%s", text);
    return tan_scan_locate(s, place, e);
}

/* The text at the current position, for "found ..." */
static struct tan_text found_text(const struct tan_scan *s)
{
    enum { SHOWN = 40 };
    const char *at = s->source->at;
    const char *end = at;
    while (end - at < SHOWN && (tan_scan_is_letter(*end) || tan_scan_is_digit(*end) ||
                                (*end != '\0' && strchr("_.-", *end) != NULL))) {
        end++;
    }
    const unsigned char c = (unsigned char)*at;
    if (end > at) {
        return tan_printed("\"%.*s\"", (int)(end - at), at);
    }
    return at == s->source->end     ? tan_printed("the end of the file")
           : c == '\n' || c == '\r' ? tan_printed("the end of the line")
           : c == ' ' || c == '\t'  ? tan_printed("a blank")
           : c > ' ' && c < 0x7f    ? tan_printed("\"%c\"", c)
                                    : tan_printed("the byte 0x%02x", c);
}

int tan_scan_expected(const struct tan_scan *s, struct tan_error *e, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tan_scan_fail(s, tan_scan_place(s), e, "expected %s, found %s", text,
                         found_text(s).text);
}

int tan_scan_large_number(struct tan_scan *s, const struct tan_scan_range *range, uint64_t *value,
                          struct tan_error *e)
{
    const char *at = s->source->at;
    uint64_t number = 0; /* modulo 2^64 */
    bool fits = true;
    for (; tan_scan_is_digit(*at); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        fits = fits && number <= (UINT64_MAX - digit) / 10;
        number = 10 * number + digit;
    }
    const uint32_t low = (uint32_t)number;
    const bool is_int = fits && (int64_t)number == (int32_t)low;
    const bool is_any = range->any && is_int && low == UINT32_MAX;
    const bool counts = (range->wraps || (range->any && is_int)) && low <= range->max;
    const bool is_short = at - s->source->at < TAN_SOURCE_AHEAD;
    if (range->wraps && low == UINT32_MAX && !is_any && is_short) {
        return tan_scan_expected(
            s, e, "%s whose low 32 bits are not all ones, which would mean any", range->what);
    }
    if (!is_short || !(is_any || counts)) {
        return tan_scan_fail_number(s, range, e);
    }
    s->source->at = at;
    *value = low;
    return 0;
}

int tan_scan_fail_number(const struct tan_scan *s, const struct tan_scan_range *range,
                         struct tan_error *e)
{
    return tan_scan_expected(s, e, "%s from %" PRIu64 " to %" PRIu64 "%s", range->what, range->min,
                             range->max, range->any ? ", or -1 for any" : "");
}

static const struct tan_scan_range size_range = {.what = "a size in bytes",
                                                 .max = TAN_SCHEDULE_MAX_BYTES};
static const struct tan_scan_range time_range = {.what = "a time in nanoseconds",
                                                 .max = TAN_SCHEDULE_MAX_PS / TAN_PS_PER_NS};
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
    *picoseconds *= TAN_PS_PER_NS;
    if (*s->source->at != '.') {
        return 0;
    }
    s->source->at++;
    if (!tan_scan_is_digit(*s->source->at)) {
        return tan_scan_expected(s, e, "decimals after the point");
    }
    for (uint64_t unit = TAN_PS_PER_NS / 10; tan_scan_is_digit(*s->source->at); unit /= 10) {
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
