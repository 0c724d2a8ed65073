/* step.h - progress through the steps of a measurement
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_STEP_H
#define TAN_TANBENCH_P2P_STEP_H

#include <stdbool.h>

/* A part of a measurement with its own time limit. */
struct p2p_step {
    bool shown;     /* on stderr: a line that is replaced on a terminal, else one a minute */
    int number, of; /* 1-based */
    double later;   /* seconds for what follows this step */
};

/* Show what is being measured, and `left` seconds until this step ends (NaN if unknown): at the
 * start of a step and at most twice a second, or, in lines that stay, at most once a minute. */
void p2p_step_show(const struct p2p_step *s, double left, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Remove the line. */
void p2p_step_hide(const struct p2p_step *s);

#endif
