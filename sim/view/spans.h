/* spans.h - when an operation held its CPU and its NIC
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_VIEW_SPANS_H
#define SIM_VIEW_SPANS_H

#include "sim/engine/simulate.h"

enum tan_span_where { TAN_SPAN_CPU, TAN_SPAN_NIC_OUT, TAN_SPAN_NIC_IN };

struct tan_span {
    enum tan_span_where where;
    uint64_t from, to; /* picoseconds, from <= to */
};

enum { TAN_SPANS = 4 };

/* The spans of an operation, those of the CPU first; none when it never started. A message with a
 * handshake holds the sender's CPU and NIC twice, for the request and for the data, and the
 * receiver's NIC twice. */
int tan_op_spans(const struct tan_schedule *s, const struct tan_sim_params *p,
                 const struct tan_history *history, uint32_t op, struct tan_span spans[TAN_SPANS]);

#endif
