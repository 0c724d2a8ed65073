/* failure_list.c - processes that fall silent during a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/failure_list.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { MAX_WAVE = 1000000 };
static const char healing[] = "healing";

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

static int parse_wave(const char *what, const char *text, int32_t *wave, struct tan_error *e)
{
    int64_t number;
    if (strcmp(text, healing) == 0) {
        *wave = FAIL_HEALING;
        return 0;
    }
    if (tan_parse_count(what, text, FAIL_FIRST_WAVE, MAX_WAVE, &number, NULL) < 0) {
        return tan_fail_usage(e,
                              "%s: \"%s\" is neither a wave from %d to %d (recovery is compared "
                              "with the waves before) nor %s",
                              what, text, FAIL_FIRST_WAVE, MAX_WAVE, healing);
    }
    *wave = (int32_t)number;
    return 0;
}

static int parse_failure(const char *what, char *text, struct failure *failure, struct tan_error *e)
{
    char *at = strchr(text, '@');
    if (at == NULL) {
        return tan_fail_usage(e, "%s: \"%s\" is not PROCESS@WAVE, such as 3@20 or leaf@20", what,
                              text);
    }
    *at = '\0';
    return parse_node(what, text, &failure->node, e) < 0 ||
                   parse_wave(what, at + 1, &failure->wave, e) < 0
               ? -1
               : 0;
}

/* A healing must have a cause, and no process fails twice. */
static int check_failures(const char *what, const struct failure_list *f, struct tan_error *e)
{
    if (tan_failure_list_last(f) == 0) {
        return tan_fail_usage(e, "%s: no process fails in a wave, so nothing is healed", what);
    }
    for (int i = 0; i < f->n; i++) {
        for (int k = 0; k < i; k++) {
            if (f->list[i].node > 0 && f->list[k].node == f->list[i].node) {
                return tan_fail_usage(e, "%s: process %" PRId32 " fails twice", what,
                                      f->list[i].node);
            }
        }
    }
    return 0;
}

int tan_failure_list_parse(const char *what, const char *text, struct failure_list *failures,
                           struct tan_error *e)
{
    char copy[512];
    char *rest = copy;
    struct failure_list found = {.n = 0};
    if (strlen(text) >= sizeof copy) {
        return tan_fail_usage(e, "%s: the list is too long", what);
    }
    strcpy(copy, text);
    for (char *entry; (entry = strsep(&rest, ",")) != NULL;) {
        if (found.n == MAX_FAILURES) {
            return tan_fail_usage(e, "%s: more than %d failures", what, MAX_FAILURES);
        }
        if (parse_failure(what, entry, &found.list[found.n++], e) < 0) {
            return -1;
        }
    }
    if (check_failures(what, &found, e) < 0) {
        return -1;
    }
    *failures = found;
    return 0;
}

static void format_failure(const struct failure *f, char *buffer, size_t size)
{
    char node[16];
    char wave[16];
    snprintf(node, sizeof node, "%" PRId32, f->node);
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].node == f->node) {
            snprintf(node, sizeof node, "%s", kinds[k].name);
        }
    }
    snprintf(wave, sizeof wave, "%" PRId32, f->wave);
    snprintf(buffer, size, "%s@%s", node, f->wave == FAIL_HEALING ? healing : wave);
}

const char *tan_failure_list_format(const struct failure_list *failures, char *buffer, size_t size)
{
    size_t length = 0;
    *buffer = '\0';
    for (int i = 0; i < failures->n && length < size; i++) {
        char one[40];
        format_failure(&failures->list[i], one, sizeof one);
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i > 0 ? "," : "", one);
    }
    return buffer;
}

/* --- nodes --- */

/* Number of nodes of this kind, or with `index` >= 0 the node at that index. */
static int32_t find_nodes(const struct tan_tree *tree, const bool *taken, bool internal,
                          int32_t index)
{
    int32_t n = 0;
    for (int32_t node = 1; node < tan_tree_size(tree); node++) {
        if (!taken[node] && (tan_tree_fanout(tree, node) > 0) == internal && n++ == index) {
            return node;
        }
    }
    return n;
}

static int draw_node(struct failure *f, const struct tan_tree *tree, const char *spec, bool *taken,
                     gsl_rng *rng, struct tan_error *e)
{
    for (int k = 0; k < KINDS; k++) {
        if (f->node != kinds[k].node) {
            continue;
        }
        const int32_t n = find_nodes(tree, taken, kinds[k].internal, -1);
        if (n == 0) {
            return tan_fail_usage(e, "--fail: %s has no %s process left that could fail", spec,
                                  kinds[k].name);
        }
        const int32_t index = (int32_t)gsl_rng_uniform_int(rng, (unsigned long)n);
        f->node = find_nodes(tree, taken, kinds[k].internal, index);
        taken[f->node] = true;
    }
    return 0;
}

int tan_failure_list_draw(const struct failure_list *failures, const struct tan_tree *tree,
                          const char *spec, uint64_t seed, struct failure_list *drawn,
                          struct tan_error *e)
{
    const int32_t size = tan_tree_size(tree);
    bool *taken = calloc((size_t)size, sizeof *taken);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int result = taken == NULL || rng == NULL ? tan_fail_nomem(e) : 0;
    *drawn = *failures;
    for (int i = 0; i < drawn->n && result == 0; i++) {
        const int32_t node = drawn->list[i].node;
        if (node >= size) {
            result = tan_fail_usage(e,
                                    "--fail: %s has no process %" PRId32
                                    ": those below the root are numbered from 1 to %" PRId32,
                                    spec, node, size - 1);
        } else if (node > 0) {
            taken[node] = true;
        }
    }
    if (rng != NULL) {
        gsl_rng_set(rng, seed);
    }
    for (int i = 0; i < drawn->n && result == 0; i++) {
        result = draw_node(&drawn->list[i], tree, spec, taken, rng, e);
    }
    free(taken);
    if (rng != NULL) {
        gsl_rng_free(rng);
    }
    return result;
}

int32_t tan_failure_list_last(const struct failure_list *failures)
{
    int32_t last = 0;
    for (int i = 0; i < failures->n; i++) {
        last = failures->list[i].wave > last ? failures->list[i].wave : last;
    }
    return last;
}

int32_t tan_failure_list_first(const struct failure_list *failures)
{
    int32_t first = tan_failure_list_last(failures);
    for (int i = 0; i < failures->n; i++) {
        const int32_t wave = failures->list[i].wave;
        first = wave != FAIL_HEALING && wave < first ? wave : first;
    }
    return first;
}
