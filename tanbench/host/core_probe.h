/* core_probe.h - a piece of work that shows whether others use a core
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_CORE_PROBE_H
#define TANBENCH_HOST_CORE_PROBE_H

#include <stdbool.h>

struct cores;

/* Seconds that this core takes for a fixed piece of work (some 5 us) that keeps its units busy
 * (bench/sampling/interference.h). */
double probe_compute(void);

/* A busy thread beside a core's, maybe another virtual machine's, makes waves of ranks that share
 * cores longer by a third or a half, for seconds to minutes. */
struct core_probe;

/* Of `cores`, borrowed; NULL when `cores` is, or when memory is short: then interference cannot be
 * seen. Takes 20 ms or more, to find out how fast they are. */
struct core_probe *core_probe_create(struct cores *cores);
void core_probe_destroy(struct core_probe *p);
/* Do that work on each of the first `cores` of them, while all other ranks sleep: some 50 us a
 * core. Returns whether somebody else uses one of them. */
bool core_probe_disturbed(struct core_probe *p, int cores);

#endif
