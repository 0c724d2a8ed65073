/* mode.h - table of the measuring modes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_PLAN_MODE_H
#define TAN_BENCH_PLAN_MODE_H

#include <stdbool.h>

/* Measuring modes, by the source of waves. */
enum mode {
    MODE_WAVES,    /* the root asks, every leaf answers: round trips, timed with one clock */
    MODE_ONEWAY,   /* leaves with synchronised clocks send together: one-way times */
    MODE_STREAM,   /* leaves send packets without requests */
    MODE_FAILURES, /* round trips on a tree that heals when a process falls silent */
    MODES
};

/* Properties of a mode. */
struct mode_info {
    const char *name, *help;
    bool clocks; /* needs leaves' times, so their clocks are compared with the root's */
    bool pushes; /* leaves push, so there are no round trips */
    bool heals;  /* a process fails */
};

extern const struct mode_info tan_modes[MODES];

#endif
