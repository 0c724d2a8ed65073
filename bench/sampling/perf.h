/* perf.h - counters of a process's activities in a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_SAMPLING_PERF_H
#define TAN_BENCH_SAMPLING_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"

/* A process is always in one phase, so that they add up to the elapsed time. */
enum perf_phase {
    PERF_IDLE,      /* until the next request; at the root between waves */
    PERF_WAITING,   /* for packets from children; in streams also for space at the parent */
    PERF_FILTER,    /* combining packets */
    PERF_SENDING,   /* requests to children */
    PERF_ANSWERING, /* the packet to the parent */
    PERF_REST,      /* all else */
    PERF_PHASES
};

/* Totals; plain data. */
struct perf_totals {
    uint64_t waves;
    uint64_t timed;                   /* timed waves, which `seconds` refer to */
    uint64_t packets_in, packets_out; /* without acknowledgements and end marks of streams */
    uint64_t bytes_in, bytes_out;     /* of those, including headers */
    double seconds[PERF_PHASES];
    double cpu; /* CPU seconds of the process, all threads, in all waves */
};

/* Reading the clock takes a few percent of a short wave, so one in seven waves is timed: a prime,
 * to avoid aliasing with periodic effects. It is the middle one, because the first wave after the
 * warm-up is often slow and would represent seven. */
enum { PERF_STRIDE = 7, PERF_FIRST = PERF_STRIDE / 2 };

/* Counters of a process while waves run. */
struct perf {
    struct perf_totals running;
    struct perf_totals kept; /* `running` after the last wave that counts */
    bool timed;              /* whether phases are being charged */
    enum perf_phase phase;
    double since; /* when it entered the phase */
};

/* Whether this wave is timed, counting from 0 after the warm-up; the same in every process. The
 * first wave is timed, too, in case a measurement ends before PERF_FIRST. */
static inline bool perf_timed(uint64_t wave)
{
    return wave == 0 || wave % PERF_STRIDE == PERF_FIRST;
}

/* Enter a phase at `now`: the time since the last transition is charged to the previous phase. */
static inline void perf_charge(struct perf *p, enum perf_phase next, double now)
{
    p->running.seconds[p->phase] += now - p->since;
    p->phase = next;
    p->since = now;
}

/* Enter a phase now; `p` is NULL if nothing is counted. Reads no clock if the phase does not
 * change, or if the wave is not timed. */
static inline void perf_enter(struct perf *p, enum perf_phase next)
{
    if (p && p->timed && p->phase != next) {
        perf_charge(p, next, tan_clock_seconds());
    }
}

/* Count from zero from time `now` on, which may be in the future: phases still add up. `cpu`: CPU
 * seconds so far. */
static inline void perf_begin(struct perf *p, enum perf_phase phase, double now, double cpu)
{
    *p = (struct perf){.running.cpu = -cpu, .timed = true, .phase = phase, .since = now};
}

/* `waves` waves have finished, and count. */
static inline void perf_keep(struct perf *p, uint64_t waves)
{
    p->running.waves = waves;
    p->kept = p->running;
}

/* Wave number `wave` has finished at `now`, and counts. What follows belongs to the next wave,
 * including the time until its request. `now` does not matter between two untimed waves. */
static inline void perf_next(struct perf *p, uint64_t wave, double now)
{
    if (p->timed) {
        perf_charge(p, PERF_IDLE, now);
        p->running.timed++;
    }
    perf_keep(p, wave + 1);
    if (wave + 1 == PERF_FIRST) { /* from here on the first wave's times are not needed */
        p->running.timed = 0;
        memset(p->running.seconds, 0, sizeof p->running.seconds);
    }
    p->timed = perf_timed(wave + 1);
    p->phase = PERF_IDLE;
    p->since = now;
}

/* `n` packets of `bytes` each, including headers. */
static inline void perf_received(struct perf *p, int n, size_t bytes)
{
    p->running.packets_in += (uint64_t)n;
    p->running.bytes_in += (uint64_t)n * bytes;
}

/* Likewise for packets sent. */
static inline void perf_sent(struct perf *p, int n, size_t bytes)
{
    p->running.packets_out += (uint64_t)n;
    p->running.bytes_out += (uint64_t)n * bytes;
}

/* Add the waves of another pass. */
static inline void perf_join(struct perf_totals *all, const struct perf_totals *more)
{
    all->waves += more->waves;
    all->timed += more->timed;
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
