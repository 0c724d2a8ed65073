/* text.h - text: its layout on a terminal, words of command lines, the nearest of several names
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_TEXT_H
#define TAN_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* A text as a value, enough for any name of a tree: `f(x).text` is valid until the end of the full
 * expression that calls f. */
struct tan_text {
    char text[512];
};
/* A text by a format; what is longer than fits is cut off. */
struct tan_text tan_printed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Columns that `text` takes, one per code point (no wide or combining characters). */
int tan_text_width(const char *text);
/* Number of bytes of the code point at `text`, which is not empty; 0 if some are missing, because
 * the text was cut, or if it does not start here. */
size_t tan_text_code_point(const char *text);
/* Truncate `text` to at most `columns`, at least 0. */
void tan_text_cut(char *text, int columns);
/* Print `text` and a final newline, wrapped at words: on standard output and error before column
 * COLUMNS, or else the terminal's width, within 60 and 120, elsewhere 80. The cursor is at
 * `column`; continuation lines are indented by `indent`. A newline in `text` starts a new line;
 * words are never split, and their control characters are printed as "?". */
void tan_text_wrap(FILE *to, const char *text, int column, int indent);
/* The same for sentences by a format, from the start of a line and without an indent. */
void tan_text_say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for the sentences that `print` writes of `what`. */
void tan_text_wrap_printed(FILE *to, void (*print)(const void *what, FILE *to), const void *what);
/* Write `text` as comments of a configuration file: each line after the prefix `comment`, such as
 * "#". */
void tan_text_comment(const char *text, const char *comment, FILE *to);
/* One row of a two-column list: two blanks, `term`, and its explanation wrapped from `column` on,
 * starting on the next line if the term is too long. */
void tan_text_item(FILE *to, const char *term, const char *explanation, int column);
/* Write `text` escaped as HTML or XML content (not as an attribute), with "?" for control
 * characters that XML does not allow and for bytes that are not UTF-8; if it has more than `most`
 * characters, truncated with an ellipsis. */
void tan_text_markup(const char *text, size_t most, FILE *to);

/* The words of `text`, split as by a POSIX shell but without expansions: blanks and newlines
 * separate words; '...' and "..." group, the first literally; a backslash escapes the next
 * character, within "..." only one of $ ` " \ and newline, and a backslash-newline is removed. All
 * other characters, $ * ~ # ; | & included, are literal. Returns a NULL-terminated list to be freed
 * with tan_words_free; NULL with an error (TAN_USAGE, naming `what`) on an unclosed quote or
 * trailing backslash, and when memory is short. */
char **tan_words_split(const char *what, const char *text, struct tan_error *e);
void tan_words_free(char **words);
/* Write `word` to `to` so that tan_words_split and POSIX shells read it back as one word: as it is,
 * or in '...' if it is empty or has characters that may be special. The caller checks `to` for
 * errors. */
void tan_words_quote(FILE *to, const char *word);

/* The names of a table: rows of `stride` bytes, each starting with its name (const char *). A row
 * whose name is NULL ends the table before `n`. */
struct tan_choices {
    const void *table; /* borrowed */
    size_t stride, n;
};
/* From an array of rows or of names. */
#define TAN_CHOICES(array)                                                                         \
    ((struct tan_choices){(array), sizeof(array)[0], sizeof(array) / sizeof(array)[0]})

/* From an array of rows of which the last has no name. */
#define TAN_ROWS(array) ((struct tan_choices){(array), sizeof(array)[0], SIZE_MAX})

/* Index of the row called `name`; -1 with the error of tan_choice_fail. */
int tan_choice_find(struct tan_choices choices, const char *what, const char *name,
                    struct tan_error *e);
/* The row that is nearest to a word, as far as any is near. */
struct tan_nearest tan_choice_nearest(struct tan_choices choices, const char *word);
/* 'WHAT: "word" is not one of ALLOWED' (TAN_USAGE), after the name that is nearest to the word, if
 * any is near. Returns -1. */
int tan_choice_fail(struct tan_error *e, const char *what, const struct tan_nearest *nearest,
                    const char *allowed);
/* The name of row `row`, which must exist. */
const char *tan_choice_name(struct tan_choices choices, int row);
/* "a, b, c" */
struct tan_text tan_choice_list(struct tan_choices choices);

/* List rows whose second member is their explanation (const char *), each as tan_text_item. */
void tan_choice_help(struct tan_choices choices, int column, FILE *to);

/* The nearest to a word of the names tried so far. */
struct tan_nearest {
    const char *word; /* borrowed, not terminated */
    size_t length;    /* of the word */
    const char *name; /* borrowed; NULL: none was near enough */
    int distance;     /* of `name`: edits that turn the word into it */
};

struct tan_nearest tan_nearest_to(const char *word, size_t length);
/* Take `name` if it is nearer than all before, or as near and begins like the word, which the one
 * before does not; returns whether it was taken. Near are names that take few
 * edits: insertions, deletions, replacements and swaps of neighbouring characters, one or fewer
 * than a third of the longer one's characters, or three if the first three agree. Case does not
 * count, nor does '_' instead of '-'. A name that the word begins with, or the reverse, is one edit
 * away. Words and names longer than 63 characters are not near to any. */
bool tan_nearest_try(struct tan_nearest *nearest, const char *name);

#endif
