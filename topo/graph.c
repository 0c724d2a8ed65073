/* graph.c - trees as DOT and GraphML, by igraph
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/file.h"

#include <igraph.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* igraph's settings are global: every call sets them and restores the previous ones. (By default
 * igraph aborts on errors.) */
struct settings {
    igraph_error_handler_t *on_error;
    igraph_attribute_table_t *attributes;
};

static struct settings set_up(void)
{
    return (struct settings){igraph_set_error_handler(igraph_error_handler_ignore),
                             igraph_set_attribute_table(&igraph_cattribute_table)};
}

static void put_back(struct settings old)
{
    igraph_set_attribute_table(old.attributes);
    igraph_set_error_handler(old.on_error);
}

static int fail_igraph(struct tan_error *e, igraph_error_t code)
{
    return tan_fail(e, "igraph: %s", igraph_strerror(code));
}

/* Edges from parents to children, as listed in the tree. */
static igraph_error_t create_graph(const struct tan_tree *tree, igraph_t *graph)
{
    const int32_t size = tan_tree_size(tree);
    igraph_vector_int_t edges;
    igraph_error_t code = igraph_vector_int_init(&edges, 2 * ((igraph_integer_t)size - 1));
    if (code != IGRAPH_SUCCESS) {
        return code;
    }
    igraph_integer_t used = 0;
    for (int32_t i = 0; i < size; i++) {
        const int32_t *children = tan_tree_children(tree, i);
        for (int32_t c = 0; c < tan_tree_fanout(tree, i); c++) {
            VECTOR(edges)[used++] = i;
            VECTOR(edges)[used++] = children[c];
        }
    }
    code = igraph_create(graph, &edges, size, IGRAPH_DIRECTED);
    igraph_vector_int_destroy(&edges);
    return code;
}

/* A node's name, or its number if unnamed. */
static const char *node_label(const struct tan_tree *tree, int32_t node, char *buffer, size_t size)
{
    const char *name = tan_tree_name(tree, node);
    if (name != NULL) {
        return name;
    }
    snprintf(buffer, size, "%" PRId32, node);
    return buffer;
}

static igraph_error_t set_labels(const struct tan_tree *tree, igraph_t *graph,
                                 const char *attribute)
{
    igraph_error_t code = IGRAPH_SUCCESS;
    for (int32_t i = 0; i < tan_tree_size(tree) && code == IGRAPH_SUCCESS; i++) {
        char number[16];
        code = SETVAS(graph, attribute, i, node_label(tree, i, number, sizeof number));
    }
    return code;
}

static igraph_error_t set_numbers(const struct tan_tree *tree, igraph_t *graph,
                                  const char *attribute,
                                  void (*numbers)(const struct tan_tree *, int32_t *))
{
    const int32_t size = tan_tree_size(tree);
    igraph_vector_t values;
    int32_t *wanted = malloc((size_t)size * sizeof *wanted);
    if (wanted == NULL) {
        return IGRAPH_ENOMEM;
    }
    numbers(tree, wanted);
    igraph_error_t code = igraph_vector_init(&values, size);
    if (code == IGRAPH_SUCCESS) {
        for (int32_t i = 0; i < size; i++) {
            VECTOR(values)[i] = wanted[i];
        }
        code = SETVANV(graph, attribute, &values);
        igraph_vector_destroy(&values);
    }
    free(wanted);
    return code;
}

static igraph_error_t describe_dot(const struct tan_tree *tree, igraph_t *graph)
{
    return set_labels(tree, graph, "label");
}

static igraph_error_t describe_graphml(const struct tan_tree *tree, igraph_t *graph)
{
    igraph_error_t code = set_labels(tree, graph, "name");
    if (code == IGRAPH_SUCCESS) {
        code = set_numbers(tree, graph, "depth", tan_tree_depths);
    }
    if (code == IGRAPH_SUCCESS) {
        code = set_numbers(tree, graph, "leaves", tan_tree_leaf_counts);
    }
    return code;
}

static igraph_error_t to_dot(const igraph_t *graph, FILE *to)
{
    return igraph_write_graph_dot(graph, to);
}

static igraph_error_t to_graphml(const igraph_t *graph, FILE *to)
{
    const bool prefix_attributes = false; /* names without igraph's v_ and e_ */
    return igraph_write_graph_graphml(graph, to, prefix_attributes);
}

/* Omit the line with igraph's version, so that output does not depend on it. */
static void copy_without_signature(const char *text, size_t length, FILE *to)
{
    const char *signature = strstr(text, "Created by igraph");
    if (signature != NULL) {
        const char *line = signature;
        while (line > text && line[-1] != '\n') {
            line--;
        }
        fwrite(text, 1, (size_t)(line - text), to);
        const size_t skipped = (size_t)(signature - text) + strcspn(signature, "\n") + 1;
        text += skipped;
        length -= skipped;
    }
    fwrite(text, 1, length, to);
}

static int write_graph(const struct tan_tree *tree, FILE *to,
                       igraph_error_t (*describe)(const struct tan_tree *, igraph_t *),
                       igraph_error_t (*format)(const igraph_t *, FILE *), struct tan_error *e)
{
    const struct settings old = set_up();
    char *text = NULL;
    size_t length = 0;
    igraph_t graph;
    int result = -1;
    igraph_error_t code = create_graph(tree, &graph);
    if (code != IGRAPH_SUCCESS) {
        fail_igraph(e, code);
        put_back(old);
        return -1;
    }
    FILE *memory = open_memstream(&text, &length);
    if (memory == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    code = describe(tree, &graph);
    if (code == IGRAPH_SUCCESS) {
        code = format(&graph, memory);
    }
    if (fclose(memory) != 0) {
        tan_fail_nomem(e);
    } else if (code != IGRAPH_SUCCESS) {
        fail_igraph(e, code);
    } else {
        copy_without_signature(text, length, to);
        result = 0;
    }

done:
    free(text);
    igraph_destroy(&graph);
    put_back(old);
    return result;
}

static int write_dot(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    return write_graph(tree, to, describe_dot, to_dot, e);
}

static int write_graphml(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    return write_graph(tree, to, describe_graphml, to_graphml, e);
}

const struct tan_format tan_graph_formats[] = {
    {"dot", "Graphviz", write_dot, "//"},
    {"graphml", "GraphML, with name, depth and leaves of every node", write_graphml, NULL},
    {NULL, NULL, NULL, NULL},
};
