/* fortran.c - Fortran calls that the MPI library does not forward to MPI_ functions
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Open MPI's Fortran library calls PMPI_ functions, bypassing the wrappers for C; MPICH's calls
 * MPI_ functions. Names are those of compilers that append an underscore. Calls without a row here
 * reach the library untraced, and so do all of the module mpi_f08, which is said when they begin.
 */
#include <dlfcn.h>
#include <mpi.h>

#include "sim/tracer/notice.h"

#ifndef TRACE_SIMULATED

/* The library's function of this name, of which ours takes the place. (POSIX converts it as below.)
 */
static void *next_function(const char *name)
{
    if (notice_is_first()) {
        notice("calls of Fortran's module mpi_f08 are not traced");
    }
    return dlsym(RTLD_NEXT, name);
}

void mpi_init_f08_(MPI_Fint *error)
{
    void (*init)(MPI_Fint *);
    *(void **)&init = next_function("mpi_init_f08_");
    init(error);
}

void mpi_init_thread_f08_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
    void (*init)(const MPI_Fint *, MPI_Fint *, MPI_Fint *);
    *(void **)&init = next_function("mpi_init_thread_f08_");
    init(required, provided, error);
}

#endif

#ifdef OPEN_MPI

/* Fortran's constants are variables in the library, identified by address; weak, since C programs
 * do not load it. */
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));
extern int mpi_fortran_status_ignore_ __attribute__((weak));
extern int mpi_fortran_statuses_ignore_ __attribute__((weak));

static void *buffer_of(void *buffer)
{
    return buffer == (void *)&mpi_fortran_in_place_ ? MPI_IN_PLACE
           : buffer == (void *)&mpi_fortran_bottom_ ? MPI_BOTTOM
                                                    : buffer;
}

enum { KEPT = 64, STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };

static void give_status(const MPI_Status *from, MPI_Fint *to)
{
    if (to != (MPI_Fint *)&mpi_fortran_status_ignore_ && to != NULL) {
        PMPI_Status_c2f(from, to);
    }
}

/* Requests of a call with many, converted to C. */
struct many {
    MPI_Request kept[KEPT], *request;
    MPI_Status kept_status[KEPT], *status;
};

static int begin_many(struct many *m, int n, const MPI_Fint *requests)
{
    m->request = m->kept;
    m->status = m->kept_status;
    if (n > KEPT && (PMPI_Alloc_mem((MPI_Aint)n * (MPI_Aint)sizeof(MPI_Request), MPI_INFO_NULL,
                                    &m->request) != MPI_SUCCESS ||
                     PMPI_Alloc_mem((MPI_Aint)n * (MPI_Aint)sizeof(MPI_Status), MPI_INFO_NULL,
                                    &m->status) != MPI_SUCCESS)) {
        return MPI_ERR_NO_MEM;
    }
    for (int i = 0; i < n; i++) {
        m->request[i] = PMPI_Request_f2c(requests[i]);
    }
    return MPI_SUCCESS;
}

static void end_many(struct many *m, int n, MPI_Fint *requests, MPI_Fint *statuses, int given)
{
    for (int i = 0; i < n; i++) {
        requests[i] = PMPI_Request_c2f(m->request[i]);
    }
    for (int i = 0; i < given && statuses != (MPI_Fint *)&mpi_fortran_statuses_ignore_; i++) {
        PMPI_Status_c2f(&m->status[i], statuses + (long)i * STATUS);
    }
    if (m->request != m->kept) {
        PMPI_Free_mem(m->request);
        PMPI_Free_mem(m->status);
    }
}

#define COMM MPI_Comm_f2c(*comm)
#define OP   MPI_Op_f2c(*op)
/* A row: name, parameters except for the error code, and the call. */
#define ROW(name, parameters, ...)                                                                 \
    void mpi_##name##_ parameters;                                                                 \
    void mpi_##name##_ parameters                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define F MPI_Fint *

ROW(init, (F error), *error = MPI_Init(NULL, NULL);)
ROW(init_thread, (F required, F provided, F error),
    *error = MPI_Init_thread(NULL, NULL, *required, provided);)
ROW(finalize, (F error), *error = MPI_Finalize();)

#define SENDS(name, call)                                                                          \
    ROW(name, (void *buf, F count, F type, F dest, F tag, F comm, F error),                        \
        *error = call(buffer_of(buf), *count, MPI_Type_f2c(*type), *dest, *tag, COMM);)
#define STARTS(name, call)                                                                         \
    ROW(name, (void *buf, F count, F type, F peer, F tag, F comm, F request, F error),             \
        MPI_Request made = MPI_REQUEST_NULL;                                                       \
        *error = call(buffer_of(buf), *count, MPI_Type_f2c(*type), *peer, *tag, COMM, &made);      \
        *request = PMPI_Request_c2f(made);)
SENDS(send, MPI_Send)
SENDS(ssend, MPI_Ssend)
SENDS(rsend, MPI_Rsend)
SENDS(bsend, MPI_Bsend)
STARTS(isend, MPI_Isend)
STARTS(issend, MPI_Issend)
STARTS(irsend, MPI_Irsend)
STARTS(irecv, MPI_Irecv)
STARTS(ibsend, MPI_Ibsend)
STARTS(send_init, MPI_Send_init)
STARTS(ssend_init, MPI_Ssend_init)
STARTS(rsend_init, MPI_Rsend_init)
STARTS(bsend_init, MPI_Bsend_init)
STARTS(recv_init, MPI_Recv_init)
ROW(recv, (void *buf, F count, F type, F source, F tag, F comm, F status, F error), MPI_Status own;
    *error = MPI_Recv(buffer_of(buf), *count, MPI_Type_f2c(*type), *source, *tag, COMM, &own);
    give_status(&own, status);)
ROW(sendrecv,
    (void *sbuf, F scount, F stype, F dest, F stag, void *rbuf, F rcount, F rtype, F source, F rtag,
     F comm, F status, F error),
    MPI_Status own;
    *error = MPI_Sendrecv(buffer_of(sbuf), *scount, MPI_Type_f2c(*stype), *dest, *stag,
                          buffer_of(rbuf), *rcount, MPI_Type_f2c(*rtype), *source, *rtag, COMM,
                          &own);
    give_status(&own, status);)
ROW(sendrecv_replace,
    (void *buf, F count, F type, F dest, F stag, F source, F rtag, F comm, F status, F error),
    MPI_Status own;
    *error = MPI_Sendrecv_replace(buffer_of(buf), *count, MPI_Type_f2c(*type), *dest, *stag,
                                  *source, *rtag, COMM, &own);
    give_status(&own, status);)
ROW(probe, (F source, F tag, F comm, F status, F error), MPI_Status own;
    *error = MPI_Probe(*source, *tag, COMM, &own); give_status(&own, status);)
ROW(
    iprobe, (F source, F tag, F comm, F flag, F status, F error), MPI_Status own; int found = 0;
    *error = MPI_Iprobe(*source, *tag, COMM, &found, &own); *flag = found;
    if (found) { give_status(&own, status); })

ROW(wait, (F request, F status, F error), MPI_Status own;
    MPI_Request one = PMPI_Request_f2c(*request); *error = MPI_Wait(&one, &own);
    *request = PMPI_Request_c2f(one); give_status(&own, status);)
ROW(
    test, (F request, F flag, F status, F error), MPI_Status own; int found = 0;
    MPI_Request one = PMPI_Request_f2c(*request); *error = MPI_Test(&one, &found, &own);
    *flag = found; if (found) {
        *request = PMPI_Request_c2f(one);
        give_status(&own, status);
    })
ROW(
    waitall, (F n, F requests, F statuses, F error), struct many m;
    *error = begin_many(&m, *n, requests); if (*error == MPI_SUCCESS) {
        *error = MPI_Waitall(*n, m.request, m.status);
        end_many(&m, *n, requests, statuses, *n);
    })
ROW(
    testall, (F n, F requests, F flag, F statuses, F error), struct many m; int found = 0;
    *error = begin_many(&m, *n, requests); if (*error == MPI_SUCCESS) {
        *error = MPI_Testall(*n, m.request, &found, m.status);
        end_many(&m, *n, requests, statuses, found ? *n : 0);
    } *flag = found;)
ROW(
    waitany, (F n, F requests, F index, F status, F error), struct many m; MPI_Status own;
    int which = 0; *error = begin_many(&m, *n, requests); if (*error == MPI_SUCCESS) {
        *error = MPI_Waitany(*n, m.request, &which, &own);
        *index = which == MPI_UNDEFINED ? which : which + 1;
        end_many(&m, *n, requests, NULL, 0);
        give_status(&own, status);
    })
ROW(
    testany, (F n, F requests, F index, F flag, F status, F error), struct many m; MPI_Status own;
    int which = 0; int found = 0; *error = begin_many(&m, *n, requests);
    if (*error == MPI_SUCCESS) {
        *error = MPI_Testany(*n, m.request, &which, &found, &own);
        *index = which == MPI_UNDEFINED ? which : which + 1;
        end_many(&m, *n, requests, NULL, 0);
        if (found) {
            give_status(&own, status);
        }
    } *flag = found;)
/* C indices start at 0, Fortran's at 1. */
#define SOMES(name, call)                                                                          \
    ROW(                                                                                           \
        name, (F n, F requests, F count, F indices, F statuses, F error), struct many m;           \
        *error = begin_many(&m, *n, requests); if (*error == MPI_SUCCESS) {                        \
            *error = call(*n, m.request, count, indices, m.status);                                \
            const int given = *count == MPI_UNDEFINED ? 0 : *count;                                \
            for (int i = 0; i < given; i++) {                                                      \
                indices[i]++;                                                                      \
            }                                                                                      \
            end_many(&m, *n, requests, statuses, given);                                           \
        })
SOMES(waitsome, MPI_Waitsome)
SOMES(testsome, MPI_Testsome)
ROW(start, (F request, F error), MPI_Request one = PMPI_Request_f2c(*request);
    *error = MPI_Start(&one); *request = PMPI_Request_c2f(one);)
ROW(
    startall, (F n, F requests, F error), struct many m; *error = begin_many(&m, *n, requests);
    if (*error == MPI_SUCCESS) {
        *error = MPI_Startall(*n, m.request);
        end_many(&m, *n, requests, NULL, 0);
    })
ROW(request_free, (F request, F error), MPI_Request one = PMPI_Request_f2c(*request);
    *error = MPI_Request_free(&one); *request = PMPI_Request_c2f(one);)
ROW(cancel, (F request, F error), MPI_Request one = PMPI_Request_f2c(*request);
    *error = MPI_Cancel(&one);)

/* A blocking collective operation, and a nonblocking one. */
#define UNPACK(...) __VA_ARGS__
#define COLLECTIVE(name, c_name, parameters, arguments)                                            \
    ROW(name, (UNPACK parameters, F comm, F error),                                                \
        *error = MPI_##c_name(UNPACK arguments, COMM);)                                            \
    ROW(i##name, (UNPACK parameters, F comm, F request, F error),                                  \
        MPI_Request made = MPI_REQUEST_NULL;                                                       \
        *error = MPI_I##name(UNPACK arguments, COMM, &made); *request = PMPI_Request_c2f(made);)
#define OUT   buffer_of(sbuf)
#define IN    buffer_of(rbuf)
#define STYPE MPI_Type_f2c(*stype)
#define RTYPE MPI_Type_f2c(*rtype)
#define TYPE  MPI_Type_f2c(*type)

ROW(barrier, (F comm, F error), *error = MPI_Barrier(COMM);)
ROW(ibarrier, (F comm, F request, F error), MPI_Request made = MPI_REQUEST_NULL;
    *error = MPI_Ibarrier(COMM, &made); *request = PMPI_Request_c2f(made);)
COLLECTIVE(bcast, Bcast, (void *buf, F count, F type, F root),
           (buffer_of(buf), *count, TYPE, *root))
COLLECTIVE(reduce, Reduce, (void *sbuf, void *rbuf, F count, F type, F op, F root),
           (OUT, IN, *count, TYPE, OP, *root))
#define REDUCES(name, c_name)                                                                      \
    COLLECTIVE(name, c_name, (void *sbuf, void *rbuf, F count, F type, F op),                      \
               (OUT, IN, *count, TYPE, OP))
REDUCES(allreduce, Allreduce)
REDUCES(scan, Scan)
REDUCES(exscan, Exscan)
REDUCES(reduce_scatter_block, Reduce_scatter_block)
COLLECTIVE(reduce_scatter, Reduce_scatter, (void *sbuf, void *rbuf, F counts, F type, F op),
           (OUT, IN, counts, TYPE, OP))
#define BLOCKS(name, c_name)                                                                       \
    COLLECTIVE(name, c_name, (void *sbuf, F scount, F stype, void *rbuf, F rcount, F rtype),       \
               (OUT, *scount, STYPE, IN, *rcount, RTYPE))
#define ROOTED(name, c_name)                                                                       \
    COLLECTIVE(name, c_name,                                                                       \
               (void *sbuf, F scount, F stype, void *rbuf, F rcount, F rtype, F root),             \
               (OUT, *scount, STYPE, IN, *rcount, RTYPE, *root))
BLOCKS(allgather, Allgather)
BLOCKS(alltoall, Alltoall)
ROOTED(gather, Gather)
ROOTED(scatter, Scatter)
COLLECTIVE(gatherv, Gatherv,
           (void *sbuf, F scount, F stype, void *rbuf, F counts, F displs, F rtype, F root),
           (OUT, *scount, STYPE, IN, counts, displs, RTYPE, *root))
COLLECTIVE(scatterv, Scatterv,
           (void *sbuf, F counts, F displs, F stype, void *rbuf, F rcount, F rtype, F root),
           (OUT, counts, displs, STYPE, IN, *rcount, RTYPE, *root))
COLLECTIVE(allgatherv, Allgatherv,
           (void *sbuf, F scount, F stype, void *rbuf, F counts, F displs, F rtype),
           (OUT, *scount, STYPE, IN, counts, displs, RTYPE))
COLLECTIVE(alltoallv, Alltoallv,
           (void *sbuf, F scounts, F sdispls, F stype, void *rbuf, F rcounts, F rdispls, F rtype),
           (OUT, scounts, sdispls, STYPE, IN, rcounts, rdispls, RTYPE))

#define NEW_COMM(name, parameters, call)                                                           \
    ROW(name, (F comm, UNPACK parameters, F made, F error), MPI_Comm one = MPI_COMM_NULL;          \
        *error = call; *made = PMPI_Comm_c2f(one);)
ROW(comm_dup, (F comm, F made, F error), MPI_Comm one = MPI_COMM_NULL;
    *error = MPI_Comm_dup(COMM, &one); *made = PMPI_Comm_c2f(one);)
NEW_COMM(comm_split, (F color, F key), MPI_Comm_split(COMM, *color, *key, &one))
NEW_COMM(comm_create, (F group), MPI_Comm_create(COMM, PMPI_Group_f2c(*group), &one))
NEW_COMM(comm_split_type, (F type, F key, F info),
         MPI_Comm_split_type(COMM, *type, *key, PMPI_Info_f2c(*info), &one))
NEW_COMM(comm_create_group, (F group, F tag),
         MPI_Comm_create_group(COMM, PMPI_Group_f2c(*group), *tag, &one))
NEW_COMM(cart_sub, (F remain), MPI_Cart_sub(COMM, remain, &one))
NEW_COMM(cart_create, (F n, F dims, F periods, F reorder),
         MPI_Cart_create(COMM, *n, dims, periods, *reorder, &one))
ROW(comm_free, (F comm, F error), MPI_Comm one = COMM; *error = MPI_Comm_free(&one);
    *comm = PMPI_Comm_c2f(one);)

#endif
