/* settings.c - settings of a run, as they are by default and in results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/settings.h"

#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

const struct mode_info tan_modes[MODES] = {
    [MODE_WAVES] = {.name = "waves"},
    [MODE_ONEWAY] = {.name = "oneway", .clocks = true},
    [MODE_STREAM] = {.name = "stream", .clocks = true, .pushes = true},
    [MODE_FAILURES] = {.name = "failures", .heals = true},
};

void tan_settings_default(struct settings *s)
{
    *s = (struct settings){.filter = "sum",
                           .wait = "auto",
                           .request_bytes = -1,
                           .sync = {.kind = SYNC_ALL},
                           .duration = 2,
                           .warmup = 5,
                           .min_waves = 10,
                           .max_waves = 1000,
                           .max_seconds = 2,
                           .precision = 0.05,
                           .passes = 1,
                           .seed = 1,
                           .n_sizes = 1,
                           .sizes = {1024}};
}

void tan_settings_write(struct tan_json_writer *w, json_t *o, const struct settings *s)
{
    char sync[64];
    tan_json_set_string(w, o, "mode", tan_modes[s->mode].name);
    tan_json_set_string(w, o, "filter", s->filter);
    tan_json_set_us(w, o, "work_us", s->work);
    tan_json_set_string(w, o, "sync", tan_sync_policy_format(&s->sync, sync, sizeof sync));
}

/* --- synchronisation policies --- */

static const struct {
    const char *name, *syntax, *example, *help;
} rows[SYNC_KINDS] = {
    [SYNC_ALL] = {"all", "all", "all", "wait for a packet from every child"},
    [SYNC_TIMEOUT] = {"timeout", "timeout:TIME", "timeout:TIME (such as timeout:5ms)",
                      "the same, but at most TIME after the first one; later ones are forwarded "
                      "alone"},
    [SYNC_NONE] = {"none", "none", "none",
                   "wait for none: every packet is forwarded as it arrives"},
};

int tan_sync_policy_parse(const char *what, const char *text, struct sync_policy *sync,
                          struct tan_error *e)
{
    size_t length = strcspn(text, ":");
    for (int kind = 0; kind < SYNC_KINDS; kind++) {
        bool timed = kind == SYNC_TIMEOUT;
        if (strlen(rows[kind].name) != length || strncmp(text, rows[kind].name, length) != 0 ||
            timed != (text[length] == ':')) {
            continue;
        }
        struct sync_policy found = {.kind = (enum sync_kind)kind};
        if (timed && tan_parse_duration(what, text + length + 1, &found.timeout, e) < 0) {
            return -1;
        }
        *sync = found;
        return 0;
    }
    const struct tan_choices examples = {&rows[0].example, sizeof rows[0], SYNC_KINDS};
    char allowed[128];
    const struct tan_nearest nearest = tan_choice_nearest(examples, text);
    return tan_choice_fail(e, what, &nearest, tan_choice_list(examples, allowed, sizeof allowed));
}

const char *tan_sync_policy_format(const struct sync_policy *sync, char *buffer, size_t size)
{
    if (sync->kind == SYNC_TIMEOUT) {
        snprintf(buffer, size, "%s:%gms", rows[sync->kind].name, sync->timeout * 1e3);
    } else {
        snprintf(buffer, size, "%s", rows[sync->kind].name);
    }
    return buffer;
}

void tan_sync_policy_help(FILE *to)
{
    for (int kind = 0; kind < SYNC_KINDS; kind++) {
        tan_text_item(to, rows[kind].syntax, rows[kind].help, 22);
    }
}

/* --- the process that falls silent --- */

enum { MAX_WAVE = 1000000 };

/* Kinds of nodes that are drawn. */
static const struct kind {
    const char *name;
    int32_t node; /* in place of a node's number */
    bool internal;
} kinds[] = {{"internal", FAIL_INTERNAL, true}, {"leaf", FAIL_LEAF, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

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
