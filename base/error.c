/* error.c - filling and printing struct tan_error
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t tan_control_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (iscntrl(at[0]) && at[0] != '\0') {
        return 1;
    }
    if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0) { /* U+0080 to U+009F */
        return 2;
    }
    /* U+202A to U+202E, U+2066 to U+2069: of text from right to left */
    const bool embeds = at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae;
    const bool isolates = at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9;
    return embeds || isolates ? 3 : 0;
}

char *tan_printable(char *text)
{
    for (char *at = text; *at != '\0';) {
        const size_t length = tan_control_length(at);
        memset(at, '?', length);
        at += length > 0 ? length : 1;
    }
    return text;
}

bool tan_has_controls(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (tan_control_length(at) > 0 && *at != '\n' && *at != '\t') {
            return true;
        }
    }
    return false;
}

/* A UTF-8 continuation byte. */
static bool is_continued(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Whether it set the error: `e` is not NULL and held none. */
__attribute__((format(printf, 3, 0))) static bool set_error(struct tan_error *e,
                                                            enum tan_status status,
                                                            const char *format, va_list arguments)
{
    if (e == NULL || e->status != TAN_DONE) {
        return false;
    }
    *e = (struct tan_error){.status = status};
    vsnprintf(e->text, sizeof e->text, format, arguments);
    tan_printable(e->text);
    return true;
}

int tan_fail(struct tan_error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_error(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    return -1;
}

int tan_fail_usage(struct tan_error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_error(e, TAN_USAGE, format, arguments);
    va_end(arguments);
    return -1;
}

int tan_fail_infeasible(struct tan_error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_error(e, TAN_INFEASIBLE, format, arguments);
    va_end(arguments);
    return -1;
}

int tan_fail_at(struct tan_error *e, const char *source, int line, int column, const char *format,
                ...)
{
    va_list arguments;
    va_start(arguments, format);
    const bool set = set_error(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    return set ? tan_error_locate(e, source, line, column) : -1;
}

int tan_error_locate(struct tan_error *e, const char *source, int line, int column)
{
    if (e != NULL && e->status != TAN_DONE && e->source[0] == '\0') {
        snprintf(e->source, sizeof e->source, "%s", source);
        tan_printable(e->source);
        e->line = line;
        e->column = column;
    }
    return -1;
}

int tan_line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) {
        line += *text == '\n';
    }
    return line;
}

int tan_error_locate_in(struct tan_error *e, const char *source, const char *text, const char *at)
{
    const char *start = at;
    while (start > text && start[-1] != '\n') {
        start--;
    }
    const int line = tan_line_of(text, at);
    tan_error_locate(e, source, line, (int)(at - start) + 1);
    tan_error_quote(e, start, strlen(start), line);
    return -1;
}

int tan_fail_in(struct tan_error *e, const char *source, const char *text, const char *at,
                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const bool set = set_error(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    return set ? tan_error_locate_in(e, source, text, at) : -1;
}

int tan_fail_errno(struct tan_error *e, const char *format, ...)
{
    const int number = errno;
    va_list arguments;
    va_start(arguments, format);
    const bool set = set_error(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    if (set) {
        const size_t used = strlen(e->text);
        snprintf(e->text + used, sizeof e->text - used, ": %s", strerror(number));
    }
    return -1;
}

int tan_fail_nomem(struct tan_error *e)
{
    return tan_fail(e, "out of memory");
}

void tan_error_quote(struct tan_error *e, const char *text, size_t length, int first_line)
{
    enum {
        BEFORE = 50,
        SHOWN = 76
    }; /* bytes shown of a long line: before the column, and in total */
    if (e == NULL || e->line < first_line || e->column < 1) {
        return;
    }
    const char *end = text + length;
    for (int line = first_line; line < e->line; line++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) {
            return;
        }
        text = newline + 1;
    }
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    end = newline != NULL ? newline : end;
    end -= end > text && end[-1] == '\r';
    if (end == text || e->column - 1 > end - text) {
        return;
    }
    const char *at = text + e->column - 1;
    const char *from = end - text > SHOWN && at - text > BEFORE ? at - BEFORE : text;
    const char *to = end - from > SHOWN ? from + SHOWN : end;
    for (; from < at && is_continued(*from); from++) { /* no partial characters */
    }
    for (; to > at && to < end && is_continued(*to); to--) {
    }
    snprintf(e->excerpt, sizeof e->excerpt, "%s%.*s%s", from > text ? "..." : "", (int)(to - from),
             from, to < end ? "..." : "");
    for (char *tab = e->excerpt; (tab = strchr(tab, '\t')) != NULL; *tab = ' ') {
    }
    tan_printable(e->excerpt);
    int column = from > text ? 3 : 0;
    for (; from < at; from++) {
        column += !is_continued(*from);
    }
    const size_t used = strlen(e->excerpt);
    snprintf(e->excerpt + used, sizeof e->excerpt - used, "\n%*s^", column, "");
}

static const char *help_command; /* whose help lists the options; NULL: the program's */

void tan_error_help_on(const char *command)
{
    help_command = command;
}

static void print_lines(const struct tan_error *e, const char *program, FILE *to)
{
    fprintf(to, "%s: ", program);
    if (e->source[0] != '\0') {
        fputs(e->source, to);
        if (e->line > 0) {
            fprintf(to, ":%d", e->line);
        }
        if (e->line > 0 && e->column > 0) {
            fprintf(to, ":%d", e->column);
        }
        fputs(": ", to);
    }
    fprintf(to, "%s\n", e->text);
    if (e->excerpt[0] != '\0') {
        fprintf(to, "%s\n", e->excerpt);
    }
    if (e->status == TAN_USAGE) {
        fprintf(to, help_command != NULL ? "Try '%s help %s'\n" : "Try '%s --help'\n", program,
                help_command);
    }
}

/* In one write, since other processes may write there too. */
int tan_error_print(const struct tan_error *e, const char *program, FILE *to)
{
    char *text = NULL;
    size_t length;
    FILE *lines = open_memstream(&text, &length);
    print_lines(e, program, lines != NULL ? lines : to);
    if (lines != NULL) {
        if (fclose(lines) == 0) {
            fputs(text, to);
        } else {
            print_lines(e, program, to); /* out of memory */
        }
        free(text);
    }
    return (int)e->status;
}
