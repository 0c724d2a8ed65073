/* clustershell.c - ClusterShell's routes between hosts (topology.conf)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "topo/edges.h"
#include "topo/file.h"
#include "topo/hostlist.h"

struct reader {
    struct tan_edges edges;
    char *text; /* modified in place */
    int line;
    bool in_routes;
    size_t named;    /* hosts so far */
    int32_t gateway; /* whose line continues on the next; -1 if none */
};

static const char blanks[] = " \t\r";

static int fail_here(const struct reader *r, const char *at, const char *line, const char *what,
                     struct tan_error *e)
{
    return tan_fail_at(e, r->edges.source, r->line, (int)(at - line) + 1, "%s", what);
}

/* The hosts in part of a line, NUL-terminated. */
static int read_hosts(struct reader *r, const char *at, const char *line,
                      struct tan_hostlist *hosts, struct tan_error *e)
{
    const char *odd = strpbrk(at, "@!&^*");
    if (odd != NULL) {
        return fail_here(r, odd, line,
                         *odd == '@' ? "groups of hosts are not known here: list their hosts"
                                     : "only hosts and ranges of them are allowed here",
                         e);
    }
    struct tan_error inner = TAN_ERROR_INIT;
    if (tan_hostlist_expand(at, hosts, &inner) < 0) {
        return fail_here(r, at + (inner.column > 0 ? inner.column - 1 : 0), line, inner.text, e);
    }
    r->named += hosts->n;
    return r->named <= TAN_HOSTLIST_MOST ? 0 : fail_here(r, at, line, TAN_HOSTLIST_TOO_MANY, e);
}

static struct tan_position place_of(const struct reader *r, const char *at, const char *line)
{
    return (struct tan_position){.line = r->line, .column = (int)(at - line) + 1};
}

static int read_gateway(struct reader *r, const char *at, const char *line, struct tan_error *e)
{
    struct tan_hostlist hosts = {.n = 0};
    int result = read_hosts(r, at, line, &hosts, e);
    if (result == 0 && hosts.n > 1) {
        result = fail_here(r, at, line,
                           "a route from several gateways is not a tree: write a line for each", e);
    }
    if (result == 0) {
        r->gateway = tan_edges_node(&r->edges, hosts.names[0], place_of(r, at, line), e);
        result = r->gateway < 0 ? -1 : 0;
    }
    tan_hostlist_clear(&hosts);
    return result;
}

static int read_reached(struct reader *r, const char *at, const char *line, struct tan_error *e)
{
    struct tan_hostlist hosts = {.n = 0};
    int result = read_hosts(r, at, line, &hosts, e);
    for (size_t i = 0; i < hosts.n && result == 0; i++) {
        const struct tan_position place = place_of(r, at, line);
        const int32_t child = tan_edges_node(&r->edges, hosts.names[i], place, e);
        result = child < 0 ? -1 : tan_edges_child(&r->edges, r->gateway, child, place, e);
    }
    tan_hostlist_clear(&hosts);
    return result;
}

static int read_line(struct reader *r, char *line, struct tan_error *e)
{
    char *at = line + strspn(line, blanks);
    if (*at == '\0' || *at == '#' || *at == ';') {
        return 0;
    }
    if (*at == '[' && at == line) {
        r->in_routes = strncmp(at, "[routes]", 8) == 0 || strncmp(at, "[Main]", 6) == 0;
        r->gateway = -1;
        return 0;
    }
    if (!r->in_routes) {
        return 0;
    }
    if (at > line && r->gateway >= 0) {
        return read_reached(r, at, line, e);
    }
    char *separator = strpbrk(at, ":=");
    if (separator == NULL) {
        return fail_here(r, at, line, "expected \"gateway: hosts\"", e);
    }
    *separator = '\0';
    char *reached = separator + 1 + strspn(separator + 1, blanks);
    if (read_gateway(r, at, line, e) < 0) {
        return -1;
    }
    return *reached == '\0' ? 0 : read_reached(r, reached, line, e);
}

struct tan_tree *tan_clustershell_parse(const char *text, size_t length, const char *source,
                                        struct tan_error *e)
{
    struct reader r = {.edges.source = source, .text = malloc(length + 1), .gateway = -1};
    struct tan_tree *tree = NULL;
    if (r.text == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    memcpy(r.text, text, length);
    r.text[length] = '\0';
    int result = 0;
    for (char *line = r.text; line != NULL && result == 0;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        r.line++;
        result = read_line(&r, line, e);
        line = end == NULL ? NULL : end + 1;
    }
    if (result == 0 && r.edges.names == NULL) {
        result = tan_fail_at(e, source, 0, 0, "the section [routes] has no route");
    }
    if (result == 0) {
        tree = tan_edges_tree(&r.edges, tan_names_list(r.edges.names), e);
    }
    if (tree == NULL) {
        tan_error_quote(e, text, length, 1);
    }
    tan_edges_clear(&r.edges);
    free(r.text);
    return tree;
}
