/* fixed_order.c - schedules whose order of service does not depend on costs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/fixed_order.h"

#include <stdlib.h>

/* Whether operations are served after `op` that wait for its start: it has its CPU then, and does
 * not need it again, unlike a receive, which has only been posted, and a send that is held until
 * its message is matched. */
static bool is_served_at_start(const struct tan_op *op, const struct tan_sim_params *p)
{
    return tan_op_kind(op) == TAN_OP_CALC || (tan_op_kind(op) == TAN_OP_SEND && op->amount <= p->S);
}

/* Where the dependents of an operation end that are served after it. */
static uint32_t end_of_later(const struct tan_schedule *s, const struct tan_sim_params *p,
                             uint32_t op)
{
    uint32_t end = s->ops[op + 1].dependents;
    while (end > s->ops[op].dependents && !is_served_at_start(&s->ops[op], p) &&
           (s->dependents[end - 1] & TAN_DEPENDENT_START) != 0) {
        end--;
    }
    return end;
}

/* Add 1 or -1 to the number of operations that each dependent of `op` waits for. Returns how many
 * wait for none then, and one of these. */
static uint32_t count_later(const struct tan_schedule *s, const struct tan_sim_params *p,
                            uint32_t op, uint32_t *waits, uint32_t change, uint32_t *next)
{
    const uint32_t end = end_of_later(s, p, op);
    uint32_t free = 0;
    for (uint32_t i = s->ops[op].dependents; i < end; i++) {
        const uint32_t later = s->dependents[i] & ~TAN_DEPENDENT_START;
        waits[later] += change;
        if (waits[later] == 0) {
            *next = later;
            free++;
        }
    }
    return free;
}

/* Whether at each time only one operation is next. */
static bool is_chain(const struct tan_schedule *s, const struct tan_sim_params *p, uint32_t rank,
                     uint32_t *waits)
{
    const uint32_t from = s->first_op[rank], to = from + s->rank_ops[rank];
    uint32_t next = from, free = 0;
    for (uint32_t op = from; op < to; op++) {
        count_later(s, p, op, waits, 1, &next);
    }
    for (uint32_t op = from; op < to; op++) {
        free += waits[op] == 0;
        next = waits[op] == 0 ? op : next;
    }
    uint32_t left = to - from;
    for (; left > 0 && free == 1; left--) {
        free = count_later(s, p, next, waits, UINT32_MAX, &next);
    }
    return left == 0;
}

/* Whether no message can overtake another one that fits the same receives. `first`: per channel. */
static bool arrive_in_order(const struct tan_schedule *s, const struct tan_sim_params *p,
                            const struct tan_link **first)
{
    for (uint32_t op = 0; op < s->n_ops; op++) {
        const struct tan_op *send = &s->ops[op];
        if (tan_op_kind(send) != TAN_OP_SEND) {
            continue;
        }
        const struct tan_link *link = tan_sim_link(
            p, tan_schedule_op_rank(s, op), tan_schedule_receiver(s, send->channel), send->amount);
        const struct tan_link *before = first[send->channel];
        if (before != NULL && (before->L != link->L || before->o != link->o)) {
            return false;
        }
        first[send->channel] = link;
    }
    return true;
}

int tan_order_is_fixed(const struct tan_schedule *s, const struct tan_sim_params *p, bool *fixed,
                       struct tan_error *e)
{
    *fixed = false;
    if (p->cores > 0 || p->noise != NULL || s->fits_at != NULL || tan_sim_has_control(p)) {
        return 0;
    }
    uint32_t *waits = calloc((size_t)s->n_ops + 1, sizeof *waits);
    const struct tan_link **first = calloc((size_t)s->n_channels + 1, sizeof *first);
    if (waits == NULL || first == NULL) {
        free(waits);
        free(first);
        return tan_fail_nomem(e);
    }
    uint32_t rank = 0;
    while (rank < s->ranks && is_chain(s, p, rank, waits)) {
        rank++;
    }
    *fixed = rank == s->ranks && (p->sizes == NULL || arrive_in_order(s, p, first));
    free(waits);
    free(first);
    return 0;
}
