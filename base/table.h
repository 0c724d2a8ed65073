/* table.h - text tables with aligned columns (UTF-8 aware)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_TABLE_H
#define TAN_BASE_TABLE_H

#include <stdio.h>

struct tan_table;

/* `headings`: `columns` strings. A heading that starts with '<' (not printed) makes its column
 * left-aligned, all others are right-aligned; a newline splits it into two lines. Returns NULL when
 * memory is short; the other functions accept NULL and do nothing. */
struct tan_table *tan_table_create(const char *const *headings, int columns);
void tan_table_destroy(struct tan_table *t);
/* Add one cell, copied; cells fill rows from left to right. */
void tan_table_cell(struct tan_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Add a relative error, 0.015 as "+1.5 %"; "-" for NaN and beyond +-100, which only means that the
 * reference is close to zero. */
void tan_table_error(struct tan_table *t, double fraction);
/* The same without the plus sign. */
void tan_table_abs_error(struct tan_table *t, double fraction);
/* Fill the rest of the current row with empty cells; does nothing at the start of a row. */
void tan_table_end_row(struct tan_table *t);
/* Leave out the columns in which no row has a text; call it after adding all rows. */
void tan_table_hide_empty(struct tan_table *t);
/* Print headings, a rule and the rows, and destroy the table; columns are two blanks apart, without
 * trailing blanks. */
void tan_table_print(struct tan_table *t, FILE *to);

#endif
