/* csv.c - comma-separated tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_COLUMNS = 1000 };

/* Parses the text front to back; fields are unquoted in place. */
struct reader {
    const char *source;
    char *next;
    const char *line_start;
    int line;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* At the end of a line or of the text. */
static bool at_end(const char *text)
{
    return *text == '\0' || *text == '\n' || (text[0] == '\r' && text[1] == '\n');
}

static void next_line(struct reader *r)
{
    r->next += *r->next == '\r';
    if (*r->next == '\n') {
        r->next++;
        r->line++;
        r->line_start = r->next;
    }
}

static int fail_at(const struct reader *r, const char *where, const char *what, struct tan_error *e)
{
    return tan_fail_at(e, r->source, r->line, (int)(where - r->line_start) + 1, "%s", what);
}

/* Read a quoted field from its opening quote; a doubled quote stands for one. Returns the end of
 * its content, which lies before r->next. */
static char *read_quoted(struct reader *r, struct tan_error *e)
{
    const struct reader opening = *r;
    char *to = r->next++;
    for (;;) {
        if (*r->next == '\0') {
            fail_at(&opening, opening.next, "the quote that opens here is never closed", e);
            return NULL;
        }
        if (r->next[0] == '"' && r->next[1] != '"') {
            r->next++;
            return to;
        }
        r->next += *r->next == '"';
        *to++ = *r->next;
        if (*r->next++ == '\n') {
            r->line++;
            r->line_start = r->next;
        }
    }
}

/* Read one field, up to the comma or line end, where r->next is left. */
static int read_field(struct reader *r, struct tan_csv_field *field, char **end,
                      struct tan_error *e)
{
    while (is_blank(*r->next)) {
        r->next++;
    }
    field->line = r->line;
    field->column = (int)(r->next - r->line_start) + 1;
    field->text = r->next;
    if (*r->next == '"') {
        *end = read_quoted(r, e);
        if (*end == NULL) {
            return -1;
        }
        while (is_blank(*r->next)) {
            r->next++;
        }
        if (*r->next != ',' && !at_end(r->next)) {
            return fail_at(r, r->next,
                           "only a comma or the end of the line may follow a closing quote", e);
        }
        return 0;
    }
    while (*r->next != ',' && !at_end(r->next)) {
        if (*r->next == '"') {
            return fail_at(r, r->next, "a quote inside a field that does not start with one", e);
        }
        r->next++;
    }
    *end = r->next;
    while (*end > field->text && is_blank((*end)[-1])) {
        (*end)--;
    }
    return 0;
}

static int read_rows(struct tan_csv *csv, struct reader *r, struct tan_error *e)
{
    size_t used = 0;
    while (*r->next != '\0') {
        const char *first = r->next;
        while (is_blank(*first)) {
            first++;
        }
        if (*first == '#' || at_end(first)) {
            r->next += strcspn(r->next, "\n");
            next_line(r);
            continue;
        }
        const size_t before = used;
        const int line = r->line;
        for (bool more = true; more;) {
            if (used - before == MOST_COLUMNS) {
                return tan_fail_at(e, r->source, line, 0, "a row must have at most %d fields",
                                   MOST_COLUMNS);
            }
            char *end = NULL;
            if (TAN_ONE_MORE(csv->field, used) < 0) {
                return tan_fail_nomem(e);
            }
            if (read_field(r, &csv->field[used++], &end, e) < 0) {
                return -1;
            }
            more = *r->next == ',';
            if (more) {
                r->next++;
            } else {
                next_line(r);
            }
            *end = '\0'; /* not earlier: this may overwrite the comma or line end */
        }
        if (before == 0) {
            csv->columns = used;
        } else if (used - before != csv->columns) {
            return tan_fail_at(e, r->source, line, 0,
                               "a row must have %zu fields, as the headings have, not %zu",
                               csv->columns, used - before);
        } else {
            csv->rows++;
        }
    }
    if (used == 0) {
        return tan_fail_at(e, r->source, 0, 0, "there is no heading line");
    }
    return 0;
}

int tan_csv_parse(struct tan_csv *out, const char *text, size_t length, const char *source,
                  struct tan_error *e)
{
    *out = (struct tan_csv){.source = source, .text = malloc(length + 1)};
    if (out->text == NULL) {
        return tan_fail_nomem(e);
    }
    memcpy(out->text, text, length);
    out->text[length] = '\0';
    struct reader reader = {source, out->text, out->text, 1};
    if (read_rows(out, &reader, e) < 0) {
        tan_csv_clear(out);
        return -1;
    }
    return 0;
}

void tan_csv_clear(struct tan_csv *csv)
{
    free(csv->field);
    free(csv->text);
    *csv = (struct tan_csv){.rows = 0};
}

int tan_csv_find(const struct tan_csv *csv, const char *heading)
{
    for (size_t i = 0; i < csv->columns; i++) {
        if (strcmp(csv->field[i].text, heading) == 0) {
            return (int)i;
        }
    }
    return -1;
}

const struct tan_csv_field *tan_csv_at(const struct tan_csv *csv, size_t row, size_t column)
{
    return &csv->field[(row + 1) * csv->columns + column];
}

void tan_csv_write_field(const char *text, FILE *to)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (const char *c = text; *c != '\0'; c++) {
        fprintf(to, *c == '"' ? "\"\"" : "%c", *c);
    }
    fputc('"', to);
}
