/* goal_scan.h - tokens and operations of GOAL text, with their positions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_GOAL_SCAN_H
#define TAN_SIM_GOAL_GOAL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/goal/source.h"
#include "sim/schedule/schedule.h"

struct tan_scan {
    struct tan_source *source;
    uint32_t line;       /* 1-based */
    uint64_t line_start; /* offset in the input */
};

struct tan_scan_position {
    uint32_t line, column; /* 1-based; columns count bytes */
};

static inline struct tan_scan_position tan_scan_place(const struct tan_scan *s)
{
    const uint64_t column = tan_source_offset(s->source) - s->line_start + 1;
    return (struct tan_scan_position){s->line, column < INT32_MAX ? (uint32_t)column : INT32_MAX};
}

/* Whether blanks include line ends. */
enum tan_scan_lines { TAN_SCAN_LINE, TAN_SCAN_LINES };

/* The general case of tan_scan_blanks. */
int tan_scan_all_blanks(struct tan_scan *s, enum tan_scan_lines lines, struct tan_error *e);

/* Skip blanks and comments; TAN_SCAN_LINE: up to the end of the line. Afterwards the next token can
 * be read from source->at without checking for the buffer's end (where a NUL stops every loop): it
 * is shorter than TAN_SOURCE_AHEAD, or its reader refuses it. */
static inline int tan_scan_blanks(struct tan_scan *s, enum tan_scan_lines lines,
                                  struct tan_error *e)
{
    const char *at = s->source->at;
    while (*at == ' ') {
        at++;
    }
    s->source->at = at;
    if (*at > ' ' && *at != '/' && s->source->end - at >= TAN_SOURCE_AHEAD) {
        return 0;
    }
    return tan_scan_all_blanks(s, lines, e);
}

static inline bool tan_scan_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool tan_scan_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length of the word at `at`, 0 if none. */
static inline size_t tan_scan_word_length(const char *at)
{
    const char *end = at;
    if (tan_scan_is_letter(*end)) {
        while (tan_scan_is_letter(*end) || tan_scan_is_digit(*end) || *end == '_') {
            end++;
        }
    }
    return (size_t)(end - at);
}

/* Whether the literal `text` is at `at`, possibly as a prefix of something longer. A loop, since
 * usually the first character decides and a call would be slower. */
#define tan_scan_is(at, text) tan_scan_are_bytes(at, text, sizeof(text) - 1)
static inline bool tan_scan_are_bytes(const char *at, const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && at[i] == text[i]) {
        i++;
    }
    return i == length;
}

/* Skip `text` if it is at the current position; return whether it was. */
#define tan_scan_take(s, text) tan_scan_take_bytes(s, text, sizeof(text) - 1)
static inline bool tan_scan_take_bytes(struct tan_scan *s, const char *text, size_t length)
{
    const bool here = tan_scan_are_bytes(s->source->at, text, length);
    s->source->at += here ? length : 0;
    return here;
}

/* Accepted form of a number. */
struct tan_scan_range {
    const char *what; /* "a tag" */
    uint64_t min, max;
    bool any;   /* also accept -1, read as UINT32_MAX */
    bool wraps; /* reduce larger numbers to their low 32 bits */
};

/* Fail: a number in this range is expected at this place. */
int tan_scan_fail_number(const struct tan_scan *s, const struct tan_scan_range *range,
                         struct tan_error *e);
/* Read a number above range->max. Schedgen writes -1, and tags that overflow an int, as 32-bit
 * negative numbers converted to 64-bit unsigned; generators for NCCL write arbitrarily long tags.
 * Like LogGOPSim this keeps the low 32 bits, but refuses a tag of which these are UINT32_MAX, a
 * wildcard that was not meant. Other numbers are errors. */
int tan_scan_large_number(struct tan_scan *s, const struct tan_scan_range *range, uint64_t *value,
                          struct tan_error *e);

/* Read a number at this place. */
static inline int tan_scan_number(struct tan_scan *s, const struct tan_scan_range *range,
                                  uint64_t *value, struct tan_error *e)
{
    const char *at = s->source->at;
    const char *const start = at;
    uint64_t number = 0;
    if (range->any && at[0] == '-' && at[1] == '1' && !tan_scan_is_digit(at[2])) {
        s->source->at += 2;
        *value = UINT32_MAX;
        return 0;
    }
    for (; tan_scan_is_digit(*at); at++) {
        if (number > range->max / 10) {
            return tan_scan_large_number(s, range, value, e);
        }
        number = 10 * number + (uint64_t)(*at - '0');
    }
    if (at == start || number < range->min || at - start >= TAN_SOURCE_AHEAD) {
        return tan_scan_fail_number(s, range, e);
    }
    if (number > range->max) {
        return tan_scan_large_number(s, range, value, e);
    }
    s->source->at = at;
    *value = number;
    return 0;
}

/* Fail at `place`, which may be earlier; or at the current position: "expected ..., found ...".
 * Both return -1 and quote the line, if it is still in the buffer. */
int tan_scan_fail(const struct tan_scan *s, struct tan_scan_position place, struct tan_error *e,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
int tan_scan_expected(const struct tan_scan *s, struct tan_error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Add this position to an error without one. Returns -1. */
int tan_scan_locate(const struct tan_scan *s, struct tan_scan_position place, struct tan_error *e);

/* Skip send, recv or calc, even as a prefix of a longer word. Returns its enum tan_op_kind; 0 if
 * none of them is here. */
int tan_goal_take_kind(struct tan_scan *s);
/* Read an operation's operands, up to the end of its line or statement. -1 with an error that names
 * the place. */
int tan_goal_read_op(struct tan_scan *s, enum tan_op_kind kind, uint32_t ranks,
                     struct tan_op_spec *spec, struct tan_error *e);
/* Read blanks and a rank below `ranks`, or, if `any`, -1 as TAN_ANY_SOURCE; -1 with an error that
 * `what` is expected at this place. */
int tan_goal_read_rank(struct tan_scan *s, const char *what, uint32_t ranks, bool any,
                       uint32_t *rank, struct tan_error *e);

#endif
