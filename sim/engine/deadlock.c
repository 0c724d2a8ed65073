/* deadlock.c - deadlocks: operations waiting for each other in a chain or cycle
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/deadlock.h"

#include <stdlib.h>

enum { BLOCKED = 1, UNMATCHED = 2, UNFINISHED = 4, NEVER_ENDS = 7, SEEN = 8 };

struct search {
    const struct tan_schedule *s;
    const struct tan_simulation *r;
    uint8_t *marks;     /* per operation */
    uint64_t looked_at; /* operations and dependencies visited */
};

static const uint64_t most_looked_at = UINT64_C(1) << 30;

/* Dependencies */

/* Whether blocked operation `op` waits for `on`. */
static bool depends_on(struct search *x, uint32_t op, uint32_t on, enum tan_waits_for *why)
{
    const struct tan_schedule *s = x->s;
    if ((x->marks[on] & NEVER_ENDS) == 0) {
        return false;
    }
    for (uint32_t d = s->ops[on].dependents; d < s->ops[on + 1].dependents; d++) {
        const bool start = (s->dependents[d] & TAN_DEPENDENT_START) != 0;
        x->looked_at++;
        if ((s->dependents[d] & ~TAN_DEPENDENT_START) == op &&
            (!start || (x->marks[on] & BLOCKED) != 0)) {
            *why = start ? TAN_WAITS_START : TAN_WAITS_FINISH;
            return true;
        }
    }
    return false;
}

/* The operation of the same rank that `op` waits for; usually a close predecessor. */
static uint32_t needed_by(struct search *x, uint32_t op, enum tan_waits_for *why)
{
    const uint32_t rank = tan_schedule_op_rank(x->s, op);
    const uint32_t first = x->s->first_op[rank], end = first + x->s->rank_ops[rank];
    for (uint32_t i = op; i-- > first; x->looked_at++) {
        if (depends_on(x, op, i, why)) {
            return i;
        }
    }
    for (uint32_t i = op + 1; i < end; i++, x->looked_at++) {
        if (depends_on(x, op, i, why)) {
            return i;
        }
    }
    return TAN_OP_NONE;
}

/* Messages */

/* Whether `other` is a blocked operation whose start would unblock the receive or send `op`. */
static bool are_partners(struct search *x, uint32_t op, uint32_t other)
{
    x->looked_at++;
    if ((x->marks[other] & BLOCKED) == 0 ||
        tan_op_kind(&x->s->ops[op]) + tan_op_kind(&x->s->ops[other]) != TAN_OP_SEND + TAN_OP_RECV) {
        return false;
    }
    const struct tan_op_spec a = tan_schedule_spec(x->s, op), b = tan_schedule_spec(x->s, other);
    return (a.peer == TAN_ANY_SOURCE || a.peer == tan_schedule_op_rank(x->s, other)) &&
           (b.peer == TAN_ANY_SOURCE || b.peer == tan_schedule_op_rank(x->s, op)) &&
           (a.tag == b.tag || a.tag == TAN_ANY_TAG || b.tag == TAN_ANY_TAG);
}

static uint32_t partner_of(struct search *x, uint32_t op)
{
    const struct tan_op_spec spec = tan_schedule_spec(x->s, op);
    if (spec.peer == TAN_ANY_SOURCE) {
        for (uint32_t i = 0; i < x->r->n_blocked; i++) {
            if (are_partners(x, op, x->r->blocked[i])) {
                return x->r->blocked[i];
            }
        }
        return TAN_OP_NONE;
    }
    const uint32_t first = x->s->first_op[spec.peer];
    for (uint32_t i = 0; i < x->s->rank_ops[spec.peer]; i++) {
        if (are_partners(x, op, first + i)) {
            return first + i;
        }
    }
    return TAN_OP_NONE;
}

/* The search */

static uint32_t next_of(struct search *x, uint32_t op, enum tan_waits_for *why)
{
    if (x->looked_at > most_looked_at) {
        *why = TAN_WAITS_UNKNOWN;
        return TAN_OP_NONE;
    }
    if ((x->marks[op] & BLOCKED) != 0) {
        return needed_by(x, op, why);
    }
    const uint32_t partner = partner_of(x, op);
    *why = partner == TAN_OP_NONE                       ? TAN_WAITS_NOBODY
           : tan_op_kind(&x->s->ops[op]) == TAN_OP_RECV ? TAN_WAITS_MESSAGE
                                                        : TAN_WAITS_RECEIVE;
    return partner;
}

/* Follow the operations that `op` waits for until one is revisited or the path ends. `steps` has
 * room for all operations that never end. Returns the first step of the cycle, or SIZE_MAX. */
static size_t follow_waits(struct search *x, uint32_t op, struct tan_stuck_step *steps, size_t *n)
{
    *n = 0;
    while (op != TAN_OP_NONE && (x->marks[op] & SEEN) == 0) {
        enum tan_waits_for why = TAN_WAITS_UNKNOWN;
        x->marks[op] |= SEEN;
        steps[*n].op = op;
        op = next_of(x, op, &why);
        steps[(*n)++].waits_for = why;
    }
    size_t begin = SIZE_MAX;
    for (size_t i = 0; i < *n; i++) {
        if (steps[i].op == op) {
            begin = i;
        }
    }
    return begin;
}

bool tan_ended_well(const struct tan_simulation *r)
{
    return r->n_blocked == 0 && r->n_unmatched == 0 && r->n_unexpected == 0 && r->n_unfinished == 0;
}

static void mark_ops(struct search *x, const uint32_t *ops, uint32_t n, uint8_t with)
{
    for (uint32_t i = 0; i < n; i++) {
        x->marks[ops[i]] |= with;
    }
}

int tan_stuck_find(const struct tan_schedule *s, const struct tan_simulation *r,
                   struct tan_stuck *out, struct tan_error *e)
{
    struct search x = {.s = s, .r = r, .marks = calloc((size_t)s->n_ops + 1, 1)};
    const size_t most = (size_t)r->n_blocked + r->n_unmatched + r->n_unfinished;
    *out = (struct tan_stuck){.steps = malloc((most + 1) * sizeof *out->steps)};
    if (x.marks == NULL || out->steps == NULL) {
        free(x.marks);
        tan_stuck_clear(out);
        return tan_fail_nomem(e);
    }
    mark_ops(&x, r->blocked, r->n_blocked, BLOCKED);
    mark_ops(&x, r->unmatched, r->n_unmatched, UNMATCHED);
    mark_ops(&x, r->unfinished, r->n_unfinished, UNFINISHED);
    size_t n;
    for (uint32_t i = 0; i < r->n_blocked && !out->circle; i++) {
        const size_t begin = follow_waits(&x, r->blocked[i], out->steps, &n);
        if (begin < n) {
            out->circle = true;
            out->n_steps = n - begin;
            for (size_t j = begin; j < n; j++) {
                out->steps[j - begin] = out->steps[j];
            }
        }
    }
    if (!out->circle && r->n_blocked > 0) {
        for (uint32_t op = 0; op < s->n_ops; op++) {
            x.marks[op] &= (uint8_t)~SEEN;
        }
        x.looked_at = 0;
        follow_waits(&x, r->blocked[0], out->steps, &out->n_steps);
    }
    free(x.marks);
    return 0;
}

void tan_stuck_clear(struct tan_stuck *stuck)
{
    free(stuck->steps);
    *stuck = (struct tan_stuck){.steps = NULL};
}
