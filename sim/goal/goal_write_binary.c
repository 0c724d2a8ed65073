/* goal_write_binary.c - writes LogGOPSim's binary schedules
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal.h"

#include <inttypes.h>

#include "sim/goal/goal_internal.h"

static unsigned char *put(unsigned char *at, uint64_t value, int bytes)
{
    for (; bytes > 0; bytes--) {
        *at++ = (unsigned char)value;
        value >>= 8;
    }
    return at;
}

static void write_number(uint64_t value, int bytes, FILE *to)
{
    unsigned char buffer[8];
    put(buffer, value, bytes);
    fwrite(buffer, 1, (size_t)bytes, to);
}

/* Dependents of `op` that wait for its finish; those that wait for its start follow. */
static uint32_t count_finishes(const struct tan_schedule *s, uint32_t op)
{
    uint32_t end = s->ops[op + 1].dependents;
    while (end > s->ops[op].dependents && s->dependents[end - 1] & TAN_DEPENDENT_START) {
        end--;
    }
    return end - s->ops[op].dependents;
}

static uint32_t count_roots(const struct tan_schedule *s, uint32_t rank)
{
    uint32_t roots = 0;
    for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
        roots += s->ops[s->first_op[rank] + i].requires == 0;
    }
    return roots;
}

/* How many entries the list of dependents of a rank has. */
static uint32_t count_dependents(const struct tan_schedule *s, uint32_t rank)
{
    const uint32_t first = s->first_op[rank];
    return s->ops[first + s->rank_ops[rank]].dependents - s->ops[first].dependents;
}

/* Which operation cannot be written. */
static int check_times(const struct tan_schedule *s, struct tan_error *e)
{
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        for (uint32_t i = 0; i < s->rank_ops[rank]; i++) {
            const uint32_t op = s->first_op[rank] + i;
            const uint64_t ps = s->ops[op].amount;
            if (tan_op_kind(&s->ops[op]) == TAN_OP_CALC && ps % TAN_GOAL_PS_PER_NS != 0) {
                char line[32] = "";
                if (s->lines != NULL && s->lines[op] > 0) {
                    snprintf(line, sizeof line, " (line %" PRIu32 ")", s->lines[op]);
                }
                return tan_fail(e,
                                "binary GOAL holds whole nanoseconds only, and operation %" PRIu32
                                " of rank %" PRIu32 "%s calculates for %" PRIu64 ".%03u ns",
                                i, rank, line, ps / TAN_GOAL_PS_PER_NS,
                                (unsigned)(ps % TAN_GOAL_PS_PER_NS));
            }
        }
    }
    return 0;
}

static void write_header(const struct tan_schedule *s, FILE *to)
{
    write_number(TAN_GOAL_MAGIC, 8, to);
    write_number(s->ranks, 4, to);
    write_number(s->cpus, 1, to);
    write_number(s->nics, 1, to);
    uint64_t at = TAN_GOAL_HEADER - TAN_GOAL_ORIGIN + (uint64_t)TAN_GOAL_ENTRY * s->ranks;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        write_number(at, 8, to);
        at += 8 + (uint64_t)TAN_GOAL_RECORD * s->rank_ops[rank] +
              4 * ((uint64_t)count_roots(s, rank) + count_dependents(s, rank));
        write_number(at, 8, to);
    }
}

/* `first`: the number of its first dependent in the rank's list */
static void write_op(const struct tan_schedule *s, uint32_t op, uint32_t first, FILE *to)
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    const uint32_t finishes = count_finishes(s, op);
    const uint32_t starts = s->ops[op + 1].dependents - s->ops[op].dependents - finishes;
    const bool calc = spec.kind == TAN_OP_CALC;
    unsigned char record[TAN_GOAL_RECORD];
    unsigned char *at = put(record, s->ops[op].requires, 4);
    at = put(at, spec.kind, 1);
    at = put(at, spec.peer, 4);
    at = put(at, calc ? spec.amount / TAN_GOAL_PS_PER_NS : spec.amount, 8);
    at = put(at, spec.tag, 4);
    at = put(at, spec.cpu, 1);
    at = put(at, spec.nic, 1);
    at = put(at, finishes, 4);
    at = put(at, first, 4);
    at = put(at, starts, 4);
    put(at, (uint64_t)first + finishes, 4);
    fwrite(record, 1, sizeof record, to);
}

static void write_rank(const struct tan_schedule *s, uint32_t rank, FILE *to)
{
    const uint32_t first = s->first_op[rank];
    const uint32_t end = first + s->rank_ops[rank];
    write_number(s->rank_ops[rank], 4, to);
    write_number(count_roots(s, rank), 4, to);
    for (uint32_t op = first; op < end; op++) {
        if (s->ops[op].requires == 0) {
            write_number(op - first, 4, to);
        }
    }
    const uint32_t list = s->ops[first].dependents;
    for (uint32_t op = first; op < end; op++) {
        write_op(s, op, s->ops[op].dependents - list, to);
    }
    for (uint32_t d = list; d < s->ops[end].dependents; d++) {
        write_number((s->dependents[d] & ~TAN_DEPENDENT_START) - first, 4, to);
    }
}

int tan_goal_write_binary(const struct tan_schedule *s, FILE *to, struct tan_error *e)
{
    if (check_times(s, e) < 0) {
        return -1;
    }
    write_header(s, to);
    for (uint32_t rank = 0; rank < s->ranks && !ferror(to); rank++) {
        write_rank(s, rank, to);
    }
    return 0;
}
