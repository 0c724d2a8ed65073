/* step.h - steps of a measurement of messages, and how far it is
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_STEP_H
#define TANBENCH_P2P_STEP_H

#include <stdbool.h>

/* Part of a measurement that has a time of its own. */
struct p2p_step {
    bool shown;     /* on stderr */
    bool json;      /* as an object a line; else a line that is replaced on a terminal, or one a
                       minute */
    int number, of; /* from 1 on */
    double later;   /* seconds that what comes after this step takes */
};

/* Between two rounds: what is being measured, `left` seconds before this step ends (NaN: not
 * known). Shown twice a second and at the beginning of a step; lines that stay, once a minute. */
void p2p_step_show(const struct p2p_step *s, double left, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Remove the line. */
void p2p_step_hide(const struct p2p_step *s);

#endif
