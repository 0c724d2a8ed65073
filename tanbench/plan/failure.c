/* failure.c - the process that falls silent during a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/failure.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum { MAX_WAVE = 1000000 };

/* Kinds of nodes that are drawn. */
static const struct kind {
    const char *name;
    int32_t node; /* in place of a node's number */
    bool internal;
} kinds[] = {{"internal", FAIL_INTERNAL, true}, {"leaf", FAIL_LEAF, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- text --- */

static int parse_node(const char *what, const char *text, int32_t *node, struct tan_error *e)
{
    int64_t number;
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(text, kinds[k].name) == 0) {
            *node = kinds[k].node;
            return 0;
        }
    }
    if (strcmp(text, "0") == 0 || strcmp(text, "root") == 0) {
        return tan_fail_usage(e, "%s: the root cannot fail, since it has the results", what);
    }
    if (tan_parse_count(what, text, 1, TAN_TREE_MAX_NODES - 1, &number, NULL) < 0) {
        return tan_fail_usage(
            e, "%s: \"%s\" is not the number of a process below the root, internal or leaf", what,
            text);
    }
    *node = (int32_t)number;
    return 0;
}

int tan_failure_parse(const char *what, const char *text, struct failure *failure,
                      struct tan_error *e)
{
    char node[32];
    int64_t wave;
    const char *at = strchr(text, '@');
    if (at == NULL || at - text >= (ptrdiff_t)sizeof node) {
        return tan_fail_usage(e, "%s: \"%s\" is not PROCESS@WAVE, such as 3@20 or leaf@20", what,
                              text);
    }
    snprintf(node, sizeof node, "%.*s", (int)(at - text), text);
    if (parse_node(what, node, &failure->node, e) < 0) {
        return -1;
    }
    if (tan_parse_count(what, at + 1, FAIL_FIRST_WAVE, MAX_WAVE, &wave, NULL) < 0) {
        return tan_fail_usage(e,
                              "%s: \"%s\" is not a wave from %d to %d (recovery is compared with "
                              "the waves before)",
                              what, at + 1, FAIL_FIRST_WAVE, MAX_WAVE);
    }
    failure->wave = (int32_t)wave;
    return 0;
}

const char *tan_failure_format(const struct failure *failure, char *buffer, size_t size)
{
    char node[16];
    snprintf(node, sizeof node, "%" PRId32, failure->node);
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].node == failure->node) {
            snprintf(node, sizeof node, "%s", kinds[k].name);
        }
    }
    *buffer = '\0';
    if (failure->wave > 0) {
        snprintf(buffer, size, "%s@%" PRId32, node, failure->wave);
    }
    return buffer;
}

/* --- nodes --- */

/* Number of nodes of this kind, or with `index` >= 0 the node at that index. */
static int32_t find_nodes(const struct tan_tree *tree, bool internal, int32_t index)
{
    int32_t n = 0;
    for (int32_t node = 1; node < tan_tree_size(tree); node++) {
        if ((tan_tree_fanout(tree, node) > 0) == internal && n++ == index) {
            return node;
        }
    }
    return n;
}

/* A node of this kind. */
static int draw_node(const struct kind *kind, const struct tan_tree *tree, const char *spec,
                     uint64_t seed, int32_t *node, struct tan_error *e)
{
    const int32_t n = find_nodes(tree, kind->internal, -1);
    if (n == 0) {
        return tan_fail_usage(e, "--fail: %s has no %s process that could fail", spec, kind->name);
    }
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng == NULL) {
        return tan_fail_nomem(e);
    }
    gsl_rng_set(rng, seed);
    *node = find_nodes(tree, kind->internal, (int32_t)gsl_rng_uniform_int(rng, (unsigned long)n));
    gsl_rng_free(rng);
    return 0;
}

int tan_failure_draw(const struct failure *failure, const struct tan_tree *tree, const char *spec,
                     uint64_t seed, struct failure *drawn, struct tan_error *e)
{
    *drawn = *failure;
    for (int k = 0; k < KINDS; k++) {
        if (failure->node == kinds[k].node) {
            return draw_node(&kinds[k], tree, spec, seed, &drawn->node, e);
        }
    }
    return failure->node < tan_tree_size(tree)
               ? 0
               : tan_fail_usage(e,
                                "--fail: %s has no process %" PRId32
                                ": those below the root are numbered from 1 to %" PRId32,
                                spec, failure->node, tan_tree_size(tree) - 1);
}
