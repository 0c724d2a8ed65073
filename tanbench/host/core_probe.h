/* core_probe.h - compute probe that detects interference on a core
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_CORE_PROBE_H
#define TANBENCH_HOST_CORE_PROBE_H

#include <stdbool.h>

struct cores;

/* Seconds that this core takes for a fixed amount of work (some 5 us) that keeps its execution
 * units busy (bench/sampling/interference.h). */
double probe_compute(void);

/* A busy sibling hyperthread, possibly of another virtual machine, prolongs waves of ranks that
 * share cores by a third or a half, for seconds to minutes. */
struct core_probe;

/* Of `cores`, borrowed; NULL when `cores` is, or when memory is short: then interference cannot be
 * detected. Takes 20 ms or more, to find each core's fastest time. */
struct core_probe *core_probe_create(struct cores *cores);
void core_probe_destroy(struct core_probe *p);
/* Run the probe on each of the first `cores` of them while all other ranks sleep: some 50 us per
 * core. Returns whether another process interferes on one of them. */
bool core_probe_disturbed(struct core_probe *p, int cores);

#endif
