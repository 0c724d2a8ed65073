/* window.c - window of a schedule: operations loaded and released in blocks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/window.h"

#include <stdlib.h>
#include <string.h>

#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule_internal.h"

/* A block with room for 2^k operations has room for this many times 2^k dependents. */
enum { DEPENDENTS = 4, LEAST_POWER = 2, MOST_POWER = 29 };

/* Channels are created when first needed. */
struct channel_name {
    uint32_t receiver, source, tag;
};

int tan_window_create(struct tan_window *w, uint32_t ranks, struct tan_error *e)
{
    *w = (struct tan_window){.builder = tan_schedule_begin(ranks, false, e)};
    memset(w->free, 0xff, sizeof w->free); /* TAN_BLOCK_NONE */
    if (w->builder == NULL) {
        return -1;
    }
    w->schedule.ranks = w->schedule.n_ports = ranks;
    w->oldest = malloc(ranks * sizeof *w->oldest);
    w->newest = malloc(ranks * sizeof *w->newest);
    w->ops_before = calloc(ranks, sizeof *w->ops_before);
    if (w->oldest == NULL || w->newest == NULL || w->ops_before == NULL) {
        return tan_fail_nomem(e);
    }
    memset(w->oldest, 0xff, ranks * sizeof *w->oldest);
    memset(w->newest, 0xff, ranks * sizeof *w->newest);
    return 0;
}

void tan_window_clear(struct tan_window *w)
{
    tan_schedule_abandon(w->builder);
    free(w->schedule.ops);
    free(w->schedule.dependents);
    free(w->schedule.phases);
    free(w->schedule.channel_receiver);
    free(w->schedule.channel_source);
    free(w->schedule.channel_tag);
    free(w->blocks);
    free(w->oldest);
    free(w->newest);
    free(w->ops_before);
    free(w->late);
    tan_map_clear(&w->channels);
    *w = (struct tan_window){.builder = NULL};
}

/* Channels */

static int64_t find_channel(const struct tan_window *w, uint64_t hash,
                            const struct channel_name *name)
{
    const struct tan_schedule *s = &w->schedule;
    size_t tries = 0;
    int64_t i;
    do {
        i = tan_map_next(&w->channels, hash, &tries);
    } while (i >= 0 && (s->channel_receiver[i] != name->receiver ||
                        s->channel_source[i] != name->source || s->channel_tag[i] != name->tag));
    return i;
}

static int new_channel(struct tan_window *w, uint64_t hash, const struct channel_name *name,
                       struct tan_error *e)
{
    struct tan_schedule *s = &w->schedule;
    const uint64_t wanted = (uint64_t)s->n_channels + 1;
    if (wanted >= TAN_SCHEDULE_MAX_OPS) {
        return tan_fail(e, "messages have more than %u different sources, destinations and tags",
                        (unsigned)TAN_SCHEDULE_MAX_OPS - 1);
    }
    if (tan_grow(&s->channel_receiver, &w->room_receivers, wanted, sizeof *s->channel_receiver,
                 e) != 0 ||
        tan_grow(&s->channel_source, &w->room_sources, wanted, sizeof *s->channel_source, e) != 0 ||
        tan_grow(&s->channel_tag, &w->room_tags, wanted, sizeof *s->channel_tag, e) != 0) {
        return -1;
    }
    if (tan_map_add(&w->channels, hash, s->n_channels) < 0) {
        return tan_fail_nomem(e);
    }
    s->channel_receiver[s->n_channels] = name->receiver;
    s->channel_source[s->n_channels] = name->source;
    s->channel_tag[s->n_channels] = name->tag;
    s->n_channels++;
    return 0;
}

static int name_channel(struct tan_window *w, struct tan_op *op, uint32_t rank, uint32_t tag,
                        struct tan_error *e)
{
    const bool sends = tan_op_kind(op) == TAN_OP_SEND;
    const uint32_t peer = op->channel; /* the peer, until replaced */
    const struct channel_name name = {sends ? peer : rank, sends ? rank : peer, tag};
    const uint64_t hash = tan_hash(&name, sizeof name);
    int64_t found = find_channel(w, hash, &name);
    if (found < 0) {
        found = w->schedule.n_channels;
        if (new_channel(w, hash, &name, e) != 0) {
            return -1;
        }
    }
    op->channel = (uint32_t)found;
    return 0;
}

/* Blocks */

struct tan_schedule_builder *tan_window_begin(struct tan_window *w, uint32_t rank)
{
    tan_builder_begin_block(w->builder, rank, w->ops_before[rank]);
    return w->builder;
}

/* Create a block: allocate number ranges, which grow with its power, for operations and
 * dependents. */
static int new_block(struct tan_window *w, uint32_t power, uint32_t *block, struct tan_error *e)
{
    struct tan_schedule *s = &w->schedule;
    const uint64_t ops = (uint64_t)s->n_ops + (UINT64_C(1) << power);
    if (ops > TAN_SCHEDULE_MAX_OPS) {
        return tan_fail(e, "more than %u operations are under way at once",
                        (unsigned)TAN_SCHEDULE_MAX_OPS);
    }
    if (tan_schedule_check_memory(s->ranks, ops, e) < 0) {
        return -1;
    }
    if (tan_grow(&w->blocks, &w->room_blocks, (uint64_t)w->n_blocks + 1, sizeof *w->blocks, e) !=
            0 ||
        tan_grow(&s->ops, &w->room_ops, ops, sizeof *s->ops, e) != 0 ||
        tan_grow(&s->dependents, &w->room_dependents, DEPENDENTS * ops, sizeof *s->dependents, e) !=
            0) {
        return -1;
    }
    w->blocks[w->n_blocks] = (struct tan_window_block){.first = s->n_ops, .power = power};
    memset(&s->ops[s->n_ops], 0, (ops - s->n_ops) * sizeof *s->ops);
    memset(&s->dependents[s->n_dependents], 0,
           DEPENDENTS * (ops - s->n_ops) * sizeof *s->dependents);
    s->n_ops = (uint32_t)ops;
    s->n_dependents = (uint32_t)(DEPENDENTS * ops);
    *block = w->n_blocks++;
    return 0;
}

/* A free or new block with room for n operations and their dependents. */
static int take_block(struct tan_window *w, uint32_t n, uint32_t dependents, uint32_t *block,
                      struct tan_error *e)
{
    uint32_t power = LEAST_POWER;
    while (power < MOST_POWER &&
           (UINT64_C(1) << power < (uint64_t)n + 1 || (uint64_t)DEPENDENTS << power < dependents)) {
        power++;
    }
    *block = w->free[power];
    if (*block == TAN_BLOCK_NONE) {
        return new_block(w, power, block, e);
    }
    w->free[power] = w->blocks[*block].next;
    return 0;
}

/* Move dependencies on operations of earlier blocks from the builder to w->late. */
static int part_late(struct tan_window *w, uint32_t begin, struct tan_error *e)
{
    struct tan_schedule_builder *b = w->builder;
    const uint32_t n = b->schedule->n_ops;
    uint32_t kept = 0;
    w->n_late = 0;
    for (uint32_t i = 0; i < b->n_edges; i++) {
        const struct tan_edge *edge = &b->edges[i];
        if (edge->on - begin < edge->op - begin) {
            b->edges[kept++] = *edge;
        } else if (edge->on - begin < n) {
            return tan_fail(e,
                            "an operation of rank %u waits for a later one, which is not "
                            "possible in a schedule that is read bit by bit",
                            (unsigned)b->rank);
        } else {
            if (tan_grow(&w->late, &w->room_late, (uint64_t)w->n_late + 1, sizeof *w->late, e) !=
                0) {
                return -1;
            }
            w->late[w->n_late++] = (struct tan_late_edge){edge->op, edge->on, edge->when};
        }
    }
    b->n_edges = kept;
    return 0;
}

static int copy_ops(struct tan_window *w, const struct tan_window_block *block, struct tan_error *e)
{
    const struct tan_schedule_builder *b = w->builder;
    struct tan_op *ops = &w->schedule.ops[block->first];
    memcpy(ops, b->schedule->ops, block->n * sizeof *ops);
    for (uint32_t i = 0; i < block->n; i++) {
        ops[i].port |= block->rank | TAN_OP_STARTS;
        if (tan_op_kind(&ops[i]) != TAN_OP_CALC &&
            name_channel(w, &ops[i], block->rank, b->tags == NULL ? 0 : b->tags[i], e) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Copy the phases of a block, if any are marked. */
static int copy_phases(struct tan_window *w, const struct tan_window_block *block,
                       struct tan_error *e)
{
    struct tan_schedule_builder *b = w->builder;
    struct tan_schedule *s = &w->schedule;
    const uint32_t before = s->phases == NULL ? 0 : w->room_phases;
    if (b->schedule->phases == NULL && s->phases == NULL) {
        return 0;
    }
    if (tan_grow(&s->phases, &w->room_phases, s->n_ops, sizeof *s->phases, e) != 0 ||
        tan_builder_fill_phases(b, block->n, e) != 0) {
        return -1;
    }
    memset(s->phases + before, 0, (w->room_phases - before) * sizeof *s->phases);
    memcpy(s->phases + block->first, b->schedule->phases, block->n * sizeof *s->phases);
    return 0;
}

/* Append to its rank's list of blocks. */
static void link_block(struct tan_window *w, uint32_t block)
{
    const uint32_t rank = w->blocks[block].rank, last = w->newest[rank];
    w->blocks[block].next = TAN_BLOCK_NONE;
    *(last == TAN_BLOCK_NONE ? &w->oldest[rank] : &w->blocks[last].next) = block;
    w->newest[rank] = block;
}

int tan_window_load(struct tan_window *w, uint32_t *block, struct tan_error *e)
{
    struct tan_schedule_builder *b = w->builder;
    struct tan_schedule *s = &w->schedule;
    const uint32_t n = b->schedule->n_ops, begin = w->ops_before[b->rank];
    if (b->wildcards || b->places != NULL) {
        return tan_fail(e, "a schedule that is read bit by bit has no wildcards and no CPU or NIC "
                           "but 0");
    }
    if (n >= UINT32_MAX - begin) {
        return tan_fail(e, "more than %u operations of rank %u", (unsigned)UINT32_MAX - 1,
                        (unsigned)b->rank);
    }
    if (part_late(w, begin, e) != 0 || take_block(w, n, b->n_edges, block, e) != 0 ||
        tan_grow(&b->counts, &b->room_counts, 2 * (uint64_t)n + 1, sizeof *b->counts, e) != 0) {
        return -1;
    }
    struct tan_window_block *new = &w->blocks[*block];
    new->rank = b->rank;
    new->begin = begin;
    new->n = n;
    link_block(w, *block);
    if (copy_ops(w, new, e) != 0 || copy_phases(w, new, e) != 0) {
        return -1;
    }
    const uint32_t place = DEPENDENTS * new->first;
    tan_sort_dependents(b, begin, &s->ops[new->first], n, new->first, s->dependents, place);
    s->ops[new->first + n] = (struct tan_op){.dependents = place + b->n_edges};
    for (uint32_t i = 0; i < w->n_late; i++) {
        w->late[i].op += new->first - begin;
        s->ops[w->late[i].op].requires ++;
    }
    w->ops_before[b->rank] = begin + n;
    return 0;
}

void tan_window_skip(struct tan_window *w)
{
    w->ops_before[w->builder->rank] += w->builder->schedule->n_ops;
}

uint32_t tan_window_find(const struct tan_window *w, uint32_t rank, uint32_t number)
{
    for (uint32_t i = w->oldest[rank]; i != TAN_BLOCK_NONE; i = w->blocks[i].next) {
        const struct tan_window_block *block = &w->blocks[i];
        if (number - block->begin < block->n) {
            return block->first + (number - block->begin);
        }
    }
    return TAN_OP_NONE;
}

void tan_window_release(struct tan_window *w, uint32_t block)
{
    struct tan_window_block *gone = &w->blocks[block];
    uint32_t before = TAN_BLOCK_NONE;
    for (uint32_t i = w->oldest[gone->rank]; i != block; i = w->blocks[i].next) {
        before = i;
    }
    *(before == TAN_BLOCK_NONE ? &w->oldest[gone->rank] : &w->blocks[before].next) = gone->next;
    if (w->newest[gone->rank] == block) {
        w->newest[gone->rank] = before;
    }
    gone->next = w->free[gone->power];
    w->free[gone->power] = block;
}
