/* parents.c - the parents of all nodes in JSON (tan-tree/1) and CSV
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/units.h"
#include "topo/edges.h"

/* JSON */

/* Fill parents[] and sequence[] (all nodes but the root); exactly one entry must be -1. */
static int read_parents(const struct tan_json_at *at, int32_t size, int32_t *parents,
                        int32_t *sequence, struct tan_error *e)
{
    int32_t root = -1;
    int32_t children = 0;
    for (int32_t i = 0; i < size; i++) {
        int64_t parent = 0;
        const int found = tan_json_int_at(at, (size_t)i, -1, size - 1, &parent, e);
        if (found < 0) {
            return -1;
        }
        if (found == 0) {
            return tan_fail_at(e, at->source, 0, 0, "parents[%" PRId32 "] must not be null", i);
        }
        if (parent == i) {
            return tan_fail_at(e, at->source, 0, 0,
                               "parents[%" PRId32 "] must not be the node itself", i);
        }
        if (parent == -1 && root >= 0) {
            return tan_fail_at(
                e, at->source, 0, 0,
                "parents[%" PRId32 "] is a second root (-1), after parents[%" PRId32 "]", i, root);
        }
        parents[i] = (int32_t)parent;
        if (parent == -1) {
            root = i;
        } else if (children < size - 1) { /* false for the last one if there is no root */
            sequence[children++] = i;
        }
    }
    if (root < 0) {
        return tan_fail_at(e, at->source, 0, 0, "parents has no root: one entry must be -1");
    }
    return 0;
}

static int read_names(const struct tan_json_at *at, int32_t size, struct tan_names *names,
                      struct tan_error *e)
{
    if (json_array_size(at->object) != (size_t)size) {
        return tan_fail_at(e, at->source, 0, 0,
                           "names must have as many entries as parents, %" PRId32 ", not %zu", size,
                           json_array_size(at->object));
    }
    for (int32_t i = 0; i < size; i++) {
        const char *name = "";
        if (tan_json_string_at(at, (size_t)i, &name, e) < 0) {
            return -1;
        }
        if (name[0] == '\0') {
            return tan_fail_at(e, at->source, 0, 0, "names[%" PRId32 "] must not be empty", i);
        }
        const int32_t number = tan_names_add(names, name, e);
        if (number < 0) {
            return tan_error_locate(e, at->source, 0, 0);
        }
        if (number < i) {
            return tan_fail_at(e, at->source, 0, 0,
                               "names[%" PRId32 "] must not be the name of node %" PRId32
                               ", too: \"%.80s\"",
                               i, number, name);
        }
    }
    return 0;
}

/* The document is an object of that schema, or only its list of parents. */
static struct tan_tree *build_tree(const struct tan_json_at *top, struct tan_error *e)
{
    const json_t *document = top->object;
    const char *source = top->source;
    const json_t *list = document;
    const json_t *labels = NULL;
    if (!json_is_array(document) &&
        (tan_json_schema(top, "tan-tree/1", e) < 0 ||
         tan_json_required(top, "parents", tan_json_array(top, "parents", &list, e), e) < 0 ||
         tan_json_array(top, "names", &labels, e) < 0)) {
        return NULL;
    }
    const size_t size = json_array_size(list);
    if (size < 2 || size > (size_t)TAN_TREE_MAX_NODES) {
        tan_fail_at(e, source, 0, 0,
                    "parents must have from 2 to %" PRId32 " entries, one per node, not %zu",
                    TAN_TREE_MAX_NODES, size);
        return NULL;
    }
    struct tan_tree *tree = NULL;
    struct tan_names *names = NULL;
    int32_t *parents = malloc(size * sizeof *parents);
    int32_t *sequence = malloc((size - 1) * sizeof *sequence);
    if (parents == NULL || sequence == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    const struct tan_json_at parents_at = tan_json_below(top, "parents", list);
    if (read_parents(&parents_at, (int32_t)size, parents, sequence, e) < 0) {
        goto done;
    }
    if (labels != NULL) {
        const struct tan_json_at names_at = tan_json_below(top, "names", labels);
        names = tan_names_create(e);
        if (names == NULL || read_names(&names_at, (int32_t)size, names, e) < 0) {
            goto done;
        }
    }
    int32_t cycle;
    tree = tan_assemble(parents, sequence, (int32_t)size,
                        names == NULL ? NULL : tan_names_list(names), &cycle, e);
    if (cycle >= 0) {
        tan_fail_at(e, source, 0, 0,
                    "parents[%" PRId32 "] is part of a cycle: node %" PRId32 " is its own ancestor",
                    cycle, cycle);
    }

done:
    tan_names_destroy(names);
    free(parents);
    free(sequence);
    return tree;
}

struct tan_tree *tan_parents_parse(const char *text, const char *source, struct tan_error *e)
{
    json_t *document = tan_json_parse(text, strlen(text), source, e);
    if (document == NULL) {
        return NULL;
    }
    struct tan_json_at top = tan_json_begin(source, document);
    struct tan_tree *tree = build_tree(&top, e);
    tan_json_end(&top, tree != NULL);
    json_decref(document);
    return tree;
}

/* The separator before entry `i` of a list, several entries to a line. */
static const char *separator_before(int32_t i, int32_t per_line)
{
    return i == 0 ? "\n    " : i % per_line == 0 ? ",\n    " : ", ";
}

static int write_name(const char *name, FILE *to, struct tan_error *e)
{
    json_t *string = json_string(name);
    if (string == NULL) {
        return tan_fail(e, "the name \"%.80s\" is not UTF-8, so JSON cannot hold it", name);
    }
    const int result = json_dumpf(string, to, JSON_ENCODE_ANY);
    json_decref(string);
    return result < 0 && !ferror(to) ? tan_fail_nomem(e) : 0;
}

int tan_parents_write(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    enum { PARENTS_PER_LINE = 16, NAMES_PER_LINE = 4 };
    const int32_t size = tan_tree_size(tree);
    fputs("{\n  \"schema\": \"tan-tree/1\",\n  \"parents\": [", to);
    for (int32_t i = 0; i < size; i++) {
        fprintf(to, "%s%" PRId32, separator_before(i, PARENTS_PER_LINE), tan_tree_parent(tree, i));
    }
    fputs("\n  ]", to);
    if (tan_tree_name(tree, 0) != NULL) {
        fputs(",\n  \"names\": [", to);
        for (int32_t i = 0; i < size; i++) {
            fputs(separator_before(i, NAMES_PER_LINE), to);
            if (write_name(tan_tree_name(tree, i), to, e) < 0) {
                return -1;
            }
        }
        fputs("\n  ]", to);
    }
    fputs("\n}\n", to);
    return 0;
}

/* CSV */

struct table {
    struct tan_csv csv;
    int parent, process, host; /* columns; -1 if absent */
    struct tan_edges edges;
    const char **name; /* by node; NULL if unnamed */
    char *numbered;    /* storage for generated names */
};

/* Where a field is in the text. */
static const char *place_of(const struct table *t, const struct tan_csv_field *field)
{
    return t->edges.text + (field->text - t->csv.text);
}

/* Read a number of at least `least`; `what` names it in errors. */
static int read_number(const struct table *t, const struct tan_csv_field *field, const char *what,
                       int64_t least, int64_t *value, struct tan_error *e)
{
    struct tan_error inner = TAN_ERROR_INIT;
    return tan_parse_count(what, field->text, least, INT32_MAX, value, &inner) < 0
               ? tan_fail_in(e, t->csv.source, t->edges.text, place_of(t, field), "%s", inner.text)
               : 0;
}

/* The node named after a process's number in canonical form. */
static int32_t node_of(struct table *t, int64_t number, const struct tan_csv_field *field,
                       struct tan_error *e)
{
    return tan_edges_node(&t->edges, tan_printed("%" PRId64, number).text, place_of(t, field), e);
}

/* Add all processes first, so that a row's node has the row's number. */
static int read_processes(struct table *t, struct tan_error *e)
{
    for (size_t row = 0; row < t->csv.rows; row++) {
        const struct tan_csv_field *field =
            tan_csv_at(&t->csv, row, (size_t)(t->process >= 0 ? t->process : t->parent));
        int64_t number = (int64_t)row;
        if (t->process >= 0 && read_number(t, field, "a process", 0, &number, e) < 0) {
            return -1;
        }
        const int32_t node = node_of(t, number, field, e);
        if (node < 0) {
            return -1;
        }
        if ((size_t)node < row) {
            return tan_fail_in(e, t->csv.source, t->edges.text, place_of(t, field),
                               "process %" PRId64 " has a second row", number);
        }
    }
    return 0;
}

static int read_table_parents(struct table *t, struct tan_error *e)
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
        const int32_t parent = node_of(t, number, field, e);
        if (parent < 0) {
            return -1;
        }
        if ((size_t)parent >= t->csv.rows) {
            return tan_fail_in(e, t->csv.source, t->edges.text, place_of(t, field),
                               "process %" PRId64 " is a parent, but has no row", number);
        }
        if (tan_edges_child(&t->edges, parent, (int32_t)row, place_of(t, field), e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Name nodes after hosts, with an index if any host has several processes. */
static int read_hosts(struct table *t, struct tan_error *e)
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
            result = tan_fail_in(e, t->csv.source, t->edges.text, place_of(t, field),
                                 "a host must not be empty");
        } else if (tan_names_add(hosts, field->text, e) < 0) {
            result = tan_error_locate_in(e, t->csv.source, t->edges.text, place_of(t, field));
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

struct tan_tree *tan_parent_table_parse(const char *text, const char *source, struct tan_error *e)
{
    struct table t = {.edges = {.source = source, .text = text}};
    struct tan_tree *tree = NULL;
    if (tan_csv_parse(&t.csv, text, strlen(text), source, e) < 0) {
        tan_error_quote(e, text, strlen(text), 1);
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
    } else if (read_processes(&t, e) == 0 && read_table_parents(&t, e) == 0 &&
               read_hosts(&t, e) == 0) {
        tree = tan_edges_tree(&t.edges, t.name, e);
    }
    tan_edges_clear(&t.edges);
    tan_csv_clear(&t.csv);
    free(t.name);
    free(t.numbered);
    return tree;
}
