/* table.c - text tables with aligned columns (UTF-8 aware)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

struct column {
    bool left;   /* left-aligned */
    bool hidden; /* not printed */
    int width;   /* of its widest cell */
};

/* The headings are the first row, or the first two if one of them has two lines. */
struct tan_table {
    int columns;
    size_t heading_rows;
    size_t first; /* first cell to print: that of the second row if the first is empty */
    bool cut;     /* out of memory: further cells are ignored */
    size_t used;
    char **cells;
    struct column column[];
};

void tan_table_cell(struct tan_table *t, const char *format, ...)
{
    if (t == NULL || t->cut) {
        return;
    }
    char *text;
    va_list arguments;
    va_start(arguments, format);
    t->cut = TAN_ONE_MORE(t->cells, t->used) < 0 || vasprintf(&text, format, arguments) < 0;
    va_end(arguments);
    if (t->cut) {
        return;
    }
    tan_printable(text);
    struct column *column = &t->column[t->used % (size_t)t->columns];
    const int width = tan_text_width(text);
    column->width = width > column->width ? width : column->width;
    t->cells[t->used++] = text;
}

#define MOST_ERROR 100.0 /* beyond it the reference is close to zero */

void tan_table_error(struct tan_table *t, double fraction)
{
    if (fabs(fraction) < 0.0005) {
        tan_table_cell(t, "0.0 %%"); /* without a sign */
    } else if (fabs(fraction) < MOST_ERROR) {
        tan_table_cell(t, "%+.1f %%", 100 * fraction);
    } else {
        tan_table_cell(t, "-");
    }
}

void tan_table_abs_error(struct tan_table *t, double fraction)
{
    if (fabs(fraction) < MOST_ERROR) {
        tan_table_cell(t, "%.1f %%", 100 * fraction);
    } else {
        tan_table_cell(t, "-");
    }
}

void tan_table_end_row(struct tan_table *t)
{
    if (t == NULL) {
        return;
    }
    const size_t columns = (size_t)t->columns;
    for (size_t missing = (columns - t->used % columns) % columns; missing > 0; missing--) {
        tan_table_cell(t, "%s", "");
    }
}

static void add_headings(struct tan_table *t, const char *const *headings, bool upper)
{
    for (int c = 0; c < t->columns; c++) {
        const char *text = headings[c] + t->column[c].left;
        const char *lower = strchr(text, '\n');
        const int length = lower != NULL ? (int)(lower - text) : 0;
        if (upper) {
            tan_table_cell(t, "%.*s", length, text);
        } else {
            tan_table_cell(t, "%s", lower != NULL ? lower + 1 : text);
        }
    }
}

struct tan_table *tan_table_create(const char *const *headings, int columns)
{
    struct tan_table *t = calloc(1, sizeof *t + (size_t)columns * sizeof t->column[0]);
    if (t == NULL) {
        return NULL;
    }
    t->columns = columns;
    t->heading_rows = 1;
    for (int c = 0; c < columns; c++) {
        t->column[c].left = headings[c][0] == '<';
        t->heading_rows = strchr(headings[c], '\n') != NULL ? 2 : t->heading_rows;
    }
    if (t->heading_rows > 1) {
        add_headings(t, headings, true);
    }
    add_headings(t, headings, false);
    return t;
}

void tan_table_destroy(struct tan_table *t)
{
    if (t == NULL) {
        return;
    }
    for (size_t i = 0; i < t->used; i++) {
        free(t->cells[i]);
    }
    free(t->cells);
    free(t);
}

void tan_table_hide_empty(struct tan_table *t)
{
    if (t == NULL) {
        return;
    }
    const size_t columns = (size_t)t->columns;
    const size_t first = t->heading_rows * columns;
    for (size_t c = 0; c < columns && t->used > first; c++) {
        size_t i = first + c;
        while (i < t->used && t->cells[i][0] == '\0') {
            i += columns;
        }
        t->column[c].hidden = i >= t->used;
    }
    for (size_t c = 0; c < columns && t->heading_rows > 1; c++) {
        if (!t->column[c].hidden && t->cells[c][0] != '\0') {
            return;
        }
    }
    t->first = t->heading_rows > 1 ? columns : 0;
}

static void print_rule(const struct tan_table *t, FILE *to)
{
    const char *before = "";
    for (int c = 0; c < t->columns; c++) {
        if (t->column[c].hidden) {
            continue;
        }
        fputs(before, to);
        before = "  ";
        for (int i = 0; i < t->column[c].width; i++) {
            fputc('-', to);
        }
    }
    fputc('\n', to);
}

void tan_table_print(struct tan_table *t, FILE *to)
{
    if (t == NULL) {
        return;
    }
    const size_t columns = (size_t)t->columns;
    int owed = 0; /* blanks due before the next text, so that no line ends in blanks */
    for (size_t i = t->first; i < t->used; i++) {
        const char *text = t->cells[i];
        const struct column *column = &t->column[i % columns];
        const int pad = column->width - tan_text_width(text);
        if (!column->hidden) {
            owed += column->left ? 0 : pad;
            if (text[0] != '\0') {
                fprintf(to, "%*s%s", owed, "", text);
                owed = 0;
            }
            owed += 2 + (column->left ? pad : 0);
        }
        if ((i + 1) % columns == 0 || i + 1 == t->used) {
            fputc('\n', to);
            owed = 0;
        }
        if (i + 1 == t->heading_rows * columns) {
            print_rule(t, to);
        }
    }
    if (t->cut) {
        fputs("(the table is cut short: out of memory)\n", to);
    }
    tan_table_destroy(t);
}
