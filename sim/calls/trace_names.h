/* trace_names.h - names of traced calls, their rows and counters
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_NAMES_H
#define TAN_SIM_CALLS_TRACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/calls/trace.h"
#include "sim/calls/trace_calls.h"

enum { TRACE_NAMES = 256 };

/* Zero-initialised; names are numbered in order of appearance. */
struct trace_names {
    struct tan_trace_call count[TRACE_NAMES];
    struct trace_call row[TRACE_NAMES];
    uint8_t length[TRACE_NAMES]; /* of each name */
    uint32_t n;
    uint16_t slot[2 * TRACE_NAMES]; /* hash table of indices + 1 */
};

/* The index of a name, which is copied; UINT32_MAX with an error if it has 40 characters or more,
 * or if there are more than TRACE_NAMES. */
uint32_t tan_trace_names_find(struct trace_names *names, const char *name, size_t length,
                              struct tan_error *e);

#endif
