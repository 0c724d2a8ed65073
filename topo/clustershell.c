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
    char *text; /* a copy of the edges' one, modified in place */
    bool in_routes;
    size_t named;    /* hosts so far */
    int32_t gateway; /* whose line continues on the next; -1 if none */
};

static const char blanks[] = " \t\r";

/* The same place in the text as it was. */
static const char *original(const struct reader *r, const char *at)
{
    return r->edges.text + (at - r->text);
}

static int fail_here(const struct reader *r, const char *at, const char *what, struct tan_error *e)
{
    return tan_fail_in(e, r->edges.source, r->edges.text, original(r, at), "%s", what);
}

/* The hosts in part of a line, NUL-terminated. */
static int read_hosts(struct reader *r, const char *at, struct tan_hostlist *hosts,
                      struct tan_error *e)
{
    const char *odd = strpbrk(at, "@!&^*");
    if (odd != NULL) {
        return fail_here(r, odd,
                         *odd == '@' ? "groups of hosts are not known here: list their hosts"
                                     : "only hosts and ranges of them are allowed here",
                         e);
    }
    struct tan_error inner = TAN_ERROR_INIT;
    if (tan_hostlist_expand(at, hosts, &inner) < 0) {
        return fail_here(r, at + (inner.column > 0 ? inner.column - 1 : 0), inner.text, e);
    }
    r->named += hosts->n;
    return r->named <= TAN_HOSTLIST_MOST ? 0 : fail_here(r, at, TAN_HOSTLIST_TOO_MANY, e);
}

static int read_gateway(struct reader *r, const char *at, struct tan_error *e)
{
    struct tan_hostlist hosts = {.n = 0};
    int result = read_hosts(r, at, &hosts, e);
    if (result == 0 && hosts.n > 1) {
        result = fail_here(r, at,
                           "a route from several gateways is not a tree: write a line for each", e);
    }
    if (result == 0) {
        r->gateway = tan_edges_node(&r->edges, hosts.names[0], original(r, at), e);
        result = r->gateway < 0 ? -1 : 0;
    }
    tan_hostlist_clear(&hosts);
    return result;
}

static int read_reached(struct reader *r, const char *at, struct tan_error *e)
{
    struct tan_hostlist hosts = {.n = 0};
    int result = read_hosts(r, at, &hosts, e);
    for (size_t i = 0; i < hosts.n && result == 0; i++) {
        const char *place = original(r, at);
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
        return read_reached(r, at, e);
    }
    char *separator = strpbrk(at, ":=");
    if (separator == NULL) {
        return fail_here(r, at, "expected \"gateway: hosts\"", e);
    }
    *separator = '\0';
    char *reached = separator + 1 + strspn(separator + 1, blanks);
    if (read_gateway(r, at, e) < 0) {
        return -1;
    }
    return *reached == '\0' ? 0 : read_reached(r, reached, e);
}

struct tan_tree *tan_clustershell_parse(const char *text, const char *source, struct tan_error *e)
{
    struct reader r = {
        .edges = {.source = source, .text = text}, .text = strdup(text), .gateway = -1};
    struct tan_tree *tree = NULL;
    char *rest = r.text;
    int result = r.text == NULL ? tan_fail_nomem(e) : 0;
    for (char *line; result == 0 && (line = strsep(&rest, "\n")) != NULL;) {
        result = read_line(&r, line, e);
    }
    if (result == 0 && r.edges.names == NULL) {
        result = tan_fail_at(e, source, 0, 0, "the section [routes] has no route");
    }
    if (result == 0) {
        tree = tan_edges_tree(&r.edges, tan_names_list(r.edges.names), e);
    }
    tan_edges_clear(&r.edges);
    free(r.text);
    return tree;
}
