/* goal.c - GOAL: reading in either format, writing as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal.h"

#include <inttypes.h>

#include "sim/goal/source.h"
#include "sim/schedule/times.h"

/* The first eight bytes of a binary schedule. */
enum {
    MAGIC = 4223,
    SPENT = 2342, /* of a file consumed by a simulation */
};

/* The first eight bytes as a little-endian number, 0 if there are fewer. */
static uint64_t magic_of(const struct tan_source *in)
{
    uint64_t magic = 0;
    if (in->end - in->at < 8) {
        return 0;
    }
    for (int i = 7; i >= 0; i--) {
        magic = magic << 8 | (unsigned char)in->at[i];
    }
    return magic;
}

/* Read and close what was opened, if `opened` is 0. */
static struct tan_schedule *read_opened(int opened, struct tan_source *in, bool compatible,
                                        struct tan_error *e)
{
    struct tan_schedule *schedule = NULL;
    const uint64_t magic = opened == 0 ? magic_of(in) : 0;
    if (magic == SPENT) {
        tan_fail_at(e, in->name, 0, 0,
                    "this binary schedule was used up by a run of LogGOPSim with --save-mem; "
                    "convert its text again");
    } else if (opened == 0) {
        schedule =
            magic == MAGIC ? tan_goal_read_binary(in, e) : tan_goal_read_text(in, compatible, e);
    }
    tan_source_close(in);
    return schedule;
}

struct tan_schedule *tan_goal_load(const char *path, bool compatible, struct tan_error *e)
{
    struct tan_source in;
    return read_opened(tan_source_open(&in, path, e), &in, compatible, e);
}

struct tan_schedule *tan_goal_parse(const void *data, size_t length, const char *source,
                                    bool compatible, struct tan_error *e)
{
    struct tan_source in;
    return read_opened(tan_source_memory(&in, data, length, source, e), &in, compatible, e);
}

/* Writing. LogGOPSim requires statements at the start of a line, and labels defined before use. */

/* Times have no decimals or three. */
static void write_op(const struct tan_schedule *s, uint32_t op, FILE *to)
{
    const struct tan_op_spec spec = tan_schedule_spec(s, op);
    const unsigned decimals = (unsigned)(spec.amount % TAN_PS_PER_NS);
    if (spec.kind != TAN_OP_CALC) {
        fprintf(to, "%s\n", tan_op_text(s, op).text);
        return;
    }
    fprintf(to, "calc %" PRIu64, spec.amount / TAN_PS_PER_NS);
    if (decimals > 0) {
        fprintf(to, ".%03u", decimals);
    }
    if (spec.cpu != 0) {
        fprintf(to, " cpu %u", spec.cpu);
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
