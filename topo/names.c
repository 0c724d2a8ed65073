/* names.c - hash table of names
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "topo/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "topo/tree.h"

struct slot {
    uint32_t hash;
    int32_t number; /* of the name in this slot, plus one; 0 when empty */
};

/* Open addressing, at most half full. */
struct tan_names {
    int32_t count;
    uint32_t slots; /* a power of two */
    struct slot *slot;
    char **name; /* room for slots / 2 names */
};

/* FNV-1a */
static uint32_t hash(const char *text)
{
    uint32_t value = 2166136261u;
    for (; *text != '\0'; text++) {
        value = (value ^ (unsigned char)*text) * 16777619u;
    }
    return value;
}

/* The slot of `name`, or the empty one where it belongs. */
static struct slot *find(const struct tan_names *names, const char *name, uint32_t hashed)
{
    for (uint32_t i = hashed;; i++) {
        struct slot *slot = &names->slot[i & (names->slots - 1)];
        if (slot->number == 0 ||
            (slot->hash == hashed && strcmp(names->name[slot->number - 1], name) == 0)) {
            return slot;
        }
    }
}

/* Give a new table its empty slots, or a full one twice as many. */
static int resize(struct tan_names *names, uint32_t slots, struct tan_error *e)
{
    char **name = realloc(names->name, slots / 2 * sizeof *name);
    if (name == NULL) {
        return tan_fail_nomem(e);
    }
    names->name = name;
    struct slot *slot = calloc(slots, sizeof *slot);
    if (slot == NULL) {
        return tan_fail_nomem(e);
    }
    struct slot *old = names->slot;
    const uint32_t old_slots = names->slots;
    names->slot = slot;
    names->slots = slots;
    for (uint32_t i = 0; i < old_slots; i++) {
        if (old[i].number != 0) {
            *find(names, names->name[old[i].number - 1], old[i].hash) = old[i];
        }
    }
    free(old);
    return 0;
}

struct tan_names *tan_names_create(struct tan_error *e)
{
    struct tan_names *names = calloc(1, sizeof *names);
    if (names == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    if (resize(names, 64, e) < 0) {
        tan_names_destroy(names);
        return NULL;
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
    free(names->slot);
    free(names);
}

int32_t tan_names_add(struct tan_names *names, const char *name, struct tan_error *e)
{
    const uint32_t hashed = hash(name);
    const int32_t known = find(names, name, hashed)->number;
    if (known != 0) {
        return known - 1;
    }
    if (names->count == TAN_TREE_MAX_NODES) {
        return tan_fail(e, "a tree has at most %" PRId32 " nodes", TAN_TREE_MAX_NODES);
    }
    if ((uint32_t)names->count == names->slots / 2 && resize(names, 2 * names->slots, e) < 0) {
        return -1;
    }
    char *copy = strdup(name);
    if (copy == NULL) {
        return tan_fail_nomem(e);
    }
    *find(names, name, hashed) = (struct slot){hashed, names->count + 1};
    names->name[names->count] = copy;
    return names->count++;
}

int32_t tan_names_find(const struct tan_names *names, const char *name)
{
    return find(names, name, hash(name))->number - 1;
}

int32_t tan_names_count(const struct tan_names *names)
{
    return names->count;
}

const char *const *tan_names_list(const struct tan_names *names)
{
    return (const char *const *)names->name;
}
