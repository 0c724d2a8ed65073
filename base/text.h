/* text.h - layout of UTF-8 text on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_TEXT_H
#define TAN_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Columns that `text` takes, one per code point (no wide or combining characters). */
int tan_text_width(const char *text);
/* Number of bytes of the code point at `text`, which is not empty; 0 if some are missing, because
 * the text was cut, or if it does not start here. */
size_t tan_text_code_point(const char *text);
/* Truncate `text` to at most `columns`, at least 0. */
void tan_text_cut(char *text, int columns);
/* Print `text` and a final newline, wrapped at words: on standard output and error before column
 * COLUMNS, or else the terminal's width, within 60 and 120, elsewhere 90. The cursor is at
 * `column`; continuation lines are indented by `indent`. A newline in `text` starts a new line;
 * words are never split, and their control characters are printed as "?". */
void tan_text_wrap(FILE *to, const char *text, int column, int indent);
/* The same, from the start of a line, for the sentences that `print` writes of `what`. */
void tan_text_wrap_printed(FILE *to, void (*print)(const void *what, FILE *to), const void *what);
/* Write `text` as comments of a configuration file: each line after the prefix `comment`, such as
 * "#". Comments of C are closed at the end of each line, and a blank is inserted into what
 * would close them earlier. */
void tan_text_comment(const char *text, const char *comment, FILE *to);
/* One row of a two-column list: two blanks, `term`, and its explanation wrapped from `column` on,
 * starting on the next line if the term is too long. */
void tan_text_item(FILE *to, const char *term, const char *explanation, int column);
/* Write `text` escaped as HTML or XML content (not as an attribute), with "?" for control
 * characters that XML does not allow and for bytes that are not UTF-8; if it has more than `most`
 * characters, truncated with an ellipsis. */
void tan_text_markup(const char *text, size_t most, FILE *to);
/* A sparkline of `n` values: `places` bars, or fewer if n is less, each the mean of its share of
 * the values, scaled from the lowest mean to the highest. `picture` has room for
 * TAN_SPARKLINE(places). */
#define TAN_SPARKLINE(places) (3 * (places) + 1)
void tan_text_sparkline(const double *value, size_t n, size_t places, char *picture);

#endif
