/* core_probe.h - how fast two cores are at the moment, without a message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_CORE_PROBE_H
#define TANBENCH_HOST_CORE_PROBE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A core's units serve two hardware threads, and the other one may belong to somebody else: another
 * job, another virtual machine. The kernel does not show it, a chain of dependent instructions does
 * not either, but whatever keeps the units busy takes up to twice as long. Nor does a virtual
 * machine show where its processors are: how long a cache line takes from one to the other does. */

/* Seconds that this core takes for a fixed piece of work (some 5 us) that keeps its units busy. */
double pace_work(void);
/* A piece of work took clearly longer than it can: others use the core, too. A free core varies by
 * 2 %, a used one takes 1.2 to 2 times as long. */
static inline bool pace_slowed(double took, double fastest)
{
    return took > 1.1 * fastest;
}

/* A cache line that two processes of a host pass to and fro; zeroed before its first use. */
struct pace_line {
    _Alignas(128) _Atomic uint64_t turns;
};
enum { PACE_TURNS = 32 };
/* Both sides call it at about the same time with the same `before`: the turns that the line has
 * taken so far. Returns the seconds that a turn took; NaN when the other side did not take part
 * within a millisecond, and for the side that does not begin. */
double pace_pass(struct pace_line *line, uint64_t before, bool begins);

#endif
