/* schedule.c - schedules: construction rank by rank, and queries
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "sim/schedule/arrays.h"
#include "sim/schedule/schedule_internal.h"

/* Memory */

/* Bytes including the simulation, slightly above measurements with waves and patterns: waves have
 * the most dependencies. */
enum { RANK_BYTES = 96, OP_BYTES = 96, HISTORY_BYTES = 64, DEPENDENCY_BYTES = 16 };

static uint64_t max_bytes = UINT64_MAX;
static uint64_t op_bytes = OP_BYTES;

void tan_schedule_limit_memory(uint64_t bytes, bool history)
{
    max_bytes = bytes;
    op_bytes = OP_BYTES + (history ? HISTORY_BYTES : 0);
}

/* Operations are capped so that the result, with fewer than 2^32 ranks, fits 64 bits. */
static uint64_t memory_of(uint64_t ranks, uint64_t operations)
{
    const uint64_t most = UINT64_C(1) << 56;
    return RANK_BYTES * ranks + op_bytes * (operations < most ? operations : most);
}

bool tan_schedule_fits(uint64_t ranks, uint64_t operations)
{
    return memory_of(ranks, operations) <= max_bytes;
}

int tan_schedule_check_memory(uint64_t ranks, uint64_t operations, struct tan_error *e)
{
    if (tan_schedule_fits(ranks, operations)) {
        return 0;
    }
    const struct tan_text counted = operations > 0
                                        ? tan_printed("%" PRIu64 " operations of ", operations)
                                        : (struct tan_text){""};
    return tan_fail_usage(e, "%s%" PRIu64 " ranks may take %s of memory, and %s are available",
                          counted.text, ranks,
                          tan_size_text((int64_t)memory_of(ranks, operations)).text,
                          tan_size_text((int64_t)max_bytes).text);
}

/* How many items of `bytes` fit beside the ranks. */
static uint64_t room_for(uint64_t ranks, uint64_t bytes)
{
    const uint64_t taken = memory_of(ranks, 0);
    return max_bytes > taken ? (max_bytes - taken) / bytes : 0;
}

static int fail_full(const struct tan_schedule_builder *b, uint64_t most, const char *what,
                     struct tan_error *e)
{
    return tan_fail(e,
                    "more than %" PRIu64 " %s of %" PRIu32
                    " ranks may take more memory than the %s available",
                    most, what, b->schedule->ranks, tan_size_text((int64_t)max_bytes).text);
}

/* Operations */

struct tan_schedule_builder *tan_schedule_begin(uint32_t ranks, bool lines, struct tan_error *e)
{
    if (ranks == 0 || ranks > TAN_SCHEDULE_MAX_RANKS) {
        tan_fail(e, "a schedule has 1 to %u ranks, not %u", (unsigned)TAN_SCHEDULE_MAX_RANKS,
                 (unsigned)ranks);
        return NULL;
    }
    if (!tan_schedule_fits(ranks, 0)) {
        tan_fail(e, "%" PRIu32 " ranks may take more memory than the %s available", ranks,
                 tan_size_text((int64_t)max_bytes).text);
        return NULL;
    }
    struct tan_schedule_builder *b = calloc(1, sizeof *b);
    struct tan_schedule *s = calloc(1, sizeof *s);
    if (b == NULL || s == NULL) {
        free(b);
        free(s);
        tan_fail_nomem(e);
        return NULL;
    }
    b->schedule = s;
    b->keep_lines = lines;
    b->rank = TAN_OP_NONE;
    b->most_ops = room_for(ranks, op_bytes);
    b->most_dependencies = room_for(ranks, DEPENDENCY_BYTES);
    s->ranks = ranks;
    return b;
}

void tan_schedule_abandon(struct tan_schedule_builder *b)
{
    if (b == NULL) {
        return;
    }
    tan_schedule_destroy(b->schedule);
    free(b->blocks.list);
    free(b->tags.list);
    free(b->places.list);
    free(b->edges.list);
    free(b->counts);
    free(b);
}

void tan_schedule_destroy(struct tan_schedule *s)
{
    if (s == NULL) {
        return;
    }
    free(s->first_op);
    free(s->rank_ops);
    free(s->ops);
    free(s->dependents);
    free(s->lines);
    free(s->phases);
    free(s->ports);
    free(s->first_channel);
    free(s->channel_source);
    free(s->channel_tag);
    free(s->fits.at);
    free(s->fits.list);
    free(s);
}

int tan_schedule_rank(struct tan_schedule_builder *b, uint32_t rank, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    if (rank >= s->ranks) {
        return tan_fail(e, "rank %u does not exist: ranks are 0 to %u", (unsigned)rank,
                        (unsigned)(s->ranks - 1));
    }
    if (tan_grow(&b->blocks.list, &b->blocks.room, (uint64_t)b->blocks.n + 1,
                 sizeof *b->blocks.list, e) != 0) {
        return -1;
    }
    b->blocks.list[b->blocks.n++] = (struct tan_block){.rank = rank, .first_op = s->n_ops};
    b->first = s->n_ops;
    b->rank = rank;
    b->cpu = 0;
    b->edges.n = 0;
    b->backward = false;
    return 0;
}

static int add_rare(struct tan_rare *values, uint32_t op, uint32_t value, struct tan_error *e)
{
    if (value == 0 && values->list == NULL) {
        return 0;
    }
    if (tan_grow(&values->list, &values->room, (uint64_t)op + 1, sizeof *values->list, e) != 0) {
        return -1;
    }
    for (; values->n < op; values->n++) {
        values->list[values->n] = 0;
    }
    values->list[values->n++] = value;
    return 0;
}

int tan_schedule_add(struct tan_schedule_builder *b, const struct tan_op_spec *spec, uint32_t line,
                     uint32_t *index, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    const uint32_t op = s->n_ops;
    if (op >= TAN_SCHEDULE_MAX_OPS - 1) {
        return tan_fail(e, "more than %u operations", (unsigned)TAN_SCHEDULE_MAX_OPS - 1);
    }
    if (op >= b->most_ops) {
        return fail_full(b, b->most_ops, "operations", e);
    }
    const bool any = spec->kind == TAN_OP_RECV && spec->peer == TAN_ANY_SOURCE;
    if (spec->peer >= s->ranks && !any) {
        return tan_fail(e, "rank %u does not exist: ranks are 0 to %u", (unsigned)spec->peer,
                        (unsigned)(s->ranks - 1));
    }
    if (spec->amount > TAN_SCHEDULE_MAX_BYTES) {
        return tan_fail(e, "%s is too much: at most 2^62 are possible",
                        spec->kind == TAN_OP_CALC ? "a calculation of this many picoseconds"
                                                  : "a message of this many bytes");
    }
    if (tan_grow(&s->ops, &b->room.ops, (uint64_t)op + 1, sizeof *s->ops, e) != 0) {
        return -1;
    }
    const uint16_t cpu = spec->cpu != 0 ? spec->cpu : b->cpu;
    if (add_rare(&b->tags, op, spec->tag, e) != 0 ||
        add_rare(&b->places, op, (uint32_t)cpu << 8 | spec->nic, e) != 0) {
        return -1;
    }
    s->cpus = cpu > s->cpus ? cpu : s->cpus;
    s->nics = spec->nic > s->nics ? spec->nic : s->nics;
    if (b->keep_lines) {
        if (tan_grow(&s->lines, &b->room.lines, (uint64_t)op + 1, sizeof *s->lines, e) != 0) {
            return -1;
        }
        s->lines[op] = line;
    }
    b->wildcards += any || (spec->tag == TAN_ANY_TAG && spec->kind != TAN_OP_CALC);
    s->ops[op] = (struct tan_op){
        .amount = spec->amount,
        .port = (uint32_t)spec->kind << TAN_OP_KIND_SHIFT,
        .channel = spec->peer, /* until sealing */
    };
    *index = op - b->first;
    s->n_ops = op + 1;
    return 0;
}

void tan_schedule_cpu(struct tan_schedule_builder *b, uint16_t cpu)
{
    b->cpu = cpu;
}

void tan_schedule_name_message(struct tan_schedule_builder *b, uint32_t index, uint32_t source,
                               uint32_t tag)
{
    struct tan_op *op = &b->schedule->ops[b->first + index];
    uint32_t *any_tag = b->tags.list != NULL && b->tags.list[b->first + index] == TAN_ANY_TAG
                            ? &b->tags.list[b->first + index]
                            : NULL;
    b->wildcards -= op->channel == TAN_ANY_SOURCE || any_tag != NULL;
    op->channel = source;
    if (any_tag != NULL) {
        *any_tag = tag;
    }
}

const struct tan_op *tan_schedule_added_ops(const struct tan_schedule_builder *b)
{
    return b->schedule->ops + b->first;
}

int tan_builder_fill_phases(struct tan_schedule_builder *b, uint32_t n, struct tan_error *e)
{
    uint16_t **phases = &b->schedule->phases;
    if (tan_grow(phases, &b->room.phases, n, sizeof **phases, e) != 0) {
        return -1;
    }
    for (; b->n_phases < n; b->n_phases++) {
        (*phases)[b->n_phases] = 0;
    }
    return 0;
}

int tan_schedule_mark(struct tan_schedule_builder *b, uint32_t index, uint16_t phase,
                      struct tan_error *e)
{
    const uint32_t op = b->first + index;
    if (tan_builder_fill_phases(b, op + 1, e) != 0) {
        return -1;
    }
    b->schedule->phases[op] = phase;
    return 0;
}

int tan_schedule_require(struct tan_schedule_builder *b, uint32_t index, uint32_t on,
                         enum tan_requires when, struct tan_error *e)
{
    if ((uint64_t)b->schedule->n_dependents + b->edges.n >= b->most_dependencies) {
        return fail_full(b, b->most_dependencies, "dependencies", e);
    }
    if (tan_grow(&b->edges.list, &b->edges.room, (uint64_t)b->edges.n + 1, sizeof *b->edges.list,
                 e) != 0) {
        return -1;
    }
    b->edges.list[b->edges.n++] = (struct tan_edge){.op = index, .on = on, .when = when};
    b->backward = b->backward || on >= index;
    return 0;
}

/* An operation of the rank that waits for itself indirectly, or TAN_OP_NONE: one that remains when
 * operations without dependencies are removed repeatedly. `dependents` of the rank's `n` operations
 * must be set. */
static uint32_t find_cycle(struct tan_schedule_builder *b, uint32_t first, uint32_t n)
{
    const struct tan_schedule *s = b->schedule;
    uint32_t *left = b->counts; /* remaining dependencies */
    uint32_t *stack = left + n; /* operations without dependencies */
    uint32_t depth = 0, taken = 0;
    for (uint32_t i = 0; i < n; i++) {
        left[i] = s->ops[first + i].requires;
        if (left[i] == 0) {
            stack[depth++] = i;
        }
    }
    while (depth > 0) {
        const uint32_t i = stack[--depth];
        const uint32_t end = i + 1 < n ? s->ops[first + i + 1].dependents : s->n_dependents;
        taken++;
        for (uint32_t d = s->ops[first + i].dependents; d < end; d++) {
            const uint32_t to = (s->dependents[d] & ~TAN_DEPENDENT_START) - first;
            if (--left[to] == 0) {
                stack[depth++] = to;
            }
        }
    }
    if (taken == n) {
        return TAN_OP_NONE;
    }
    /* Every remaining operation waits for a remaining one, so n steps back end on a cycle. */
    uint32_t *before = stack;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t end = i + 1 < n ? s->ops[first + i + 1].dependents : s->n_dependents;
        for (uint32_t d = s->ops[first + i].dependents; left[i] > 0 && d < end; d++) {
            before[(s->dependents[d] & ~TAN_DEPENDENT_START) - first] = i;
        }
    }
    uint32_t at = 0;
    while (left[at] == 0) {
        at++;
    }
    for (uint32_t i = 0; i < n; i++) {
        at = before[at];
    }
    return at;
}

/* Append the rank's dependencies to `dependents`, and count them in its n operations. Counting sort
 * by cause: dependents on its finish, then on its start, each in insertion order. */
static void sort_dependents(struct tan_schedule_builder *b, uint32_t n)
{
    struct tan_schedule *s = b->schedule;
    struct tan_op *ops = &s->ops[b->first];
    uint32_t *at = b->counts;
    uint32_t place = s->n_dependents;
    memset(at, 0, (2 * (size_t)n + 1) * sizeof *at);
    for (uint32_t i = 0; i < b->edges.n; i++) {
        at[2 * b->edges.list[i].on + (b->edges.list[i].when == TAN_AFTER_START)]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        ops[i].dependents = place;
        if (at[2 * i + 1] > 0) {
            ops[i].port |= TAN_OP_STARTS;
        }
        for (uint32_t k = 2 * i; k < 2 * i + 2; k++) {
            const uint32_t count = at[k];
            at[k] = place;
            place += count;
        }
    }
    for (uint32_t i = 0; i < b->edges.n; i++) {
        const struct tan_edge *edge = &b->edges.list[i];
        const bool start = edge->when == TAN_AFTER_START;
        s->dependents[at[2 * edge->on + start]++] =
            (b->first + edge->op) | (start ? TAN_DEPENDENT_START : 0);
        ops[edge->op].requires ++;
    }
}

int tan_schedule_rank_end(struct tan_schedule_builder *b, uint32_t *cyclic, struct tan_error *e)
{
    struct tan_schedule *s = b->schedule;
    const uint32_t first = b->first, n = s->n_ops - first;
    const uint64_t total = (uint64_t)s->n_dependents + b->edges.n;
    if (cyclic != NULL) {
        *cyclic = TAN_OP_NONE;
    }
    if (total >= UINT32_MAX) {
        return tan_fail(e, "more than %u dependencies", (unsigned)UINT32_MAX - 1);
    }
    /* One extra, so that the array exists even without dependencies. */
    if (tan_grow(&s->dependents, &b->room.dependents, total + 1, sizeof *s->dependents, e) != 0 ||
        tan_grow(&b->counts, &b->room.counts, 2 * (uint64_t)n + 1, sizeof *b->counts, e) != 0) {
        return -1;
    }
    if (n > 0) {
        sort_dependents(b, n);
    }
    s->n_dependents = (uint32_t)total;
    /* Only a dependency on a later operation can close a cycle. */
    const uint32_t looped = b->backward ? find_cycle(b, first, n) : TAN_OP_NONE;
    if (looped != TAN_OP_NONE) {
        if (cyclic != NULL) {
            *cyclic = looped;
        }
        return tan_fail(e, "an operation of rank %u waits for itself through its dependencies",
                        (unsigned)b->rank);
    }
    return 0;
}

/* Look-ups */

uint32_t tan_schedule_receiver(const struct tan_schedule *s, uint32_t channel)
{
    uint32_t low = 0, high = s->ranks; /* first_channel[low] <= channel < first_channel[high] */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->first_channel[middle] <= channel) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t tan_schedule_op_rank(const struct tan_schedule *s, uint32_t op)
{
    return tan_port_rank(s, tan_op_port(&s->ops[op]));
}

struct tan_op_spec tan_schedule_spec(const struct tan_schedule *s, uint32_t op)
{
    const struct tan_op *o = &s->ops[op];
    const enum tan_op_kind kind = tan_op_kind(o);
    struct tan_op_spec spec = {.kind = kind, .amount = o->amount};
    if (s->ports != NULL) {
        spec.cpu = s->ports[tan_op_port(o)].cpu;
        spec.nic = s->ports[tan_op_port(o)].nic;
    }
    if (kind != TAN_OP_CALC) {
        spec.peer = kind == TAN_OP_SEND ? tan_schedule_receiver(s, o->channel)
                                        : s->channel_source[o->channel];
        spec.tag = s->channel_tag == NULL ? 0 : s->channel_tag[o->channel];
    }
    return spec;
}

/* Schedules made rank by rank */

static uint32_t make_op(struct tan_maker *m, enum tan_op_kind kind, uint64_t amount, uint32_t peer)
{
    const bool mapped = m->rank_of != NULL && kind != TAN_OP_CALC;
    const struct tan_op_spec spec = {.kind = kind,
                                     .amount = amount,
                                     .peer = mapped ? m->rank_of[peer] : peer,
                                     .tag = kind == TAN_OP_CALC ? 0 : m->tag};
    uint32_t index = m->first;
    m->failed = m->failed || tan_schedule_add(m->builder, &spec, 0, &index, m->e) < 0;
    return index - m->first;
}

uint32_t tan_make_send(struct tan_maker *m, uint64_t bytes, uint32_t to)
{
    return make_op(m, TAN_OP_SEND, bytes, to);
}

uint32_t tan_make_recv(struct tan_maker *m, uint64_t bytes, uint32_t from)
{
    return make_op(m, TAN_OP_RECV, bytes, from);
}

uint32_t tan_make_calc(struct tan_maker *m, uint64_t picoseconds)
{
    return make_op(m, TAN_OP_CALC, picoseconds, 0);
}

void tan_make_require(struct tan_maker *m, uint32_t index, uint32_t on)
{
    if (!m->failed && on != TAN_OP_NONE) {
        m->failed = tan_schedule_require(m->builder, m->first + index, m->first + on,
                                         TAN_AFTER_FINISH, m->e) < 0;
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
    for (uint32_t r = 0; r < ranks && !m.failed; r++) {
        m.failed = tan_schedule_rank(m.builder, r, e) < 0;
        rank(&m, context, r);
        m.failed = m.failed || tan_schedule_rank_end(m.builder, NULL, e) < 0;
    }
    if (m.failed) {
        tan_schedule_abandon(m.builder);
        return NULL;
    }
    return tan_schedule_seal(m.builder, e);
}
