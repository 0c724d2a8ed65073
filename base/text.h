/* text.h - laying out UTF-8 text on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_TEXT_H
#define TAN_BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Columns that `text` takes, one per code point (no wide or combining characters). */
int tan_text_width(const char *text);
/* Shorten `text` to at most `columns`, at least 0. */
void tan_text_cut(char *text, int columns);
/* Print `text` word by word and a final newline: the cursor is at `column`, lines wrap before
 * column 90 and start with `indent` blanks. A newline in `text` starts a new line, and words never
 * break. */
void tan_text_wrap(FILE *to, const char *text, int column, int indent);
/* One row of a two-column list: two blanks, `term`, its explanation wrapped from `column` on (on
 * the next line when the term is too long). */
void tan_text_item(FILE *to, const char *term, const char *explanation, int column);
/* Write `text` so that it is text between the tags of HTML and XML (not within an attribute); of
 * more than `most` characters the first ones and an ellipsis. */
void tan_text_markup(const char *text, size_t most, FILE *to);
/* A picture of `n` values in their order: `places` bars, each as high as the mean of its share of
 * them, from the lowest mean to the highest; fewer where n is less. `picture` has room for
 * TAN_SPARKLINE(places). */
#define TAN_SPARKLINE(places) (3 * (places) + 1)
void tan_text_sparkline(const double *value, size_t n, size_t places, char *picture);

#endif
