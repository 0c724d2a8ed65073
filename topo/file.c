/* file.c - tree files: format detection, table of formats, DOT
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"

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

const struct tan_format tan_file_formats[] = {
    {"mrnet", "MRNet topology file", tan_mrnet_write, "#"},
    {"json", "parent vector (tan-tree/1)", tan_parents_write, NULL},
    {"dot", "Graphviz", write_dot, "//"},
    {NULL, NULL, NULL, NULL},
};
