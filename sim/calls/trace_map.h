/* trace_map.h - a table from 64-bit keys to operations or numbers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_MAP_H
#define SIM_CALLS_TRACE_MAP_H

#include <stdint.h>

#include "base/error.h"

struct trace_map {
    uint64_t *key; /* owned, as is value */
    uint32_t *value;
    uint32_t room, used; /* room: a power of two, or 0 */
};

#define TRACE_MAP_NONE UINT32_MAX

/* TRACE_MAP_NONE: it is not there. */
uint32_t trace_map_find(const struct trace_map *m, uint64_t key);
/* Set or replace; the value is not TRACE_MAP_NONE. UINT64_MAX, such as the request -1 of what was
 * complete at once, is left out: it is never there. */
int trace_map_set(struct trace_map *m, uint64_t key, uint32_t value, struct tan_error *e);
/* Leave out a key; its place is used again when the table grows. */
void trace_map_drop(struct trace_map *m, uint64_t key);
void trace_map_clear(struct trace_map *m);

#endif
