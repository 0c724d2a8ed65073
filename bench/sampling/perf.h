/* perf.h - counters of what a process of a tree does with its time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_SAMPLING_PERF_H
#define BENCH_SAMPLING_PERF_H

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

/* A process is always in one of these, so that they add up to the time that has passed. */
enum perf_phase {
    PERF_IDLE,      /* until the next request comes; the root: between its waves */
    PERF_WAITING,   /* for packets of children, in streams also for room at the parent */
    PERF_FILTER,    /* combining packets */
    PERF_SENDING,   /* requests to children */
    PERF_ANSWERING, /* the packet to the parent */
    PERF_REST,
    PERF_PHASES
};

/* Totals; plain data. */
struct perf_totals {
    uint64_t waves;
    uint64_t packets_in, packets_out; /* without confirmations and end marks of streams */
    uint64_t bytes_in, bytes_out;     /* of them, headers included */
    double seconds[PERF_PHASES];
    double cpu; /* seconds of the process, all threads */
};

/* The counters of a process while waves run. */
struct perf {
    struct perf_totals running;
    struct perf_totals kept; /* `running` as it was after the last wave that counts */
    enum perf_phase phase;
    double since;
};

/* Enter a phase at `now`: the time since the last transition is charged to the phase before. */
static inline void perf_charge(struct perf *p, enum perf_phase next, double now)
{
    p->running.seconds[p->phase] += now - p->since;
    p->phase = next;
    p->since = now;
}

/* The same now; `p` is NULL where nothing is counted. Staying in a phase costs no clock. */
static inline void perf_enter(struct perf *p, enum perf_phase next)
{
    if (p && p->phase != next) {
        perf_charge(p, next, clock_seconds());
    }
}

/* Count from zero from instant `now` on, which may be yet to come: the phases still add up. `cpu`:
 * seconds of CPU time so far. */
static inline void perf_begin(struct perf *p, enum perf_phase phase, double now, double cpu)
{
    *p = (struct perf){.running.cpu = -cpu, .phase = phase, .since = now};
}

/* `waves` have passed, and count. */
static inline void perf_keep(struct perf *p, uint64_t waves)
{
    p->running.waves = waves;
    p->kept = p->running;
}

/* `n` packets of `bytes` each, headers included. */
static inline void perf_received(struct perf *p, int n, size_t bytes)
{
    p->running.packets_in += (uint64_t)n;
    p->running.bytes_in += (uint64_t)n * bytes;
}

static inline void perf_sent(struct perf *p, int n, size_t bytes)
{
    p->running.packets_out += (uint64_t)n;
    p->running.bytes_out += (uint64_t)n * bytes;
}

/* Add the waves of another pass. */
static inline void perf_join(struct perf_totals *all, const struct perf_totals *more)
{
    all->waves += more->waves;
    all->packets_in += more->packets_in;
    all->packets_out += more->packets_out;
    all->bytes_in += more->bytes_in;
    all->bytes_out += more->bytes_out;
    for (int i = 0; i < PERF_PHASES; i++) {
        all->seconds[i] += more->seconds[i];
    }
    all->cpu += more->cpu;
}

#endif
