/* record.h - lines of a trace: times, arguments, communicators, requests
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is NAME:START:ARGUMENTS:END with the call's arguments in order, as written by liballprof.
 * Times are microseconds of a clock that stops while the tracer works. The overhead that remains in
 * and between calls is measured at startup and subtracted. After END follow extensions of
 * liballprof's format: request numbers and message sources.
 *
 * Calls of several threads are ordered by their ends; a line announces each change of thread. */
#ifndef TAN_SIM_TRACER_RECORD_H
#define TAN_SIM_TRACER_RECORD_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
    const char *name;
    int64_t start, end; /* nanoseconds, at least the end of the thread's previous call */
    int64_t returned;   /* the end as read from the clock */
    size_t mark;        /* start of its line */
    MPI_Comm made;      /* gets a line of its own below */
    MPI_Comm like;      /* has the same ranks as `made`, if that cannot be queried yet */
    bool recorded;
};

/* Open the file, write its head and start the clock, after MPI_Init. Close it before
 * MPI_Finalize. */
void record_open(const struct call *init);
void record_close(void);
/* For a program that ends without MPI_Finalize. */
void record_flush(void);

/* The class of what a call has returned, and whether the call took effect: even if it returned an
 * error, it received a message that was too long, or completed some of several requests. */
int record_class(int result);
static inline bool record_happened(int result)
{
    return result == MPI_SUCCESS || record_class(result) == MPI_ERR_TRUNCATE ||
           record_class(result) == MPI_ERR_IN_STATUS;
}

/* Call before the MPI call, after it, and when its line is complete. Nested calls, and calls
 * outside MPI_Init and MPI_Finalize, are not recorded. Arguments are written between the last two,
 * only if record_returned returns true. Of a call that did not happen, only the time counts, as
 * computation: it has no line. */
void record_begin(struct call *c, const char *name);
bool record_returned(struct call *c, int result);
void record_end(struct call *c);
/* Use instead of record_returned for a test. Unsuccessful tests in close succession become one line
 * before the next call's: "# polls: START:END:NUMBER:TIME", with the time spent in them. */
bool record_tested(struct call *c, int result, bool found);
/* A collective's buffer or a status, whose address liballprof writes, but nothing reads. */
void record_unused(void);
/* The address of a message. */
void record_address(const void *buffer);
void record_number(int64_t value);
/* MPI's values for any source, any tag and MPI_PROC_NULL become -1, -1 and -2. */
void record_rank(int rank, MPI_Comm comm);
void record_tag(int tag);
void record_type(MPI_Datatype type);
/* Size of one element. */
int64_t record_bytes(MPI_Datatype type);
/* An unused buffer, count and type. All are zeros for MPI_IN_PLACE, when MPI ignores count and
 * type, and if they are not significant at this rank. */
void record_data(const void *buffer, int count, MPI_Datatype type, bool significant);
/* An unused address, and an entry per rank of `comm`, with zeros for an array that is NULL or not
 * significant at this rank. */
void record_counts(const int *counts, MPI_Comm comm, bool significant);
/* The same in bytes, with a type per entry. */
void record_typed_counts(const int *counts, const MPI_Datatype *types, MPI_Comm comm,
                         bool significant);
void record_op(MPI_Op op);
/* For messages, and for a collective operation on `all` ranks. */
void record_comm_of(MPI_Comm comm, bool all);
/* Write END; everything after it extends liballprof's format. */
void record_finish(const struct call *c);
/* For a call represented by other lines: its own becomes a comment with name and times. */
void record_replace(struct call *c);

#endif
