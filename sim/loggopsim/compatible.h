/* compatible.h - simulating exactly as LogGOPSim does
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_LOGGOPSIM_COMPATIBLE_H
#define SIM_LOGGOPSIM_COMPATIBLE_H

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* Simulate exactly as LogGOPSim does (with a stable sort of what is released together), in whole
 * nanoseconds that wrap at 2^64: finish times count what LogGOPSim counts. Calculations and
 * parameters that are no whole nanoseconds are errors; only p->between and p->S are used. What is
 * unexpected or unmatched comes in the order of LogGOPSim's queues. Times
 * come back in *nanoseconds* in rank_finish and finish; no history. */
int tan_simulate_compatible(const struct tan_schedule *s, const struct tan_sim_params *p,
                            struct tan_simulation *out, struct tan_error *e);

#endif
