/* awake.h - keeping cores without work from falling asleep
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_AWAKE_H
#define TANBENCH_HOST_AWAKE_H

#include "base/error.h"

/* A core that sleeps takes microseconds to wake up, a virtual one whose host has given its
 * processor away up to a millisecond: more than anything that is measured here. */
enum awake {
    AWAKE_AUTO, /* where ranks outnumber cores, if it is allowed */
    AWAKE_YES,
    AWAKE_NO,
};

/* Take the value of --awake. */
int awake_parse(const char *value, enum awake *awake, struct tan_error *e);

/* Keep all cores of this host awake (Linux's PM QoS) until the descriptor that is returned is
 * closed or the process ends, however it ends. -1: not allowed, or not known here. */
int awake_hold(void);

#endif
