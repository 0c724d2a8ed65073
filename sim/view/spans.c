/* spans.c - when an operation held its CPU and its NIC
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/spans.h"

int tan_op_spans(const struct tan_schedule *s, const struct tan_sim_params *p,
                 const struct tan_history *history, uint32_t op, struct tan_span spans[TAN_SPANS])
{
    const struct tan_history *h = &history[op];
    const enum tan_op_kind kind = tan_op_kind(&s->ops[op]);
    if (h->start == TAN_NEVER) {
        return 0;
    }
    if (kind == TAN_OP_CALC) {
        spans[0] = (struct tan_span){TAN_SPAN_CPU, h->start, h->busy};
        return 1;
    }
    const uint32_t send = kind == TAN_OP_SEND ? op : h->match;
    const uint64_t bytes = s->ops[send].amount;
    const struct tan_link *link = tan_sim_link(p, tan_schedule_op_rank(s, send),
                                               tan_schedule_receiver(s, s->ops[send].channel));
    const enum tan_span_where nic = kind == TAN_OP_SEND ? TAN_SPAN_NIC_OUT : TAN_SPAN_NIC_IN;
    const uint64_t gap = link->g + tan_bytes_cost(link->G, bytes);
    if (p->handshake == TAN_HANDSHAKE_NONE || bytes <= p->S) {
        spans[0] = (struct tan_span){TAN_SPAN_CPU, h->start, h->busy};
        spans[1] = (struct tan_span){nic, h->start, h->start + gap};
        return 2;
    }
    if (kind == TAN_OP_RECV) {
        spans[0] = (struct tan_span){TAN_SPAN_CPU, h->start, h->busy};
        spans[1] = (struct tan_span){nic, h->start, h->start + link->g};
        spans[2] = (struct tan_span){nic, h->wire, h->end};
        return h->end == TAN_NEVER ? 2 : 3;
    }
    const uint64_t data = h->wire - p->control - (p->handshake == TAN_HANDSHAKE_RAT ? link->o : 0);
    const bool sent = h->wire != TAN_NEVER;
    spans[0] = (struct tan_span){TAN_SPAN_CPU, h->start, h->start + p->control};
    spans[1] = sent ? (struct tan_span){TAN_SPAN_CPU, data, h->busy}
                    : (struct tan_span){nic, h->start, h->start + link->g};
    spans[2] = (struct tan_span){nic, h->start, h->start + link->g};
    spans[3] = (struct tan_span){nic, data, data + gap};
    return sent ? 4 : 2;
}
