/* map.h - hash table from 64-bit keys to numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_MAP_H
#define TAN_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Numbers, such as places in an array, by key. Numbers are from 0 to INT64_MAX - 1; any key will
 * do. The table cannot be walked through, so that nothing comes to depend on its order: what is to
 * be listed stands in an array of the owner's.
 *
 * Longer keys stand in that array, too, and the map has their places by tan_hash. A few of them may
 * have the same hash, whose places tan_map_next tells one after the other:
 *
 *     size_t tries = 0;
 *     int64_t i;
 *     do {
 *         i = tan_map_next(&map, tan_hash(name, strlen(name)), &tries);
 *     } while (i >= 0 && strcmp(names[i], name) != 0);
 *
 * All zero at first. All but tan_map_empty and tan_map_clear are O(1) on average, as long as few
 * numbers have the same key. */
struct tan_map {
    struct tan_map_slot *slot;
    size_t room, used; /* slots, of which at most half are used; room: a power of two, or 0 */
};

/* The number of a key, -1: it has none. */
int64_t tan_map_find(const struct tan_map *m, uint64_t key);
/* Another number of the key at each call, in no order, and -1 after the last; *tries is 0 at first.
 */
int64_t tan_map_next(const struct tan_map *m, uint64_t key, size_t *tries);
/* Give the key this number, in place of the one that it may have. -1: memory is short, and the map
 * is as it was; so with tan_map_add. */
int tan_map_set(struct tan_map *m, uint64_t key, int64_t number);
/* Give the key this number, besides those that it may have. */
int tan_map_add(struct tan_map *m, uint64_t key, int64_t number);
/* Take the number, one of several, from the key if it has any. */
void tan_map_remove(struct tan_map *m, uint64_t key);
/* Remove all keys, at a cost of O(1) for each. */
void tan_map_empty(struct tan_map *m);
/* The same, and free its memory. */
void tan_map_clear(struct tan_map *m);

/* Not secret: who knows the function can make up any number of keys with one hash. */
uint64_t tan_hash(const void *bytes, size_t length);

#endif
