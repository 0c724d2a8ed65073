/* interference.h - threshold for the slowdown of a core used by others
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_SAMPLING_INTERFERENCE_H
#define TAN_BENCH_SAMPLING_INTERFERENCE_H

#include <stdbool.h>

/* A core's units serve two hardware threads, and the other one may belong to another job or virtual
 * machine. The kernel does not show this, but work that keeps the units busy then takes 1.2 to 2
 * times as long; on a free core it varies by 2 %. `took`, `fastest`: seconds for that work now, and
 * its minimum on this core. */
static inline bool tan_core_slowed(double took, double fastest)
{
    return took > 1.1 * fastest;
}

#endif
