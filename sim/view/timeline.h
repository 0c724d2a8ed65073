/* timeline.h - timelines of a simulation: SVG pictures and Chrome traces
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_VIEW_TIMELINE_H
#define SIM_VIEW_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulate.h"
#include "sim/view/critical_path.h"

TAN_BEGIN_DECLS

/* Contents of a timeline; nothing is owned. The simulation needs a history; it may be of a job that
 * never finished: then everything that happened is drawn. */
struct tan_timeline {
    const char *title; /* UTF-8 */
    const struct tan_schedule *schedule;
    const struct tan_sim_params *params;
    const struct tan_simulation *simulation;
    const struct tan_critical_path *critical; /* emphasised; NULL: none */
};

/* Maximum numbers of lanes and operations of a picture. */
enum { TAN_SVG_RANKS = 64, TAN_SVG_OPS = 10000 };

/* An SVG picture with a lane for each rank, in colours that suit light and dark pages: all ranks if
 * they fit, else those of the critical path from its end backwards, then the lowest; drawn in the
 * order of their numbers. Ranks of the path with more than TAN_SVG_OPS operations are an error. A
 * failed write is left to the stream's owner. O(operations of the ranks drawn + steps of the path).
 */
int tan_timeline_svg(const struct tan_timeline *t, FILE *to, struct tan_error *e);

/* The same in the Chrome trace format, which Perfetto and chrome://tracing open: one process for
 * each rank with a thread for each CPU and each direction of a NIC, and a flow for each message.
 * All ranks are written, however many. Written as it goes: memory does not grow with the
 * operations, but for a bit each while there is a critical path. */
int tan_timeline_chrome(const struct tan_timeline *t, FILE *to, struct tan_error *e);

TAN_END_DECLS

#endif
