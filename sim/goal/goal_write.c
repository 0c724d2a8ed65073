/* goal_write.c - writing schedules as GOAL text and in LogGOPSim's binary form
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal.h"

#include <inttypes.h>

#include "sim/goal/goal_internal.h"

/* Text. LogGOPSim requires statements at the start of a line, and labels defined before use. */

static void write_tag(uint32_t tag, FILE *to)
{
    if (tag == TAN_ANY_TAG) {
        fputs(" tag -1", to);
    } else if (tag != 0) {
        fprintf(to, " tag %" PRIu32, tag);
    }
}

static void write_time(uint64_t picoseconds, FILE *to)
{
    const unsigned decimals = (unsigned)(picoseconds % TAN_GOAL_PS_PER_NS);
    fprintf(to, "calc %" PRIu64, picoseconds / TAN_GOAL_PS_PER_NS);
    if (decimals > 0) {
        fprintf(to, ".%03u", decimals);
    }
}

static void write_op(const struct tan_schedule *s, uint32_t op, FILE *to)
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    switch (spec.kind) {
    case TAN_OP_SEND:
        fprintf(to, "send %" PRIu64 "b to %" PRIu32, spec.amount, spec.peer);
        break;
    case TAN_OP_RECV:
        fprintf(to, "recv %" PRIu64 "b from ", spec.amount);
        fprintf(to, spec.peer == TAN_ANY_SOURCE ? "-1" : "%" PRIu32, spec.peer);
        break;
    case TAN_OP_CALC:
        write_time(spec.amount, to);
        break;
    }
    write_tag(spec.tag, to);
    if (spec.cpu != 0) {
        fprintf(to, " cpu %u", spec.cpu);
    }
    if (spec.nic != 0 && spec.kind != TAN_OP_CALC) {
        fprintf(to, " nic %u", spec.nic);
    }
    putc('\n', to);
}

static void write_rank(const struct tan_schedule *s, uint32_t rank, FILE *to)
{
    const uint32_t first = s->first_op[rank];
    const uint32_t end = first + s->rank_ops[rank];
    fprintf(to, "\nrank %" PRIu32 " {\n", rank);
    for (uint32_t op = first; op < end; op++) {
        const struct tan_op *o = &s->ops[op];
        if (o->requires > 0 || o[1].dependents > o->dependents) {
            fprintf(to, "l%" PRIu32 ": ", op - first + 1);
        }
        write_op(s, op, to);
    }
    /* Ordered by cause, which preserves the order in which its dependents start. */
    for (uint32_t op = first; op < end; op++) {
        for (uint32_t d = s->ops[op].dependents; d < s->ops[op + 1].dependents; d++) {
            const uint32_t dependent = s->dependents[d] & ~TAN_DEPENDENT_START;
            fprintf(to, "l%" PRIu32 " %s l%" PRIu32 "\n", dependent - first + 1,
                    s->dependents[d] & TAN_DEPENDENT_START ? "irequires" : "requires",
                    op - first + 1);
        }
    }
    fputs("}\n", to);
}

int tan_goal_write_text(const struct tan_schedule *s, FILE *to, struct tan_error *e)
{
    (void)e;
    fprintf(to, "num_ranks %" PRIu32 "\n", s->ranks);
    for (uint32_t rank = 0; rank < s->ranks && !ferror(to); rank++) {
        write_rank(s, rank, to);
    }
    return 0;
}

/* Binary */

static unsigned char *encode_number(unsigned char *at, uint64_t value, int bytes)
{
    for (; bytes > 0; bytes--) {
        *at++ = (unsigned char)value;
        value >>= 8;
    }
    return at;
}

static void put_number(uint64_t value, int bytes, FILE *to)
{
    unsigned char buffer[8];
    encode_number(buffer, value, bytes);
    fwrite(buffer, 1, (size_t)bytes, to);
}

/* Number of dependents of `op` on its finish; those on its start follow. */
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

/* Number of entries in a rank's list of dependents. */
static uint32_t count_dependents(const struct tan_schedule *s, uint32_t rank)
{
    const uint32_t first = s->first_op[rank];
    return s->ops[first + s->rank_ops[rank]].dependents - s->ops[first].dependents;
}

/* Fail if an operation cannot be represented. */
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

static void put_header(const struct tan_schedule *s, FILE *to)
{
    put_number(TAN_GOAL_MAGIC, 8, to);
    put_number(s->ranks, 4, to);
    put_number(s->cpus, 1, to);
    put_number(s->nics, 1, to);
    uint64_t at = TAN_GOAL_HEADER - TAN_GOAL_ORIGIN + (uint64_t)TAN_GOAL_ENTRY * s->ranks;
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        put_number(at, 8, to);
        at += 8 + (uint64_t)TAN_GOAL_RECORD * s->rank_ops[rank] +
              4 * ((uint64_t)count_roots(s, rank) + count_dependents(s, rank));
        put_number(at, 8, to);
    }
}

/* `first`: index of its first dependent in the rank's list */
static void put_op(const struct tan_schedule *s, uint32_t op, uint32_t first, FILE *to)
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    const uint32_t finishes = count_finishes(s, op);
    const uint32_t starts = s->ops[op + 1].dependents - s->ops[op].dependents - finishes;
    const bool calc = spec.kind == TAN_OP_CALC;
    unsigned char record[TAN_GOAL_RECORD];
    unsigned char *at = encode_number(record, s->ops[op].requires, 4);
    at = encode_number(at, spec.kind, 1);
    at = encode_number(at, spec.peer, 4);
    at = encode_number(at, calc ? spec.amount / TAN_GOAL_PS_PER_NS : spec.amount, 8);
    at = encode_number(at, spec.tag, 4);
    at = encode_number(at, spec.cpu, 1);
    at = encode_number(at, spec.nic, 1);
    at = encode_number(at, finishes, 4);
    at = encode_number(at, first, 4);
    at = encode_number(at, starts, 4);
    encode_number(at, (uint64_t)first + finishes, 4);
    fwrite(record, 1, sizeof record, to);
}

static void put_rank(const struct tan_schedule *s, uint32_t rank, FILE *to)
{
    const uint32_t first = s->first_op[rank];
    const uint32_t end = first + s->rank_ops[rank];
    put_number(s->rank_ops[rank], 4, to);
    put_number(count_roots(s, rank), 4, to);
    for (uint32_t op = first; op < end; op++) {
        if (s->ops[op].requires == 0) {
            put_number(op - first, 4, to);
        }
    }
    const uint32_t list = s->ops[first].dependents;
    for (uint32_t op = first; op < end; op++) {
        put_op(s, op, s->ops[op].dependents - list, to);
    }
    for (uint32_t d = list; d < s->ops[end].dependents; d++) {
        put_number((s->dependents[d] & ~TAN_DEPENDENT_START) - first, 4, to);
    }
}

int tan_goal_write_binary(const struct tan_schedule *s, FILE *to, struct tan_error *e)
{
    if (check_times(s, e) < 0) {
        return -1;
    }
    put_header(s, to);
    for (uint32_t rank = 0; rank < s->ranks && !ferror(to); rank++) {
        put_rank(s, rank, to);
    }
    return 0;
}
