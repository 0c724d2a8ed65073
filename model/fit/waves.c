/* waves.c - measured waves, grouped by topology and message size
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fit/waves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "topo/spec.h"
#include "topo/tree.h"

enum { DEFAULT_BYTES = 1024 };

/* Keywords; other topologies are names of trees. */
static const struct name_row {
    const char *name;
    enum tan_wave_kind kind;
    const char *sized; /* name if a size follows; NULL if none does */
} name_rows[] = {
    {"chain", TAN_WAVES_CHAIN, "chain"},  {"nto1", TAN_WAVES_NTO1, "nto1"},
    {"flat", TAN_WAVES_NTO1, "nto1"},     {"pingpong", TAN_WAVES_LATENCY, NULL},
    {"latency", TAN_WAVES_LATENCY, NULL},
};

static int fail_wave(const struct tan_wave *wave, const char *text, struct tan_error *e)
{
    return tan_fail_at(e, wave->source, wave->line, wave->column, "%s", text);
}

/* Set kind and size of the group of a keyword. Returns the group's topology, malloc'd; NULL with an
 * error. */
static char *parse_keyword(const struct tan_wave *wave, const struct name_row *row,
                           struct tan_wave_group *group, struct tan_error *e)
{
    const char *rest = wave->topology + strlen(row->name);
    struct tan_error wrong = TAN_ERROR_INIT;
    const bool chain = row->kind == TAN_WAVES_CHAIN;
    const int64_t most = chain ? TAN_TREE_MAX_HEIGHT : TAN_TREE_MAX_NODES - 1;
    const struct tan_text what = tan_printed("\"%.64s\": %s", wave->topology, chain ? "H" : "N");
    char *name = NULL;
    group->kind = row->kind;
    if (row->sized == NULL && *rest != '\0') {
        tan_fail_at(e, wave->source, wave->line, wave->column, "%s takes no size: \"%s\"",
                    row->name, wave->topology);
    } else if (row->sized == NULL) {
        name = strdup("pingpong");
    } else if (tan_parse_count(what.text, rest + (*rest == ':'), 1, most, &group->size, &wrong) <
               0) {
        fail_wave(wave, wrong.text, e);
    } else if (asprintf(&name, "%s:%" PRId64, row->sized, group->size) < 0) {
        name = NULL;
    }
    if (name == NULL) {
        tan_fail_nomem(e); /* unless an error is set already */
    }
    return name;
}

static int parse_group(const struct tan_wave *wave, struct tan_wave_group *group,
                       struct tan_error *e)
{
    const size_t length = strcspn(wave->topology, ":");
    size_t before_host;
    *group = (struct tan_wave_group){.kind = TAN_WAVES_OTHER,
                                     .bytes = wave->bytes,
                                     .gathered = wave->gathered,
                                     .line = wave->line};
    if (wave->topology[0] == '\0') {
        return fail_wave(wave, "the tree has no name", e);
    }
    if (strstr(wave->topology, " + ") != NULL) {
        group->kind = TAN_WAVES_TWO;
    } else if (tan_spec_is_near(wave->topology, &before_host)) {
        group->kind = TAN_WAVES_NEAR;
    } else if (wave->down) {
        group->kind = TAN_WAVES_DOWN;
    }
    for (size_t i = 0; i < sizeof name_rows / sizeof name_rows[0]; i++) {
        const struct name_row *row = &name_rows[i];
        if (group->kind == TAN_WAVES_OTHER && strlen(row->name) == length &&
            strncmp(row->name, wave->topology, length) == 0) {
            group->topology = parse_keyword(wave, row, group, e);
            return group->topology == NULL ? -1 : 0;
        }
    }
    group->topology = strdup(wave->topology);
    return group->topology == NULL ? tan_fail_nomem(e) : 0;
}

static uint64_t hash_of(const struct tan_wave_group *group)
{
    return tan_hash(group->topology, strlen(group->topology)) ^ (uint64_t)group->bytes;
}

/* Index of the group with the same topology and message size; -1 if there is none. */
static int64_t index_of(const struct tan_waves *waves, const struct tan_wave_group *wanted)
{
    size_t tries = 0;
    int64_t i;
    do {
        i = tan_map_next(&waves->names, hash_of(wanted), &tries);
    } while (i >= 0 && (waves->group[i].bytes != wanted->bytes ||
                        waves->group[i].gathered != wanted->gathered ||
                        strcmp(waves->group[i].topology, wanted->topology) != 0));
    return i;
}

/* Find or add the group of a wave. */
static struct tan_wave_group *find_group(struct tan_waves *waves, const struct tan_wave *wave,
                                         struct tan_error *e)
{
    struct tan_wave_group fresh;
    if (parse_group(wave, &fresh, e) < 0) {
        return NULL;
    }
    const int64_t known = index_of(waves, &fresh);
    if (known >= 0) {
        free(fresh.topology);
        return &waves->group[known];
    }
    if (TAN_ONE_MORE(waves->group, waves->n) < 0 ||
        tan_map_add(&waves->names, hash_of(&fresh), (int64_t)waves->n) < 0) {
        free(fresh.topology);
        tan_fail_nomem(e);
        return NULL;
    }
    waves->group[waves->n] = fresh;
    return &waves->group[waves->n++];
}

int tan_waves_add(struct tan_waves *waves, const struct tan_wave *wave, struct tan_error *e)
{
    struct tan_wave_group *group = find_group(waves, wave, e);
    if (group == NULL) {
        return -1;
    }
    if (TAN_ONE_MORE(group->seconds, group->n) < 0) {
        return tan_fail_nomem(e);
    }
    group->seconds[group->n++] = wave->seconds;
    return 0;
}

static void clear_group(struct tan_wave_group *group)
{
    free(group->topology);
    free(group->seconds);
}

/* Drop groups of other sizes, and those of trees within a host after counting their waves. */
static void keep_size(struct tan_waves *waves, int64_t bytes)
{
    size_t kept = 0;
    for (size_t i = 0; i < waves->n; i++) {
        struct tan_wave_group *group = &waves->group[i];
        const bool chosen = bytes == 0 || group->bytes == 0 || group->bytes == bytes;
        const bool near = group->kind == TAN_WAVES_NEAR;
        waves->near += near && chosen ? group->n : 0;
        if (!chosen || near) {
            clear_group(group);
        } else {
            waves->group[kept++] = *group;
        }
    }
    waves->n = kept;
    tan_map_clear(&waves->names);
}

int tan_waves_choose(struct tan_waves *waves, const char *source, int64_t bytes,
                     struct tan_error *e)
{
    int64_t first = 0;
    int64_t least = 0;
    bool found = false;
    for (size_t i = 0; i < waves->n; i++) {
        const int64_t size = waves->group[i].bytes;
        const bool gathered = waves->group[i].gathered;
        first = first == 0 ? size : first;
        found = found || size == bytes;
        if (size > 0) {
            waves->sized = waves->sized || (bytes == 0 && (gathered || size != first));
            least = gathered ? 1 : least == 0 || size < least ? size : least;
        }
    }
    if (bytes > 0 && first > 0 && !found) {
        return tan_fail_usage(e,
                              "%s holds no waves of %" PRId64 " bytes; the first are of %" PRId64,
                              source, bytes, first);
    }
    keep_size(waves, bytes);
    waves->bytes = bytes > 0 ? bytes : least > 0 ? least : DEFAULT_BYTES;
    for (size_t i = 0; i < waves->n; i++) {
        struct tan_wave_group *group = &waves->group[i];
        group->bytes = group->bytes > 0 ? group->bytes : waves->bytes;
    }
    return 0;
}

void tan_waves_clear(struct tan_waves *waves)
{
    for (size_t i = 0; i < waves->n; i++) {
        clear_group(&waves->group[i]);
    }
    free(waves->group);
    tan_map_clear(&waves->names);
    *waves = (struct tan_waves){.n = 0};
}
