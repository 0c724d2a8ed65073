/* trace_schedule.h - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_TRACE_TRACE_SCHEDULE_H
#define SIM_TRACE_TRACE_SCHEDULE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/calls/trace.h"
#include "sim/engine/simulate.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* Read the folder `dir` of a trace: the files of libtantrace, or of LogGOPSim's liballprof. Each
 * rank calculates between its calls as long as it did; collective operations become messages of
 * their communicators' ranks; a receive from any source gets the message that it got; a run of
 * tests that found nothing, with little between them, is one wait where a test that finds something
 * ends it. What happened before the end of MPI_Init is left out, but for how far apart ranks left
 * it, where all files have clock differences. A file that ends early is taken as far as it goes,
 * with a doubt. *trace is to be cleared, also after a failure.
 *
 * With several copies the schedule is of a larger job, whose ranks are those of each copy after
 * those of the one before. Messages between two ranks stay within a copy. A collective operation is
 * one of the communicator's ranks in all copies, with the root of the first one; lists of counts
 * are repeated. A communicator of one rank, unless that is the whole job, stays one.
 */
struct tan_schedule *tan_trace_load(const char *dir, const struct tan_trace_options *options,
                                    struct tan_trace *trace, struct tan_error *e);
/* The same for `n` programs side by side, which begin at the same time: the ranks of each follow
 * those of the one before. *traces has n of them, all to be cleared. */
struct tan_schedule *tan_trace_load_all(const char *const *dirs, size_t n,
                                        const struct tan_trace_options *options,
                                        struct tan_trace *traces, struct tan_error *e);

/* What the caller wants to know of a trace that is simulated while it is read. */
struct tan_trace_watch {
    /* The number of ranks, before the simulation begins; NULL: nothing. */
    int (*begins)(void *context, uint32_t ranks, struct tan_error *e);
    /* The builder has got more operations, before any of them is simulated; NULL: nothing. */
    int (*added)(void *context, const struct tan_schedule_builder *b, struct tan_error *e);
    void *context;
};

/* Read and simulate a trace at the same time, in memory that does not grow with its length: the
 * same as tan_trace_load and tan_simulate, with what is left as tan_simulate_fed leaves it. Returns
 * 1 for a trace that has to be read as a whole, since it has receives from any source or requests
 * that were cancelled, or more ranks than files can be open. *trace is to be cleared, and *out,
 * always. */
int tan_trace_simulate(const char *dir, const struct tan_trace_options *options,
                       const struct tan_sim_params *p, const struct tan_trace_watch *watch,
                       struct tan_trace *trace, struct tan_simulation *out,
                       struct tan_schedule **left, struct tan_error *e);
/* The sets of algorithms, for help texts. */
void tan_trace_help(FILE *to);

TAN_END_DECLS

#endif
