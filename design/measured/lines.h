/* lines.h - lines of a text as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_LINES_H
#define TAN_DESIGN_MEASURED_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/csv.h"

/* CSV under construction, with the line in the file of each of its rows. */
struct tan_lines {
    FILE *to;
    char *text;
    size_t length;
    int *line;
    size_t rows;
    bool short_of_memory;
};

/* End the row written to lines->to; `line` is its line in the file. */
void tan_lines_end_row(struct tan_lines *lines, int line);

/* Call `read_line` for every line of a text, and parse the CSV that it writes. Row 0 is that of
 * the headings. */
int tan_lines_table(const char *text, const char *source,
                    void (*read_line)(struct tan_lines *, const char *line, int number, void *),
                    void *state, const char *headings, struct tan_csv *out, struct tan_error *e);

enum { TAN_LINE_WORDS = 16, TAN_LINE_WORD = 64 };

struct tan_line_words {
    char word[TAN_LINE_WORDS][TAN_LINE_WORD];
    size_t n;
};

/* Split at any of `separators`; runs of blanks count as one. */
void tan_line_split(const char *line, const char *separators, struct tan_line_words *out);
bool tan_word_is_number(const char *word);

#endif
