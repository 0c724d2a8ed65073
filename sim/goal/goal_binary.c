/* goal_binary.c - reading LogGOPSim's binary schedules
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/goal/goal.h"
#include "sim/goal/source.h"
#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule_internal.h"

/* The format: little endian, packed. */
enum {
    HEADER = 14, /* bytes: magic 8, ranks 4, highest CPU, highest NIC */
    ORIGIN = 8,  /* offsets of blocks count from here, after the magic */
    ENTRY = 16,  /* bytes per rank in the table after the header: start and end */
    RECORD = 39, /* bytes per operation */
};

struct block {
    uint64_t start, end; /* byte offsets in the file */
    uint32_t rank;
};

/* Data of an operation needed once all are known. */
struct node {
    uint32_t waits;              /* dependencies in its record, minus those found so far */
    uint32_t finishes, starts;   /* number of dependents on its finish and on its start */
    uint32_t first, first_start; /* their offsets in the block's list */
};

struct reader {
    struct tan_source *in;
    struct tan_schedule_builder *builder;
    uint32_t ranks, rank;
    uint8_t cpus, nics;
    struct block *blocks;
    uint32_t room_blocks;
    uint32_t *roots, room_roots;
    struct node *nodes;
    uint32_t room_nodes;
};

__attribute__((format(printf, 3, 4))) static int fail_here(const struct reader *r,
                                                           struct tan_error *e, const char *format,
                                                           ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tan_fail_at(e, r->in->name, 0, 0, "rank %" PRIu32 ", before byte %" PRIu64 ": %s",
                       r->rank, tan_source_offset(r->in), text);
}

/* The next `count` bytes (at most TAN_SOURCE_AHEAD), valid until the next call; NULL on failure. */
static const unsigned char *take_bytes(struct reader *r, size_t count, struct tan_error *e)
{
    struct tan_source *in = r->in;
    if ((size_t)(in->end - in->at) < count && !in->ended && tan_source_fill(in, e) < 0) {
        return NULL;
    }
    if ((size_t)(in->end - in->at) < count) {
        tan_fail_at(e, in->name, 0, 0,
                    "it is cut off: it ends after %" PRIu64 " bytes, amid a binary schedule",
                    in->offset + (uint64_t)(in->end - in->buffer));
        return NULL;
    }
    const unsigned char *bytes = (const unsigned char *)in->at;
    in->at += count;
    return bytes;
}

static uint64_t decode_number(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = count - 1; i >= 0; i--) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static uint32_t decode_u32(const unsigned char *bytes)
{
    return (uint32_t)decode_number(bytes, 4);
}

static int take_u32(struct reader *r, uint32_t *value, struct tan_error *e)
{
    const unsigned char *bytes = take_bytes(r, 4, e);
    if (bytes == NULL) {
        return -1;
    }
    *value = decode_u32(bytes);
    return 0;
}

/* Header and table */

static int read_header(struct reader *r, struct tan_error *e)
{
    const unsigned char *bytes = take_bytes(r, HEADER, e);
    if (bytes == NULL) {
        return -1;
    }
    r->ranks = decode_u32(bytes + 8);
    r->cpus = bytes[12];
    r->nics = bytes[13];
    if (r->ranks == 0 || r->ranks > TAN_SCHEDULE_MAX_RANKS) {
        return tan_fail_at(e, r->in->name, 0, 0,
                           "the number of ranks must be from 1 to %" PRIu32 ", not %" PRIu32,
                           TAN_SCHEDULE_MAX_RANKS, r->ranks);
    }
    struct tan_error cause = TAN_ERROR_INIT;
    r->builder = tan_schedule_begin(r->ranks, false, &cause);
    return r->builder == NULL ? tan_fail_at(e, r->in->name, 0, 0, "%s", cause.text) : 0;
}

static int by_start(const void *a, const void *b)
{
    const struct block *x = a;
    const struct block *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : (x->rank < y->rank ? -1 : 1);
}

/* Read the locations of the ranks' blocks, in file order. */
static int read_table(struct reader *r, struct tan_error *e)
{
    enum { SMALLEST = 8 };
    bool sorted = true;
    for (r->rank = 0; r->rank < r->ranks; r->rank++) {
        const unsigned char *bytes = take_bytes(r, ENTRY, e);
        if (bytes == NULL || tan_grow(&r->blocks, &r->room_blocks, (uint64_t)r->rank + 1,
                                      sizeof *r->blocks, e) < 0) {
            return -1;
        }
        const uint64_t start = decode_number(bytes, 8);
        const uint64_t end = decode_number(bytes + 8, 8);
        const uint64_t table = HEADER - ORIGIN + (uint64_t)ENTRY * r->ranks;
        if (start < table || end < start || end - start < SMALLEST || end > UINT64_MAX - ORIGIN) {
            return fail_here(r, e,
                             "its block cannot reach from offset %" PRIu64 " to %" PRIu64
                             ": the table ends at %" PRIu64 ", and a block has %d bytes or more",
                             start, end, table, SMALLEST);
        }
        r->blocks[r->rank] = (struct block){start + ORIGIN, end + ORIGIN, r->rank};
        sorted =
            sorted && (r->rank == 0 || r->blocks[r->rank - 1].start < r->blocks[r->rank].start);
    }
    if (!sorted) {
        qsort(r->blocks, r->ranks, sizeof *r->blocks, by_start);
    }
    return 0;
}

/* One rank */

static int read_roots(struct reader *r, uint32_t n_ops, uint32_t n_roots, struct tan_error *e)
{
    for (uint32_t i = 0; i < n_roots; i++) {
        if (tan_grow(&r->roots, &r->room_roots, (uint64_t)i + 1, sizeof *r->roots, e) < 0 ||
            take_u32(r, &r->roots[i], e) < 0) {
            return -1;
        }
        if (r->roots[i] >= n_ops || (i > 0 && r->roots[i] <= r->roots[i - 1])) {
            return fail_here(r, e,
                             "%" PRIu32 " cannot be root number %" PRIu32
                             ": roots ascend and are below %" PRIu32,
                             r->roots[i], i, n_ops);
        }
    }
    return 0;
}

/* Decode a record, of operation `op`, into *spec. */
static int decode_record(const struct reader *r, const unsigned char *record, uint32_t op,
                         struct tan_op_spec *spec, struct tan_error *e)
{
    const uint64_t amount = decode_number(record + 9, 8);
    const bool calc = record[4] == TAN_OP_CALC;
    *spec = (struct tan_op_spec){.kind = (enum tan_op_kind)record[4],
                                 .amount = amount,
                                 .peer = decode_u32(record + 5),
                                 .tag = decode_u32(record + 17),
                                 .cpu = record[21],
                                 .nic = record[22]};
    if (record[4] < TAN_OP_SEND || record[4] > TAN_OP_CALC) {
        return fail_here(r, e,
                         "operation %" PRIu32
                         " has the type %u; there are 1 (send), 2 (receive) and 3 (calculation)",
                         op, record[4]);
    }
    const bool any = spec->kind == TAN_OP_RECV && spec->peer == TAN_ANY_SOURCE;
    if (!calc && spec->peer >= r->ranks && !any) {
        return fail_here(
            r, e, "operation %" PRIu32 " names rank %" PRIu32 "; ranks are 0 to %" PRIu32 "%s", op,
            spec->peer, r->ranks - 1, spec->kind == TAN_OP_RECV ? ", or 4294967295 for any" : "");
    }
    const uint64_t most = calc ? TAN_SCHEDULE_MAX_PS / TAN_PS_PER_NS : TAN_SCHEDULE_MAX_BYTES;
    if (amount > most) {
        return fail_here(
            r, e, "operation %" PRIu32 " has %" PRIu64 " %s; at most %" PRIu64 " are possible", op,
            amount, calc ? "nanoseconds" : "bytes", most);
    }
    if (spec->cpu > r->cpus || spec->nic > r->nics) {
        return fail_here(r, e,
                         "operation %" PRIu32 " uses CPU %u and NIC %u; the header says that %u "
                         "and %u are the highest",
                         op, spec->cpu, spec->nic, r->cpus, r->nics);
    }
    if (calc) { /* ignored */
        spec->amount = amount * TAN_PS_PER_NS;
        spec->peer = 0;
        spec->tag = 0;
        spec->nic = 0;
    }
    return 0;
}

/* Read the operations; *roots: number of roots among them. */
static int read_ops(struct reader *r, uint32_t n_ops, uint32_t n_roots, struct tan_error *e)
{
    uint32_t roots = 0;
    for (uint32_t i = 0; i < n_ops; i++) {
        struct tan_op_spec spec;
        uint32_t index;
        const unsigned char *record = take_bytes(r, RECORD, e);
        if (record == NULL || decode_record(r, record, i, &spec, e) < 0 ||
            tan_schedule_add(r->builder, &spec, 0, &index, e) < 0 ||
            tan_grow(&r->nodes, &r->room_nodes, (uint64_t)i + 1, sizeof *r->nodes, e) < 0) {
            return -1;
        }
        r->nodes[i] = (struct node){.waits = decode_u32(record),
                                    .finishes = decode_u32(record + 23),
                                    .first = decode_u32(record + 27),
                                    .starts = decode_u32(record + 31),
                                    .first_start = decode_u32(record + 35)};
        const bool listed = roots < n_roots && r->roots[roots] == i;
        if (listed != (r->nodes[i].waits == 0)) {
            return fail_here(
                r, e, "operation %" PRIu32 " has %" PRIu32 " dependencies and is %s the roots", i,
                r->nodes[i].waits, listed ? "among" : "not among");
        }
        roots += listed;
    }
    return 0;
}

/* Read the next `count` list entries, which wait for operation `on`. */
static int read_dependents(struct reader *r, uint32_t n_ops, uint32_t on, uint32_t count,
                           enum tan_requires when, struct tan_error *e)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op;
        if (take_u32(r, &op, e) < 0) {
            return -1;
        }
        if (op >= n_ops) {
            return fail_here(r, e,
                             "operation %" PRIu32 ", which is said to wait for %" PRIu32
                             ", does not exist",
                             op, on);
        }
        if (r->nodes[op].waits == 0) {
            return fail_here(r, e,
                             "operation %" PRIu32 " waits for %" PRIu32
                             " and so has more dependencies than it says",
                             op, on);
        }
        r->nodes[op].waits--;
        if (tan_schedule_require(r->builder, op, on, when, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Read the list of dependents, `length` entries. */
static int read_list(struct reader *r, uint32_t n_ops, uint64_t length, struct tan_error *e)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < n_ops; i++) {
        const struct node *node = &r->nodes[i];
        const uint64_t end = used + node->finishes + node->starts;
        if (end > length || (node->finishes > 0 && node->first != used) ||
            (node->starts > 0 && node->first_start != used + node->finishes)) {
            return fail_here(r, e,
                             "those who wait for operation %" PRIu32
                             " are not where the ones before end in the list of %" PRIu64,
                             i, length);
        }
        if (read_dependents(r, n_ops, i, node->finishes, TAN_AFTER_FINISH, e) < 0 ||
            read_dependents(r, n_ops, i, node->starts, TAN_AFTER_START, e) < 0) {
            return -1;
        }
        used = end;
    }
    if (used != length) {
        return fail_here(r, e,
                         "of %" PRIu64 " entries in the list of dependents %" PRIu64
                         " belong to no operation",
                         length, length - used);
    }
    for (uint32_t i = 0; i < n_ops; i++) {
        if (r->nodes[i].waits > 0) {
            return fail_here(r, e,
                             "operation %" PRIu32 " says that it has %" PRIu32
                             " dependencies more than there are",
                             i, r->nodes[i].waits);
        }
    }
    return 0;
}

static int read_block(struct reader *r, const struct block *block, struct tan_error *e)
{
    uint32_t n_ops;
    uint32_t n_roots;
    r->rank = block->rank;
    if (tan_source_offset(r->in) > block->start) {
        return fail_here(r, e, "its block overlaps another one's");
    }
    while (tan_source_offset(r->in) < block->start) { /* skip unused bytes */
        if (take_bytes(r, 1, e) == NULL) {
            return -1;
        }
    }
    if (tan_schedule_rank(r->builder, r->rank, e) < 0 || take_u32(r, &n_ops, e) < 0 ||
        take_u32(r, &n_roots, e) < 0) {
        return -1;
    }
    const uint64_t length = block->end - block->start;
    const uint64_t needed = 8 + (uint64_t)RECORD * n_ops + 4 * (uint64_t)n_roots;
    if (n_roots > n_ops || length < needed || (length - needed) % 4 != 0 ||
        (length - needed) / 4 > UINT32_MAX) {
        return fail_here(r, e,
                         "%" PRIu32 " operations and %" PRIu32
                         " roots do not fit its block of %" PRIu64 " bytes",
                         n_ops, n_roots, length);
    }
    if (read_roots(r, n_ops, n_roots, e) < 0 || read_ops(r, n_ops, n_roots, e) < 0 ||
        read_list(r, n_ops, (length - needed) / 4, e) < 0) {
        return -1;
    }
    uint32_t cyclic;
    struct tan_error problem = TAN_ERROR_INIT;
    if (tan_schedule_rank_end(r->builder, &cyclic, &problem) == 0) {
        return 0;
    }
    return cyclic == TAN_OP_NONE
               ? tan_fail(e, "%s", problem.text)
               : fail_here(r, e, "operation %" PRIu32 " waits for itself through others", cyclic);
}

static int read_all(struct reader *r, struct tan_error *e)
{
    if (read_header(r, e) < 0 || read_table(r, e) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < r->ranks; i++) {
        if (read_block(r, &r->blocks[i], e) < 0) {
            return -1;
        }
    }
    if (!r->in->ended && r->in->at == r->in->end && tan_source_fill(r->in, e) < 0) {
        return -1;
    }
    return r->in->at == r->in->end ? 0 : fail_here(r, e, "there is more after the last block");
}

struct tan_schedule *tan_goal_read_binary(struct tan_source *in, struct tan_error *e)
{
    struct reader r = {.in = in};
    const bool good = read_all(&r, e) == 0;
    free(r.blocks);
    free(r.roots);
    free(r.nodes);
    if (!good) {
        tan_schedule_abandon(r.builder);
        return NULL;
    }
    return tan_schedule_seal(r.builder, e);
}
