/* measured.c - waves from the files that users have
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/measured/measured.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "design/measured/named_tree.h"

/* A unit of time in files. Times are divided by an exact number, which rounds once, so that they
 * print as they were written. */
struct time_unit {
    const char *name;
    double per_second;
};

static const struct time_unit units[] = {
    {"seconds", 1}, {"usec", 1e6}, {"msec", 1e3}, {"sec", 1},        {"ns", 1e9},
    {"us", 1e6},    {"ms", 1e3},   {"s", 1},      {"min", 1.0 / 60},
};

/* The unit that the first `length` characters of `text` name; NULL if there is none. */
static const struct time_unit *find_unit(const char *text, size_t length)
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
        const bool is_unit = is_number(word) && find_unit(next, strcspn(next, " \t\r\n")) != NULL;
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

/* Turn the text of a file into a table: CSV, or the same with semicolons, tabs or blanks between
 * fields. Without a line of headings these are 1, 2, 3 ... Between blanks a unit belongs to the
 * number before it. `source` is the file's name in errors and is borrowed by the table. Places of
 * fields are those of the file. The caller clears `out`. */
static int parse_table(const char *text, const char *source, struct tan_csv *out,
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

enum { TREE = 160, LIST = 400 };

/* Times in this range neither overflow nor underflow when a fit squares them. */
#define LEAST_SECONDS 1e-12
#define MOST_SECONDS  1e9

/* Headings that say what the trees are, any of a row's, in upper or lower case. */
static const struct format {
    const char *headings[5]; /* NULL-terminated */
    const char *system;      /* what comes before the column in a tree's name, which ends with the
                                number of nodes; NULL: the column has the whole name */
    const char *help;
    const char *newer, *older; /* whose trees these are; the target of trees that differ; or NULL */
} formats[] = {
    {{"tree", "topology", "topo", "spec"}, NULL, "any trees, by name", NULL, NULL},
    {{"TreeWidth", "width"},
     "slurm:TreeWidth=",
     "Slurm's trees, as the newest version builds them",
     "Slurm 24.11 and later",
     "slurm@24.05"},
    {{"radix", "fanout"},
     "flux:kary:",
     "k-ary trees of all nodes, as Flux builds them",
     NULL,
     NULL},
};
/* Headings of the number of nodes in a system's tree. */
static const char *const counts[] = {"nodes", "hosts", "members", "ranks", NULL};
/* Headings of times without a unit, which are taken as seconds. */
static const char *const times[] = {"time", "wave", "latency", "elapsed", "duration", NULL};

/* The unit of a heading such as "wave_us", "time (ms)" or "seconds"; NULL if it has none. */
static const struct time_unit *unit_of_heading(const char *heading)
{
    size_t end = strlen(heading);
    while (end > 0 && !isalnum((unsigned char)heading[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > 0 && isalpha((unsigned char)heading[start - 1])) {
        start--;
    }
    return find_unit(heading + start, end - start);
}

/* The unit of a value such as "12 ms"; NULL if it has none, or is no number. */
static const struct time_unit *unit_of_value(const char *text)
{
    char *end;
    strtod(text, &end);
    end += strspn(end, " ");
    return end > text ? find_unit(end, strlen(end)) : NULL;
}

/* The column of a wave's time. */
struct time_column {
    size_t column;
    double factor;                /* of the number in it */
    const struct time_unit *unit; /* NULL: each value has its own */
};

struct reading {
    const struct tan_measured *options;
    const struct tan_csv *table;
    const char *tree;            /* as in struct tan_measured */
    char named[TREE];            /* the same, by the headings */
    const struct format *format; /* of a system's trees by the headings; or NULL */
    struct time_column time;
    int bytes, gathered; /* columns; -1: there is none */
    size_t singles;      /* rows left out for having one process */
    size_t waves;        /* rows with half round trips */
    const char *down;    /* operation of rows with times one way down; NULL: there are none */
    bool assumes_seconds;
};

static int fail_field(const struct reading *r, const struct tan_csv_field *field, const char *text,
                      struct tan_error *e)
{
    return tan_fail_at(e, r->table->source, field->line, field->column, "%s", text);
}

/* A sentence by a format, and the columns that there are. */
__attribute__((format(printf, 3, 4))) static int fail_headings(const struct tan_csv *table,
                                                               struct tan_error *e,
                                                               const char *format, ...)
{
    char list[LIST] = "";
    char needed[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(needed, sizeof needed, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < table->columns; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, LIST - used, "%s%.40s", i > 0 ? ", " : "", table->field[i].text);
    }
    return tan_fail_at(e, table->source, table->field[0].line, table->field[0].column,
                       "%s; the columns are %s", needed, list);
}

/* Templates */

/* The column with this heading, of `length` characters; -1 if there is none. */
static int find_column(const struct tan_csv *table, const char *text, size_t length)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (strlen(table->field[i].text) == length &&
            strncasecmp(table->field[i].text, text, length) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* The first column with one of these headings; -1 if there is none. */
static int find_any(const struct tan_csv *table, const char *const *headings)
{
    int column = -1;
    for (; *headings != NULL && column < 0; headings++) {
        column = find_column(table, *headings, strlen(*headings));
    }
    return column;
}

/* Parse the factor at the end of a template, "/2" or "*0.5", and return the length before it. */
static size_t parse_factor(const char *text, double *factor)
{
    const char *sign = text + strlen(text);
    while (sign > text && *sign != '/' && *sign != '*') {
        sign--;
    }
    char *end = NULL;
    const double number = sign > text ? strtod(sign + 1, &end) : 1;
    if (sign == text || end == sign + 1 || *end != '\0' || !(number > 0)) {
        *factor = 1;
        return strlen(text);
    }
    *factor = *sign == '/' ? 1 / number : number;
    return (size_t)(sign - text);
}

static int parse_wave(const struct tan_csv *table, const char *text, struct time_column *out,
                      struct tan_error *e)
{
    size_t length = parse_factor(text, &out->factor);
    const char *close = text[0] == '{' ? strchr(text, '}') : NULL;
    out->unit = NULL;
    if (close != NULL) {
        const size_t after = length - (size_t)(close + 1 - text);
        out->unit = find_unit(close + 1, after);
        if (after > 0 && out->unit == NULL) {
            return tan_fail_usage(e,
                                  "--column wave=%.64s: after the column comes a unit such as us, "
                                  "ms or s, and perhaps a factor such as /2",
                                  text);
        }
        length = (size_t)(close - text) - 1;
        text++;
    }
    const int column = find_column(table, text, length);
    if (column < 0) {
        return fail_headings(table, e, "there is no column %.*s for the wave",
                             (int)(length < 64 ? length : 64), text);
    }
    out->column = (size_t)column;
    if (out->unit == NULL) {
        out->unit = unit_of_heading(table->field[column].text);
    }
    return 0;
}

/* How surely a column has the waves' times: 3 if it is headed so, with a unit, 2 if it has a unit,
 * 1 if it is headed as a time, 0 if not even that. */
static int sureness_of_time(const struct tan_csv *table, size_t column)
{
    const char *heading = table->field[column].text;
    const char *first = table->rows > 0 ? tan_csv_at(table, 0, column)->text : "";
    if (unit_of_heading(heading) != NULL || unit_of_value(first) != NULL) {
        return strncasecmp(heading, "wave", strlen("wave")) == 0 ? 3 : 2;
    }
    return find_any(table, times) == (int)column ? 1 : 0;
}

/* The first of the surest columns. */
static int find_time(struct reading *r, struct tan_error *e)
{
    const struct tan_csv *table = r->table;
    int surest = 0;
    for (size_t i = 0; i < table->columns; i++) {
        const int sureness = sureness_of_time(table, i);
        if (sureness > surest) {
            surest = sureness;
            r->time = (struct time_column){i, 1, unit_of_heading(table->field[i].text)};
        }
    }
    r->assumes_seconds = surest == 1;
    r->time.unit = surest == 1 ? find_unit("s", 1) : r->time.unit;
    return surest > 0 ? 0
                      : fail_headings(table, e,
                                      "no column is headed as a time, such as wave_us or seconds: "
                                      "name it, as in --column wave={NAME}ms");
}

/* Replace the columns in braces by the fields of a row. */
static int fill_tree(const struct reading *r, size_t row, char tree[TREE], struct tan_error *e)
{
    size_t used = 0;
    tree[0] = '\0';
    for (const char *at = r->tree; *at != '\0';) {
        const char *close = *at == '{' ? strchr(at, '}') : NULL;
        if (close == NULL) {
            used += (size_t)snprintf(tree + used, TREE - used, "%c", *at++);
        } else {
            const int column = find_column(r->table, at + 1, (size_t)(close - at) - 1);
            if (column < 0) {
                return fail_headings(r->table, e, "there is no column %.*s for the tree",
                                     (int)(close - at < 64 ? close - at : 64) - 1, at + 1);
            }
            used += (size_t)snprintf(tree + used, TREE - used, "%s",
                                     tan_csv_at(r->table, row, (size_t)column)->text);
            at = close + 1;
        }
        if (used >= TREE) {
            return fail_field(r, tan_csv_at(r->table, row, 0), "the tree's name is too long", e);
        }
    }
    return 0;
}

/* Rows */

static int read_seconds(const struct reading *r, size_t row, const struct time_column *time,
                        double *seconds, struct tan_error *e)
{
    const struct tan_csv_field *field = tan_csv_at(r->table, row, time->column);
    const char *heading = r->table->field[time->column].text;
    char *end;
    const double number = strtod(field->text, &end);
    const char *after = end + strspn(end, " ");
    const struct time_unit *unit = *after != '\0' ? find_unit(after, strlen(after)) : time->unit;
    if (unit == NULL && *after == '\0' && end != field->text) {
        return tan_fail_at(e, r->table->source, field->line, field->column,
                           "%.40s has no unit: say it, as in --column wave={%.40s}ms", heading,
                           heading);
    }
    *seconds = end != field->text && unit != NULL ? number / unit->per_second : NAN;
    if (!(*seconds >= LEAST_SECONDS && *seconds <= MOST_SECONDS)) {
        return tan_fail_at(e, r->table->source, field->line, field->column,
                           "%.40s must be a time from 1 ps to 1e9 s, not \"%.40s\"", heading,
                           field->text);
    }
    *seconds *= time->factor;
    return 0;
}

static int read_bytes(const struct reading *r, size_t row, int column, int64_t *bytes,
                      struct tan_error *e)
{
    *bytes = 0;
    if (column < 0) {
        return 0;
    }
    const struct tan_csv_field *field = tan_csv_at(r->table, row, (size_t)column);
    struct tan_error wrong = TAN_ERROR_INIT;
    if (field->text[0] != '\0' && tan_parse_size(r->table->field[column].text, field->text, 0,
                                                 INT64_MAX, bytes, &wrong) < 0) {
        return fail_field(r, field, wrong.text, e);
    }
    *bytes = field->text[0] != '\0' && *bytes == 0 ? 1 : *bytes; /* messages have something */
    return 0;
}

/* Whether the times are said to be those of waves, whatever the trees. */
static bool says_waves(const struct reading *r)
{
    return r->options->wave != NULL ||
           strncasecmp(r->table->field[r->time.column].text, "wave", strlen("wave")) == 0;
}

/* The field that names a row's tree. */
static const struct tan_csv_field *place_of(const struct reading *r, size_t row)
{
    const char *brace = strchr(r->tree, '{');
    const int column =
        brace != NULL ? find_column(r->table, brace + 1, strcspn(brace + 1, "}")) : 0;
    return tan_csv_at(r->table, row, (size_t)(column > 0 ? column : 0));
}

static int read_row(struct reading *r, size_t row, struct tan_waves *out, struct tan_error *e)
{
    char tree[TREE];
    struct tan_wave wave = {.source = r->table->source, .topology = tree};
    int64_t gathered;
    int direction = 0;
    if (fill_tree(r, row, tree, e) < 0) {
        return -1;
    }
    if (tan_named_is_single(tree)) {
        r->singles++;
        return 0;
    }
    wave.line = place_of(r, row)->line;
    wave.column = place_of(r, row)->column;
    const char *operation = says_waves(r) ? NULL : tan_named_operation(tree, &direction);
    if (direction == TAN_UP) {
        return tan_fail_at(e, wave.source, wave.line, wave.column,
                           "times of %s, one way up, are not fitted: give those of a way down, or "
                           "half round trips in a column named wave",
                           operation);
    }
    wave.down = operation != NULL;
    r->down = wave.down ? operation : r->down;
    r->waves += !wave.down;
    if (read_bytes(r, row, r->bytes, &wave.bytes, e) < 0 ||
        read_bytes(r, row, r->gathered, &gathered, e) < 0 ||
        read_seconds(r, row, &r->time, &wave.seconds, e) < 0) {
        return -1;
    }
    if (r->gathered >= 0) {
        wave.gathered = gathered > 1;
        wave.bytes = gathered;
    }
    return tan_waves_add(out, &wave, e);
}

static int fail_tree(const struct tan_csv *table, struct tan_error *e)
{
    return fail_headings(table, e,
                         "no column says what the trees are: name it tree, or, beside a column "
                         "nodes, TreeWidth, radix or fanout, or say it, as in --column "
                         "tree=kary:{radix}:{nodes}");
}

/* Set the names of a system's trees, by the column of the setting that it builds them from. */
static int take_system(struct reading *r, const struct format *format, int column,
                       struct tan_error *e)
{
    const char *heading = r->table->field[column].text;
    const int count = find_any(r->table, counts);
    if (find_column(r->table, "barrier_us", strlen("barrier_us")) >= 0) {
        return fail_field(r, &r->table->field[0],
                          "PRRTE's fences go up over one tree and down over another: run "
                          "tools/prrte-samples, which makes a table of them from samples.csv",
                          e);
    }
    if (count < 0) {
        return fail_headings(
            r->table, e,
            "add a column nodes, or say their number N, as in --column tree=%s{%.40s}:N",
            format->system, heading);
    }
    snprintf(r->named, TREE, "%s{%.40s}:{%.40s}", format->system, heading,
             r->table->field[count].text);
    r->format = format;
    return 0;
}

/* Set the names of the trees, by --column or by the headings. */
static int find_tree(struct reading *r, struct tan_error *e)
{
    if (r->options->tree != NULL) {
        r->tree = r->options->tree;
        return 0;
    }
    r->tree = r->named;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const int column = find_any(r->table, formats[i].headings);
        if (column >= 0 && formats[i].system != NULL) {
            return take_system(r, &formats[i], column, e);
        }
        if (column >= 0) {
            snprintf(r->named, TREE, "{%.40s}", r->table->field[column].text);
            return 0;
        }
    }
    /* Without headings: the name of a tree comes first. */
    const bool named = r->table->rows > 0 && strcmp(r->table->field[0].text, "1") == 0 &&
                       strchr(tan_csv_at(r->table, 0, 0)->text, ':') != NULL;
    snprintf(r->named, TREE, "{1}");
    return named ? 0 : fail_tree(r->table, e);
}

static int find_columns(struct reading *r, struct tan_error *e)
{
    const struct tan_measured *o = r->options;
    const char *bytes = o->bytes != NULL ? o->bytes : "bytes";
    r->bytes = find_column(r->table, bytes, strlen(bytes));
    r->gathered = find_column(r->table, "gathered", strlen("gathered"));
    if (o->bytes != NULL && r->bytes < 0) {
        return fail_headings(r->table, e, "there is no column for --column bytes");
    }
    return o->wave != NULL ? parse_wave(r->table, o->wave, &r->time, e) : find_time(r, e);
}

__attribute__((format(printf, 2, 3))) static void add_note(struct tan_measured_notes *notes,
                                                           const char *format, ...)
{
    if (notes->n < sizeof notes->text / sizeof notes->text[0]) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(notes->text[notes->n++], sizeof notes->text[0], format, arguments);
        va_end(arguments);
    }
}

/* Say what is assumed of the times, and what is left out. */
static void note_reading(const struct reading *r, struct tan_measured_notes *notes)
{
    const char *heading = r->table->field[r->time.column].text;
    if (r->format != NULL && r->format->older != NULL) {
        add_note(notes, "trees are those of %s; of older ones: --column 'tree=%s%.100s'",
                 r->format->newer, r->format->older, strchr(r->named, ':'));
    }
    if (r->assumes_seconds) {
        add_note(notes,
                 "%.40s has no unit and is taken as seconds; say --column wave={%.40s}ms for "
                 "another",
                 heading, heading);
    }
    if (r->down != NULL) {
        add_note(notes,
                 "times are taken as those of %s, one way down, to one child after the other; "
                 "name their column wave if they are half round trips",
                 r->down);
    }
    if (r->waves > 0 && !says_waves(r)) {
        add_note(notes, "times are taken as those of a wave, half a round trip; say --column "
                        "wave=NAME/2 if they are of round trips");
    }
    if (r->singles > 0) {
        add_note(notes, "rows with a single process, which sends nothing, are left out: %zu",
                 r->singles);
    }
}

static int read_table(const struct tan_measured *options, const struct tan_csv *table,
                      struct tan_waves *out, struct tan_measured_notes *notes, struct tan_error *e)
{
    struct reading r = {.options = options, .table = table};
    *out = (struct tan_waves){.n = 0};
    notes->n = 0;
    int result = table->rows == 0       ? tan_fail_at(e, table->source, table->field[0].line, 0,
                                                      "no row of a tree and a time follows the headings")
                 : find_tree(&r, e) < 0 ? -1
                                        : find_columns(&r, e);
    for (size_t row = 0; row < table->rows && result == 0; row++) {
        result = read_row(&r, row, out, e);
    }
    if (result == 0 && out->n == 0 && r.singles > 0) {
        result = tan_fail_at(e, table->source, 0, 0,
                             "no waves of trees to fit: its rows have a single process, which "
                             "sends nothing");
    }
    if (result == 0) {
        result = tan_waves_choose(out, table->source, options->message, e);
    }
    if (result < 0) {
        tan_waves_clear(out);
    } else {
        note_reading(&r, notes);
    }
    return result;
}

#define TABLE "give a table with a tree and a time in each row"

/* Texts by which outputs of benchmarks of collectives are known. */
static const struct {
    const char *sign;
    const char *benchmark;
} benchmarks[] = {
    {"# OSU MPI", "an OSU benchmark"},
    {"MPI Benchmarks", "the Intel MPI Benchmarks"},
    {"# Benchmarking ", "the Intel MPI Benchmarks"},
    {"#@nprocs=", "ReproMPI"},
    {"runtime_sec", "ReproMPI"},
};

static int refuse_benchmark(const char *text, const char *source, struct tan_error *e)
{
    for (size_t i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
        if (strstr(text, benchmarks[i].sign) != NULL) {
            return tan_fail_at(e, source, 0, 0,
                               "it is the output of %s, which does not say over what trees its "
                               "collectives ran: " TABLE,
                               benchmarks[i].benchmark);
        }
    }
    return 0;
}

/* The text of a file; NULL with an error that says what to give instead, if it is no text. */
static char *read_text(const char *path, struct tan_error *e)
{
    char *text = tan_read_text(path, NULL, e);
    if (text == NULL && e->source[0] != '\0') {
        const size_t used = strlen(e->text);
        snprintf(e->text + used, sizeof e->text - used, "; " TABLE);
    }
    return text;
}

int tan_measured_read(const struct tan_measured *options, const char *path, struct tan_waves *out,
                      struct tan_measured_notes *notes, struct tan_error *e)
{
    const char *source = tan_input_name(path);
    struct tan_csv table = {.rows = 0};
    char *text = read_text(path, e);
    int result = text == NULL || refuse_benchmark(text, source, e) < 0
                     ? -1
                     : parse_table(text, source, &table, e);
    if (result == 0) {
        result = read_table(options, &table, out, notes, e);
    }
    if (result < 0 && e->source[0] != '\0') {
        e->status = TAN_USAGE; /* it is wrong at a place of the file */
    }
    tan_csv_clear(&table);
    free(text);
    return result;
}

void tan_measured_help(FILE *to)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct tan_text name = {""};
        for (size_t k = 0; formats[i].headings[k] != NULL; k++) {
            name = tan_printed("%s%s%s", name.text, k > 0 ? " or " : "", formats[i].headings[k]);
        }
        name = tan_printed("%s%s", name.text, formats[i].system != NULL ? ", nodes" : "");
        tan_text_item(to, name.text, formats[i].help, 30);
    }
}
