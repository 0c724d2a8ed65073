/* collectives.c - collective operations: one row each
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/calls.h"

/* Blocking, nonblocking and persistent */

#define IMMEDIATE(name, iname, parameters, arguments, fields)                                      \
    CALL(name, (UNPACK parameters), (UNPACK arguments), NOTHING, (UNPACK fields END))              \
    CALL(iname, (UNPACK parameters, MPI_Request * request), (UNPACK arguments, request), NOTHING,  \
         (UNPACK fields ADDRESS(request) END REQUEST))
#if MPI_VERSION >= 4
/* Each start of a persistent operation is recorded as a nonblocking one. */
#define COLLECTIVE(name, iname, parameters, arguments, fields)                                     \
    IMMEDIATE(name, iname, parameters, arguments, fields)                                          \
    CALL(name##_init, (UNPACK parameters, MPI_Info info, MPI_Request * request),                   \
         (UNPACK arguments, info, request), NOTHING,                                               \
         (UNPACK fields ADDRESS(request) requests_keep_call(*request, "MPI_" #iname, c.mark);      \
          END PERSISTENT))
#else
#define COLLECTIVE IMMEDIATE
#endif
#define SDATA                  const void *sbuf, int scount, MPI_Datatype stype
#define RDATA                  void *rbuf, int rcount, MPI_Datatype rtype
#define DATA(buf, count, type) record_data(buf, count, type, true);
/* `here`: whether the arguments are significant at this rank. */
#define DATA_OF(buf, count, type, here) record_data(buf, count, type, here);
#define ROOT                            comms_is_root(root, comm)

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), (ALL(comm)))
COLLECTIVE(Bcast, Ibcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (buf, count, type, root, comm),
           (POINTER(buf) NUMBER(count) TYPE(type) NUMBER(root) ALL(comm)))
COLLECTIVE(Reduce, Ireduce,
           (const void *sbuf, void *rbuf, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (sbuf, rbuf, count, type, op, root, comm),
           (POINTER(sbuf) POINTER(rbuf) NUMBER(count) TYPE(type) record_op(op);
            NUMBER(root) ALL(comm)))
#define REDUCTION(name, iname)                                                                     \
    COLLECTIVE(                                                                                    \
        name, iname,                                                                               \
        (const void *sbuf, void *rbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),    \
        (sbuf, rbuf, count, type, op, comm),                                                       \
        (POINTER(sbuf) POINTER(rbuf) NUMBER(count) TYPE(type) record_op(op); ALL(comm)))
REDUCTION(Allreduce, Iallreduce)
REDUCTION(Scan, Iscan)
REDUCTION(Exscan, Iexscan)
REDUCTION(Reduce_scatter_block, Ireduce_scatter_block)
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *sbuf, void *rbuf, const int rcounts[], MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (sbuf, rbuf, rcounts, type, op, comm),
           (POINTER(sbuf) POINTER(rbuf) record_counts(rcounts, comm, true);
            TYPE(type) record_op(op); ALL(comm)))
COLLECTIVE(Gather, Igather, (SDATA, RDATA, int root, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),
           (DATA(sbuf, scount, stype) DATA_OF(rbuf, rcount, rtype, ROOT) NUMBER(root) ALL(comm)))
COLLECTIVE(Scatter, Iscatter, (SDATA, RDATA, int root, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, root, comm),
           (DATA_OF(sbuf, scount, stype, ROOT) DATA(rbuf, rcount, rtype) NUMBER(root) ALL(comm)))
COLLECTIVE(Allgather, Iallgather, (SDATA, RDATA, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, comm),
           (DATA(sbuf, scount, stype) DATA(rbuf, rcount, rtype) ALL(comm)))
COLLECTIVE(Alltoall, Ialltoall, (SDATA, RDATA, MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcount, rtype, comm),
           (DATA(sbuf, scount, stype) DATA(rbuf, rcount, rtype) ALL(comm)))
/* A field for the type even where it is not significant: as in liballprof's traces every field has
 * the position of its parameter, counts and displacements included. */
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
            record_counts(displs, comm, ROOT); TYPE_OF(rtype, ROOT) NUMBER(root) ALL(comm)))
COLLECTIVE(Scatterv, Iscatterv,
           (const void *sbuf, const int scounts[], const int displs[], MPI_Datatype stype, RDATA,
            int root, MPI_Comm comm),
           (sbuf, scounts, displs, stype, rbuf, rcount, rtype, root, comm),
           (POINTER(sbuf) record_counts(scounts, comm, ROOT); record_counts(displs, comm, ROOT);
            TYPE_OF(stype, ROOT) DATA(rbuf, rcount, rtype) NUMBER(root) ALL(comm)))
COLLECTIVE(Allgatherv, Iallgatherv,
           (SDATA, void *rbuf, const int rcounts[], const int displs[], MPI_Datatype rtype,
            MPI_Comm comm),
           (sbuf, scount, stype, rbuf, rcounts, displs, rtype, comm),
           (DATA(sbuf, scount, stype) POINTER(rbuf) record_counts(rcounts, comm, true);
            record_counts(displs, comm, true); TYPE(rtype) ALL(comm)))
COLLECTIVE(Alltoallv, Ialltoallv,
           (const void *sbuf, const int scounts[], const int sdispls[], MPI_Datatype stype,
            void *rbuf, const int rcounts[], const int rdispls[], MPI_Datatype rtype,
            MPI_Comm comm),
           (sbuf, scounts, sdispls, stype, rbuf, rcounts, rdispls, rtype, comm),
           (POINTER(sbuf) record_counts(scounts, comm, sbuf != MPI_IN_PLACE);
            record_counts(sdispls, comm, sbuf != MPI_IN_PLACE);
            TYPE_OF(stype, sbuf != MPI_IN_PLACE) POINTER(rbuf) record_counts(rcounts, comm, true);
            record_counts(rdispls, comm, true); TYPE(rtype) ALL(comm)))

/* Bytes instead of counts, since the types differ between ranks. */
COLLECTIVE(Alltoallw, Ialltoallw,
           (const void *sbuf, const int scounts[], const int sdispls[], const MPI_Datatype stypes[],
            void *rbuf, const int rcounts[], const int rdispls[], const MPI_Datatype rtypes[],
            MPI_Comm comm),
           (sbuf, scounts, sdispls, stypes, rbuf, rcounts, rdispls, rtypes, comm),
           (POINTER(sbuf) record_typed_counts(scounts, stypes, comm, sbuf != MPI_IN_PLACE);
            record_counts(NULL, comm, false); TYPE_OF(MPI_BYTE, sbuf != MPI_IN_PLACE) POINTER(rbuf)
                record_typed_counts(rcounts, rtypes, comm, true);
            record_counts(NULL, comm, false); TYPE(MPI_BYTE) ALL(comm)))
