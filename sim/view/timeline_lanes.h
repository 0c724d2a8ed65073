/* timeline_lanes.h - where everything stands in a picture of a simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_VIEW_TIMELINE_LANES_H
#define SIM_VIEW_TIMELINE_LANES_H

#include "sim/view/timeline.h"

/* Pixels. */
enum {
    TAN_SVG_WIDTH = 1200,
    TAN_SVG_LEFT = 124, /* of the plot: names of ranks stand there */
    TAN_SVG_RIGHT = 28, /* margin */
    TAN_SVG_TOP = 116,  /* of the first lane */
    TAN_SVG_NIC = 3,    /* height of a NIC's bar */
};

enum { TAN_LANE_NUMBERS = 256 }; /* of CPUs and NICs of a rank */

struct tan_lane {
    uint32_t rank;
    int top, height, n_cpus;
    int cpu_top[TAN_LANE_NUMBERS], nic_top[TAN_LANE_NUMBERS]; /* 0: not used */
};

struct tan_lanes {
    uint32_t n;
    struct tan_lane *lanes; /* owned, from top to bottom */
    uint64_t span;          /* picoseconds from left to right, > 0 */
    int bar;                /* height of a CPU's bar */
    int bottom;             /* of the last lane */
};

/* Choose the ranks and lay them out, as tan_timeline_svg says. */
int tan_lanes_make(const struct tan_timeline *t, struct tan_lanes *out, struct tan_error *e);
void tan_lanes_clear(struct tan_lanes *lanes);
/* The lane of a rank; NULL when it is not drawn. */
const struct tan_lane *tan_lanes_find(const struct tan_lanes *lanes, uint32_t rank);
/* From a time to a place; times after the end are at the right margin. */
double tan_lanes_x(const struct tan_lanes *lanes, uint64_t ps);

#endif
