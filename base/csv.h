/* csv.h - tables in comma-separated files, with the place of every field
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stddef.h>

#include "base/error.h"

struct tan_csv_field {
    const char *text; /* without quotes, and without blanks around it when it was not quoted */
    int line, column; /* 1-based, in bytes */
};

struct tan_csv {
    const char *source; /* name of the file in errors */
    size_t rows;        /* without the heading line */
    size_t columns;
    struct tan_csv_field *field; /* (rows + 1) x columns, row by row; the headings come first */
    char *text;                  /* the whole file, which the fields point into */
};

/* Read `path` ("-": stdin): RFC 4180 with a heading line, either line end, a byte order mark, empty
 * lines and lines starting with '#' (both skipped). Every row has as many fields as there are
 * headings. The path must outlive the table. O(bytes). */
int tan_csv_read(struct tan_csv *out, const char *path, struct tan_error *e);
/* The same from a text, which is copied; `source` names it in errors. */
int tan_csv_parse(struct tan_csv *out, const char *text, size_t length, const char *source,
                  struct tan_error *e);
void tan_csv_clear(struct tan_csv *csv);

/* Column with this heading, -1 when there is none. */
int tan_csv_find(const struct tan_csv *csv, const char *heading);
/* Field of a row, 0-based without the heading line. */
const struct tan_csv_field *tan_csv_at(const struct tan_csv *csv, size_t row, size_t column);

#endif
