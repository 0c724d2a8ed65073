/* flux_hosts.c - parents of Flux brokers from its configuration (bootstrap.hosts)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "topo/edges.h"
#include "topo/formats.h"
#include "topo/hostlist.h"

/* A value from the file. */
struct value {
    const char *text; /* strings without quotes; NULL: not given */
    size_t length;
    struct tan_position place;
    bool is_string;
};

/* With the name of its table: "bootstrap.hosts.host". */
enum { KEY = 256 };

/* Nesting limit of lists and tables. */
enum { DEEPEST = 64 };

struct reader {
    struct tan_edges edges;
    const char *at, *line_start;
    int line;
    int depth;
    size_t named;    /* hosts so far */
    char table[KEY]; /* the current [table] or [[table]] */
    struct value host, parent, topology;
    bool *has_entry; /* per node; a parent may be named before its own entry */
};

static const char hosts_key[] = "bootstrap.hosts";

static struct tan_position place_of(const struct reader *r)
{
    return (struct tan_position){r->line, (int)(r->at - r->line_start) + 1};
}

static int fail_at(const struct reader *r, struct tan_position place, const char *what,
                   struct tan_error *e)
{
    return tan_fail_at(e, r->edges.source, place.line, place.column, "%s", what);
}

static int fail_here(const struct reader *r, const char *what, struct tan_error *e)
{
    return fail_at(r, place_of(r), what, e);
}

static void skip_char(struct reader *r)
{
    if (*r->at++ == '\n') {
        r->line++;
        r->line_start = r->at;
    }
}

/* Skip blanks, comments and line ends. */
static void skip_space(struct reader *r)
{
    while (*r->at != '\0' && (strchr(" \t\r\n", *r->at) != NULL || *r->at == '#')) {
        if (*r->at == '#') {
            r->at += strcspn(r->at, "\n");
        } else {
            skip_char(r);
        }
    }
}

static void skip_blanks(struct reader *r)
{
    r->at += strspn(r->at, " \t");
}

static int read_string(struct reader *r, struct value *value, struct tan_error *e)
{
    const char quote = *r->at;
    if (r->at[1] == quote && r->at[2] == quote) {
        return fail_here(r, "strings over several lines are not read here", e);
    }
    value->is_string = true;
    value->text = ++r->at;
    while (*r->at != quote) {
        if (*r->at == '\0' || *r->at == '\n') {
            return fail_at(r, value->place, "the quote that opens here is never closed", e);
        }
        r->at += *r->at == '\\' && quote == '"' && r->at[1] != '\0' && r->at[1] != '\n' ? 2 : 1;
    }
    value->length = (size_t)(r->at++ - value->text);
    return 0;
}

/* Read a key up to `end` into `key` (KEY characters), prefixed with `prefix` and a dot. */
static int read_key(struct reader *r, const char *prefix, char end, char *key, struct tan_error *e)
{
    size_t length = 0;
    if (prefix[0] != '\0') {
        length = (size_t)snprintf(key, KEY, "%s.", prefix);
    }
    const size_t before = length;
    for (skip_blanks(r); *r->at != end; skip_blanks(r)) {
        const char *part = r->at;
        size_t size = 0;
        if (*r->at == '"' || *r->at == '\'') {
            struct value quoted = {.place = place_of(r)};
            if (read_string(r, &quoted, e) < 0) {
                return -1;
            }
            part = quoted.text;
            size = quoted.length;
        } else {
            while (isalnum((unsigned char)*r->at) ||
                   (*r->at != '\0' && strchr("-_.", *r->at) != NULL)) {
                r->at++;
            }
            size = (size_t)(r->at - part);
        }
        if (r->at == part || length + size + 1 >= KEY) {
            return fail_here(r,
                             end == '=' ? "expected a key, \"=\" and a value"
                                        : "expected the name of a table and \"]\"",
                             e);
        }
        memcpy(key + length, part, size);
        length += size;
    }
    key[length] = '\0';
    return length > before ? 0 : fail_here(r, "a key is missing", e);
}

static int read_value(struct reader *r, const char *key, struct tan_error *e);

/* Read comma-separated values up to `end`; those in `{` have keys. */
static int read_list(struct reader *r, const char *key, char end, struct tan_error *e)
{
    if (r->depth++ == DEEPEST) {
        return fail_here(r, "lists are nested more than 64 deep", e);
    }
    r->at++;
    for (skip_space(r); *r->at != end; skip_space(r)) {
        char inner[KEY];
        snprintf(inner, sizeof inner, "%s", key);
        if (end == '}') {
            if (read_key(r, key, '=', inner, e) < 0) {
                return -1;
            }
            r->at++;
            skip_blanks(r);
        }
        if (read_value(r, inner, e) < 0) {
            return -1;
        }
        skip_space(r);
        if (*r->at == ',') {
            r->at++;
        } else if (*r->at != end) {
            return fail_here(r, end == '}' ? "expected \",\" or \"}\"" : "expected \",\" or \"]\"",
                             e);
        }
    }
    r->at++;
    r->depth--;
    return 0;
}

/* The keys in use, and where to store their values. */
static struct value *find_wanted(struct reader *r, const char *key)
{
    return strcmp(key, "bootstrap.hosts.host") == 0     ? &r->host
           : strcmp(key, "bootstrap.hosts.parent") == 0 ? &r->parent
           : strcmp(key, "tbon.topo") == 0              ? &r->topology
                                                        : NULL;
}

/* Expand a value to names. */
static int expand_hosts(struct reader *r, const struct value *value, struct tan_hostlist *hosts,
                        struct tan_error *e)
{
    if (!value->is_string) {
        return fail_at(r, value->place, "host and parent must be strings", e);
    }
    if (memchr(value->text, '\\', value->length) != NULL) {
        return fail_at(r, value->place, "escapes in the names of hosts are not read here", e);
    }
    char *text = strndup(value->text, value->length);
    struct tan_error inner = TAN_ERROR_INIT;
    if (text == NULL) {
        return tan_fail_nomem(e);
    }
    const int result = tan_hostlist_expand(text, "", hosts, &inner);
    free(text);
    if (result < 0) {
        return fail_at(r, value->place, inner.text, e);
    }
    r->named += hosts->n;
    if (r->named > TAN_HOSTLIST_MOST) {
        tan_hostlist_clear(hosts);
        return fail_at(r, value->place, TAN_HOSTLIST_TOO_MANY, e);
    }
    return 0;
}

/* The number of a host; -1 on failure. */
static int32_t node_of(struct reader *r, const char *name, struct tan_position place,
                       struct tan_error *e)
{
    const int32_t known = r->edges.names != NULL ? tan_names_count(r->edges.names) : 0;
    const int32_t node = tan_edges_node(&r->edges, name, place, e);
    if (node == known) {
        if (TAN_ONE_MORE(r->has_entry, known) < 0) {
            return tan_fail_nomem(e);
        }
        r->has_entry[node] = false;
    }
    return node;
}

static int32_t parent_of(struct reader *r, struct tan_error *e)
{
    struct tan_hostlist parent = {.n = 0};
    int32_t node = -1;
    if (expand_hosts(r, &r->parent, &parent, e) < 0) {
        return -1;
    }
    if (parent.n > 1) {
        fail_at(r, r->parent.place, "parent must be one host", e);
    } else {
        node = node_of(r, parent.names[0], r->parent.place, e);
    }
    tan_hostlist_clear(&parent);
    return node;
}

static int add_host(struct reader *r, const char *name, struct tan_error *e)
{
    const int32_t node = node_of(r, name, r->host.place, e);
    if (node < 0) {
        return -1;
    }
    r->has_entry[node] = true;
    return 0;
}

/* Finish the current entry of bootstrap.hosts, if any. Hosts are numbered before parents are
 * resolved, as a parent may be named later. */
static int end_entry(struct reader *r, struct tan_error *e)
{
    struct tan_hostlist hosts = {.n = 0};
    int32_t parent = -1;
    if (r->host.text == NULL) {
        return r->parent.text == NULL ? 0 : fail_at(r, r->parent.place, "host is missing", e);
    }
    int result = expand_hosts(r, &r->host, &hosts, e);
    for (size_t i = 0; i < hosts.n && result == 0; i++) {
        result = add_host(r, hosts.names[i], e);
    }
    if (result == 0 && r->parent.text != NULL) {
        parent = parent_of(r, e);
        result = parent < 0 ? -1 : 0;
    }
    for (size_t i = 0; i < hosts.n && result == 0 && parent >= 0; i++) {
        const int32_t child = tan_edges_node(&r->edges, hosts.names[i], r->host.place, e);
        if (tan_edges_parent(&r->edges, child) >= 0) {
            continue; /* of several parents Flux uses the first */
        }
        result = tan_edges_child(&r->edges, parent, child, r->host.place, e);
    }
    tan_hostlist_clear(&hosts);
    r->host.text = NULL;
    r->parent.text = NULL;
    return result;
}

static int read_value(struct reader *r, const char *key, struct tan_error *e)
{
    struct value value = {.place = place_of(r)};
    if (*r->at == '[') {
        return read_list(r, key, ']', e);
    }
    if (*r->at == '{') {
        if (read_list(r, key, '}', e) < 0) {
            return -1;
        }
        return strcmp(key, hosts_key) == 0 ? end_entry(r, e) : 0;
    }
    if (*r->at == '"' || *r->at == '\'') {
        if (read_string(r, &value, e) < 0) {
            return -1;
        }
    } else {
        value.text = r->at;
        value.length = strcspn(r->at, ",]}#\r\n");
        if (value.length == 0) {
            return fail_here(r, "a value is missing", e);
        }
        r->at += value.length;
    }
    struct value *to = find_wanted(r, key);
    if (to != NULL) {
        *to = value;
    }
    return 0;
}

static int read_heading(struct reader *r, struct tan_error *e)
{
    const bool of_list = r->at[1] == '[';
    r->at += of_list ? 2 : 1;
    if (end_entry(r, e) < 0 || read_key(r, "", ']', r->table, e) < 0) {
        return -1;
    }
    r->at++;
    if (of_list && *r->at++ != ']') {
        r->at--;
        return fail_here(r, "expected \"]]\"", e);
    }
    return 0;
}

static int read_statement(struct reader *r, struct tan_error *e)
{
    if (*r->at == '[') {
        return read_heading(r, e);
    }
    char key[KEY];
    if (read_key(r, r->table, '=', key, e) < 0) {
        return -1;
    }
    r->at++;
    skip_blanks(r);
    if (read_value(r, key, e) < 0) {
        return -1;
    }
    skip_blanks(r);
    return *r->at == '\0' || strchr("#\r\n", *r->at) != NULL
               ? 0
               : fail_here(r, "expected the end of the line", e);
}

/* Like Flux, refuse parents that are not hosts. */
static int check_parents(const struct reader *r, struct tan_error *e)
{
    const char *const *names = tan_names_list(r->edges.names);
    for (int32_t i = 0; i < tan_names_count(r->edges.names); i++) {
        if (!r->has_entry[i]) {
            const struct tan_position place = tan_edges_mention(&r->edges, i);
            return tan_fail_at(e, r->edges.source, place.line, place.column,
                               "%s is a parent, but has no entry in bootstrap.hosts", names[i]);
        }
    }
    return 0;
}

/* Like Flux, make hosts without a parent children of the first host. */
static int complete_tree(struct reader *r, struct tan_error *e)
{
    static const char custom[] = "custom";
    const struct value *t = &r->topology;
    if (t->text != NULL &&
        (t->length != sizeof custom - 1 || strncmp(t->text, custom, t->length) != 0)) {
        return tan_fail_at(e, r->edges.source, t->place.line, t->place.column,
                           "tbon.topo is not \"custom\", so parents of hosts are ignored: use "
                           "--target flux --setting %.*s",
                           (int)(t->length < KEY ? t->length : KEY), t->text);
    }
    if (r->edges.names == NULL) {
        return tan_fail_at(e, r->edges.source, 0, 0, "bootstrap.hosts has no host");
    }
    if (check_parents(r, e) < 0) {
        return -1;
    }
    const struct tan_position nowhere = {0, 0};
    for (int32_t i = 1; i < tan_names_count(r->edges.names); i++) {
        if (tan_edges_parent(&r->edges, i) < 0 &&
            tan_edges_child(&r->edges, 0, i, nowhere, e) < 0) {
            return -1;
        }
    }
    return 0;
}

struct tan_tree *tan_flux_parse(const char *text, size_t length, const char *source,
                                struct tan_error *e)
{
    struct reader r = {.edges.source = source, .at = text, .line_start = text, .line = 1};
    struct tan_tree *tree = NULL;
    int result = 0;
    for (skip_space(&r); result == 0 && *r.at != '\0'; skip_space(&r)) {
        result = read_statement(&r, e);
    }
    if (result == 0 && end_entry(&r, e) == 0 && complete_tree(&r, e) == 0) {
        tree = tan_edges_tree(&r.edges, tan_names_list(r.edges.names), e);
    }
    if (tree == NULL) {
        tan_error_quote(e, text, length, 1);
    }
    free(r.has_entry);
    tan_edges_clear(&r.edges);
    return tree;
}
