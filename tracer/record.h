/* record.h - lines of a trace: times, arguments, communicators, requests
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line is NAME:START:ARGUMENTS:END in the order of the call's arguments, as liballprof writes it,
 * in microseconds of a clock that stands still while the tracer works. Behind END stands what
 * liballprof does not have: the numbers of requests, and where messages came from. */
#ifndef TRACER_RECORD_H
#define TRACER_RECORD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct call {
    const char *name;
    int64_t start, end; /* nanoseconds; the second is when the call had returned */
    bool recorded;
};

/* Begin after MPI_Init: the file, its head, the clock. End before MPI_Finalize. */
void record_open(const struct call *init);
void record_close(void);

/* Before the call, after it, and when its line is complete. Of calls within calls and outside of
 * MPI_Init and MPI_Finalize nothing is recorded. Arguments are written between the last two, only
 * where record_returned says so. */
void record_begin(struct call *c, const char *name);
bool record_returned(struct call *c);
void record_end(struct call *c);
/* In place of record_returned, after a test. Tests that found nothing, with little between them,
 * become one line before the next call's: "# polls START:END:NUMBER:TIME", the time in them. */
bool record_tested(struct call *c, bool found);

/* A buffer or a status, of which liballprof has the address, which nobody needs. */
void record_unused(void);
void record_number(int64_t value);
/* With -1 for any source and any tag, and -2 for MPI_PROC_NULL, whatever they are in this MPI. */
void record_rank(int rank);
void record_tag(int tag);
void record_type(MPI_Datatype type);
void record_comm(MPI_Comm comm);
/* Buffer, count and type; for MPI_IN_PLACE, where MPI looks at neither, and where they do not count
 * here, zeros. */
void record_data(const void *buffer, int count, MPI_Datatype type, bool counts);
/* The array and then an entry for each rank of `comm`; zeros where the array does not count here.
 */
void record_counts(const int *counts, MPI_Comm comm, bool count);
bool record_is_root(int root, MPI_Comm comm);
void record_op(MPI_Op op);
/* The field END; whatever follows is an addition to liballprof's format. */
void record_finish(const struct call *c);

/* A communicator that a call has made gets a number, and a line below that of the call with its
 * ranks of MPI_COMM_WORLD. */
void record_new_comm(MPI_Comm comm);
void record_freed_comm(MPI_Comm comm);

/* Number of a request that a call has made; persistent ones keep theirs until they are freed. */
void record_new_request(MPI_Request request, bool persistent);
/* What a completion has to know of a request before it completes. */
struct pending {
    int64_t number; /* -1: none, or not traced */
    uintptr_t handle;
};
struct pending record_pending(MPI_Request request);
/* One that is started or cancelled: ";NUMBER". */
void record_request(const struct pending *p);
/* A request that has completed: ";NUMBER,SOURCE,TAG,BYTES"; the source of a cancelled one is -3. */
void record_completed(const struct pending *p, MPI_Request now, const MPI_Status *status);
void record_freed_request(const struct pending *p);
/* ";-1,SOURCE,TAG,BYTES" of a message that was received without a request, or probed. */
void record_message(const MPI_Status *status);

#endif
