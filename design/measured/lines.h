/* lines.h - lines of a text as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_LINES_H
#define TAN_DESIGN_MEASURED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/csv.h"

/* CSV under construction. */
struct tan_lines {
    FILE *to;   /* writes to `text` */
    char *text; /* of `length` */
    size_t length;
    int *line; /* `rows` entries: the line in the file of each row */
    size_t rows;
    bool short_of_memory;
};

/* End the row written to lines->to; `line` is its line in the file. */
void tan_lines_end_row(struct tan_lines *lines, int line);

/* Call `read_line` with `state` for every line of a text, numbered from 1. For a line of data it
 * writes a row of CSV to lines->to and ends it by tan_lines_end_row. Parse these rows below
 * `headings`, which are row 0; places in the table are those of the text. `source` is the text's
 * name in errors and is borrowed by the table. The caller clears `out`. */
int tan_lines_table(const char *text, const char *source,
                    void (*read_line)(struct tan_lines *, const char *line, int number, void *),
                    void *state, const char *headings, struct tan_csv *out, struct tan_error *e);

/* Most words of a line, and bytes of a word: enough for the longest names of trees. */
enum { TAN_LINE_WORDS = 16, TAN_LINE_WORD = 160 };

struct tan_line_words {
    char word[TAN_LINE_WORDS][TAN_LINE_WORD];
    size_t n;
};

/* Split at any of `separators`, and trim the words; if a blank is among the separators, runs of
 * blanks count as one. Words beyond TAN_LINE_WORDS are dropped, characters beyond TAN_LINE_WORD - 1
 * cut off. */
void tan_line_split(const char *line, const char *separators, struct tan_line_words *out);
/* Whether the word begins with a number other than "inf" and "nan". */
bool tan_word_is_number(const char *word);

#endif
