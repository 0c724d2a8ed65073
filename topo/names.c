/* names.c - numbering of names
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "topo/tree.h"

struct tan_names {
    int32_t count;
    char **name;
    struct tan_map by_hash;
};

static int32_t find_name(const struct tan_names *names, const char *name, uint64_t hash)
{
    size_t tries = 0;
    int64_t number;
    do {
        number = tan_map_next(&names->by_hash, hash, &tries);
    } while (number >= 0 && strcmp(names->name[number], name) != 0);
    return (int32_t)number;
}

struct tan_names *tan_names_create(struct tan_error *e)
{
    struct tan_names *names = calloc(1, sizeof *names);
    if (names == NULL) {
        tan_fail_nomem(e);
    }
    return names;
}

void tan_names_destroy(struct tan_names *names)
{
    if (names == NULL) {
        return;
    }
    for (int32_t i = 0; i < names->count; i++) {
        free(names->name[i]);
    }
    free(names->name);
    tan_map_clear(&names->by_hash);
    free(names);
}

int32_t tan_names_add(struct tan_names *names, const char *name, struct tan_error *e)
{
    const uint64_t hash = tan_hash(name, strlen(name));
    const int32_t known = find_name(names, name, hash);
    if (known >= 0) {
        return known;
    }
    if (names->count == TAN_TREE_MAX_NODES) {
        return tan_fail(e, "a tree has at most %" PRId32 " nodes", TAN_TREE_MAX_NODES);
    }
    if (tan_has_controls(name) || strpbrk(name, "\t\n") != NULL) {
        return tan_fail(e, "the name \"%.80s\" has a control character", name);
    }
    char *copy = strdup(name);
    if (copy == NULL || TAN_ONE_MORE(names->name, names->count) < 0 ||
        tan_map_add(&names->by_hash, hash, names->count) < 0) {
        free(copy);
        return tan_fail_nomem(e);
    }
    names->name[names->count] = copy;
    return names->count++;
}

int32_t tan_names_find(const struct tan_names *names, const char *name)
{
    return find_name(names, name, tan_hash(name, strlen(name)));
}

int32_t tan_names_count(const struct tan_names *names)
{
    return names->count;
}

const char *const *tan_names_list(const struct tan_names *names)
{
    return (const char *const *)names->name;
}
