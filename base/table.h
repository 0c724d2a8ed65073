/* table.h - text tables with aligned columns (UTF-8 aware)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_TABLE_H
#define TAN_BASE_TABLE_H

#include <stdio.h>

#include "base/error.h"

struct tan_table;

/* `headings`: `columns` strings; a heading that starts with '<' is a left-aligned column (the '<'
 * is not printed), every other column is right-aligned; a newline parts it in two lines. Returns
 * NULL when memory is short (then the other calls accept NULL and do nothing). */
struct tan_table *tan_table_create(const char *const *headings, int columns);
void tan_table_destroy(struct tan_table *t);
/* Add one cell, copied; cells fill rows from left to right. */
void tan_table_cell(struct tan_table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Add a relative error: "+1.5 %"; "-" where there is none, and from 100 times on, where what it is
 * relative to is all but nothing. */
void tan_table_error(struct tan_table *t, double fraction);
/* The same of an error without a sign. */
void tan_table_abs_error(struct tan_table *t, double fraction);
/* Fill the rest of the current row with empty cells (does nothing at the start of a row). */
void tan_table_end_row(struct tan_table *t);
/* Headings, a rule, the rows; columns two blanks apart, no trailing blanks. */
void tan_table_print(const struct tan_table *t, FILE *to);

#endif
