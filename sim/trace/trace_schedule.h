/* trace_schedule.h - a program's trace as a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_TRACE_TRACE_SCHEDULE_H
#define SIM_TRACE_TRACE_SCHEDULE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulate.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* One rank of the traced program; times in seconds. */
struct tan_trace_rank {
    double started; /* when MPI_Init had returned, by the clock of rank 0, after the first rank */
    double run;     /* from MPI_Init to the last call */
    double in_mpi;  /* of it in MPI */
    double tracer;  /* beside it, of the tracer, for which other ranks may have waited in MPI; 0:
                       unknown */
    uint64_t calls;
};

/* Calls of one name, of all ranks. */
struct tan_trace_call {
    char name[40];
    uint64_t calls, bytes; /* bytes: sent or received by the caller; of reductions, of its vector */
    double seconds;
};

enum { TAN_TRACE_REMARKS = 16 };

struct tan_trace {
    const char *dir; /* where it was read from; borrowed */
    uint32_t first;  /* the schedule's rank of its rank 0 */
    uint32_t ranks;  /* that were traced: of several copies the first one's */
    uint32_t copies;
    struct tan_trace_rank *rank; /* owned */
    struct tan_trace_call *call; /* owned; the longest first */
    size_t n_calls;
    /* What makes a prediction doubtful: calls that are not simulated, files that are cut off. */
    char remark[TAN_TRACE_REMARKS][200];
    size_t n_remarks;
    bool cut;      /* a file has no MPI_Finalize */
    double read_s; /* that a simulation waited for the reading beside it */
};

struct tan_trace_options {
    const char *collectives;       /* the set of algorithms: "usual" or "schedgen" */
    const char *const *algorithms; /* "bcast=pipelined-ring:8", which replace those of the set */
    size_t n_algorithms;
    uint32_t copies; /* see below; 0 and 1: the job as it was traced */
};

/* Read the folder `dir` of a trace: the files of libtantrace, or of LogGOPSim's liballprof. Each
 * rank calculates between its calls as long as it did; collective operations become messages of
 * their communicators' ranks; a receive of a request from any source stays one; a run of tests that
 * found nothing, with little between them, is one wait where a test that finds something ends it.
 * What happened before the end of MPI_Init is left out, but for how far apart ranks left it, where
 * all files have clock differences. A file that ends early is taken as far as it goes, with a
 * remark. *trace is to be cleared, also after a failure.
 * With several copies the schedule is of a job with so many times the ranks, as LogGOPSim
 * extrapolates: rank r + i p does what rank r of p did; collective operations of all ranks are
 * those of all copies' ranks, while messages and smaller communicators stay within each copy.
 * Vector operations repeat their counts. */
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
void tan_trace_clear(struct tan_trace *trace);
/* The sets of algorithms, for help texts. */
void tan_trace_help(FILE *to);

TAN_END_DECLS

#endif
