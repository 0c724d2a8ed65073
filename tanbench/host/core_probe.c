/* core_probe.c - interference on cores: a compute probe, and the time that others take
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/core_probe.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "tanbench/sampling/p2p_samples.h"

static const double first_seconds = 0.02; /* outlasts pauses of interfering processes */
enum {
    TRIES = 5,      /* probes of a core, of which the median counts: interrupts disturb fewer */
    MIN_PROBES = 5, /* of each core when created */
};

double probe_compute(void)
{
    enum { STEPS = 8000 };
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    const double begin = tan_clock_seconds();
    for (uint64_t i = 0; i < STEPS; i++) {
        /* As many additions as a core can issue at once. They take longer than a cycle and a half,
         * which hides what the alignment of the loop in memory may cost. */
        a += b ^ i;
        b += 7;
        c ^= a + i;
        d += i;
        e ^= d;
        f += e;
        __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e),
                         "r"(f)); /* keep all from being optimised away */
    }
    return tan_clock_seconds() - begin;
}

struct core_probe {
    struct cores *cores; /* borrowed */
    int n;
    bool alike;       /* all cores are of the same kind */
    double fastest[]; /* seconds, of each core; if they are alike, of all in the first entry */
};

static double *fastest_of(struct core_probe *p, int i)
{
    return &p->fastest[p->alike ? 0 : i];
}

/* The median of TRIES probes on core `i`; NaN if binding to it is not allowed. */
static double probe_core(struct core_probe *p, int i)
{
    double took[TRIES];
    if (!cores_visit(p->cores, i)) {
        return NAN;
    }
    for (int k = 0; k < TRIES; k++) {
        took[k] = probe_compute();
        *fastest_of(p, i) = fmin(*fastest_of(p, i), took[k]);
    }
    gsl_sort(took, 1, TRIES);
    return took[TRIES / 2];
}

struct core_probe *core_probe_create(struct cores *cores)
{
    const int n = cores != NULL ? cores_count(cores) : 0;
    struct core_probe *p = n > 0 ? malloc(sizeof *p + (size_t)n * sizeof p->fastest[0]) : NULL;
    if (p == NULL) {
        return NULL;
    }
    p->cores = cores;
    p->n = n;
    p->alike = cores_alike(cores);
    for (int i = 0; i < n; i++) {
        p->fastest[i] = INFINITY;
    }
    const double begin = tan_clock_seconds();
    for (int k = 0; k < MIN_PROBES || tan_clock_seconds() - begin < first_seconds; k++) {
        core_probe_disturbed(p, n); /* only to find `fastest` */
    }
    return p;
}

void core_probe_destroy(struct core_probe *p)
{
    free(p);
}

bool core_probe_disturbed(struct core_probe *p, int cores)
{
    bool disturbed = false;
    for (int i = 0; i < p->n && i < cores; i++) {
        const double took = probe_core(p, i); /* before `fastest` is read, which it updates */
        disturbed |= tan_core_slowed(took, *fastest_of(p, i));
    }
    cores_return(p->cores);
    return disturbed;
}

/* --- processor time --- */

static double cpu_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &t) == 0
               ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec
               : NAN;
}

struct core_load core_load_read(const struct cores *cores, int n, const struct peer *peers,
                                int ranks)
{
    struct core_load load = {.time = tan_clock_seconds(), .idle = NAN};
    if (cores == NULL) {
        return load;
    }
    load.idle = cores_idle_seconds(cores, n, &load.units);
    for (int i = 0; i < ranks; i++) {
        if (peers[i].host_index == peers[0].host_index) {
            load.ranks += cpu_seconds(peers[i].pid);
        }
    }
    return load;
}

bool core_load_by_others(const struct core_load *begin, const struct core_load *end)
{
    const double tick = 0.01;
    const double all = end->units * (end->time - begin->time);
    const double others = all - (end->idle - begin->idle) - (end->ranks - begin->ranks);
    return others > all / 10.0 + 2.0 * tick * end->units; /* false for NaN */
}
