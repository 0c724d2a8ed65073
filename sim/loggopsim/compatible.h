/* compatible.h - simulation with exactly LogGOPSim's results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_LOGGOPSIM_COMPATIBLE_H
#define SIM_LOGGOPSIM_COMPATIBLE_H

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* LogGOPSim's finish times: whole nanoseconds that wrap at 2^64. Picoseconds, in which struct
 * tan_simulation counts, would not hold them. */
struct tan_compatible_times {
    uint64_t *rank_ns; /* by rank; owned */
    uint64_t last_ns;  /* the latest of them */
};

/* Simulate exactly as LogGOPSim does (with a stable sort of operations released together).
 * Calculations and parameters that are no whole nanoseconds are errors; only p->between and p->S
 * are used. `out` gets the events, the last rank, and what is unexpected or unmatched, in the order
 * of LogGOPSim's queues; its finish times stay empty, and there is no history. Release `out` with
 * tan_simulation_clear and `times` with tan_compatible_times_clear. */
int tan_simulate_compatible(const struct tan_schedule *s, const struct tan_sim_params *p,
                            struct tan_simulation *out, struct tan_compatible_times *times,
                            struct tan_error *e);
void tan_compatible_times_clear(struct tan_compatible_times *times);

#endif
