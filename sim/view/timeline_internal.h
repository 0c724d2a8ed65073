/* timeline_internal.h - parts shared by the formats of a timeline
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_VIEW_TIMELINE_INTERNAL_H
#define TAN_SIM_VIEW_TIMELINE_INTERNAL_H

#include <stdbool.h>

#include "sim/view/timeline.h"

/* Check that the title is UTF-8, and that there is a history. */
int tan_timeline_check(const struct tan_timeline *t, struct tan_error *e);

/* One bit per operation: whether it is on the critical path; malloc'd. NULL if memory is short. */
uint8_t *tan_timeline_critical(const struct tan_timeline *t);

/* Whether a send's message is on the critical path. */
bool tan_timeline_critical_message(const struct tan_timeline *t, const uint8_t *critical,
                                   uint32_t send);

static inline bool tan_bit(const uint8_t *bits, uint32_t i)
{
    return (bits[i / 8] >> i % 8 & 1) != 0;
}

static inline void tan_bit_set(uint8_t *bits, uint32_t i)
{
    bits[i / 8] = (uint8_t)(bits[i / 8] | 1 << i % 8);
}

/* Time for which an operation occupied its CPU or its NIC. */
enum tan_span_where { TAN_SPAN_CPU, TAN_SPAN_NIC_OUT, TAN_SPAN_NIC_IN };

struct tan_span {
    enum tan_span_where where;
    uint64_t from, to; /* picoseconds, from <= to */
};

enum { TAN_SPANS = 4 };

/* The spans of an operation, CPU first; none if it never started. A message with a handshake
 * occupies the sender's CPU and NIC twice, for the request and for the data, and the receiver's NIC
 * twice. */
int tan_op_spans(const struct tan_schedule *s, const struct tan_sim_params *p,
                 const struct tan_history *history, uint32_t op, struct tan_span spans[TAN_SPANS]);

#endif
