/* mrnet.c - MRNet topology files
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"
#include "topo/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "topo/edges.h"

enum { MAX_NAME = 255, MAX_INDEX = 10 };

enum kind { END, NAME, NUMBER, COLON, ARROW, SEMICOLON };

struct token {
    enum kind kind;
    const char *text;
    size_t length;
};

struct reader {
    const char *at; /* in the NUL-terminated text */
    struct token token;
    const char *previous; /* past the previous token */
    struct tan_edges edges;
};

static int fail_at(const struct reader *r, const char *at, const char *text, struct tan_error *e)
{
    return tan_fail_in(e, r->edges.source, r->edges.text, at, "%s", text);
}

static int fail_expected(const struct reader *r, const char *expected, struct tan_error *e)
{
    const int shown = r->token.length < 40 ? (int)r->token.length : 40;
    return tan_fail_in(e, r->edges.source, r->edges.text, r->token.text, "expected %s, found %s",
                       expected,
                       r->token.kind == END ? "the end of the file"
                                            : tan_printed("\"%.*s\"", shown, r->token.text).text);
}

/* By bytes: sanitizers make functions for strings read all of a large file at every token. */
static const char *skip_blanks(const char *at)
{
    bool comment = false;
    while (*at != '\0' && (comment || *at == '#' || strchr(" \t\r\n", *at) != NULL)) {
        comment = *at == '#' || (comment && *at != '\n');
        at++;
    }
    return at;
}

static bool in_name(const char *at)
{
    return isalnum((unsigned char)*at) || *at == '-' || *at == '.' || *at == '_';
}

/* Read the next token into r->token. */
static int read_token(struct reader *r, struct tan_error *e)
{
    struct token *t = &r->token;
    r->previous = r->at;
    r->at = skip_blanks(r->at);
    *t = (struct token){.kind = END, .text = r->at, .length = *r->at != '\0'};
    if (*r->at == ':') {
        t->kind = COLON;
    } else if (*r->at == ';') {
        t->kind = SEMICOLON;
    } else if (r->at[0] == '=' && r->at[1] == '>') {
        t->kind = ARROW;
        t->length = 2;
    } else if (isalnum((unsigned char)*r->at)) {
        t->kind = NUMBER;
        for (t->length = 0; in_name(r->at + t->length); t->length++) {
            t->kind = isdigit((unsigned char)r->at[t->length]) ? t->kind : NAME;
        }
    } else if (*r->at != '\0') {
        const unsigned char byte = (unsigned char)*r->at;
        const struct tan_text text = isgraph(byte)
                                         ? tan_printed("unexpected character \"%c\"", byte)
                                         : tan_printed("unexpected byte 0x%02x", byte);
        return fail_at(r, r->at, text.text, e);
    }
    r->at += t->length;
    return 0;
}

/* Read NAME ":" INDEX; returns the node's number, -1 on failure. */
static int32_t read_host(struct reader *r, const char *expected, struct tan_error *e)
{
    char name[MAX_NAME + 1 + MAX_INDEX + 1];
    const struct token host = r->token;
    if (host.kind == NUMBER) {
        return fail_at(r, host.text, "a host name must not consist of digits only", e);
    }
    if (host.kind != NAME) {
        return fail_expected(r, expected, e);
    }
    if (host.length > MAX_NAME) {
        return fail_at(r, host.text, "a host name must not be longer than 255 characters", e);
    }
    if (read_token(r, e) < 0) {
        return -1;
    }
    if (r->token.kind != COLON) {
        return fail_expected(r, "\":\" and an index after the host name", e);
    }
    if (read_token(r, e) < 0) {
        return -1;
    }
    if (r->token.kind != NUMBER) {
        return fail_expected(r, "an index (digits) after \":\"", e);
    }
    char *index = name + host.length + 1;
    const size_t digits = r->token.length <= MAX_INDEX ? r->token.length : 0;
    memcpy(name, host.text, host.length);
    index[-1] = ':';
    memcpy(index, r->token.text, digits);
    index[digits] = '\0';
    if (digits == 0 || strtoll(index, NULL, 10) > UINT32_MAX) {
        return fail_at(r, r->token.text, "an index must be a number from 0 to 4294967295", e);
    }
    if (index[0] == '0' && index[1] != '\0') {
        return fail_at(r, r->token.text, "an index must not start with a zero", e);
    }
    const int32_t node = tan_edges_node(&r->edges, name, host.text, e);
    return node < 0 || read_token(r, e) < 0 ? -1 : node;
}

static int fail_semicolon(const struct reader *r, const char *at, int32_t last, struct tan_error *e)
{
    return tan_fail_in(e, r->edges.source, r->edges.text, at, "a \";\" is missing after %s",
                       tan_names_list(r->edges.names)[last]);
}

/* host ";" or host "=>" host { host } ";" */
static int read_rule(struct reader *r, struct tan_error *e)
{
    const int32_t parent = read_host(r, "a host:index that starts a rule", e);
    if (parent < 0) {
        return -1;
    }
    if (r->token.kind == SEMICOLON) {
        return read_token(r, e);
    }
    if (r->token.kind == END) {
        return fail_semicolon(r, r->previous, parent, e);
    }
    if (r->token.kind != ARROW) {
        return fail_expected(r, "\"=>\" or \";\" after the host:index", e);
    }
    if (read_token(r, e) < 0) {
        return -1;
    }
    if (r->token.kind == SEMICOLON || r->token.kind == END) {
        return tan_fail_in(e, r->edges.source, r->edges.text, r->token.text,
                           "the list of the children of %s is empty",
                           tan_names_list(r->edges.names)[parent]);
    }
    int32_t last = parent;
    while (r->token.kind != SEMICOLON) {
        const char *end = r->previous, *at = r->token.text;
        if (r->token.kind == END) {
            return fail_semicolon(r, end, last, e);
        }
        const int32_t child = read_host(r, "a host:index or \";\"", e);
        if (child < 0) {
            return -1;
        }
        if (r->token.kind == ARROW) { /* belongs to the next rule */
            return last == parent ? fail_expected(r, "a host:index or \";\"", e)
                                  : fail_semicolon(r, end, last, e);
        }
        if (tan_edges_child(&r->edges, parent, child, at, e) < 0) {
            return -1;
        }
        last = child;
    }
    return read_token(r, e);
}

struct tan_tree *tan_mrnet_parse(const char *text, const char *source, struct tan_error *e)
{
    struct reader r = {.edges.source = source, .edges.text = text, .at = text};
    struct tan_tree *tree = NULL;
    int result = read_token(&r, e);
    if (result == 0 && r.token.kind == END) {
        result = fail_at(&r, text, "the file lists no node", e);
    }
    while (result == 0 && r.token.kind != END) {
        result = read_rule(&r, e);
    }
    if (result == 0) {
        tree = tan_edges_tree(&r.edges, tan_names_list(r.edges.names), e);
    }
    tan_edges_clear(&r.edges);
    return tree;
}

/* Whether `name` matches "host" in the grammar. */
static bool is_host(const char *name)
{
    const size_t host = strcspn(name, ":");
    const char *index = name + host + 1;
    if (name[host] == '\0' || host > MAX_NAME || !isalnum((unsigned char)name[0])) {
        return false;
    }
    for (const char *at = name; at < name + host; at++) {
        if (!in_name(at)) {
            return false;
        }
    }
    const size_t digits = strspn(index, "0123456789");
    return strspn(name, "0123456789") < host && digits > 0 && digits <= MAX_INDEX &&
           index[digits] == '\0' && (digits == 1 || index[0] != '0') &&
           strtoll(index, NULL, 10) <= UINT32_MAX;
}

static void write_host(const struct tan_tree *tree, int32_t node, FILE *to)
{
    const char *name = tan_tree_name(tree, node);
    if (name != NULL) {
        fputs(name, to);
    } else {
        fprintf(to, "localhost:%" PRId32, node);
    }
}

int tan_mrnet_write(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    const int32_t size = tan_tree_size(tree);
    for (int32_t i = 0; i < size && tan_tree_name(tree, i) != NULL; i++) {
        if (!is_host(tan_tree_name(tree, i))) {
            return tan_fail(
                e, "\"%.80s\", the name of node %" PRId32 ", is not host:index as MRNet wants it",
                tan_tree_name(tree, i), i);
        }
    }
    for (int32_t i = 0; i < size; i++) {
        const int32_t fanout = tan_tree_fanout(tree, i);
        if (fanout == 0) {
            continue;
        }
        write_host(tree, i, to);
        fputs(" =>", to);
        for (int32_t c = 0; c < fanout; c++) {
            fputs("\n\t", to);
            write_host(tree, tan_tree_children(tree, i)[c], to);
        }
        fputs(" ;\n\n", to);
    }
    return 0;
}
