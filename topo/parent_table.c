/* parent_table.c - CSV tables of processes and their parents
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/units.h"
#include "topo/edges.h"
#include "topo/formats.h"

struct table {
    struct tan_csv csv;
    int parent, process, host; /* columns; -1 if absent */
    struct tan_edges edges;
    const char **name; /* by node; NULL if unnamed */
    char *numbered;    /* storage for generated names */
};

static struct tan_position place_of(const struct tan_csv_field *field)
{
    return (struct tan_position){field->line, field->column};
}

/* Read a number of at least `least`; `what` names it in errors. */
static int read_number(const struct table *t, const struct tan_csv_field *field, const char *what,
                       int64_t least, int64_t *value, struct tan_error *e)
{
    struct tan_error inner = TAN_ERROR_INIT;
    if (tan_parse_count(what, field->text, least, INT32_MAX, value, &inner) < 0) {
        return tan_fail_at(e, t->csv.source, field->line, field->column, "%s", inner.text);
    }
    return 0;
}

/* The node named after a process's number in canonical form. */
static int32_t node_of(struct table *t, int64_t number, struct tan_position place,
                       struct tan_error *e)
{
    char name[24];
    snprintf(name, sizeof name, "%" PRId64, number);
    return tan_edges_node(&t->edges, name, place, e);
}

static int64_t process_of(const struct table *t, size_t row, struct tan_error *e)
{
    int64_t number = (int64_t)row;
    if (t->process >= 0 && read_number(t, tan_csv_at(&t->csv, row, (size_t)t->process), "a process",
                                       0, &number, e) < 0) {
        return -1;
    }
    return number;
}

/* Add all processes first, so that a row's node has the row's number. */
static int read_processes(struct table *t, struct tan_error *e)
{
    for (size_t row = 0; row < t->csv.rows; row++) {
        const struct tan_csv_field *field =
            tan_csv_at(&t->csv, row, (size_t)(t->process >= 0 ? t->process : t->parent));
        const int64_t number = process_of(t, row, e);
        const int32_t node = number < 0 ? -1 : node_of(t, number, place_of(field), e);
        if (node < 0) {
            return -1;
        }
        if ((size_t)node < row) {
            return tan_fail_at(e, t->csv.source, field->line, field->column,
                               "process %" PRId64 " has a second row", number);
        }
    }
    return 0;
}

static int read_parents(struct table *t, struct tan_error *e)
{
    for (size_t row = 0; row < t->csv.rows; row++) {
        const struct tan_csv_field *field = tan_csv_at(&t->csv, row, (size_t)t->parent);
        int64_t number;
        if (read_number(t, field, "a parent (-1 for the root)", -1, &number, e) < 0) {
            return -1;
        }
        if (number == -1) {
            continue;
        }
        const int32_t parent = node_of(t, number, place_of(field), e);
        if (parent < 0) {
            return -1;
        }
        if ((size_t)parent >= t->csv.rows) {
            return tan_fail_at(e, t->csv.source, field->line, field->column,
                               "process %" PRId64 " is a parent, but has no row", number);
        }
        if (tan_edges_child(&t->edges, parent, (int32_t)row, place_of(field), e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Name nodes after hosts, with an index if any host has several processes. */
static int read_names(struct table *t, struct tan_error *e)
{
    enum { NUMBER = sizeof ":2147483647" };
    if (t->host < 0) {
        return 0;
    }
    struct tan_names *hosts = tan_names_create(e);
    int32_t *used = calloc(t->csv.rows, sizeof *used);
    size_t room = 0;
    t->name = calloc(t->csv.rows, sizeof *t->name);
    int result = hosts == NULL ? -1 : used == NULL || t->name == NULL ? tan_fail_nomem(e) : 0;
    for (size_t row = 0; row < t->csv.rows && result == 0; row++) {
        const struct tan_csv_field *field = tan_csv_at(&t->csv, row, (size_t)t->host);
        t->name[row] = field->text;
        room += strlen(field->text) + NUMBER;
        if (field->text[0] == '\0') {
            result = tan_fail_at(e, t->csv.source, field->line, field->column,
                                 "a host must not be empty");
        } else {
            result = tan_names_add(hosts, field->text, e) < 0
                         ? tan_error_locate(e, t->csv.source, field->line, field->column)
                         : 0;
        }
    }
    if (result == 0 && (size_t)tan_names_count(hosts) < t->csv.rows) {
        t->numbered = malloc(room);
        result = t->numbered == NULL ? tan_fail_nomem(e) : 0;
        char *to = t->numbered;
        for (size_t row = 0; row < t->csv.rows && result == 0; row++) {
            const int32_t host = tan_names_find(hosts, t->name[row]);
            const int length = sprintf(to, "%s:%" PRId32, t->name[row], used[host]++);
            t->name[row] = to;
            to += length + 1;
        }
    }
    free(used);
    tan_names_destroy(hosts);
    return result;
}

struct tan_tree *tan_parent_table_parse(const char *text, size_t length, const char *source,
                                        struct tan_error *e)
{
    struct table t = {.edges.source = source};
    struct tan_tree *tree = NULL;
    if (tan_csv_parse(&t.csv, text, length, source, e) < 0) {
        tan_error_quote(e, text, length, 1);
        return NULL;
    }
    t.parent = tan_csv_find(&t.csv, "parent");
    t.process = tan_csv_find(&t.csv, "process");
    t.host = tan_csv_find(&t.csv, "host");
    if (t.parent < 0) {
        tan_fail_at(e, source, 0, 0,
                    "no column is called \"parent\": the first line is process,parent "
                    "or process,parent,host, and the root's parent is -1");
    } else if (t.csv.rows == 0) {
        tan_fail_at(e, source, 0, 0, "there is no process below the headings");
    } else if (read_processes(&t, e) == 0 && read_parents(&t, e) == 0 && read_names(&t, e) == 0) {
        tree = tan_edges_tree(&t.edges, t.name, e);
    }
    if (tree == NULL) {
        tan_error_quote(e, text, length, 1);
    }
    tan_edges_clear(&t.edges);
    tan_csv_clear(&t.csv);
    free(t.name);
    free(t.numbered);
    return tree;
}
