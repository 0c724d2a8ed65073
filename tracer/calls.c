/* calls.c - the MPI calls that are traced, a row each
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row: name, parameters, arguments, what is looked at before the call, fields of its line. Fields
 * stand in the order of the parameters. */
#include <mpi.h>
#include <stdlib.h>

#include "tracer/record.h"

#define UNPACK(...) __VA_ARGS__
#define CALL(name, parameters, arguments, before, fields)                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        struct call c;                                                                             \
        UNPACK before record_begin(&c, "MPI_" #name);                                              \
        const int result = PMPI_##name arguments;                                                  \
        if (record_returned(&c)) {                                                                 \
            UNPACK fields record_end(&c);                                                          \
        }                                                                                          \
        return result;                                                                             \
    }
#define RANK(x) record_rank(x);
#define TAG(x)  record_tag(x);
/* A test: what it has not found is counted, and gets no line of its own. */
#define TEST(name, parameters, arguments, before, found, fields)                                   \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        struct call c;                                                                             \
        UNPACK before record_begin(&c, "MPI_" #name);                                              \
        const int result = PMPI_##name arguments;                                                  \
        if (record_tested(&c, found)) {                                                            \
            UNPACK fields record_end(&c);                                                          \
        }                                                                                          \
        return result;                                                                             \
    }
#define POINTER(x) record_unused();
#define ADDRESS(x) record_number((int64_t)(uintptr_t)(x));
#define NUMBER(x)  record_number(x);
#define TYPE(x)    record_type(x);
#define COMM(x)    record_comm(x);
#define END        record_finish(&c);
#define NOTHING    ()
#define REQUEST    record_new_request(*request, false);
#define PERSISTENT record_new_request(*request, true);
/* The caller may not want to know; a line does. */
#define STATUS (MPI_Status own; status = status == MPI_STATUS_IGNORE ? &own : status;)

/* Starting and ending */

int MPI_Init(int *argc, char ***argv)
{
    struct call c;
    record_begin(&c, "MPI_Init");
    const int result = PMPI_Init(argc, argv);
    record_returned(&c);
    record_open(&c);
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    struct call c;
    record_begin(&c, "MPI_Init");
    const int result = PMPI_Init_thread(argc, argv, required, provided);
    record_returned(&c);
    record_open(&c);
    return result;
}

int MPI_Finalize(void)
{
    struct call c;
    record_begin(&c, "MPI_Finalize");
    if (record_returned(&c)) {
        record_finish(&c);
        record_end(&c);
    }
    record_close();
    return PMPI_Finalize();
}

/* One message */

#define SEND_PARAMETERS                                                                            \
    const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm
#define SEND_ARGUMENTS buf, count, type, dest, tag, comm
#define SEND_FIELDS    POINTER(buf) NUMBER(count) TYPE(type) RANK(dest) TAG(tag) COMM(comm)
#define SEND(name)     CALL(name, (SEND_PARAMETERS), (SEND_ARGUMENTS), NOTHING, (SEND_FIELDS END))
#define ISEND(name, NEW)                                                                           \
    CALL(name, (SEND_PARAMETERS, MPI_Request * request), (SEND_ARGUMENTS, request), NOTHING,       \
         (SEND_FIELDS ADDRESS(request) END NEW))
SEND(Send)
SEND(Ssend)
SEND(Rsend)
SEND(Bsend)
ISEND(Isend, REQUEST)
ISEND(Issend, REQUEST)
ISEND(Irsend, REQUEST)
ISEND(Ibsend, REQUEST)
ISEND(Send_init, PERSISTENT)
ISEND(Ssend_init, PERSISTENT)
ISEND(Rsend_init, PERSISTENT)
ISEND(Bsend_init, PERSISTENT)

#define RECV_PARAMETERS void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm
#define RECV_ARGUMENTS  buf, count, type, source, tag, comm
#define RECV_FIELDS     POINTER(buf) NUMBER(count) TYPE(type) RANK(source) TAG(tag) COMM(comm)
CALL(Recv, (RECV_PARAMETERS, MPI_Status *status), (RECV_ARGUMENTS, status), STATUS,
     (RECV_FIELDS POINTER(status) END record_message(status);))
CALL(Irecv, (RECV_PARAMETERS, MPI_Request *request), (RECV_ARGUMENTS, request), NOTHING,
     (RECV_FIELDS ADDRESS(request) END REQUEST))
CALL(Recv_init, (RECV_PARAMETERS, MPI_Request *request), (RECV_ARGUMENTS, request), NOTHING,
     (RECV_FIELDS ADDRESS(request) END PERSISTENT))

CALL(Sendrecv,
     (const void *sbuf, int scount, MPI_Datatype stype, int dest, int stag, void *rbuf, int rcount,
      MPI_Datatype rtype, int source, int rtag, MPI_Comm comm, MPI_Status *status),
     (sbuf, scount, stype, dest, stag, rbuf, rcount, rtype, source, rtag, comm, status), STATUS,
     (POINTER(sbuf) NUMBER(scount) TYPE(stype) RANK(dest) TAG(stag) POINTER(rbuf) NUMBER(rcount)
          TYPE(rtype) RANK(source) TAG(rtag) COMM(comm) POINTER(status)
              END record_message(status);))
CALL(Sendrecv_replace,
     (void *buf, int count, MPI_Datatype type, int dest, int stag, int source, int rtag,
      MPI_Comm comm, MPI_Status *status),
     (buf, count, type, dest, stag, source, rtag, comm, status), STATUS,
     (POINTER(buf) NUMBER(count) TYPE(type) RANK(dest) TAG(stag) RANK(source) TAG(rtag) COMM(comm)
          POINTER(status) END record_message(status);))

CALL(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status),
     STATUS, (RANK(source) TAG(tag) COMM(comm) POINTER(status) END record_message(status);))
TEST(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
     (source, tag, comm, flag, status), STATUS, *flag,
     (RANK(source) TAG(tag) COMM(comm) NUMBER(*flag) POINTER(status)
          END if (*flag) { record_message(status); }))

/* Completion */

#define ONE                                                                                        \
    (MPI_Status own; status = status == MPI_STATUS_IGNORE ? &own : status;                         \
     const struct pending before = record_pending(*request);)
CALL(Wait, (MPI_Request * request, MPI_Status *status), (request, status), ONE,
     (ADDRESS(request) POINTER(status) END record_completed(&before, *request, status);))
TEST(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), ONE,
     *flag, (ADDRESS(request) NUMBER(*flag) POINTER(status) END if (*flag) {
         record_completed(&before, *request, status);
     }))
CALL(Request_free, (MPI_Request * request), (request),
     (const struct pending before = record_pending(*request);),
     (ADDRESS(request) END record_freed_request(&before);))
CALL(Cancel, (MPI_Request * request), (request),
     (const struct pending before = record_pending(*request);),
     (ADDRESS(request) END record_request(&before);))
CALL(Start, (MPI_Request * request), (request),
     (const struct pending before = record_pending(*request);),
     (ADDRESS(request) END record_request(&before);))

/* Requests and statuses of a call with many; memory for many is kept. */
struct many {
    struct pending *before;
    MPI_Status *status;
};
static _Thread_local struct many kept;
static _Thread_local int kept_room;

static struct many look_at(int n, const MPI_Request *requests, MPI_Status *statuses)
{
    if (n > kept_room) {
        free(kept.before);
        free(kept.status);
        kept_room = 2 * n;
        kept.before = malloc((size_t)kept_room * sizeof *kept.before);
        kept.status = malloc((size_t)kept_room * sizeof *kept.status);
        if (kept.before == NULL || kept.status == NULL) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    for (int i = 0; i < n; i++) {
        kept.before[i] = record_pending(requests[i]);
    }
    const struct many many = {kept.before,
                              statuses == MPI_STATUSES_IGNORE ? kept.status : statuses};
    return many;
}

static void completed(const struct many *m, int n, const int *which, const MPI_Request *requests)
{
    for (int i = 0; i < n; i++) {
        const int k = which == NULL ? i : which[i];
        record_completed(&m->before[k], requests[k], &m->status[i]);
    }
}

#define MANY (const struct many many = look_at(n, requests, statuses); statuses = many.status;)
#define MANY_ONE                                                                                   \
    (const struct many many = look_at(n, requests, MPI_STATUSES_IGNORE); MPI_Status own;           \
     status = status == MPI_STATUS_IGNORE ? &own : status;)
CALL(Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]), (n, requests, statuses), MANY,
     (NUMBER(n) ADDRESS(requests) POINTER(statuses) END completed(&many, n, NULL, requests);))
TEST(Testall, (int n, MPI_Request requests[], int *flag, MPI_Status statuses[]),
     (n, requests, flag, statuses), MANY, *flag,
     (NUMBER(n) ADDRESS(requests) NUMBER(*flag) POINTER(statuses)
          END if (*flag) { completed(&many, n, NULL, requests); }))
CALL(Waitany, (int n, MPI_Request requests[], int *index, MPI_Status *status),
     (n, requests, index, status), MANY_ONE,
     (NUMBER(n) ADDRESS(requests) NUMBER(*index) POINTER(status)
          END if (*index >= 0 && *index < n) {
              record_completed(&many.before[*index], requests[*index], status);
          }))
TEST(Testany, (int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
     (n, requests, index, flag, status), MANY_ONE, *flag,
     (NUMBER(n) ADDRESS(requests) NUMBER(*index) NUMBER(*flag) POINTER(status)
          END if (*flag && *index >= 0 && *index < n) {
              record_completed(&many.before[*index], requests[*index], status);
          }))
CALL(Waitsome, (int n, MPI_Request requests[], int *count, int indices[], MPI_Status statuses[]),
     (n, requests, count, indices, statuses), MANY,
     (NUMBER(n) ADDRESS(requests) NUMBER(*count) POINTER(indices) POINTER(statuses)
          END if (*count > 0) { completed(&many, *count, indices, requests); }))
TEST(Testsome, (int n, MPI_Request requests[], int *count, int indices[], MPI_Status statuses[]),
     (n, requests, count, indices, statuses), MANY, *count > 0,
     (NUMBER(n) ADDRESS(requests) NUMBER(*count) POINTER(indices) POINTER(statuses)
          END if (*count > 0) { completed(&many, *count, indices, requests); }))
CALL(Startall, (int n, MPI_Request requests[]), (n, requests),
     (const struct many many = look_at(n, requests, MPI_STATUSES_IGNORE);),
     (NUMBER(n) ADDRESS(requests)
          END for (int i = 0; i < n; i++) { record_request(&many.before[i]); }))

/* Collective operations, blocking and not */

#define COLLECTIVE(name, iname, parameters, arguments, fields)                                     \
    CALL(name, (UNPACK parameters), (UNPACK arguments), NOTHING, (UNPACK fields END))              \
    CALL(iname, (UNPACK parameters, MPI_Request * request), (UNPACK arguments, request), NOTHING,  \
         (UNPACK fields ADDRESS(request) END REQUEST))
#define SDATA                           const void *sbuf, int scount, MPI_Datatype stype
#define RDATA                           void *rbuf, int rcount, MPI_Datatype rtype
#define DATA(buf, count, type)          record_data(buf, count, type, true);
#define DATA_OF(buf, count, type, here) record_data(buf, count, type, here);
#define ROOT                            record_is_root(root, comm)

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), (COMM(comm)))
COLLECTIVE(Bcast, Ibcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (buf, count, type, root, comm),
           (POINTER(buf) NUMBER(count) TYPE(type) NUMBER(root) COMM(comm)))
COLLECTIVE(Reduce, Ireduce,
           (const void *sbuf, void *rbuf, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (sbuf, rbuf, count, type, op, root, comm),
           (POINTER(sbuf) POINTER(rbuf) NUMBER(count) TYPE(type) record_op(op);
            NUMBER(root) COMM(comm)))
#define REDUCTION(name, iname)                                                                     \
    COLLECTIVE(                                                                                    \
        name, iname,                                                                               \
        (const void *sbuf, void *rbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),    \
        (sbuf, rbuf, count, type, op, comm),                                                       \
        (POINTER(sbuf) POINTER(rbuf) NUMBER(count) TYPE(type) record_op(op); COMM(comm)))
REDUCTION(Allreduce, Iallreduce)
REDUCTION(Scan, Iscan)
REDUCTION(Exscan, Iexscan)
REDUCTION(Reduce_scatter_block, Ireduce_scatter_block)
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *sbuf, void *rbuf, const int rcounts[], MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (sbuf, rbuf, rcounts, type, op, comm),
           (POINTER(sbuf) POINTER(rbuf) record_counts(rcounts, comm, true);
            TYPE(type) record_op(op); COMM(comm)))
COLLECTIVE(Gather, Igather, (SDATA, RDATA, int root, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),
           (DATA(sbuf, scount, stype) DATA_OF(rbuf, rcount, rtype, ROOT) NUMBER(root) COMM(comm)))
COLLECTIVE(Scatter, Iscatter, (SDATA, RDATA, int root, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),
           (DATA_OF(sbuf, scount, stype, ROOT) DATA(rbuf, rcount, rtype) NUMBER(root) COMM(comm)))
COLLECTIVE(Allgather, Iallgather, (SDATA, RDATA, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, comm),
           (DATA(sbuf, scount, stype) DATA(rbuf, rcount, rtype) COMM(comm)))
COLLECTIVE(Alltoall, Ialltoall, (SDATA, RDATA, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, comm),
           (DATA(sbuf, scount, stype) DATA(rbuf, rcount, rtype) COMM(comm)))
/* As liballprof has them: counts, displacements, type; the type at its place in the parameters. */
#define TYPE_OF(type, here)                                                                        \
    if (here) {                                                                                    \
        record_type(type);                                                                         \
    } else {                                                                                       \
        record_type(MPI_DATATYPE_NULL);                                                            \
    }
COLLECTIVE(Gatherv, Igatherv,
           (SDATA, void *rbuf, const int rcounts[], const int displs[], MPI_Datatype rtype,
            int root, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcounts, displs, rtype, root, comm),
           (DATA(sbuf, scount, stype) POINTER(rbuf) record_counts(rcounts, comm, ROOT);
            record_counts(displs, comm, ROOT); TYPE_OF(rtype, ROOT) NUMBER(root) COMM(comm)))
COLLECTIVE(Scatterv, Iscatterv,
           (const void *sbuf, const int scounts[], const int displs[], MPI_Datatype stype, RDATA,
            int root, MPI_Comm comm),
           (sbuf, scounts, displs, stype, rbuf, rcount, rtype, root, comm),
           (POINTER(sbuf) record_counts(scounts, comm, ROOT); record_counts(displs, comm, ROOT);
            TYPE_OF(stype, ROOT) DATA(rbuf, rcount, rtype) NUMBER(root) COMM(comm)))
COLLECTIVE(Allgatherv, Iallgatherv,
           (SDATA, void *rbuf, const int rcounts[], const int displs[], MPI_Datatype rtype,
            MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcounts, displs, rtype, comm),
           (DATA(sbuf, scount, stype) POINTER(rbuf) record_counts(rcounts, comm, true);
            record_counts(displs, comm, true); TYPE(rtype) COMM(comm)))
COLLECTIVE(Alltoallv, Ialltoallv,
           (const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype,
            void *rbuf, const int rcounts[], const int rdispls[], MPI_Datatype rtype,
            MPI_Comm comm),
           (sbuf, scounts, sdispls, stype, rbuf, rcounts, rdispls, rtype, comm),
           (POINTER(sbuf) record_counts(scounts, comm, sbuf != MPI_IN_PLACE);
            record_counts(sdispls, comm, sbuf != MPI_IN_PLACE);
            TYPE_OF(stype, sbuf != MPI_IN_PLACE) POINTER(rbuf) record_counts(rcounts, comm, true);
            record_counts(rdispls, comm, true); TYPE(rtype) COMM(comm)))

/* Communicators: the line of the new one follows that of the call. */

#define MAKER(name, parameters, arguments, made)                                                   \
    CALL(name, parameters, arguments, NOTHING, (COMM(comm) END record_new_comm(made);))
MAKER(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), *made)
MAKER(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made), *made)
MAKER(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made),
      *made)
MAKER(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made), *made)
MAKER(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made), *made)
MAKER(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made),
      (comm, group, tag, made), *made)
MAKER(Cart_create,
      (MPI_Comm comm, int n, const int dims[], const int periods[], int reorder, MPI_Comm *made),
      (comm, n, dims, periods, reorder, made), *made)
MAKER(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made), *made)
MAKER(Graph_create,
      (MPI_Comm comm, int n, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (comm, n, index, edges, reorder, made), *made)
CALL(Comm_free, (MPI_Comm * comm), (comm), (const MPI_Comm freed = *comm;),
     (record_number(0); END record_freed_comm(freed);))
CALL(Comm_disconnect, (MPI_Comm * comm), (comm), (const MPI_Comm freed = *comm;),
     (record_number(0); END record_freed_comm(freed);))

/* What cannot be simulated is there by name. */

#define BY_NAME(name, parameters, arguments) CALL(name, parameters, arguments, NOTHING, (END))
BY_NAME(Win_create,
        (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
        (base, size, unit, info, comm, win))
BY_NAME(Win_allocate,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
        (size, unit, info, comm, base, win))
BY_NAME(Win_fence, (int assert, MPI_Win win), (assert, win))
BY_NAME(Put,
        (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int n,
         MPI_Datatype there, MPI_Win win),
        (buf, count, type, rank, at, n, there, win))
BY_NAME(Get,
        (void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int n, MPI_Datatype there,
         MPI_Win win),
        (buf, count, type, rank, at, n, there, win))
BY_NAME(Accumulate,
        (const void *buf, int count, MPI_Datatype type, int rank, MPI_Aint at, int n,
         MPI_Datatype there, MPI_Op op, MPI_Win win),
        (buf, count, type, rank, at, n, there, op, win))
BY_NAME(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
        (comm, name, mode, info, file))
BY_NAME(Comm_spawn,
        (const char *command, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm,
         MPI_Comm *made, int errors[]),
        (command, argv, n, info, root, comm, made, errors))
