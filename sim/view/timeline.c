/* timeline.c - parts shared by the formats of a timeline
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdlib.h>

#include "sim/view/timeline_internal.h"

int tan_timeline_check(const struct tan_timeline *t, struct tan_error *e)
{
    json_t *title = json_string(t->title);
    const bool readable = title != NULL;
    json_decref(title);
    if (!readable) {
        return tan_fail(e, "the title of a timeline must be UTF-8");
    }
    if (t->simulation->history == NULL && t->schedule->n_ops > 0) {
        return tan_fail(e, "a timeline needs a simulation with a history");
    }
    return 0;
}

uint8_t *tan_timeline_critical(const struct tan_timeline *t)
{
    uint8_t *bits = calloc((size_t)t->schedule->n_ops / 8 + 1, 1);
    const size_t n = bits == NULL || t->critical == NULL ? 0 : t->critical->n_steps;
    for (size_t i = 0; i < n; i++) {
        tan_bit_set(bits, t->critical->steps[i].op);
    }
    return bits;
}

bool tan_timeline_critical_message(const struct tan_timeline *t, const uint8_t *critical,
                                   uint32_t send)
{
    const struct tan_history *history = t->simulation->history;
    const uint32_t receive = history[send].match;
    const bool handshake =
        tan_sim_has_control(t->params) && t->schedule->ops[send].amount > t->params->S;
    /* without a handshake, a message whose receive did not wait for it is not on the path */
    return receive != TAN_OP_NONE && tan_bit(critical, send) && tan_bit(critical, receive) &&
           (handshake || history[receive].why == TAN_WHY_MESSAGE);
}

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
    const struct tan_link *link = tan_sim_link(
        p, tan_schedule_op_rank(s, send), tan_schedule_receiver(s, s->ops[send].channel), bytes);
    const enum tan_span_where nic = kind == TAN_OP_SEND ? TAN_SPAN_NIC_OUT : TAN_SPAN_NIC_IN;
    const uint64_t gap = link->g + tan_bytes_cost(link->G, bytes);
    if (!tan_sim_has_control(p) || bytes <= p->S) {
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
