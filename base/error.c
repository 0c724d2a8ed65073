/* error.c - filling and printing struct tan_error
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* Texts quote what users and files say: keep control characters off the terminal and the text on
 * one line. */
static void make_printable(char *text)
{
    for (; *text != '\0'; text++) {
        if (iscntrl((unsigned char)*text)) {
            *text = '?';
        }
    }
}

__attribute__((format(printf, 3, 0))) static int set(struct tan_error *e, enum tan_status status,
                                                     const char *format, va_list arguments)
{
    if (e != NULL && e->status == TAN_DONE) {
        e->status = status;
        e->line = 0;
        e->column = 0;
        e->source[0] = '\0';
        vsnprintf(e->text, sizeof e->text, format, arguments);
        make_printable(e->text);
    }
    return -1;
}

int tan_fail(struct tan_error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    return -1;
}

int tan_fail_usage(struct tan_error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(e, TAN_USAGE, format, arguments);
    va_end(arguments);
    return -1;
}

int tan_fail_infeasible(struct tan_error *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(e, TAN_INFEASIBLE, format, arguments);
    va_end(arguments);
    return -1;
}

int tan_fail_at(struct tan_error *e, const char *source, int line, int column, const char *format,
                ...)
{
    if (e == NULL || e->status != TAN_DONE) {
        return -1;
    }
    va_list arguments;
    va_start(arguments, format);
    set(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    snprintf(e->source, sizeof e->source, "%s", source);
    make_printable(e->source);
    e->line = line;
    e->column = column;
    return -1;
}

int tan_fail_errno(struct tan_error *e, const char *format, ...)
{
    const int number = errno;
    if (e == NULL || e->status != TAN_DONE) {
        return -1;
    }
    va_list arguments;
    va_start(arguments, format);
    set(e, TAN_FAILED, format, arguments);
    va_end(arguments);
    const size_t used = strlen(e->text);
    snprintf(e->text + used, sizeof e->text - used, ": %s", strerror(number));
    return -1;
}

int tan_fail_nomem(struct tan_error *e)
{
    return tan_fail(e, "out of memory");
}

int tan_error_print(const struct tan_error *e, const char *program, FILE *to)
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
    if (e->status == TAN_USAGE) {
        fprintf(to, "Try '%s --help'\n", program);
    }
    return (int)e->status;
}
