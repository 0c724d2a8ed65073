/* simulate.h - event-driven simulation of a schedule under LogGOPS
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_ENGINE_SIMULATE_H
#define SIM_ENGINE_SIMULATE_H

#include <stdbool.h>

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/feed.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* Simulate with sound semantics: an operation starts when everything that it requires has finished
 * (irequires: started) on any CPU, and its CPU and NIC are free; among those that wait for the same
 * CPU the one released first goes first. A message is handled on the CPU and NIC of the receive
 * that it matches, when it has arrived and the receive is posted. Ties in time go to the operation
 * released first. Returns 0 also when something never happened (see struct tan_simulation); -1 when
 * memory is short or times pass 2^62 ps. O((operations + dependencies) log busy), where busy is the
 * number that wait for one CPU. */
int tan_simulate(const struct tan_schedule *s, const struct tan_sim_params *p, bool history,
                 struct tan_simulation *out, struct tan_error *e);

/* The same as tan_simulate of the whole schedule, to the picosecond, without a history and without
 * noise (which is drawn by numbers of operations). Memory does not depend on the length of
 * schedules but on how far ranks run ahead of each other. Dependencies count in the order of their
 * operations. *left: NULL, or where something never happened, the part of the schedule that was
 * being simulated at the end, in which the lists of *out number the operations; the caller owns it.
 */
int tan_simulate_fed(const struct tan_feed *feed, const struct tan_sim_params *p,
                     struct tan_simulation *out, struct tan_schedule **left, struct tan_error *e);

TAN_END_DECLS

#endif
