/* trace_map.c - a table from 64-bit keys to operations or numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Open addressing. A free place has the key UINT64_MAX and the value TRACE_MAP_NONE. A dropped key
 * keeps its place, with that value, until the table is made anew. */
#include "sim/calls/trace_map.h"

#include <stdlib.h>

static uint32_t slot_of(const struct trace_map *m, uint64_t key)
{
    uint32_t at = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->room - 1);
    while (m->key[at] != key && m->key[at] != UINT64_MAX) {
        at = (at + 1) & (m->room - 1);
    }
    return at;
}

uint32_t trace_map_find(const struct trace_map *m, uint64_t key)
{
    if (m->room == 0) {
        return TRACE_MAP_NONE;
    }
    return m->value[slot_of(m, key)];
}

/* A table with room for twice what is in it now. */
static int renew(struct trace_map *m, struct tan_error *e)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < m->room; i++) {
        there += m->value[i] != TRACE_MAP_NONE;
    }
    struct trace_map more = {.room = 64};
    while (more.room < 4 * (there + 1)) {
        more.room *= 2;
    }
    more.key = malloc(more.room * sizeof *more.key);
    more.value = malloc(more.room * sizeof *more.value);
    if (more.key == NULL || more.value == NULL) {
        trace_map_clear(&more);
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < more.room; i++) {
        more.key[i] = UINT64_MAX;
        more.value[i] = TRACE_MAP_NONE;
    }
    for (uint32_t i = 0; i < m->room; i++) {
        if (m->value[i] != TRACE_MAP_NONE) {
            const uint32_t at = slot_of(&more, m->key[i]);
            more.key[at] = m->key[i];
            more.value[at] = m->value[i];
            more.used++;
        }
    }
    trace_map_clear(m);
    *m = more;
    return 0;
}

int trace_map_set(struct trace_map *m, uint64_t key, uint32_t value, struct tan_error *e)
{
    if (key == UINT64_MAX) {
        return 0;
    }
    if (2 * (m->used + 1) > m->room && renew(m, e) < 0) {
        return -1;
    }
    const uint32_t at = slot_of(m, key);
    m->used += m->key[at] != key;
    m->key[at] = key;
    m->value[at] = value;
    return 0;
}

void trace_map_drop(struct trace_map *m, uint64_t key)
{
    if (m->room > 0) {
        m->value[slot_of(m, key)] = TRACE_MAP_NONE;
    }
}

void trace_map_clear(struct trace_map *m)
{
    free(m->key);
    free(m->value);
    *m = (struct trace_map){.room = 0};
}
