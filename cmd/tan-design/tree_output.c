/* tree_output.c - tree written by --output, and its format
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <string.h>

#include "base/output.h"
#include "base/text.h"
#include "topo/spec.h"

/* Those of files and of target systems, in one table. */
static struct tan_choices all_formats(void)
{
    enum { MAX_FORMATS = 16 };
    static struct tan_format all[MAX_FORMATS + 1];
    const struct tan_format *const tables[] = {tan_file_formats, tan_target_formats};
    size_t n = 0;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        for (const struct tan_format *f = tables[t]; f->name != NULL; f++) {
            all[n++] = *f;
        }
    }
    return TAN_ROWS(all);
}

static const struct tan_format *find_format(const char *what, const char *name, struct tan_error *e)
{
    const struct tan_choices all = all_formats();
    const int found = tan_choice_find(all, what, name, e);
    return found < 0 ? NULL : (const struct tan_format *)all.table + found;
}

void tree_output_help(FILE *to)
{
    tan_choice_help(all_formats(), 22, to);
}

int tree_output_set_format(void *config, const char *what, const char *value, struct tan_error *e)
{
    const struct tan_format *format = find_format(what, value, e);
    ((struct config *)config)->to.format = format;
    return format == NULL ? -1 : 0;
}

/* File endings and their formats. */
static const struct ending {
    const char *ending, *format;
} endings[] = {
    {".top", "mrnet"}, {".mrnet", "mrnet"}, {".json", "json"}, {".dot", "dot"},
    {".gv", "dot"},    {".csv", "csv"},     {".toml", "flux"}, {".conf", "clustershell"},
    {NULL, NULL},
};

const struct tan_format *tree_output_format(const struct config *c, struct tan_error *e)
{
    if (c->to.format != NULL) {
        return c->to.format;
    }
    const char *dot = strrchr(c->to.output, '.');
    for (const struct ending *row = endings; dot != NULL && row->ending != NULL; row++) {
        if (strcmp(dot, row->ending) == 0) {
            return find_format("--format", row->format, e);
        }
    }
    if (dot != NULL && strncmp(dot, ".htm", 4) == 0) {
        tan_fail_usage(e, "did you mean --report %s? --output writes a tree", c->to.output);
        return NULL;
    }
    tan_fail_usage(e, "the name \"%s\" does not tell the format: add --format NAME, one of %s",
                   c->to.output, tan_choice_list(all_formats()).text);
    return NULL;
}

static int write_as_numbered(const struct config *c, const struct tan_tree *tree,
                             const json_t *document, struct tan_error *e)
{
    const struct tan_format *format = tree_output_format(c, e);
    struct tan_output *output = begin_output(c, document, format->comment, e);
    if (output == NULL) {
        return -1;
    }
    if (format->write(tree, tan_output_stream(output), e) < 0) {
        tan_output_discard(output);
        return -1;
    }
    return tan_output_commit(output, e);
}

int tree_output_write(const struct config *c, const struct tan_tree *tree, const json_t *document,
                      struct tan_error *e)
{
    struct tan_tree *numbered = tan_tree_by_depth(tree, e);
    const int result = numbered == NULL ? -1 : write_as_numbered(c, numbered, document, e);
    tan_tree_destroy(numbered);
    return result;
}

int tree_output_convert(const struct config *c, const char *spec, struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(spec, e);
    const int result = tree == NULL ? -1 : write_as_numbered(c, tree, NULL, e);
    tan_tree_destroy(tree);
    return result;
}
