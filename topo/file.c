/* file.c - tree files: detection of the format, table of formats
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/file.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "topo/mrnet.h"
#include "topo/parents.h"

struct tan_tree *tan_file_read(const char *path, struct tan_error *e)
{
    size_t length;
    char *text = tan_read_file(path, &length, e);
    if (text == NULL) {
        return NULL;
    }
    const char *source = strcmp(path, "-") == 0 ? "standard input" : path;
    const char first = text[strspn(text, " \t\r\n")];
    struct tan_tree *tree = first == '{' || first == '['
                                ? tan_parents_parse(text, length, source, e)
                                : tan_mrnet_parse(text, length, source, e);
    free(text);
    return tree;
}

const struct tan_format tan_file_formats[] = {
    {"mrnet", "MRNet topology file", tan_mrnet_write},
    {"json", "parent vector (tan-tree/1)", tan_parents_write},
    {NULL, NULL, NULL},
};
