/* file.c - tree files: format detection, table of formats
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "topo/formats.h"

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

static bool is_mrnet(const char *first)
{
    (void)first;
    return true;
}

/* The first row that matches is used; `first` is the first character outside blanks and comments.
 */
static const struct {
    bool (*matches)(const char *first);
    struct tan_tree *(*parse)(const char *text, size_t length, const char *source,
                              struct tan_error *e);
} readers[] = {
    {is_json, tan_parents_parse},
    {is_clustershell, tan_clustershell_parse},
    {is_parent_table, tan_parent_table_parse},
    {is_mrnet, tan_mrnet_parse},
};

struct tan_tree *tan_file_read(const char *path, struct tan_error *e)
{
    size_t length;
    char *text = tan_read_text(path, &length, e);
    if (text == NULL) {
        return NULL;
    }
    const char *source = tan_input_name(path);
    const char *first = first_of(text);
    size_t i = 0;
    while (!readers[i].matches(first)) {
        i++;
    }
    struct tan_tree *tree = readers[i].parse(text, length, source, e);
    free(text);
    return tree;
}

const struct tan_format tan_file_formats[] = {
    {"mrnet", "MRNet topology file", tan_mrnet_write, "#"},
    {"json", "parent vector (tan-tree/1)", tan_parents_write, NULL},
    {NULL, NULL, NULL, NULL},
};
