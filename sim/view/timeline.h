/* timeline.h - timeline of a simulation in the Chrome trace format
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_VIEW_TIMELINE_H
#define TAN_SIM_VIEW_TIMELINE_H

#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/view/critical_path.h"

/* Contents of a timeline; owns nothing. The simulation needs a history; if the job never finished,
 * everything that happened is drawn. */
struct tan_timeline {
    const char *title; /* UTF-8 */
    const struct tan_schedule *schedule;
    const struct tan_sim_params *params;
    const struct tan_simulation *simulation;
    const struct tan_critical_path *critical; /* path to emphasise; NULL: none */
};

/* Write what Perfetto and chrome://tracing open: a process per rank with a thread for each CPU and
 * each direction of a NIC, and a flow per message. Written incrementally: memory does not grow with
 * the number of operations, except for one bit each. Write errors are left to the stream's owner.
 */
int tan_timeline_chrome(const struct tan_timeline *t, FILE *to, struct tan_error *e);

#endif
