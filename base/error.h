/* error.h - error reports, used by every function of the library
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_ERROR_H
#define TAN_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses of the programs. */
enum tan_status {
    TAN_DONE = 0,
    TAN_FAILED = 1,     /* a file, a system call or a measurement failed */
    TAN_USAGE = 2,      /* the command line is invalid */
    TAN_UNTRUSTED = 3,  /* measured, but not trustworthy */
    TAN_INFEASIBLE = 4, /* valid, but nothing satisfies it */
};

/* A failure, owned and zero-initialised (TAN_ERROR_INIT) by the caller.
 * The first error set wins: later ones, raised while cleaning up, are dropped. */
struct tan_error {
    enum tan_status status; /* TAN_DONE while no error is set */
    int line;               /* 1-based position in `source`, 0 if unknown */
    int column;             /* 1-based, 0 if unknown */
    char source[512];       /* file or input of the position, "" if none */
    char text[1024];        /* one sentence, no full stop or newline at the end */
    char excerpt[256];      /* the line at that position with a caret under the column, or "" */
};

#define TAN_ERROR_INIT                                                                             \
    {                                                                                              \
        .status = TAN_DONE, .line = 0, .column = 0, .source = "", .text = "", .excerpt = ""        \
    }

/* Each setter does nothing if `e` is NULL or already holds an error, and returns -1 so that a
 * function can end with `return tan_fail(e, ...)`. The status is TAN_USAGE for tan_fail_usage,
 * TAN_INFEASIBLE for tan_fail_infeasible, and TAN_FAILED for all others. */
int tan_fail(struct tan_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
int tan_fail_usage(struct tan_error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int tan_fail_infeasible(struct tan_error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An error at a position of an input file; column 0 if only the line is known. */
int tan_fail_at(struct tan_error *e, const char *source, int line, int column, const char *format,
                ...) __attribute__((format(printf, 5, 6)));
/* The same where the input is in memory, at a character of it; with tan_error_quote. */
int tan_fail_in(struct tan_error *e, const char *source, const char *text, const char *at,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Add a position to an error that has none. Return -1. */
int tan_error_locate(struct tan_error *e, const char *source, int line, int column);
int tan_error_locate_in(struct tan_error *e, const char *source, const char *text, const char *at);
/* The number of the line with the character `at`, from 1. */
int tan_line_of(const char *text, const char *at);
/* Appends strerror(errno), as errno is at the call. */
int tan_fail_errno(struct tan_error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Memory is short. */
int tan_fail_nomem(struct tan_error *e);

/* Keep the offending line, to be printed with a caret under the column. `text` starts with line
 * `first_line` of the source. Of a long line only the part around the column is kept. Does nothing
 * if `e` is NULL or has no line and column, if `text` does not contain them, or if the line is
 * empty. */
void tan_error_quote(struct tan_error *e, const char *text, size_t length, int first_line);

/* Print a line "program: [source:line:column: ]text" and the excerpt; for TAN_USAGE also "Try
 * 'program --help'", or the help of the command. Returns the error's exit status. */
int tan_error_print(const struct tan_error *e, const char *program, FILE *to);
/* Advise "program help COMMAND" from now on; NULL: "program --help". Borrows the name. */
void tan_error_help_on(const char *command);

/* Number of bytes of the control character at `text`: one that controls a terminal, or the order in
 * which it shows letters (such as U+202E); 0 if another one is there. */
size_t tan_control_length(const char *text);
/* Replace control characters in `text` by "?". Text from users and files goes through this before
 * it is printed: in errors, doubts, notes, tables and wrapped sentences. Returns `text`. */
char *tan_printable(char *text);
/* Whether `text` contains control characters other than tabs and newlines. */
bool tan_has_controls(const char *text);

#endif
