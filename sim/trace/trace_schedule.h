/* trace_schedule.h - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACE_TRACE_SCHEDULE_H
#define TAN_SIM_TRACE_TRACE_SCHEDULE_H

#include "base/error.h"
#include "sim/schedule/schedule.h"
#include "sim/trace/trace_calls.h"

/* Read the trace in directory `dir`: files of libtantrace, or of LogGOPSim's liballprof. Between
 * its calls each rank calculates for as long as it did; collective operations become messages
 * between their communicators' ranks; a receive from any source gets the message it got in the
 * trace; a series of unsuccessful tests with little between them becomes a wait if it ends with a
 * successful one. Everything before the end of MPI_Init is left out, except for the times at which
 * ranks left it, if all files have clock offsets. A truncated file is used as far as it goes, with
 * a doubt; one that is damaged is an error. The caller destroys the schedule, which is NULL on
 * failure. *trace must be cleared, even after a failure. */
struct tan_schedule *tan_trace_load(const char *dir, const struct tan_trace_options *options,
                                    struct tan_trace *trace, struct tan_error *e);
void tan_trace_clear(struct tan_trace *trace);

#endif
