/* blocks.c - loading and releasing blocks of operations during a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "sim/engine/simulator.h"
#include "sim/schedule/arrays.h"

int tan_feeding_init(struct feeding *f, const struct tan_feed *feed, struct tan_error *e)
{
    *f = (struct feeding){.feed = feed, .free_late = TAN_OP_NONE, .e = e};
    if (tan_window_create(&f->window, feed->ranks, e) != 0) {
        return -1;
    }
    f->ranks = malloc(feed->ranks * sizeof *f->ranks);
    if (f->ranks == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t r = 0; r < feed->ranks; r++) {
        f->ranks[r] = (struct fed_rank){.gate = TAN_OP_NONE};
    }
    return 0;
}

void tan_feeding_clear(struct feeding *f)
{
    tan_window_clear(&f->window);
    free(f->ops);
    free(f->blocks);
    free(f->ranks);
    free(f->late);
    *f = (struct feeding){.feed = NULL};
}

/* Release the rank's blocks whose operations all ended before `now`, the time of the simulation,
 * and to which no pending event refers; none while the first operations are started block by block.
 */
static void release_blocks(struct feeding *f, uint32_t rank, uint64_t now)
{
    for (uint32_t i = f->window.oldest[rank], next; f->begun && i != TAN_BLOCK_NONE; i = next) {
        next = f->window.blocks[i].next;
        if (f->blocks[i].open == 0 && f->blocks[i].latest < now) {
            tan_window_release(&f->window, i);
        }
    }
}

/* Grow all arrays to the window's numbers of operations, channels and blocks. */
static int grow_arrays(struct simulator *m, struct tan_error *e)
{
    struct feeding *f = m->feeding;
    const uint32_t n = f->window.schedule.n_ops;
    if (tan_match_grow(m->match, e) != 0 ||
        tan_grow(&m->states, &f->room_states, n, sizeof *m->states, e) != 0 ||
        tan_grow(&f->ops, &f->room_ops, n, sizeof *f->ops, e) != 0 ||
        tan_grow(&f->blocks, &f->room_blocks, f->window.n_blocks, sizeof *f->blocks, e) != 0 ||
        (m->transferring != NULL &&
         tan_grow(&m->transferring, &f->room_transferring, n, sizeof *m->transferring, e) != 0)) {
        return -1;
    }
    m->links = tan_match_links(m->match);
    return 0;
}

/* Append `op` to the late dependents of `on`. */
static int add_late(struct feeding *f, uint32_t op, uint32_t on, enum tan_requires when)
{
    uint32_t i = f->free_late;
    if (i != TAN_OP_NONE) {
        f->free_late = f->late[i].next;
    } else {
        i = f->n_late;
        if (tan_grow(&f->late, &f->room_late, (uint64_t)i + 1, sizeof *f->late, f->e) != 0) {
            return -1;
        }
        f->n_late++;
    }
    const uint32_t last = f->ops[on].late;
    f->late[i] = (struct late){.op = op, .next = i, .when = when};
    if (last != TAN_OP_NONE) {
        f->late[i].next = f->late[last].next;
        f->late[last].next = i;
    }
    f->ops[on].late = i;
    return 0;
}

/* Add the dependencies of a new block on earlier operations; some may already be met. */
static int add_dependencies(struct simulator *m, uint32_t rank)
{
    struct feeding *f = m->feeding;
    for (uint32_t i = 0; i < f->window.n_late; i++) {
        const struct tan_late_edge *edge = &f->window.late[i];
        struct tan_op_state *state = &m->states[edge->op];
        const uint32_t on = tan_window_find(&f->window, rank, edge->on);
        const uint64_t end = on == TAN_OP_NONE ? 0 : f->ops[on].end;
        if (end == FED_WAITS || (end == FED_STARTS && edge->when == TAN_AFTER_FINISH)) {
            if (add_late(f, edge->op, on, edge->when) != 0) {
                return -1;
            }
            continue;
        }
        state->pending--;
        if (edge->when == TAN_AFTER_FINISH && end > tan_ready_time(state)) {
            tan_set_ready(state, end);
        }
    }
    return 0;
}

/* Initialise the state of a block that the window has just loaded. */
static int init_block(struct simulator *m, uint32_t block)
{
    struct feeding *f = m->feeding;
    if (grow_arrays(m, f->e) != 0) {
        return -1;
    }
    const struct tan_window_block *b = &f->window.blocks[block];
    const struct tan_op *ops = f->window.schedule.ops;
    f->blocks[block] = (struct fed_block){.open = b->n};
    f->n_ops += b->n;
    for (uint32_t op = b->first; op < b->first + b->n; op++) {
        m->states[op] = (struct tan_op_state){.pending = ops[op].requires};
        f->ops[op] = (struct fed_op){.end = FED_WAITS, .late = TAN_OP_NONE, .block = block};
        f->n_roots += ops[op].requires == 0;
    }
    if (m->transferring != NULL) {
        memset(&m->transferring[b->first], 0, b->n * sizeof *m->transferring);
    }
    return add_dependencies(m, b->rank);
}

/* After a rank's first gate every operation must wait for a gate: it has a pending dependency,
 * since the gate before this block has not started. */
static int check_gates(const struct simulator *m, uint32_t block)
{
    const struct feeding *f = m->feeding;
    const struct tan_window_block *b = &f->window.blocks[block];
    for (uint32_t op = b->first; op < b->first + b->n; op++) {
        if (m->states[op].pending == 0) {
            return tan_fail(f->e, "operation %u of rank %u does not wait for the gate before it",
                            (unsigned)(b->begin + (op - b->first)), (unsigned)b->rank);
        }
    }
    return 0;
}

static int load_block(struct simulator *m, uint32_t rank)
{
    struct feeding *f = m->feeding;
    struct fed_rank *own = &f->ranks[rank];
    const bool gated = own->gate != TAN_OP_NONE;
    uint32_t gate = TAN_OP_NONE, block;
    release_blocks(f, rank, m->queue.now);
    struct tan_schedule_builder *b = tan_window_begin(&f->window, rank);
    int more = 1;
    while (more == 1 && tan_schedule_added(b) == 0) {
        more = f->feed->more(f->feed->context, rank, b, &gate, f->e);
    }
    own->over = more == 0;
    if (more < 0 || tan_schedule_added(b) == 0) {
        return more < 0 ? -1 : 0;
    }
    if (tan_window_load(&f->window, &block, f->e) != 0 || init_block(m, block) != 0 ||
        (gated && check_gates(m, block) != 0)) {
        return -1;
    }
    own->gate = gate == TAN_OP_NONE ? TAN_OP_NONE : tan_window_find(&f->window, rank, gate);
    return 0;
}

/* Load blocks up to one whose gate depends on other operations. */
static void load_to_gate(struct simulator *m, uint32_t rank)
{
    const struct fed_rank *own = &m->feeding->ranks[rank];
    do {
        m->failed |= load_block(m, rank) != 0;
    } while (!m->failed && !own->over &&
             (own->gate == TAN_OP_NONE || m->s->ops[own->gate].requires == 0));
}

void tan_feed_begin(struct simulator *m)
{
    for (uint32_t r = 0; r < m->s->ranks && !m->failed; r++) {
        load_to_gate(m, r);
    }
}

void tan_feed_released(struct simulator *m)
{
    const uint32_t n = m->n_released;
    for (uint32_t i = 0; i < n && !m->failed; i++) {
        const uint32_t rank = tan_op_port(&m->s->ops[m->released[i]]);
        const struct fed_rank *own = &m->feeding->ranks[rank];
        if (own->gate == m->released[i] && !own->over) {
            load_to_gate(m, rank);
        }
    }
}

/* What a deadlock leaves behind */

int tan_feed_unloaded(struct feeding *f, uint64_t *n)
{
    *n = 0;
    for (uint32_t r = 0; r < f->feed->ranks; r++) {
        for (int more = !f->ranks[r].over; more != 0;) {
            uint32_t gate;
            struct tan_schedule_builder *b = tan_window_begin(&f->window, r);
            more = f->feed->more(f->feed->context, r, b, &gate, f->e);
            if (more < 0) {
                return -1;
            }
            *n += tan_schedule_added(b);
            tan_window_skip(&f->window);
        }
    }
    return 0;
}

static int add_block(const struct feeding *f, const struct tan_window_block *b,
                     struct tan_schedule_builder *to, uint32_t *number, struct tan_error *e)
{
    for (uint32_t op = b->first; op < b->first + b->n; op++) {
        const struct tan_op_spec spec = tan_schedule_spec(&f->window.schedule, op);
        if (tan_schedule_add(to, &spec, 0, &number[op], e) != 0) {
            return -1;
        }
    }
    return 0;
}

/* `number`: the new operations' numbers within the rank, as tan_schedule_require takes them. */
static int add_edges(const struct feeding *f, const struct tan_window_block *b,
                     struct tan_schedule_builder *to, const uint32_t *number, struct tan_error *e)
{
    const struct tan_schedule *s = &f->window.schedule;
    for (uint32_t op = b->first; op < b->first + b->n; op++) {
        for (uint32_t d = s->ops[op].dependents; d < s->ops[op + 1].dependents; d++) {
            const bool start = (s->dependents[d] & TAN_DEPENDENT_START) != 0;
            if (tan_schedule_require(to, number[s->dependents[d] & ~TAN_DEPENDENT_START],
                                     number[op], start ? TAN_AFTER_START : TAN_AFTER_FINISH,
                                     e) != 0) {
                return -1;
            }
        }
        const uint32_t last = f->ops[op].late;
        for (uint32_t i = last; i != TAN_OP_NONE;) {
            i = f->late[i].next;
            const struct late *late = &f->late[i];
            /* Once an operation has started, dependents on its start no longer wait for it; the
             * ring keeps them until the operation ends. */
            const bool waits = late->when == TAN_AFTER_FINISH || f->ops[op].end == FED_WAITS;
            if (waits &&
                tan_schedule_require(to, number[late->op], number[op], late->when, e) != 0) {
                return -1;
            }
            i = i == last ? TAN_OP_NONE : i;
        }
    }
    return 0;
}

static int add_rank(const struct feeding *f, uint32_t rank, struct tan_schedule_builder *to,
                    uint32_t *number, struct tan_error *e)
{
    const struct tan_window *w = &f->window;
    int result = tan_schedule_rank(to, rank, e);
    for (uint32_t i = w->oldest[rank]; i != TAN_BLOCK_NONE && result == 0; i = w->blocks[i].next) {
        result = add_block(f, &w->blocks[i], to, number, e);
    }
    for (uint32_t i = w->oldest[rank]; i != TAN_BLOCK_NONE && result == 0; i = w->blocks[i].next) {
        result = add_edges(f, &w->blocks[i], to, number, e);
    }
    return result == 0 ? tan_schedule_rank_end(to, NULL, e) : result;
}

struct tan_schedule *tan_feed_rest(const struct feeding *f, uint32_t **number, struct tan_error *e)
{
    const struct tan_window *w = &f->window;
    struct tan_schedule_builder *to = tan_schedule_begin(f->feed->ranks, false, e);
    *number = calloc((size_t)w->schedule.n_ops + 1, sizeof **number);
    if (to == NULL || *number == NULL) {
        tan_schedule_abandon(to);
        tan_fail_nomem(e);
        return NULL;
    }
    uint32_t before = 0;
    for (uint32_t r = 0; r < f->feed->ranks; r++) {
        if (add_rank(f, r, to, *number, e) != 0) {
            tan_schedule_abandon(to);
            return NULL;
        }
        for (uint32_t i = w->oldest[r]; i != TAN_BLOCK_NONE; i = w->blocks[i].next) {
            for (uint32_t k = 0; k < w->blocks[i].n; k++) {
                (*number)[w->blocks[i].first + k] += before;
            }
        }
        before += tan_schedule_added(to);
    }
    return tan_schedule_seal(to, e);
}
