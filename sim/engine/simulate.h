/* simulate.h - event-driven simulation of a schedule under LogGOPS
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_SIMULATE_H
#define TAN_SIM_ENGINE_SIMULATE_H

#include <stdbool.h>

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* Simulate `s` under LogGOPS (Hoefler, Schneider, Lumsdaine, LogGOPSim, HPDC 2010). An operation is
 * released when everything it requires has finished (irequires: started), and starts when its CPU
 * and NIC are free; operations waiting for a CPU are served in order of release. A message is
 * handled on the CPU and NIC of the receive it matches, once it has arrived and the receive is
 * posted. Ties in time are resolved by order of release. `history`: whether to record out->history.
 * Returns 0, to be cleared with tan_simulation_clear, even if some operations never happened; -1,
 * with nothing to clear, when parameters are invalid, memory is short or times exceed 2^62 ps.
 * O((operations + dependencies) log busy), where busy is the number of operations waiting for one
 * CPU. */
int tan_simulate(const struct tan_schedule *s, const struct tan_sim_params *p, bool history,
                 struct tan_simulation *out, struct tan_error *e);

#endif
