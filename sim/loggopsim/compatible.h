/* compatible.h - simulation that reproduces LogGOPSim's results exactly, and its output
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_LOGGOPSIM_COMPATIBLE_H
#define TAN_SIM_LOGGOPSIM_COMPATIBLE_H

#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* LogGOPSim's finish times: whole nanoseconds modulo 2^64, which would not fit into the picoseconds
 * of struct tan_simulation. */
struct tan_compatible_times {
    uint64_t *rank_ns; /* per rank; owned */
    uint64_t last_ns;  /* the latest finish */
};

/* Simulate exactly like LogGOPSim (assuming a stable sort of operations released together).
 * Calculations and parameters that are not whole nanoseconds are errors; only p->between and p->S
 * are used. `out` receives the events, the last rank, and what is unexpected or unmatched, in the
 * order of LogGOPSim's queues, but neither finish times nor history. Free `out` with
 * tan_simulation_clear and `times` with tan_compatible_times_clear; after -1 both are empty. */
int tan_simulate_compatible(const struct tan_schedule *s, const struct tan_sim_params *p,
                            struct tan_simulation *out, struct tan_compatible_times *times,
                            struct tan_error *e);
void tan_compatible_times_clear(struct tan_compatible_times *times);

/* Print the results of tan_simulate_compatible: a line with the parameters, then the finish time of
 * every host (LogGOPSim itself stops at 16 hosts), or if messages or receives are left, each host's
 * queue of them. */
void tan_compatible_print(const struct tan_schedule *s, const struct tan_sim_params *p,
                          const struct tan_simulation *r, const struct tan_compatible_times *times,
                          FILE *to);

#endif
