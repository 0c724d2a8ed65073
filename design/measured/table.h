/* table.h - files of measurements as tables with headings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_TABLE_H
#define TAN_DESIGN_MEASURED_TABLE_H

#include "base/csv.h"

/* A unit of time in files. Times are divided by an exact number, which rounds once, so that they
 * print as they were written. */
struct tan_time_unit {
    const char *name;
    double per_second;
};
/* The unit that the first `length` characters of `text` name; NULL if there is none. */
const struct tan_time_unit *tan_time_unit_find(const char *text, size_t length);

/* Turn the text of a file into a table: CSV, or the same with semicolons, tabs or blanks between
 * fields. Without a line of headings these are 1, 2, 3 ... Between blanks a unit belongs to the
 * number before it. `source` is the file's name in errors and is borrowed by the table. Places of
 * fields are those of the file. The caller clears `out`. */
int tan_measured_table(const char *text, const char *source, struct tan_csv *out,
                       struct tan_error *e);

#endif
