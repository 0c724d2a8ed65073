/* map.c - hash table from 64-bit keys to numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Open addressing with linear probing. Removal shifts the following entries back, so there are no
 * tombstones. */
#include "base/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* 2^64 / golden ratio: spreads nearby keys far apart. */
static const uint64_t FACTOR = UINT64_C(0x9e3779b97f4a7c15);

enum { FIRST_ROOM = 16 };

struct tan_map_slot {
    uint64_t key;
    uint64_t number; /* + 1; 0: slot is free */
};

/* The slot of a key after `tries` probes. */
static size_t place_of(const struct tan_map *m, uint64_t key, size_t tries)
{
    const uint64_t product = key * FACTOR;
    return (size_t)((product ^ product >> 32) + tries) & (m->room - 1);
}

int64_t tan_map_next(const struct tan_map *m, uint64_t key, size_t *tries)
{
    if (m->room == 0) {
        return -1;
    }
    const struct tan_map_slot *at;
    do {
        at = &m->slot[place_of(m, key, (*tries)++)];
    } while (at->number != 0 && at->key != key);
    return (int64_t)at->number - 1;
}

int64_t tan_map_find(const struct tan_map *m, uint64_t key)
{
    size_t tries = 0;
    return tan_map_next(m, key, &tries);
}

/* The first free slot for a key, or with `same` the slot that holds it. */
static struct tan_map_slot *slot_for(const struct tan_map *m, uint64_t key, bool same)
{
    size_t at = place_of(m, key, 0);
    while (m->slot[at].number != 0 && !(same && m->slot[at].key == key)) {
        at = (at + 1) & (m->room - 1);
    }
    return &m->slot[at];
}

/* Make room for one more key. */
static int make_room(struct tan_map *m)
{
    if (2 * m->used < m->room) {
        return 0;
    }
    struct tan_map more = {.room = m->room == 0 ? FIRST_ROOM : 2 * m->room, .used = m->used};
    if (more.room > PTRDIFF_MAX / sizeof *more.slot) {
        return -1;
    }
    more.slot = calloc(more.room, sizeof *more.slot);
    if (more.slot == NULL) {
        return -1;
    }
    for (size_t i = 0; i < m->room; i++) {
        if (m->slot[i].number != 0) {
            *slot_for(&more, m->slot[i].key, false) = m->slot[i];
        }
    }
    free(m->slot);
    *m = more;
    return 0;
}

static int put_number(struct tan_map *m, uint64_t key, int64_t number, bool same)
{
    if (make_room(m) < 0) {
        return -1;
    }
    struct tan_map_slot *slot = slot_for(m, key, same);
    m->used += slot->number == 0;
    *slot = (struct tan_map_slot){key, (uint64_t)number + 1};
    return 0;
}

int tan_map_set(struct tan_map *m, uint64_t key, int64_t number)
{
    return put_number(m, key, number, true);
}

int tan_map_add(struct tan_map *m, uint64_t key, int64_t number)
{
    return put_number(m, key, number, false);
}

/* An entry whose home slot lies after the hole must stay: it could not be found before its home
 * slot. */
void tan_map_remove(struct tan_map *m, uint64_t key)
{
    struct tan_map_slot *hole = m->room == 0 ? NULL : slot_for(m, key, true);
    if (hole == NULL || hole->number == 0) {
        return;
    }
    const size_t mask = m->room - 1;
    size_t free_slot = (size_t)(hole - m->slot);
    for (size_t i = (free_slot + 1) & mask; m->slot[i].number != 0; i = (i + 1) & mask) {
        const size_t tries = (i - place_of(m, m->slot[i].key, 0)) & mask;
        if (tries >= ((i - free_slot) & mask)) {
            m->slot[free_slot] = m->slot[i];
            free_slot = i;
        }
    }
    m->slot[free_slot].number = 0;
    m->used--;
}

/* Clearing a table much larger than its contents would take too long; free it instead. */
void tan_map_empty(struct tan_map *m)
{
    if (m->room / 16 > m->used) {
        tan_map_clear(m);
        return;
    }
    if (m->used > 0) {
        memset(m->slot, 0, m->room * sizeof *m->slot);
        m->used = 0;
    }
}

void tan_map_clear(struct tan_map *m)
{
    free(m->slot);
    *m = (struct tan_map){.slot = NULL};
}

static uint64_t mix_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * FACTOR;
    return hash ^ hash >> 32;
}

uint64_t tan_hash(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = length;
    uint64_t word;
    for (; length > sizeof word; at += sizeof word, length -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix_word(hash, word);
    }
    word = 0;
    if (length > 0) {
        memcpy(&word, at, length);
    }
    return mix_word(hash, word);
}
