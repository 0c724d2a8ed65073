/* output.h - files written atomically, reading of inputs, and programs in PATH
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_OUTPUT_H
#define TAN_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct tan_output;

/* Open `path` for writing; "-" is stdout. A regular file, even behind a symbolic link, is written
 * to a temporary file beside it, which replaces it in tan_output_commit; anything else (/dev/null,
 * a pipe) is written in place. */
struct tan_output *tan_output_open(const char *path, struct tan_error *e);
/* The same for a name that the user did not give, such as that of a file in a folder: it is an
 * error if a link, a device or another user's file has this name. */
struct tan_output *tan_output_open_named(const char *path, struct tan_error *e);
/* Whether `path`, which may be NULL, denotes standard output. */
bool tan_output_is_stdout(const char *path);
/* Print "Wrote A, B", without a line end, of those `n` paths that are neither NULL nor standard
 * output; returns their number. */
size_t tan_output_print_written(const char *const *paths, size_t n, FILE *to);
/* An output of a program: the option that names it and its path, which may be NULL. */
struct tan_output_name {
    const char *option; /* "--json" */
    const char *path;
};
/* Refuse two of `n` outputs that have the same path. Devices such as /dev/null may repeat. */
int tan_output_distinct(const struct tan_output_name *outputs, size_t n, struct tan_error *e);
/* Register the file or folder `path` as an output the program must write; an option's last path
 * wins. `option`: its long name without dashes, or "OUT" for an operand. Both are borrowed. */
void tan_output_expect(const char *option, const char *path);
/* Refuse two registered outputs that have the same path. */
int tan_output_check_expected(struct tan_error *e);
/* The path of the first registered output that was not committed, neither itself nor a file in it;
 * NULL if all were. */
const char *tan_output_missing(void);
/* Whether this process has committed an output. */
bool tan_output_any(void);
FILE *tan_output_stream(struct tan_output *o);
/* Fail before long work if `path`, which may be NULL, cannot be written. Only regular files are
 * tried: opening others twice may have side effects. */
int tan_output_check(const char *path, struct tan_error *e);
/* Flush `stream`. Returns whether all output was written; if not, errno is the reason, even of an
 * earlier failure. */
bool tan_output_flush(FILE *stream);
/* Flush, sync, rename, close and free; reports every write error of the stream. */
int tan_output_commit(struct tan_output *o, struct tan_error *e);
/* Discard the output and free it; NULL is allowed. */
void tan_output_discard(struct tan_output *o);

/* The name of `path` in messages: "standard input" for "-". */
const char *tan_input_name(const char *path);
/* Refuse an existing input that is not a regular file: it may never end, or block forever. */
int tan_input_regular(const char *path, struct tan_error *e);

/* Whether the program is in PATH. */
bool tan_program_found(const char *name);

/* The whole file as a NUL-terminated buffer, freed by the caller; "-" is stdin. *length excludes
 * the NUL; may be NULL. More than TAN_MAX_INPUT is an error, since an input may never end. */
#define TAN_MAX_INPUT ((size_t)1 << 30)
char *tan_read_file(const char *path, size_t *length, struct tan_error *e);
/* The same for text: a UTF-8 byte order mark is skipped, and UTF-16 and NUL bytes are errors. */
char *tan_read_text(const char *path, size_t *length, struct tan_error *e);
/* Length of the UTF-8 byte order mark that starts `text`, 0 or 3. */
size_t tan_text_mark(const char *text, size_t length);
/* Fail if what was read from `source` starts like UTF-16. */
int tan_text_check(const char *text, size_t length, const char *source, struct tan_error *e);

#endif
