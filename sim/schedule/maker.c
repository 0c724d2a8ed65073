/* maker.c - adding the operations of one rank after the other, with failures looked at once a rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/maker.h"

static uint32_t add(struct tan_maker *m, enum tan_op_kind kind, uint64_t amount, uint32_t peer)
{
    const struct tan_op_spec spec = {.kind = kind, .amount = amount, .peer = peer};
    uint32_t index = 0;
    m->failed = m->failed || tan_schedule_add(m->builder, &spec, 0, &index, m->e) < 0;
    return index;
}

uint32_t tan_make_send(struct tan_maker *m, uint64_t bytes, uint32_t to)
{
    return add(m, TAN_OP_SEND, bytes, to);
}

uint32_t tan_make_recv(struct tan_maker *m, uint64_t bytes, uint32_t from)
{
    return add(m, TAN_OP_RECV, bytes, from);
}

uint32_t tan_make_calc(struct tan_maker *m, uint64_t picoseconds)
{
    return add(m, TAN_OP_CALC, picoseconds, 0);
}

void tan_make_require(struct tan_maker *m, uint32_t index, uint32_t on)
{
    if (!m->failed && on != TAN_OP_NONE) {
        m->failed = tan_schedule_require(m->builder, index, on, TAN_AFTER_FINISH, m->e) < 0;
    }
}

struct tan_schedule *tan_make_schedule(uint32_t ranks,
                                       void (*rank)(struct tan_maker *m, const void *context,
                                                    uint32_t rank),
                                       const void *context, struct tan_error *e)
{
    struct tan_maker m = {.builder = tan_schedule_begin(ranks, false, e), .e = e};
    if (m.builder == NULL) {
        return NULL;
    }
    for (uint32_t r = 0; r < ranks; r++) {
        if (tan_schedule_rank(m.builder, r, e) < 0) {
            goto fail;
        }
        rank(&m, context, r);
        if (m.failed || tan_schedule_rank_end(m.builder, NULL, e) < 0) {
            goto fail;
        }
    }
    return tan_schedule_seal(m.builder, e);

fail:
    tan_schedule_abandon(m.builder);
    return NULL;
}
