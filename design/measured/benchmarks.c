/* benchmarks.c - output of benchmarks of collectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/benchmarks.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design/measured/lines.h"

static const struct collective {
    const char *name;     /* in the resulting table */
    const char *names[4]; /* in the output of benchmarks, NULL-terminated */
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

/* What is known at a line of the output. */
struct benchmark {
    const char *collective; /* NULL: none, or one that is not known here */
    int64_t members;        /* number of ranks; 0: unknown */
    long long unit;         /* bytes of a count */
    int test, size, time;   /* columns; -1: there is none */
    double microseconds;    /* in the unit of the time */
};

/* The number after `name` in a line; `otherwise` if it is not there. */
static long long number_after(const char *line, const char *name, long long otherwise)
{
    const char *at = strstr(line, name);
    return at == NULL || !isdigit((unsigned char)at[strlen(name)])
               ? otherwise
               : strtoll(at + strlen(name), NULL, 10);
}

/* Take the number of ranks from the command line of a launcher. */
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
    char name[TAN_LINE_WORD];
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

/* Meaning of headings. Of several columns of times, the one that is last here counts: that of the
 * slowest rank. */
static const struct heading {
    const char *text;
    size_t to;           /* member of struct benchmark */
    double microseconds; /* in the unit of a time; 0: not a time */
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
static void split_headings(const char *line, struct tan_line_words *out)
{
    static const char latency[] = " Latency(us)";
    char text[512];
    snprintf(text, sizeof text, "%s", line + strspn(line, " \t"));
    for (char *at = strstr(text, latency); at != NULL; at = strstr(at, latency)) {
        *at = '_';
    }
    tan_line_split(text[0] == '#' && text[1] == ' ' ? text + 2 : text, " \t", out);
}

static void read_headings(const char *line, struct benchmark *k)
{
    struct tan_line_words words;
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

static void read_benchmark_line(struct tan_lines *b, const char *line, int number, void *state)
{
    struct benchmark *k = state;
    struct tan_line_words words;
    tan_line_split(line, " \t", &words);
    const bool tested = k->test >= 0 && words.n > 0 && collective_of(words.word[0]) != NULL;
    if (words.n == 0 || (!tested && !tan_word_is_number(words.word[0]))) {
        read_title(line, k);
        read_launch(line, k);
        read_headings(line, k);
        return;
    }
    if (tested) {
        k->collective = collective_of(words.word[0]);
    }
    if (k->collective == NULL || k->time < 0 || (size_t)k->time >= words.n ||
        k->size >= (int)words.n || !tan_word_is_number(words.word[k->time])) {
        return;
    }
    const long long size = k->size < 0 ? 0 : k->unit * strtoll(words.word[k->size], NULL, 10);
    fprintf(b->to, "%s,%" PRId64 ",%lld,%.9g", k->collective, k->members, size,
            strtod(words.word[k->time], NULL) * k->microseconds);
    tan_lines_end_row(b, number);
}

bool tan_is_benchmark(const char *text)
{
    static const char *const signs[] = {"# OSU MPI ", "# Benchmarking ", "runtime_sec"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strstr(text, signs[i]) != NULL) {
            return true;
        }
    }
    return false;
}

int tan_benchmark_table(const char *text, const char *source, int64_t members, struct tan_csv *out,
                        struct tan_error *e)
{
    struct benchmark k = {.members = members, .size = -1, .time = -1, .test = -1, .unit = 1};
    return tan_lines_table(text, source, read_benchmark_line, &k,
                           "collective,members,bytes,time_us", out, e);
}
