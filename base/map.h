/* map.h - hash table from 64-bit keys to numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BASE_MAP_H
#define TAN_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Maps keys to numbers such as array indices. Numbers are from 0 to INT64_MAX - 1; keys are
 * arbitrary. There is no iteration, so that nothing can depend on the table's order: the owner
 * keeps what must be listed in an array.
 *
 * Longer keys live in that array too, and the map holds their indices by tan_hash. Keys may share a
 * hash; tan_map_next returns their indices one at a time:
 *
 *     size_t tries = 0;
 *     int64_t i;
 *     do {
 *         i = tan_map_next(&map, tan_hash(name, strlen(name)), &tries);
 *     } while (i >= 0 && strcmp(names[i], name) != 0);
 *
 * Zero-initialised. All operations except tan_map_empty take O(1) on average, as long as few
 * numbers share a key. */
struct tan_map {
    struct tan_map_slot *slot;
    size_t room, used; /* slots, at most half of them used; room is a power of two, or 0 */
};

/* The number of a key, -1 if absent. */
int64_t tan_map_find(const struct tan_map *m, uint64_t key);
/* Another number of the key at each call, in unspecified order, then -1; *tries starts at 0. */
int64_t tan_map_next(const struct tan_map *m, uint64_t key, size_t *tries);
/* Set or replace the number of a key that has at most one. Returns -1 when memory is short, with
 * the map unchanged. */
int tan_map_set(struct tan_map *m, uint64_t key, int64_t number);
/* Add a number to those of the key. Fails like tan_map_set. */
int tan_map_add(struct tan_map *m, uint64_t key, int64_t number);
/* Remove one of the key's numbers, if it has any. */
void tan_map_remove(struct tan_map *m, uint64_t key);
/* Remove all keys in O(keys). */
void tan_map_empty(struct tan_map *m);
/* Remove all keys and free the memory. */
void tan_map_clear(struct tan_map *m);

/* The hash of `length` bytes. Not collision-resistant: anyone who knows the function can construct
 * inputs that share a hash. */
uint64_t tan_hash(const void *bytes, size_t length);

#endif
