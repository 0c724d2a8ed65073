/* trace_names.c - names of traced calls, their rows and counters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_names.h"

#include <string.h>

static uint32_t name_hash(const char *name, size_t length)
{
    uint32_t h = (uint32_t)length;
    for (size_t i = 0; i < length; i++) {
        h = h * 31 + (unsigned char)name[i];
    }
    return h ^ h >> 9;
}

uint32_t tan_trace_names_find(struct trace_names *names, const char *name, size_t length,
                              struct tan_error *e)
{
    uint32_t at = name_hash(name, length) % (2 * TRACE_NAMES);
    for (; names->slot[at] != 0; at = (at + 1) % (2 * TRACE_NAMES)) {
        const uint32_t known = names->slot[at] - 1u;
        if (names->length[known] == length && memcmp(names->count[known].name, name, length) == 0) {
            return known;
        }
    }
    struct tan_trace_call *count = &names->count[names->n];
    if (names->n == TRACE_NAMES || length >= sizeof count->name) {
        tan_fail(e, "\"%.60s\" is not an MPI call", name);
        return UINT32_MAX;
    }
    memcpy(count->name, name, length);
    names->length[names->n] = (uint8_t)length;
    names->row[names->n] = tan_trace_call_find(count->name, length);
    names->slot[at] = (uint16_t)++names->n;
    return names->n - 1;
}
