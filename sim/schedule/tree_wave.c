/* tree_wave.c - schedules of waves over a tree: data up, a request down, or both
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/tree_wave.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "model/wave/wave.h"

static const struct sweep_name {
    const char *name;
    enum tan_sweep sweep;
} sweep_names[] = {
    {"up", TAN_SWEEP_UP},
    {"down", TAN_SWEEP_DOWN},
    {"round", TAN_SWEEP_ROUND},
    {NULL, TAN_SWEEP_UP},
};

int tan_sweep_parse(const char *text, enum tan_sweep *sweep, struct tan_error *e)
{
    const int found = tan_choice_find(TAN_CHOICES(sweep_names), "--sweep", text, e);
    if (found < 0) {
        return -1;
    }
    *sweep = sweep_names[found].sweep;
    return 0;
}

const char *tan_sweep_name(enum tan_sweep sweep)
{
    const struct sweep_name *row = sweep_names;
    while (row->name != NULL && row->sweep != sweep) {
        row++;
    }
    return row->name;
}

/* Calculations of a rank, picoseconds; all 0 if messages account for all costs. */

struct work {
    uint64_t parent; /* between its children's messages and its own, or vice versa */
    uint64_t child;  /* between its own work and its message, or vice versa */
    uint64_t leaf;   /* C */
};

static int in_ps(const char *what, double seconds, uint64_t *ps, struct tan_error *e)
{
    const double most = (double)(TAN_SCHEDULE_MAX_PS / 2);
    if (!(seconds * 1e12 <= most)) {
        return tan_fail(e, "%s lasts %g s, and a simulation can have at most %g s of it", what,
                        seconds, most * 1e-12);
    }
    *ps = (uint64_t)llround(seconds * 1e12);
    return 0;
}

/* The level is rounded as a whole, L and the child's share individually; the parent gets the rest,
 * which is not negative: a level costs at least L, or L + 2a with method joint. */
static int work_of(const struct tan_params *params, int32_t fanout, struct work *w,
                   struct tan_error *e)
{
    uint64_t level = 0, latency = 0;
    *w = (struct work){.parent = 0};
    if (params == NULL) {
        return 0;
    }
    if (in_ps("L", params->value[TAN_L], &latency, e) < 0 ||
        in_ps("C", params->value[TAN_C0], &w->leaf, e) < 0 ||
        (params->method == TAN_METHOD_JOINT &&
         in_ps("a", params->value[TAN_A], &w->child, e) < 0)) {
        return -1;
    }
    if (fanout > 0) {
        if (in_ps("a level", tan_models[TAN_MODEL_TAN].level(params, fanout), &level, e) < 0) {
            return -1;
        }
        w->parent = level - latency - w->child;
    }
    return 0;
}

int tan_wave_link(const struct tan_params *params, struct tan_link *link, struct tan_error *e)
{
    *link = (struct tan_link){.L = 0};
    return in_ps("L", params->value[TAN_L], &link->L, e);
}

/* The schedule */

struct wave {
    const struct tan_tree *tree;
    enum tan_sweep sweep;
    uint64_t bytes;
    const struct tan_params *params; /* NULL: no calculations */
};

/* A dependency on `n` consecutive operations. */
struct span {
    uint32_t first, n;
};

static void require_all(struct tan_maker *m, uint32_t index, struct span on)
{
    for (uint32_t i = 0; i < on.n; i++) {
        tan_make_require(m, index, on.first + i);
    }
}

/* Work after `on`, if any; the next operation waits for its result. */
static struct span after_work(struct tan_maker *m, uint64_t picoseconds, struct span on)
{
    if (picoseconds == 0) {
        return on;
    }
    const uint32_t calc = tan_make_calc(m, picoseconds);
    require_all(m, calc, on);
    return (struct span){calc, 1};
}

static struct span pass_down(struct tan_maker *m, const struct wave *wave, const struct work *work,
                             int32_t node)
{
    const int32_t fanout = tan_tree_fanout(wave->tree, node);
    const int32_t *child = tan_tree_children(wave->tree, node);
    struct span on = {0, 0};
    uint64_t picoseconds = fanout > 0 ? work->parent : work->leaf;
    if (node > 0) {
        on.first = tan_make_recv(m, wave->bytes, (uint32_t)tan_tree_parent(wave->tree, node));
        on.n = 1;
        picoseconds += work->child;
    }
    on = after_work(m, picoseconds, on);
    for (int32_t i = 0; i < fanout && !m->failed; i++) {
        require_all(m, tan_make_send(m, wave->bytes, (uint32_t)child[i]), on);
    }
    return on;
}

/* `on`: operations a leaf waits for before it answers. */
static void pass_up(struct tan_maker *m, const struct wave *wave, const struct work *work,
                    int32_t node, struct span on)
{
    const int32_t fanout = tan_tree_fanout(wave->tree, node);
    const int32_t *child = tan_tree_children(wave->tree, node);
    for (int32_t i = 0; i < fanout && !m->failed; i++) {
        const uint32_t got = tan_make_recv(m, wave->bytes, (uint32_t)child[i]);
        on = (struct span){got - (uint32_t)i, (uint32_t)i + 1};
    }
    const uint64_t picoseconds = fanout > 0 ? work->parent : work->leaf;
    on = after_work(m, picoseconds + (node > 0 ? work->child : 0), on);
    if (node > 0) {
        const uint32_t parent = (uint32_t)tan_tree_parent(wave->tree, node);
        require_all(m, tan_make_send(m, wave->bytes, parent), on);
    }
}

static void make_rank(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct wave *wave = context;
    const int32_t node = (int32_t)rank;
    struct span on = {0, 0};
    struct work work;
    m->failed = work_of(wave->params, tan_tree_fanout(wave->tree, node), &work, m->e) < 0;
    if (!m->failed && (wave->sweep & TAN_SWEEP_DOWN) != 0) {
        on = pass_down(m, wave, &work, node);
    }
    if (!m->failed && (wave->sweep & TAN_SWEEP_UP) != 0) {
        pass_up(m, wave, &work, node, on);
    }
}

struct tan_schedule *tan_wave_schedule(const struct tan_tree *tree, enum tan_sweep sweep,
                                       uint64_t bytes, const struct tan_params *params,
                                       struct tan_error *e)
{
    const struct wave wave = {tree, sweep, bytes, params};
    const uint64_t nodes = (uint64_t)tan_tree_size(tree);
    const uint64_t ways = sweep == TAN_SWEEP_ROUND ? 2 : 1;
    const uint64_t operations = ways * (2 * (nodes - 1) + (params == NULL ? 0 : nodes));
    if (operations >= TAN_SCHEDULE_MAX_OPS) {
        tan_fail_usage(e,
                       "a wave over %" PRIu64 " processes takes up to %" PRIu64
                       " operations, and a schedule has at most %" PRIu32,
                       nodes, operations, TAN_SCHEDULE_MAX_OPS - 1);
        return NULL;
    }
    if (tan_schedule_check_memory(nodes, operations, e) < 0) {
        return NULL;
    }
    return tan_make_schedule((uint32_t)nodes, make_rank, &wave, e);
}
