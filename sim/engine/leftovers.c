/* leftovers.c - operations and messages left at the end of a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/leftovers.h"

#include <stdlib.h>

enum { MET = 0, UNRECEIVED = 1, UNFINISHED = 2, UNMATCHED = 4, BLOCKED = 8 };

/* Mark operations that depend on others that have not happened. */
static void mark_blocked(const struct tan_schedule *s, uint8_t *marks, uint32_t *stack,
                         uint32_t depth)
{
    while (depth > 0) {
        const uint32_t op = stack[--depth];
        for (uint32_t d = s->ops[op].dependents; d < s->ops[op + 1].dependents; d++) {
            const uint32_t to = s->dependents[d] & ~TAN_DEPENDENT_START;
            const bool started = (marks[op] & BLOCKED) == 0;
            if (started && (s->dependents[d] & TAN_DEPENDENT_START) != 0) {
                continue;
            }
            if (marks[to] == MET) {
                marks[to] = BLOCKED;
                stack[depth++] = to;
            }
        }
    }
}

/* Collect the operations with `mark`, by rank. */
static int collect_marked(const struct tan_schedule *s, const uint8_t *marks, uint8_t mark,
                          uint32_t **list, uint32_t *n, struct tan_error *e)
{
    uint32_t count = 0;
    for (uint32_t op = 0; op < s->n_ops; op++) {
        count += (marks[op] & mark) != 0;
    }
    if ((*list = malloc(((size_t)count + 1) * sizeof **list)) == NULL) {
        return tan_fail_nomem(e);
    }
    *n = 0;
    for (uint32_t r = 0; r < s->ranks; r++) {
        for (uint32_t op = s->first_op[r]; op < s->first_op[r] + s->rank_ops[r]; op++) {
            if ((marks[op] & mark) != 0) {
                (*list)[(*n)++] = op;
            }
        }
    }
    return 0;
}

int tan_leftovers(const struct tan_schedule *s, struct tan_match *match, uint64_t eager_limit,
                  struct tan_simulation *out, struct tan_error *e)
{
    uint32_t *messages = NULL, *receives = NULL, n_messages = 0, n_receives = 0, depth = 0;
    uint8_t *marks = calloc((size_t)s->n_ops + 1, sizeof *marks);
    uint32_t *stack = malloc(((size_t)s->n_ops + 1) * sizeof *stack);
    int result = -1;
    if (marks == NULL || stack == NULL) {
        tan_fail_nomem(e);
        goto out;
    }
    if (tan_match_left(match, &messages, &n_messages, &receives, &n_receives, e) != 0) {
        goto out;
    }
    for (uint32_t i = 0; i < n_receives; i++) {
        const uint32_t op = receives[i];
        marks[op] = UNMATCHED;
        stack[depth++] = op;
    }
    for (uint32_t i = 0; i < n_messages; i++) {
        const uint32_t op = messages[i];
        marks[op] = UNRECEIVED;
        if (s->ops[op].amount > eager_limit) {
            marks[op] |= UNFINISHED;
            stack[depth++] = op;
        }
    }
    mark_blocked(s, marks, stack, depth);
    if (collect_marked(s, marks, UNRECEIVED, &out->unexpected, &out->n_unexpected, e) == 0 &&
        collect_marked(s, marks, UNMATCHED, &out->unmatched, &out->n_unmatched, e) == 0 &&
        collect_marked(s, marks, BLOCKED, &out->blocked, &out->n_blocked, e) == 0 &&
        collect_marked(s, marks, UNFINISHED, &out->unfinished, &out->n_unfinished, e) == 0) {
        result = 0;
    }
out:
    free(marks);
    free(stack);
    free(messages);
    free(receives);
    return result;
}
