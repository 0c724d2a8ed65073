/* table.c - files of measurements as tables with headings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/table.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design/measured/benchmarks.h"
#include "design/measured/lines.h"

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

/* Whether a word cannot be a heading: a number, with a unit or without, or the name of a tree. */
static bool is_value(const char *word)
{
    const char *colon = strchr(word, ':');
    return tan_word_is_number(word) ||
           (colon != NULL && isdigit((unsigned char)word[strlen(word) - 1]));
}

/* A table without commas, or without headings. */
struct plain {
    const char *separators;
    bool headed; /* the first line has the headings */
};

/* Append units to the numbers before them: "12 ms" becomes "12ms". */
static void join_units(struct tan_line_words *words)
{
    size_t n = 0;
    for (size_t i = 0; i < words->n; i++) {
        const size_t used = n > 0 ? strlen(words->word[n - 1]) : 0;
        const char *word = words->word[i];
        if (n > 0 && tan_time_unit_find(word, strlen(word)) != NULL &&
            tan_word_is_number(words->word[n - 1])) {
            snprintf(words->word[n - 1] + used, TAN_LINE_WORD - used, "%s", words->word[i]);
        } else if (i == n) {
            n++;
        } else {
            memcpy(words->word[n++], words->word[i], TAN_LINE_WORD);
        }
    }
    words->n = n;
}

static bool is_remark(const char *line)
{
    const char *first = line + strspn(line, " \t\r");
    return *first == '\0' || *first == '#';
}

static void read_plain_line(struct tan_lines *b, const char *line, int number, void *state)
{
    struct plain *p = state;
    struct tan_line_words words;
    if (is_remark(line)) {
        return;
    }
    if (p->headed) {
        p->headed = false; /* the headings are written already */
        b->line[0] = number;
        return;
    }
    tan_line_split(line, p->separators, &words);
    if (strchr(p->separators, ' ') != NULL) {
        join_units(&words);
    }
    for (size_t i = 0; i < words.n; i++) {
        fprintf(b->to, "%s\"%s\"", i > 0 ? "," : "", words.word[i]);
    }
    tan_lines_end_row(b, number);
}

/* The first line that is no remark; malloc'd, "" without one, NULL if memory is short. */
static char *first_line(const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        if (line == NULL || !is_remark(line)) {
            return line;
        }
        free(line);
        text += length + (text[length] == '\n');
    }
    return strdup("");
}

static const char *separators_of(const char *line)
{
    return strchr(line, ',') != NULL    ? ","
           : strchr(line, ';') != NULL  ? ";"
           : strchr(line, '\t') != NULL ? "\t"
                                        : " \t";
}

static int read_plain(const char *text, size_t length, const char *source, struct tan_csv *out,
                      struct tan_error *e)
{
    char headings[TAN_LINE_WORDS * (TAN_LINE_WORD + 3)] = "";
    struct tan_line_words words;
    char *line = first_line(text);
    if (line == NULL) {
        return tan_fail_nomem(e);
    }
    struct plain p = {.separators = separators_of(line), .headed = true};
    tan_line_split(line, p.separators, &words);
    if (strchr(p.separators, ' ') != NULL) {
        join_units(&words);
    }
    for (size_t i = 0; i < words.n; i++) {
        p.headed = p.headed && !is_value(words.word[i]);
    }
    for (size_t i = 0; i < words.n; i++) {
        const size_t used = strlen(headings);
        if (!p.headed) {
            snprintf(words.word[i], TAN_LINE_WORD, "%zu", i + 1);
        }
        snprintf(headings + used, sizeof headings - used, "%s\"%s\"", i > 0 ? "," : "",
                 words.word[i]);
    }
    const bool csv = strcmp(p.separators, ",") == 0 && p.headed;
    const bool empty = words.n == 0;
    free(line);
    return csv || empty ? tan_csv_parse(out, text, length, source, e)
                        : tan_lines_table(text, source, read_plain_line, &p, headings, out, e);
}

int tan_measured_table(const char *text, size_t length, const char *source, int64_t members,
                       struct tan_csv *out, struct tan_error *e)
{
    if (tan_is_benchmark(text)) {
        return tan_benchmark_table(text, source, members, out, e);
    }
    if (members > 0) {
        return tan_fail_usage(e, "--members is for the output of benchmarks of collectives, which "
                                 "this file is not; for the best setting: tan-fit FILE -o "
                                 "machine.json, then tan-design --target NAME --members N "
                                 "--machine machine.json");
    }
    return read_plain(text, length, source, out, e);
}
