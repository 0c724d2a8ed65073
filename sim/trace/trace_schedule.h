/* trace_schedule.h - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef TAN_SIM_TRACE_TRACE_SCHEDULE_H
#define TAN_SIM_TRACE_TRACE_SCHEDULE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/calls/trace.h"
#include "sim/engine/simulate.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* Read the trace in directory `dir`: files of libtantrace, or of LogGOPSim's liballprof. Between
 * its calls each rank calculates for as long as it did; collective operations become messages
 * between their communicators' ranks; a receive from any source gets the message it got in the
 * trace; a series of unsuccessful tests with little between them becomes a wait if it ends with a
 * successful one. Everything before the end of MPI_Init is left out, except for the times at which
 * ranks left it, if all files have clock offsets. A truncated file is used as far as it goes, with
 * a doubt; one that is damaged is an error. The caller destroys the schedule, which is NULL on
 * failure. *trace borrows `dir`, and must be cleared, even after a failure.
 *
 * With several copies the schedule is that of a larger job, with the ranks of each copy after those
 * of the previous one. Messages between two ranks stay within a copy. A collective operation
 * involves the communicator's ranks in all copies, with the root of the first one; lists of counts
 * are repeated. A communicator of a single rank stays one, unless that is the whole job. */
struct tan_schedule *tan_trace_load(const char *dir, const struct tan_trace_options *options,
                                    struct tan_trace *trace, struct tan_error *e);
/* The same for `n` programs side by side, which start simultaneously, with the ranks of each after
 * those of the previous one. *traces has n entries, all to be cleared. */
struct tan_schedule *tan_trace_load_all(const char *const *dirs, size_t n,
                                        const struct tan_trace_options *options,
                                        struct tan_trace *traces, struct tan_error *e);

/* Callbacks during the simulation of a trace while it is read. */
struct tan_trace_watch {
    /* Called with the number of ranks before the simulation starts; may be NULL. */
    int (*begins)(void *context, uint32_t ranks, struct tan_error *e);
    /* Called after operations were added, before any of them is simulated; may be NULL. */
    int (*added)(void *context, const struct tan_schedule_builder *b, struct tan_error *e);
    void *context;
};

/* Read and simulate a trace concurrently, in memory that does not grow with its length: the same as
 * tan_trace_load and tan_simulate, with the state that tan_simulate_fed leaves. Returns 1 if the
 * trace must be read as a whole, since it has receives from any source or cancelled requests, or
 * more ranks than files can be open. *trace and *out must be cleared in any case. */
int tan_trace_simulate(const char *dir, const struct tan_trace_options *options,
                       const struct tan_sim_params *p, const struct tan_trace_watch *watch,
                       struct tan_trace *trace, struct tan_simulation *out,
                       struct tan_schedule **left, struct tan_error *e);
/* The sets of algorithms, for help texts. */
void tan_trace_help(FILE *to);

TAN_END_DECLS

#endif
