/* output.h - files that are written whole or not at all
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_OUTPUT_H
#define TAN_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct tan_output;

/* Open `path` for writing; "-" is stdout. A regular file (also
 * through a symbolic link) is written to a temporary file beside it and replaces it only in
 * tan_output_commit; anything else
 * (/dev/null, a pipe) is written in place. */
struct tan_output *tan_output_open(const char *path, struct tan_error *e);
/* `path`, which may be NULL, stands for standard output. */
bool tan_output_is_stdout(const char *path);
/* An output of a program: the option that names it, and its path, which may be NULL. */
struct tan_output_name {
    const char *option; /* "--json" */
    const char *path;
};
/* Refuse two of `n` outputs that are one file, also where it is spelled in two ways, or both
 * standard output. Devices such as /dev/null may be named twice. */
int tan_output_distinct(const struct tan_output_name *outputs, size_t n, struct tan_error *e);
/* Refuse an output that is the input `path` ("-" and NULL are none), which `option` names. */
int tan_output_spares(const struct tan_output_name *outputs, size_t n, const char *option,
                      const char *path, struct tan_error *e);
/* The program is to write the file or folder `path`, which `option` names; the last path of an
 * option counts. Both are borrowed. */
void tan_output_expect(const char *option, const char *path);
/* Refuse two of these that are one file. */
int tan_output_check_expected(struct tan_error *e);
/* The first of these that was not committed since, nor any file below it; NULL: all were. */
const struct tan_output_name *tan_output_missing(void);
/* Whether this process has committed an output. */
bool tan_output_any(void);
FILE *tan_output_stream(struct tan_output *o);
/* Fail where `path`, which may be NULL, cannot be written, before long work. Only regular files are
 * tried: opening others twice may have side effects. */
int tan_output_check(const char *path, struct tan_error *e);
/* Flush `stream`; whether all output was written, else errno is the reason, also of an earlier
 * failure. */
bool tan_output_flush(FILE *stream);
/* Flush, sync, rename, close and destroy; every write error of the stream shows up here. */
int tan_output_commit(struct tan_output *o, struct tan_error *e);
/* Discard the output and destroy; NULL is allowed. */
void tan_output_discard(struct tan_output *o);

/* Whoever opens an input calls this with its path ("-", or "/dev/stdin" and the like) and
 * descriptor. Fails where an expected output would replace it, and where it is standard input and
 * another input was: that can be read only once. */
int tan_input_take(const char *path, int fd, struct tan_error *e);
/* Refuse to open a named pipe that was read before, which would wait for ever. Whoever opens an
 * input that need not be a regular file calls this first. */
int tan_input_fresh(const char *path, struct tan_error *e);
/* The name of `path` in messages: "standard input" for "-". */
const char *tan_input_name(const char *path);
/* Refuse what is there and is no regular file: it may have no end, or wait for a writer for ever.
 */
int tan_input_regular(const char *path, struct tan_error *e);
/* All inputs are read: what is read from here on is about to be replaced. */
void tan_inputs_end(void);
/* The error of two inputs that are standard input; returns -1. */
int tan_stdin_twice(struct tan_error *e);
/* Let standard input, which must be a regular file, be read again from its beginning. */
void tan_stdin_rewind(void);

/* Whole file as one NUL-terminated buffer (malloc'd, the caller frees); "-" is stdin. *length
 * excludes the NUL; may be NULL. More than TAN_MAX_INPUT is an error: input may have no end. */
#define TAN_MAX_INPUT ((size_t)1 << 30)
char *tan_read_file(const char *path, size_t *length, struct tan_error *e);
/* The same for a file that must be text: a byte order mark of UTF-8 is left out, and UTF-16 and NUL
 * bytes are errors. Whoever reads text calls this, and needs to know nothing of marks. */
char *tan_read_text(const char *path, size_t *length, struct tan_error *e);
/* Bytes of the byte order mark of UTF-8 with which `text` begins, 0 or 3. */
size_t tan_text_mark(const char *text, size_t length);
/* Fail where what was read from `source` is no text in UTF-8 or ASCII, by its first bytes: UTF-16
 * with its mark. */
int tan_text_check(const char *text, size_t length, const char *source, struct tan_error *e);

#endif
