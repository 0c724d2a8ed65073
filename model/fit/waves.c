/* waves.c - reading measured waves, grouped by topology
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/waves.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"
#include "base/units.h"
#include "topo/spec.h"
#include "topo/tree.h"

enum { DEFAULT_BYTES = 1024 };

/* Keeps the squares in a fit from overflow and underflow. */
#define LEAST_US 1e-6
#define MOST_US  1e15

/* Keywords of the topology column; other values are tree specs. */
static const struct name_row {
    const char *name;
    enum tan_wave_kind kind;
    const char *sized; /* name if a size follows; NULL if none does */
} name_rows[] = {
    {"chain", TAN_WAVES_CHAIN, "chain"},  {"nto1", TAN_WAVES_NTO1, "nto1"},
    {"flat", TAN_WAVES_NTO1, "nto1"},     {"pingpong", TAN_WAVES_LATENCY, NULL},
    {"latency", TAN_WAVES_LATENCY, NULL},
};

struct file {
    struct tan_csv csv;
    size_t topology, wave;
    int bytes;   /* -1 if there is no such column */
    void *names; /* tree of struct named */
};

/* A topology's text, its message size and their group; "flat:8" and "nto1:8" share one. */
struct named {
    const char *text;
    int64_t bytes;
    size_t group;
};

static int compare_names(const void *left, const void *right)
{
    const struct named *a = left;
    const struct named *b = right;
    return a->bytes != b->bytes ? (a->bytes > b->bytes) - (a->bytes < b->bytes)
                                : strcmp(a->text, b->text);
}

static int fail_field(const struct file *f, const struct tan_csv_field *field, const char *text,
                      struct tan_error *e)
{
    return tan_fail_at(e, f->csv.source, field->line, field->column, "%s", text);
}

/* The group of a text: kind, size and canonical name. */
static int parse_group(const struct file *f, const struct tan_csv_field *field,
                       struct tan_wave_group *group, struct tan_error *e)
{
    const size_t length = strcspn(field->text, ":");
    char *name = NULL;
    *group = (struct tan_wave_group){.kind = TAN_WAVES_OTHER, .line = field->line};
    if (field->text[0] == '\0') {
        return fail_field(f, field, "topology is empty", e);
    }
    for (size_t i = 0; i < sizeof name_rows / sizeof name_rows[0]; i++) {
        const struct name_row *row = &name_rows[i];
        if (strlen(row->name) != length || strncmp(row->name, field->text, length) != 0) {
            continue;
        }
        group->kind = row->kind;
        if (row->sized == NULL) {
            if (field->text[length] != '\0') {
                return tan_fail_at(e, f->csv.source, field->line, field->column,
                                   "%s stands alone, not \"%s\"", row->name, field->text);
            }
            name = strdup("pingpong");
        } else {
            struct tan_error wrong = TAN_ERROR_INIT;
            const char *number = field->text + length + (field->text[length] == ':');
            if (tan_parse_count(row->name, number, 1, TAN_TREE_MAX_NODES - 1, &group->size,
                                &wrong) < 0) {
                return fail_field(f, field, wrong.text, e);
            }
            if (asprintf(&name, "%s:%" PRId64, row->sized, group->size) < 0) {
                name = NULL;
            }
        }
    }
    group->topology = group->kind == TAN_WAVES_OTHER ? strdup(field->text) : name;
    return group->topology == NULL ? tan_fail_nomem(e) : 0;
}

/* Find or add the group of a row. */
static struct tan_wave_group *find_group(struct file *f, const struct tan_csv_field *field,
                                         int64_t bytes, struct tan_waves *waves,
                                         struct tan_error *e)
{
    const struct named wanted = {field->text, bytes, 0};
    struct named *const *found = tfind(&wanted, &f->names, compare_names);
    if (found != NULL) {
        return &waves->group[(*found)->group];
    }
    struct tan_wave_group fresh;
    if (parse_group(f, field, &fresh, e) < 0) {
        return NULL;
    }
    size_t i = 0;
    fresh.bytes = bytes;
    while (i < waves->n && (waves->group[i].bytes != bytes ||
                            strcmp(waves->group[i].topology, fresh.topology) != 0)) {
        i++;
    }
    struct named *name = malloc(sizeof *name);
    if (name == NULL || (i == waves->n && TAN_ONE_MORE(waves->group, i) < 0)) {
        free(fresh.topology);
        free(name);
        tan_fail_nomem(e);
        return NULL;
    }
    if (i == waves->n) {
        waves->group[waves->n++] = fresh;
    } else {
        free(fresh.topology);
    }
    *name = (struct named){field->text, bytes, i};
    if (tsearch(name, &f->names, compare_names) == NULL) {
        free(name);
        tan_fail_nomem(e);
        return NULL;
    }
    return &waves->group[i];
}

static int add_wave(struct tan_wave_group *group, double seconds, struct tan_error *e)
{
    if (TAN_ONE_MORE(group->seconds, group->n) < 0) {
        return tan_fail_nomem(e);
    }
    group->seconds[group->n++] = seconds;
    return 0;
}

/* The message size of a row; 0 if empty. */
static int read_bytes(const struct file *f, size_t row, int64_t *bytes, struct tan_error *e)
{
    *bytes = 0;
    if (f->bytes < 0) {
        return 0;
    }
    const struct tan_csv_field *field = tan_csv_at(&f->csv, row, (size_t)f->bytes);
    struct tan_error wrong = TAN_ERROR_INIT;
    if (field->text[0] != '\0' &&
        tan_parse_size("bytes", field->text, 1, INT64_MAX, bytes, &wrong) < 0) {
        return fail_field(f, field, wrong.text, e);
    }
    return 0;
}

/* Select the message size to read; without one, find the least. */
static int pick_bytes(const struct file *f, int64_t asked, struct tan_waves *out,
                      struct tan_error *e)
{
    int64_t first = 0;
    int64_t least = 0;
    bool found = false;
    for (size_t row = 0; row < f->csv.rows; row++) {
        int64_t bytes;
        if (read_bytes(f, row, &bytes, e) < 0) {
            return -1;
        }
        first = first == 0 ? bytes : first;
        out->sized = out->sized || (asked == 0 && bytes > 0 && bytes != first);
        least = bytes > 0 && (least == 0 || bytes < least) ? bytes : least;
        found = found || bytes == asked;
    }
    if (asked > 0 && first > 0 && !found) {
        return tan_fail_usage(e,
                              "%s holds no waves of %" PRId64 " bytes; the first are of %" PRId64,
                              f->csv.source, asked, first);
    }
    out->bytes = asked > 0 ? asked : least > 0 ? least : DEFAULT_BYTES;
    return 0;
}

static int find_columns(struct file *f, struct tan_error *e)
{
    const int topology = tan_csv_find(&f->csv, "topology");
    const int wave = tan_csv_find(&f->csv, "wave_us");
    f->bytes = tan_csv_find(&f->csv, "bytes");
    if (topology < 0 || wave < 0) {
        return tan_fail_at(e, f->csv.source, f->csv.field[0].line, f->csv.field[0].column,
                           "the heading line must name the columns topology and wave_us (and may "
                           "name bytes); %s is missing",
                           topology < 0 ? "topology" : "wave_us");
    }
    f->topology = (size_t)topology;
    f->wave = (size_t)wave;
    return 0;
}

static int read_rows(struct file *f, struct tan_waves *out, struct tan_error *e)
{
    for (size_t row = 0; row < f->csv.rows; row++) {
        const struct tan_csv_field *topology = tan_csv_at(&f->csv, row, f->topology);
        const struct tan_csv_field *wave = tan_csv_at(&f->csv, row, f->wave);
        struct tan_error wrong = TAN_ERROR_INIT;
        int64_t bytes;
        double us = 0;
        if (read_bytes(f, row, &bytes, e) < 0) {
            return -1;
        }
        if (bytes > 0 && bytes != out->bytes && !out->sized) {
            continue;
        }
        size_t length;
        if (tan_spec_is_near(tan_csv_at(&f->csv, row, f->topology)->text, &length)) {
            out->near++; /* a different tier, fitted by tanbench calibrate */
            continue;
        }
        if (tan_parse_real("wave_us", wave->text, LEAST_US, MOST_US, &us, &wrong) < 0) {
            return tan_fail_at(e, f->csv.source, wave->line, wave->column,
                               "wave_us must be a number from 1e-6 to 1e15, not \"%s\"",
                               wave->text);
        }
        struct tan_wave_group *group =
            find_group(f, topology, bytes > 0 ? bytes : out->bytes, out, e);
        if (group == NULL || add_wave(group, us / 1e6, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int tan_waves_read(struct tan_waves *out, const char *path, int64_t bytes, struct tan_error *e)
{
    int result = -1;
    struct file f = {.names = NULL};
    *out = (struct tan_waves){.n = 0};
    if (tan_csv_read(&f.csv, path, e) < 0) {
        return -1;
    }
    if (find_columns(&f, e) == 0 && pick_bytes(&f, bytes, out, e) == 0) {
        result = read_rows(&f, out, e);
    }
    tdestroy(f.names, free);
    tan_csv_clear(&f.csv);
    if (result < 0) {
        tan_waves_clear(out);
    }
    return result;
}

void tan_waves_clear(struct tan_waves *waves)
{
    for (size_t i = 0; i < waves->n; i++) {
        free(waves->group[i].topology);
        free(waves->group[i].seconds);
    }
    free(waves->group);
    *waves = (struct tan_waves){.n = 0};
}
