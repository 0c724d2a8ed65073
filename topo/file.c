/* file.c - tree files: format detection, table of formats, DOT and GraphML
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/text.h"

/* The first character outside blanks and comments. */
static const char *first_of(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#' && *text != ';') { /* ClusterShell has both */
            return text;
        }
        text += strcspn(text, "\n");
    }
}

static bool is_json(const char *first)
{
    return *first == '{' || (*first == '[' && !isalpha((unsigned char)first[1]) && first[1] != '[');
}

static bool is_clustershell(const char *first)
{
    return strncmp(first, "[routes]", strlen("[routes]")) == 0 ||
           strncmp(first, "[Main]", strlen("[Main]")) == 0;
}

static bool is_parent_table(const char *first)
{
    const char *end = first + strcspn(first, "\r\n");
    const char *column = strstr(first, "parent");
    return column != NULL && column < end && memchr(first, '=', (size_t)(end - first)) == NULL &&
           memchr(first, ':', (size_t)(end - first)) == NULL;
}

/* The first row that matches is used, the last one if none does; `first` is the first character
 * outside blanks and comments. */
static const struct {
    bool (*matches)(const char *first);
    struct tan_tree *(*parse)(const char *text, const char *source, struct tan_error *e);
} readers[] = {
    {is_json, tan_parents_parse},
    {is_clustershell, tan_clustershell_parse},
    {is_parent_table, tan_parent_table_parse},
    {NULL, tan_mrnet_parse},
};

struct tan_tree *tan_file_read(const char *path, struct tan_error *e)
{
    char *text = tan_read_text(path, NULL, e);
    if (text == NULL) {
        return NULL;
    }
    const char *first = first_of(text);
    size_t i = 0;
    while (readers[i].matches != NULL && !readers[i].matches(first)) {
        i++;
    }
    struct tan_tree *tree = readers[i].parse(text, tan_input_name(path), e);
    free(text);
    return tree;
}

/* A name in quotes, as DOT has it: only a quote or a backslash needs another backslash. */
static void write_label(const struct tan_tree *tree, int32_t node, FILE *to)
{
    const char *name = tan_tree_name(tree, node);
    if (name == NULL) {
        fprintf(to, "%" PRId32, node);
        return;
    }
    fputc('"', to);
    for (; *name != '\0'; name++) {
        fprintf(to, *name == '"' || *name == '\\' ? "\\%c" : "%c", *name);
    }
    fputc('"', to);
}

static int write_dot(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    (void)e;
    fputs("digraph {\n", to);
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        fprintf(to, "  %" PRId32 " [label=", node);
        write_label(tree, node, to);
        fputs("];\n", to);
    }
    for (int32_t node = 0; node < tan_tree_size(tree); node++) {
        for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
            fprintf(to, "  %" PRId32 " -> %" PRId32 ";\n", node, tan_tree_children(tree, node)[i]);
        }
    }
    fputs("}\n", to);
    return 0;
}

static void write_node(const struct tan_tree *tree, int32_t node, int32_t depth, int32_t leaves,
                       FILE *to)
{
    const char *name = tan_tree_name(tree, node);
    fprintf(to, "    <node id=\"n%" PRId32 "\">\n      <data key=\"name\">", node);
    if (name != NULL) {
        tan_text_markup(name, SIZE_MAX, to);
    } else {
        fprintf(to, "%" PRId32, node);
    }
    fprintf(to,
            "</data>\n      <data key=\"depth\">%" PRId32
            "</data>\n      <data key=\"leaves\">%" PRId32 "</data>\n    </node>\n",
            depth, leaves);
}

static int write_graphml(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    static const char head[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
        "  <key id=\"depth\" for=\"node\" attr.name=\"depth\" attr.type=\"double\"/>\n"
        "  <key id=\"leaves\" for=\"node\" attr.name=\"leaves\" attr.type=\"double\"/>\n"
        "  <graph id=\"G\" edgedefault=\"directed\">\n";
    const int32_t size = tan_tree_size(tree);
    int32_t *depth = calloc(2 * (size_t)size, sizeof *depth);
    if (depth == NULL) {
        return tan_fail_nomem(e);
    }
    int32_t *leaves = depth + size;
    tan_tree_depths(tree, depth);
    tan_tree_leaf_counts(tree, leaves);
    fputs(head, to);
    for (int32_t node = 0; node < size; node++) {
        write_node(tree, node, depth[node], leaves[node], to);
    }
    for (int32_t node = 1; node < size; node++) {
        fprintf(to, "    <edge source=\"n%" PRId32 "\" target=\"n%" PRId32 "\"/>\n",
                tan_tree_parent(tree, node), node);
    }
    fputs("  </graph>\n</graphml>\n", to);
    free(depth);
    return 0;
}

const struct tan_format tan_file_formats[] = {
    {"mrnet", "MRNet topology file", tan_mrnet_write, "#"},
    {"json", "parent vector (tan-tree/1)", tan_parents_write, NULL},
    {"dot", "Graphviz", write_dot, "//"},
    {"graphml", "GraphML, with name, depth and leaves of every node", write_graphml, NULL},
    {NULL, NULL, NULL, NULL},
};
