/* core_probe.h - interference on cores: a compute probe, and the time that others take
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_CORE_PROBE_H
#define TAN_TANBENCH_HOST_CORE_PROBE_H

#include <stdbool.h>

#include "tanbench/host/cores.h"
#include "tanbench/plan/rank_map.h"

/* Seconds this core takes for a fixed amount of work (about 5 us) that keeps its execution units
 * busy (tanbench/sampling/p2p_samples.h). */
double probe_compute(void);

/* A busy sibling hyperthread, possibly of another virtual machine, slows waves of ranks that share
 * cores by a third to a half, for seconds to minutes. */
struct core_probe;

/* `cores` is borrowed; NULL if it is NULL or memory is short, and interference cannot be detected.
 * Takes at least 20 ms to find each core's fastest time. */
struct core_probe *core_probe_create(struct cores *cores);
void core_probe_destroy(struct core_probe *p);
/* Probe each of the first `cores` cores while all other ranks sleep, about 50 us per core. Returns
 * whether another process interferes with one of them. */
bool core_probe_disturbed(struct core_probe *p, int cores);

/* Counters at one time, in seconds; NaN if the kernel does not tell. */
struct core_load {
    double time;
    double idle;  /* idle time of the cores' processing units, summed up */
    double ranks; /* CPU time of the ranks */
    int units;
};

/* Read them for the first `n` cores (`cores` may be NULL: unknown), and all of the `ranks` peers
 * that are on the same host as the first one, which calls this. */
struct core_load core_load_read(const struct cores *cores, int n, const struct peer *peers,
                                int ranks);

/* Whether others took more than a tenth of the cores' time since `begin`, beyond what the kernel's
 * ticks of 10 ms leave uncertain: other processes, other virtual machines (steal time), interrupts.
 * False if that is unknown. */
bool core_load_by_others(const struct core_load *begin, const struct core_load *end);

#endif
