/* table.c - files of measurements as tables with headings
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_WORDS = 16, WORD = 64 };

/* CSV under construction, with the line in the file of each of its rows. */
struct builder {
    FILE *to;
    char *text;
    size_t length;
    int *line;
    size_t rows;
    bool short_of_memory;
};

static void end_row(struct builder *b, int line)
{
    fputc('\n', b->to);
    if (TAN_ONE_MORE(b->line, b->rows) < 0) {
        b->short_of_memory = true;
    } else {
        b->line[b->rows++] = line;
    }
}

/* Calls `read_line` for every line of a text, and parses the CSV that it writes. Row 0 is that of
 * the headings. */
static int build_table(const char *text, const char *source,
                       void (*read_line)(struct builder *, const char *line, int number, void *),
                       void *state, const char *headings, struct tan_csv *out, struct tan_error *e)
{
    struct builder b = {.to = NULL};
    b.to = open_memstream(&b.text, &b.length);
    if (b.to == NULL) {
        return tan_fail_nomem(e);
    }
    fputs(headings, b.to);
    end_row(&b, 1);
    int number = 1;
    for (const char *at = text; *at != '\0'; number++) {
        const size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        if (line != NULL) {
            read_line(&b, line, number, state);
        }
        b.short_of_memory = b.short_of_memory || line == NULL;
        free(line);
        at += length + (at[length] == '\n');
    }
    int result = fclose(b.to) != 0 || b.short_of_memory ? tan_fail_nomem(e) : 0;
    if (result == 0) {
        result = tan_csv_parse(out, b.text, b.length, source, e);
    }
    for (size_t i = 0; result == 0 && i < (out->rows + 1) * out->columns; i++) {
        out->field[i].line = b.line[i / out->columns];
    }
    free(b.text);
    free(b.line);
    return result;
}

/* Words */

struct words {
    char word[MOST_WORDS][WORD];
    size_t n;
};

/* Split at any of `separators`; runs of blanks count as one. */
static void split_words(const char *line, const char *separators, struct words *out)
{
    const bool blanks = strchr(separators, ' ') != NULL;
    out->n = 0;
    for (const char *at = line; *at != '\0' && out->n < MOST_WORDS;) {
        at += strspn(at, blanks ? " \t\r" : " \r");
        const size_t length = strcspn(at, separators);
        if (length == 0 && *at == '\0') {
            return;
        }
        size_t used = length < WORD - 1 ? length : WORD - 1;
        while (used > 0 && isspace((unsigned char)at[used - 1])) {
            used--;
        }
        snprintf(out->word[out->n++], WORD, "%.*s", (int)used, at);
        at += length;
        at += *at != '\0';
    }
}

static bool is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return end != word && isdigit((unsigned char)word[strcspn(word, "0123456789")]);
}

static bool is_unit(const char *word)
{
    static const char *const units[] = {"ns", "us", "ms", "s", "min", "usec", "sec"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* A number, with a unit or without, or the name of a tree: what no heading is. */
static bool is_value(const char *word)
{
    const char *colon = strchr(word, ':');
    return is_number(word) || (colon != NULL && isdigit((unsigned char)word[strlen(word) - 1]));
}

/* Tables without commas, or without headings */

struct plain {
    const char *separators;
    bool headed; /* the first line has the headings */
};

static void join_units(struct words *words)
{
    size_t n = 0;
    for (size_t i = 0; i < words->n; i++) {
        const size_t used = n > 0 ? strlen(words->word[n - 1]) : 0;
        if (n > 0 && is_unit(words->word[i]) && is_number(words->word[n - 1])) {
            snprintf(words->word[n - 1] + used, WORD - used, "%s", words->word[i]);
        } else if (i == n) {
            n++;
        } else {
            memcpy(words->word[n++], words->word[i], WORD);
        }
    }
    words->n = n;
}

static bool is_remark(const char *line)
{
    const char *first = line + strspn(line, " \t\r");
    return *first == '\0' || *first == '#';
}

static void read_plain_line(struct builder *b, const char *line, int number, void *state)
{
    struct plain *p = state;
    struct words words;
    if (is_remark(line)) {
        return;
    }
    if (p->headed) {
        p->headed = false; /* these lines are written already */
        b->line[0] = number;
        return;
    }
    split_words(line, p->separators, &words);
    if (strchr(p->separators, ' ') != NULL) {
        join_units(&words);
    }
    for (size_t i = 0; i < words.n; i++) {
        fprintf(b->to, "%s\"%s\"", i > 0 ? "," : "", words.word[i]);
    }
    end_row(b, number);
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
    char headings[MOST_WORDS * (WORD + 3)] = "";
    struct words words;
    char *line = first_line(text);
    if (line == NULL) {
        return tan_fail_nomem(e);
    }
    struct plain p = {.separators = separators_of(line), .headed = true};
    split_words(line, p.separators, &words);
    if (strchr(p.separators, ' ') != NULL) {
        join_units(&words);
    }
    for (size_t i = 0; i < words.n; i++) {
        p.headed = p.headed && !is_value(words.word[i]);
    }
    for (size_t i = 0; i < words.n; i++) {
        const size_t used = strlen(headings);
        if (!p.headed) {
            snprintf(words.word[i], WORD, "%zu", i + 1);
        }
        snprintf(headings + used, sizeof headings - used, "%s\"%s\"", i > 0 ? "," : "",
                 words.word[i]);
    }
    const bool csv = strcmp(p.separators, ",") == 0 && p.headed;
    const bool empty = words.n == 0;
    free(line);
    return csv || empty ? tan_csv_parse(out, text, length, source, e)
                        : build_table(text, source, read_plain_line, &p, headings, out, e);
}

/* Benchmarks of collectives */

static const struct collective {
    const char *name;     /* in our tables */
    const char *names[4]; /* in theirs, NULL-terminated */
} collectives[] = {
    {"bcast", {"Broadcast", "Bcast", "MPI_Bcast", NULL}},
    {"reduce", {"Reduce", "MPI_Reduce", NULL}},
    {"barrier", {"Barrier", "MPI_Barrier", NULL}},
    {"allreduce", {"Allreduce", "MPI_Allreduce", NULL}},
};

static const char *collective_of(const char *word)
{
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++) {
        for (const char *const *name = collectives[i].names; *name != NULL; name++) {
            if (strcmp(*name, word) == 0) {
                return collectives[i].name;
            }
        }
    }
    return NULL;
}

struct benchmark {
    const char *collective; /* NULL: none, or one that is not a tree's */
    int64_t members;
    long long unit;       /* bytes of a count */
    int test, size, time; /* columns; -1: there is none */
    double microseconds;  /* in the unit of the time */
};

/* The number after `name` in a line; `otherwise` if it is not there. */
static long long number_after(const char *line, const char *name, long long otherwise)
{
    const char *at = strstr(line, name);
    return at == NULL || !isdigit((unsigned char)at[strlen(name)])
               ? otherwise
               : strtoll(at + strlen(name), NULL, 10);
}

static void read_launch(const char *line, struct benchmark *k)
{
    static const char *const options[] = {" -np ", " -n ", " --ntasks=", " -np=", " -n"};
    if (strstr(line, "mpirun") == NULL && strstr(line, "mpiexec") == NULL &&
        strstr(line, "srun") == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const long long members = number_after(line, options[i], 0);
        if (members > 0) {
            k->members = members;
            return;
        }
    }
}

static void read_title(const char *line, struct benchmark *k)
{
    char name[WORD];
    const char *osu = strstr(line, "OSU MPI ");
    if ((osu != NULL && sscanf(osu, "OSU MPI %63s", name) == 1) ||
        sscanf(line, " # Benchmarking %63s", name) == 1) {
        k->collective = collective_of(name);
        k->size = k->time = k->test = -1;
        k->unit = 1;
    }
    k->members = number_after(line, "#processes = ", k->members);
    k->members = number_after(line, "#@nprocs=", k->members);
    k->unit = number_after(line, "#@datatype_size_bytes=", k->unit);
}

/* What columns mean. Of several times in a line the one of the last row counts. */
static const struct heading {
    const char *text;
    size_t to; /* member of struct benchmark */
    double microseconds;
} heading_rows[] = {
    {"Size", offsetof(struct benchmark, size), 0},
    {"#bytes", offsetof(struct benchmark, size), 0},
    {"count", offsetof(struct benchmark, size), 0},
    {"test", offsetof(struct benchmark, test), 0},
    {"Avg_Latency(us)", offsetof(struct benchmark, time), 1},
    {"t_avg[usec]", offsetof(struct benchmark, time), 1},
    {"Max_Latency(us)", offsetof(struct benchmark, time), 1},
    {"t_max[usec]", offsetof(struct benchmark, time), 1},
    {"runtime_sec", offsetof(struct benchmark, time), 1e6},
};

/* The words of a line of headings, without the sign of a remark; "Avg Latency(us)" is one. */
static void split_headings(const char *line, struct words *out)
{
    static const char latency[] = " Latency(us)";
    char text[512];
    snprintf(text, sizeof text, "%s", line + strspn(line, " \t"));
    for (char *at = strstr(text, latency); at != NULL; at = strstr(at, latency)) {
        *at = '_';
    }
    split_words(text[0] == '#' && text[1] == ' ' ? text + 2 : text, " \t", out);
}

static void read_headings(const char *line, struct benchmark *k)
{
    struct words words;
    split_headings(line, &words);
    for (size_t i = 0; i < sizeof heading_rows / sizeof heading_rows[0]; i++) {
        const struct heading *row = &heading_rows[i];
        for (int column = 0; column < (int)words.n; column++) {
            if (strcmp(words.word[column], row->text) == 0) {
                *(int *)((char *)k + row->to) = column;
                k->microseconds = row->microseconds > 0 ? row->microseconds : k->microseconds;
            }
        }
    }
}

static void read_benchmark_line(struct builder *b, const char *line, int number, void *state)
{
    struct benchmark *k = state;
    struct words words;
    split_words(line, " \t", &words);
    const bool tested = k->test >= 0 && words.n > 0 && collective_of(words.word[0]) != NULL;
    if (words.n == 0 || (!tested && !is_number(words.word[0]))) {
        read_title(line, k);
        read_launch(line, k);
        read_headings(line, k);
        return;
    }
    if (tested) {
        k->collective = collective_of(words.word[0]);
    }
    if (k->collective == NULL || k->time < 0 || (size_t)k->time >= words.n ||
        k->size >= (int)words.n || !is_number(words.word[k->time])) {
        return;
    }
    const long long size = k->size < 0 ? 0 : k->unit * strtoll(words.word[k->size], NULL, 10);
    fprintf(b->to, "%s,%" PRId64 ",%lld,%.9g", k->collective, k->members, size,
            strtod(words.word[k->time], NULL) * k->microseconds);
    end_row(b, number);
}

static bool is_benchmark(const char *text)
{
    static const char *const signs[] = {"# OSU MPI ", "# Benchmarking ", "runtime_sec"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strstr(text, signs[i]) != NULL) {
            return true;
        }
    }
    return false;
}

int tan_measured_table(const char *text, size_t length, const char *source, int64_t members,
                       struct tan_csv *out, struct tan_error *e)
{
    struct benchmark k = {.members = members, .size = -1, .time = -1, .test = -1, .unit = 1};
    return is_benchmark(text) ? build_table(text, source, read_benchmark_line, &k,
                                            "collective,members,bytes,time_us", out, e)
                              : read_plain(text, length, source, out, e);
}
