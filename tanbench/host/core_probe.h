/* core_probe.h - compute probe that detects interference on a core
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_CORE_PROBE_H
#define TAN_TANBENCH_HOST_CORE_PROBE_H

#include <stdbool.h>

struct cores;

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

#endif
