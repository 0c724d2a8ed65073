/* csv.h - comma-separated tables: reading, with the position of every field, and writing a field
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_CSV_H
#define TAN_BASE_CSV_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct tan_csv_field {
    const char *text; /* without quotes; blanks around unquoted text are trimmed */
    int line, column; /* 1-based, in bytes */
};

struct tan_csv {
    const char *source; /* file name for error messages */
    size_t rows;        /* excluding the heading line */
    size_t columns;
    struct tan_csv_field *field; /* (rows + 1) x columns, row-major, headings first */
    char *text;                  /* owned; fields point into it */
};

/* Read `text` as RFC 4180 with a heading line; accepts LF and CRLF line ends, and skips empty lines
 * and lines starting with '#'. Every row must have as many fields as there are headings, at most
 * 1000. The text contains no NUL byte or byte order mark (as from tan_read_text) and is copied;
 * `source` names it in errors and must outlive the table. After an error nothing needs to be
 * cleared. O(length). */
int tan_csv_parse(struct tan_csv *out, const char *text, size_t length, const char *source,
                  struct tan_error *e);
void tan_csv_clear(struct tan_csv *csv);

/* Index of the column with this heading, -1 if there is none. */
int tan_csv_find(const struct tan_csv *csv, const char *heading);
/* A field; `row` is 0-based and does not count the heading line. */
const struct tan_csv_field *tan_csv_at(const struct tan_csv *csv, size_t row, size_t column);

/* Write a field, in quotes if its text has commas, quotes or line ends. */
void tan_csv_write_field(const char *text, FILE *to);

#endif
