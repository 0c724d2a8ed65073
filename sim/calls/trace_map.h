/* trace_map.h - map from requests, communicators and tags of a trace to operations or indices
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_MAP_H
#define TAN_SIM_CALLS_TRACE_MAP_H

#include <stdint.h>

#include "base/error.h"
#include "base/map.h"

/* A tan_map for traces: values are 32-bit numbers, and errors are set if memory is short. Setting
 * the key UINT64_MAX has no effect: it is request -1, that of a call that completed immediately. */

#define TRACE_MAP_NONE UINT32_MAX

/* TRACE_MAP_NONE if it is not present. */
static inline uint32_t tan_trace_map_find(const struct tan_map *m, uint64_t key)
{
    const int64_t found = tan_map_find(m, key);
    return found < 0 ? TRACE_MAP_NONE : (uint32_t)found;
}

/* Set or replace the value of `key`, which must not be TRACE_MAP_NONE. */
static inline int tan_trace_map_set(struct tan_map *m, uint64_t key, uint32_t value,
                                    struct tan_error *e)
{
    return key == UINT64_MAX || tan_map_set(m, key, value) == 0 ? 0 : tan_fail_nomem(e);
}

#endif
