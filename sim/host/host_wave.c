/* host_wave.c - waves of processes that share the cores of their hosts (the model tan-host)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/host/host_wave.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim/engine/queue.h"

/* Waves until the steady state; the last one is timed. */
enum { WAVES = 3 };
/* Times that a leaf with siblings yields before it sleeps. */
enum { LOOKS = 2 };

#define NOBODY UINT32_MAX

struct process {
    double effort;    /* of its use of a core, as a fraction of an inner node's */
    uint32_t arrived; /* messages that it waits for and has */
    uint32_t needed;
    uint32_t sent;         /* requests of this wave */
    uint32_t next;         /* in its pool's queue for a core */
    uint32_t newer, older; /* in its pool's list, the one that ran last first */
    bool asleep;
    bool gathers; /* waits for its children, not for a request */
    bool listed;  /* has run before */
};

struct pool {
    uint32_t idle;  /* cores */
    uint32_t first; /* processes that need a core, in the order in which they were woken */
    uint32_t last;
    uint32_t newest; /* processes in the order of their last run */
};

struct wave {
    const struct tan_tree *tree;
    const struct tan_placement *placement;
    const struct tan_host_params *params;
    struct process *processes;
    struct pool *pools;
    struct tan_queue queue;
    uint32_t turn;
    uint32_t waves;
    uint64_t began;
};

/* Two kinds of events: a process takes its next step, or (with the highest bit) gets a message. */
#define ARRIVAL (UINT32_C(1) << 31)

static uint64_t ps(double seconds)
{
    return (uint64_t)(seconds * 1e12 + 0.5);
}

static void at(struct wave *w, uint64_t time, uint32_t what)
{
    tan_queue_push(&w->queue, (struct tan_event){time, w->turn++, what});
}

/* Number of others that ran on the pool since this process did; it becomes the newest. */
static uint32_t distance(struct wave *w, uint32_t node)
{
    struct pool *pool = &w->pools[w->placement->pool_of[node]];
    struct process *p = &w->processes[node];
    uint32_t n = 0;
    for (uint32_t other = pool->newest; other != NOBODY && other != node;
         other = w->processes[other].older) {
        n++;
    }
    if (pool->newest == node) {
        return 0;
    }
    if (p->listed) {
        w->processes[p->newer].older = p->older;
        if (p->older != NOBODY) {
            w->processes[p->older].newer = p->newer;
        }
    }
    p->listed = true;
    p->newer = NOBODY;
    p->older = pool->newest;
    if (pool->newest != NOBODY) {
        w->processes[pool->newest].newer = node;
    }
    pool->newest = node;
    return n;
}

/* A leaf that finds its packet while it still polls does not fall asleep, which saves most of the
 * cost. It does so while only leaves run before the next wave; among `siblings` of which some are
 * not leaves, with the probability that all of its yields go to leaves. */
static double leaf_effort(const struct tan_tree *tree, int32_t node, double leaf)
{
    const int32_t parent = tan_tree_parent(tree, node);
    const int32_t siblings = tan_tree_fanout(tree, parent);
    const int32_t *sibling = tan_tree_children(tree, parent);
    int32_t leaves = 0;
    for (int32_t i = 0; i < siblings; i++) {
        leaves += tan_tree_fanout(tree, sibling[i]) == 0;
    }
    return siblings == 1 ? 1 : 1 - (1 - leaf) * pow((double)leaves / siblings, LOOKS);
}

/* The process gets a core. */
static void start(struct wave *w, uint64_t time, uint32_t node)
{
    const double *v = w->params->value;
    const double others = distance(w, node);
    double cost = 0;
    if (others > 0) {
        cost = v[TAN_HOST_SWITCH] + v[TAN_HOST_COLD] * -expm1(-(others - 1) / v[TAN_HOST_REACH]) +
               v[TAN_HOST_GROWTH] * (others - 1);
    }
    at(w, time + ps(cost * w->processes[node].effort), node);
}

/* The process falls asleep; the next one gets its core. */
static void leave(struct wave *w, uint64_t time, uint32_t node)
{
    struct pool *pool = &w->pools[w->placement->pool_of[node]];
    const uint32_t next = pool->first;
    w->processes[node].asleep = true;
    if (next == NOBODY) {
        pool->idle++;
        return;
    }
    pool->first = w->processes[next].next;
    start(w, time, next);
}

static void arrive(struct wave *w, uint64_t time, uint32_t node)
{
    struct process *p = &w->processes[node];
    struct pool *pool = &w->pools[w->placement->pool_of[node]];
    p->arrived++;
    if (!p->asleep || p->arrived < p->needed) {
        return;
    }
    p->asleep = false;
    if (pool->idle > 0) {
        pool->idle--;
        start(w, time + ps(w->params->value[TAN_HOST_IDLE]), node);
        return;
    }
    p->next = NOBODY;
    if (pool->first == NOBODY) {
        pool->first = node;
    } else {
        w->processes[pool->last].next = node;
    }
    pool->last = node;
}

static void post(struct wave *w, uint64_t time, uint32_t from, uint32_t to)
{
    if (w->placement->host_of[from] != w->placement->host_of[to]) {
        time += ps(w->params->value[TAN_HOST_BETWEEN]);
    }
    at(w, time, ARRIVAL | to);
}

/* One step of a process that has a core. */
static void step(struct wave *w, uint64_t time, uint32_t node)
{
    struct process *p = &w->processes[node];
    const uint32_t fanout = (uint32_t)tan_tree_fanout(w->tree, (int32_t)node);
    const uint64_t child = ps(w->params->value[TAN_HOST_CHILD]);
    if (p->arrived < p->needed) {
        leave(w, time, node);
        return;
    }
    if (!p->gathers && p->sent < fanout) {
        const int32_t *children = tan_tree_children(w->tree, (int32_t)node);
        post(w, time, node, (uint32_t)children[p->sent++]);
        at(w, time + (p->sent < fanout ? child : 0), node);
        return;
    }
    p->arrived -= p->needed;
    p->sent = 0;
    if (!p->gathers && fanout > 0) {
        p->gathers = true;
        p->needed = fanout;
        at(w, time, node);
        return;
    }
    time += fanout > 0 ? (fanout - 1) * child : 0;
    p->gathers = false;
    if (node > 0) {
        post(w, time, node, (uint32_t)tan_tree_parent(w->tree, (int32_t)node));
        p->needed = 1;
        at(w, time, node);
        return;
    }
    p->needed = 0;
    at(w, time, NOBODY);
}

/* A placement and its arrays in one block. */
struct spread {
    struct tan_placement placement;
    uint32_t numbers[];
};

struct tan_placement *tan_placement_spread(uint32_t processes, uint32_t cores, struct tan_error *e)
{
    const bool bound = processes > cores;
    struct spread *block =
        calloc(1, sizeof *block + (2 * (size_t)processes + cores) * sizeof *block->numbers);
    if (block == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    uint32_t *pool_of = block->numbers + processes;
    uint32_t *available = pool_of + processes;
    for (uint32_t i = 0; i < processes; i++) {
        pool_of[i] = bound ? (uint32_t)((uint64_t)i * cores / processes) : 0;
    }
    for (uint32_t i = 0; i < cores; i++) {
        available[i] = bound ? 1 : cores;
    }
    block->placement = (struct tan_placement){.host_of = block->numbers,
                                              .pool_of = pool_of,
                                              .pools = bound ? cores : 1,
                                              .cores = available};
    return &block->placement;
}

int tan_host_wave(const struct tan_tree *tree, const struct tan_placement *placement,
                  const struct tan_host_params *params, double *wave, struct tan_error *e)
{
    const uint32_t size = (uint32_t)tan_tree_size(tree);
    struct wave w = {.tree = tree, .placement = placement, .params = params};
    struct tan_event event;
    int result = -1;

    w.processes = calloc(size, sizeof *w.processes);
    w.pools = calloc(placement->pools, sizeof *w.pools);
    if (w.processes == NULL || w.pools == NULL) {
        tan_fail_nomem(e);
        goto done;
    }
    for (uint32_t i = 0; i < placement->pools; i++) {
        w.pools[i] = (struct pool){.idle = placement->cores[i], .first = NOBODY, .newest = NOBODY};
    }
    for (uint32_t i = 0; i < size; i++) {
        const bool leaf = tan_tree_fanout(tree, (int32_t)i) == 0;
        w.processes[i].effort =
            leaf ? leaf_effort(tree, (int32_t)i, params->value[TAN_HOST_LEAF]) : 1;
        w.processes[i].needed = w.processes[i].asleep = i > 0;
    }
    w.pools[placement->pool_of[0]].idle--;
    start(&w, 0, 0);
    while (tan_queue_pop(&w.queue, &event)) {
        if (event.what == NOBODY) {
            *wave = (double)(event.time - w.began) * 1e-12 / 2;
            if (++w.waves == WAVES) {
                break;
            }
            w.began = event.time;
            at(&w, event.time, 0);
        } else if (event.what & ARRIVAL) {
            arrive(&w, event.time, event.what & ~ARRIVAL);
        } else {
            step(&w, event.time, event.what);
        }
    }
    if (w.queue.failed) {
        tan_fail_nomem(e);
        goto done;
    }
    result = 0;
done:
    tan_queue_clear(&w.queue);
    free(w.processes);
    free(w.pools);
    return result;
}
