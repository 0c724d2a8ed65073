/* timeline.h - timelines of a simulation: SVG pictures and Chrome traces
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_SIM_VIEW_TIMELINE_H
#define TAN_SIM_VIEW_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulate.h"
#include "sim/view/critical_path.h"

TAN_BEGIN_DECLS

/* Contents of a timeline; owns nothing. The simulation needs a history; if the job never finished,
 * everything that happened is drawn. */
struct tan_timeline {
    const char *title; /* UTF-8 */
    const struct tan_schedule *schedule;
    const struct tan_sim_params *params;
    const struct tan_simulation *simulation;
    const struct tan_critical_path *critical; /* path to emphasise; NULL: none */
};

/* Maximum numbers of lanes and operations in a picture. */
enum { TAN_SVG_RANKS = 64, TAN_SVG_OPS = 10000 };

/* An SVG picture with a lane per rank, in colours for light and dark pages: all ranks if they fit,
 * otherwise those on the critical path starting from its end, then the lowest that fit; drawn in
 * order of rank. It is an error if the first TAN_SVG_RANKS of the path, or rank 0 without a path,
 * have more than TAN_SVG_OPS operations. Write errors are left to the stream's owner. O(operations
 * of the drawn ranks + steps of the path). */
int tan_timeline_svg(const struct tan_timeline *t, FILE *to, struct tan_error *e);

/* The same in the Chrome trace format of Perfetto and chrome://tracing: a process per rank with a
 * thread for each CPU and each direction of a NIC, and a flow per message. Always includes all
 * ranks. Written incrementally: memory does not grow with the number of operations, except for one
 * bit each if there is a critical path. */
int tan_timeline_chrome(const struct tan_timeline *t, FILE *to, struct tan_error *e);

TAN_END_DECLS

#endif
