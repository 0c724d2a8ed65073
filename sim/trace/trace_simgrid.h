/* trace_simgrid.h - a traced program as SimGrid's time-independent trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TRACE_TRACE_SIMGRID_H
#define SIM_TRACE_TRACE_SIMGRID_H

#include "base/error.h"
#include "sim/trace/trace_schedule.h"

/* Write the program that `t` was loaded from into the folder `out`, which is made where it is not
 * there: rank-NUMBER.txt for each rank, and traces.txt, which lists them for smpirun -replay.
 * Calculations are `flops` for each second. What such a trace cannot say is an error with its
 * place: collective operations of some ranks only, or without a wait, and requests from any source.
 * O(its trace). */
int tan_trace_simgrid_write(const struct tan_trace *t, const char *out, double flops,
                            struct tan_error *e);

#endif
