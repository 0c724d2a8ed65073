/* goal_text_write.c - writing schedules as GOAL text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal.h"

#include <inttypes.h>

#include "sim/goal/goal_internal.h"

/* LogGOPSim requires statements at the start of a line, and labels defined before use. */

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

void tan_goal_write_text(const struct tan_schedule *s, FILE *to)
{
    fprintf(to, "num_ranks %" PRIu32 "\n", s->ranks);
    for (uint32_t rank = 0; rank < s->ranks && !ferror(to); rank++) {
        write_rank(s, rank, to);
    }
}
