/* record.h - lines of a trace: times, arguments, communicators, requests
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is NAME:START:ARGUMENTS:END in the order of the call's arguments, as liballprof writes it,
 * in microseconds of a clock that stands still while the tracer works. What it leaves in the time
 * of a call and between two is measured at the start and taken off. Behind END stands what
 * liballprof does not have: the numbers of requests, and where messages came from.
 *
 * Calls of several threads stand in the order of their ends, behind a line that says whose follow.
 */
#ifndef TRACER_RECORD_H
#define TRACER_RECORD_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
    const char *name;
    int64_t start, end; /* nanoseconds, never before the end of the thread's call above */
    int64_t returned;   /* the second one as the clock has it */
    size_t mark;        /* where its line begins */
    MPI_Comm made;      /* gets a line of its own below */
    MPI_Comm like;      /* has the same ranks, where that one cannot be asked yet */
    bool recorded;
};

/* Begin after MPI_Init: the file, its head, the clock. End before MPI_Finalize. */
void record_open(const struct call *init);
void record_close(void);
/* Before the program ends without MPI_Finalize. */
void record_flush(void);

/* Before the call, after it, and when its line is complete. Of calls within calls and outside of
 * MPI_Init and MPI_Finalize nothing is recorded. Arguments are written between the last two, only
 * where record_returned says so. */
void record_begin(struct call *c, const char *name);
bool record_returned(struct call *c);
void record_end(struct call *c);
/* In place of record_returned, after a test. Tests that found nothing, with little between them,
 * become one line before the next call's: "# polls: START:END:NUMBER:TIME", the time in them. */
bool record_tested(struct call *c, bool found);
/* A buffer of a collective operation or a status, of which liballprof has the address, which nobody
 * needs. */
void record_unused(void);
/* Where a message is. */
void record_address(const void *buffer);
void record_number(int64_t value);
/* With -1 for any source and any tag, and -2 for MPI_PROC_NULL, whatever they are in this MPI. */
void record_rank(int rank, MPI_Comm comm);
void record_tag(int tag);
void record_type(MPI_Datatype type);
/* Bytes of one element. */
int64_t record_bytes(MPI_Datatype type);
/* Buffer, count and type; for MPI_IN_PLACE, where MPI looks at neither, and where they do not count
 * here, zeros. */
void record_data(const void *buffer, int count, MPI_Datatype type, bool counts);
/* The array and then an entry for each rank of `comm`; zeros where the array does not count here.
 */
void record_counts(const int *counts, MPI_Comm comm, bool count);
/* The same as bytes, where each entry has its own type. */
void record_typed_counts(const int *counts, const MPI_Datatype *types, MPI_Comm comm, bool count);
void record_op(MPI_Op op);
/* For messages, and for a collective operation of `all`. */
void record_comm_of(MPI_Comm comm, bool all);
/* The field END; whatever follows is an addition to liballprof's format. */
void record_finish(const struct call *c);
/* Lines that stand for a call: its own one becomes a comment with its name and times. */
void record_replace(struct call *c);
#endif
