/* trace_simgrid.h - a traced program as SimGrid's time-independent trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_SIMGRID_H
#define TAN_SIM_TRACE_TRACE_SIMGRID_H

#include "base/error.h"
#include "sim/trace/trace_schedule.h"

/* Write the program that `t` was loaded from to directory `out`, created if necessary:
 * rank-NUMBER.txt for each rank, and traces.txt, which lists them for smpirun -replay. Computations
 * are `flops` per second. Whatever the format cannot express is an error with its location:
 * collective operations that are nonblocking or do not involve all ranks in order, receives whose
 * source or tag is unknown when they are posted, cancelled requests, messages of 2 GiB or more, and
 * calls of several threads. O(its trace). */
int tan_trace_simgrid_write(const struct tan_trace *t, const char *out, double flops,
                            struct tan_error *e);

#endif
