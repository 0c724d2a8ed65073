/* core_load.h - processor time that others take on the ranks' cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_CORE_LOAD_H
#define TAN_TANBENCH_HOST_CORE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tanbench/host/cores.h"
#include "tanbench/plan/rank_map.h"

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

/* Resident memory in bytes; 0 if unknown. Reads a file. */
int64_t usage_memory(void);

#endif
