/* table.c - files of measurements as tables with headings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/table.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tan_time_unit units[] = {
    {"seconds", 1}, {"usec", 1e6}, {"msec", 1e3}, {"sec", 1},        {"ns", 1e9},
    {"us", 1e6},    {"ms", 1e3},   {"s", 1},      {"min", 1.0 / 60},
};

const struct tan_time_unit *tan_time_unit_find(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i].name) == length && strncmp(units[i].name, text, length) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

/* Whether a word, which need not end here, begins with a number. */
static bool is_number(const char *word)
{
    char *end;
    const double number = strtod(word, &end);
    return end != word && isfinite(number);
}

/* Whether a field cannot be a heading: a number, with a unit or without, or the name of a tree. */
static bool is_value(const char *field, size_t length)
{
    return is_number(field) || (length > 0 && memchr(field, ':', length) != NULL &&
                                isdigit((unsigned char)field[length - 1]));
}

static bool is_remark(const char *line)
{
    const char *first = line + strspn(line, " \t\r");
    return *first == '\0' || *first == '\n' || *first == '#';
}

/* The first line that is no remark, or the end of the text. */
static const char *first_line(const char *text)
{
    while (*text != '\0' && is_remark(text)) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

/* In place of the first of several blanks between two words put a comma, unless the second one is
 * the unit of the first. */
static void separate_words(char *line)
{
    for (char *word = line + strspn(line, " \t"); *word != '\0' && *word != '\n';) {
        char *gap = word + strcspn(word, " \t\r\n");
        char *next = gap + strspn(gap, " \t\r");
        const bool is_unit =
            is_number(word) && tan_time_unit_find(next, strcspn(next, " \t\r\n")) != NULL;
        if (*next != '\0' && *next != '\n' && !is_unit) {
            *gap = ',';
        }
        word = next;
    }
}

/* Separate fields by commas, so that each remains at its place. */
static void separate_fields(char *text)
{
    static const char separators[] = ",;\t";
    const char *first = first_line(text);
    const size_t length = strcspn(first, "\n");
    const char *separator = separators;
    while (*separator != '\0' && memchr(first, *separator, length) == NULL) {
        separator++;
    }
    for (char *line = text; *line != '\0'; line += *line == '\n') {
        if (*separator == '\0' && !is_remark(line)) {
            separate_words(line);
        }
        for (; *line != '\0' && *line != '\n'; line++) {
            *line = *separator != '\0' && *line == *separator ? ',' : *line;
        }
    }
}

/* The headings 1, 2, 3 ... of a table of which the first line has values; "" if it has headings
 * itself. Freed by the caller; NULL if memory is short. */
static char *missing_headings(const char *text)
{
    char *headings = NULL;
    size_t length;
    FILE *to = open_memstream(&headings, &length);
    bool valued = false;
    size_t columns = 0;
    for (const char *at = first_line(text); to != NULL && *at != '\0' && *at != '\n';) {
        at += strspn(at, " \t\r");
        const size_t end = strcspn(at, ",\r\n");
        valued = valued || is_value(at, end);
        fprintf(to, "%s%zu", columns > 0 ? "," : "", columns + 1);
        columns++;
        at += end + strspn(at + end, "\r");
        at += *at == ',';
    }
    if (to == NULL || fclose(to) != 0) {
        free(headings);
        return NULL;
    }
    headings[valued ? length : 0] = '\0';
    return headings;
}

int tan_measured_table(const char *text, const char *source, struct tan_csv *out,
                       struct tan_error *e)
{
    char *separated = strdup(text);
    char *headings = NULL;
    char *table = NULL;
    int length = -1;
    if (separated != NULL) {
        separate_fields(separated);
        headings = missing_headings(separated);
    }
    if (headings != NULL) {
        length = asprintf(&table, "%s%s%s", headings, headings[0] != '\0' ? "\n" : "", separated);
    }
    int result =
        length < 0 ? tan_fail_nomem(e) : tan_csv_parse(out, table, (size_t)length, source, e);
    if (length >= 0 && headings[0] != '\0') {
        for (size_t i = 0; result == 0 && i < (out->rows + 1) * out->columns; i++) {
            out->field[i].line -= out->field[i].line > 1;
        }
        if (result < 0) {
            e->line -= e->line > 1;
        }
    }
    free(length < 0 ? NULL : table);
    free(headings);
    free(separated);
    return result;
}
