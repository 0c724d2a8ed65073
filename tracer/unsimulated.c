/* unsimulated.c - one-sided communication, files, processes and other requests: names and times
 * only
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/calls.h"

/* SMPI declares these two without const. */
#ifdef TRACE_SIMULATED
#define COMPARED void
#define COUNTS   int
#define INFOS    MPI_Info
#else
#define COMPARED const void
#define COUNTS   const int
#define INFOS    const MPI_Info
#endif

/* One-sided communication */

#define ORIGIN       const void *buf, int count, MPI_Datatype type
#define RESULT       void *back, int backs, MPI_Datatype back_type
#define TARGET       int rank, MPI_Aint at, int n, MPI_Datatype there
#define ORIGIN_NAMES buf, count, type
#define RESULT_NAMES back, backs, back_type
#define TARGET_NAMES rank, at, n, there
BY_NAME(Put, (ORIGIN, TARGET, MPI_Win win), (ORIGIN_NAMES, TARGET_NAMES, win))
BY_NAME(Get, (void *buf, int count, MPI_Datatype type, TARGET, MPI_Win win),
        (ORIGIN_NAMES, TARGET_NAMES, win))
BY_NAME(Accumulate, (ORIGIN, TARGET, MPI_Op op, MPI_Win win), (ORIGIN_NAMES, TARGET_NAMES, op, win))
BY_NAME(Get_accumulate, (ORIGIN, RESULT, TARGET, MPI_Op op, MPI_Win win),
        (ORIGIN_NAMES, RESULT_NAMES, TARGET_NAMES, op, win))
BY_NAME(Rput, (ORIGIN, TARGET, MPI_Win win, MPI_Request *request),
        (ORIGIN_NAMES, TARGET_NAMES, win, request))
BY_NAME(Rget, (void *buf, int count, MPI_Datatype type, TARGET, MPI_Win win, MPI_Request *request),
        (ORIGIN_NAMES, TARGET_NAMES, win, request))
BY_NAME(Raccumulate, (ORIGIN, TARGET, MPI_Op op, MPI_Win win, MPI_Request *request),
        (ORIGIN_NAMES, TARGET_NAMES, op, win, request))
BY_NAME(Rget_accumulate, (ORIGIN, RESULT, TARGET, MPI_Op op, MPI_Win win, MPI_Request *request),
        (ORIGIN_NAMES, RESULT_NAMES, TARGET_NAMES, op, win, request))
BY_NAME(Fetch_and_op,
        (const void *buf, void *back, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op,
         MPI_Win win),
        (buf, back, type, rank, at, op, win))
BY_NAME(Compare_and_swap,
        (const void *buf, COMPARED *other, void *back, MPI_Datatype type, int rank, MPI_Aint at,
         MPI_Win win),
        (buf, other, back, type, rank, at, win))

#define WINDOW(name, parameters, arguments)                                                        \
    BY_NAME(Win_##name, (UNPACK parameters, MPI_Win win), (UNPACK arguments, win))
BY_NAME(Win_create,
        (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
        (base, size, unit, info, comm, win))
BY_NAME(Win_allocate,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
        (size, unit, info, comm, base, win))
BY_NAME(Win_allocate_shared,
        (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
        (size, unit, info, comm, base, win))
BY_NAME(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
BY_NAME(Win_free, (MPI_Win * win), (win))
WINDOW(fence, (int assert), (assert))
WINDOW(post, (MPI_Group group, int assert), (group, assert))
WINDOW(start, (MPI_Group group, int assert), (group, assert))
WINDOW(lock, (int type, int rank, int assert), (type, rank, assert))
WINDOW(lock_all, (int assert), (assert))
WINDOW(unlock, (int rank), (rank))
WINDOW(flush, (int rank), (rank))
WINDOW(flush_local, (int rank), (rank))
BY_NAME(Win_complete, (MPI_Win win), (win))
BY_NAME(Win_wait, (MPI_Win win), (win))
BY_NAME(Win_test, (MPI_Win win, int *flag), (win, flag))
BY_NAME(Win_unlock_all, (MPI_Win win), (win))
BY_NAME(Win_flush_all, (MPI_Win win), (win))
BY_NAME(Win_flush_local_all, (MPI_Win win), (win))
BY_NAME(Win_sync, (MPI_Win win), (win))
BY_NAME(Win_set_info, (MPI_Win win, MPI_Info info), (win, info))

/* Files */

#define FILE_CALL(name, parameters, arguments)                                                     \
    BY_NAME(File_##name, (MPI_File file, UNPACK parameters), (file, UNPACK arguments))
#define DATA_IN         void *buf, int count, MPI_Datatype type
#define DATA_OUT        const void *buf, int count, MPI_Datatype type
#define DATA_NAMES      buf, count, type
#define FROM_FILE(name) FILE_CALL(name, (DATA_IN, MPI_Status * status), (DATA_NAMES, status))
#define TO_FILE(name)   FILE_CALL(name, (DATA_OUT, MPI_Status * status), (DATA_NAMES, status))
#define FROM_FILE_AT(name)                                                                         \
    FILE_CALL(name, (MPI_Offset at, DATA_IN, MPI_Status * status), (at, DATA_NAMES, status))
#define TO_FILE_AT(name)                                                                           \
    FILE_CALL(name, (MPI_Offset at, DATA_OUT, MPI_Status * status), (at, DATA_NAMES, status))
BY_NAME(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
        (comm, name, mode, info, file))
BY_NAME(File_close, (MPI_File * file), (file))
BY_NAME(File_sync, (MPI_File file), (file))
FILE_CALL(set_size, (MPI_Offset size), (size))
FILE_CALL(preallocate, (MPI_Offset size), (size))
FILE_CALL(set_info, (MPI_Info info), (info))
FILE_CALL(set_atomicity, (int atomic), (atomic))
FILE_CALL(seek, (MPI_Offset at, int from), (at, from))
FILE_CALL(seek_shared, (MPI_Offset at, int from), (at, from))
FILE_CALL(set_view,
          (MPI_Offset at, MPI_Datatype type, MPI_Datatype view, const char *data, MPI_Info info),
          (at, type, view, data, info))
FROM_FILE(read)
FROM_FILE(read_all)
FROM_FILE(read_shared)
FROM_FILE(read_ordered)
FROM_FILE_AT(read_at)
FROM_FILE_AT(read_at_all)
TO_FILE(write)
TO_FILE(write_all)
TO_FILE(write_shared)
TO_FILE(write_ordered)
TO_FILE_AT(write_at)
TO_FILE_AT(write_at_all)
#define READ_END(name)  FILE_CALL(name, (void *buf, MPI_Status *status), (buf, status))
#define WRITE_END(name) FILE_CALL(name, (const void *buf, MPI_Status *status), (buf, status))
FILE_CALL(read_all_begin, (DATA_IN), (DATA_NAMES))
READ_END(read_all_end)
FILE_CALL(read_at_all_begin, (MPI_Offset at, DATA_IN), (at, DATA_NAMES))
READ_END(read_at_all_end)
FILE_CALL(read_ordered_begin, (DATA_IN), (DATA_NAMES))
READ_END(read_ordered_end)
FILE_CALL(write_all_begin, (DATA_OUT), (DATA_NAMES))
WRITE_END(write_all_end)
FILE_CALL(write_at_all_begin, (MPI_Offset at, DATA_OUT), (at, DATA_NAMES))
WRITE_END(write_at_all_end)
FILE_CALL(write_ordered_begin, (DATA_OUT), (DATA_NAMES))
WRITE_END(write_ordered_end)
FILE_CALL(iread_shared, (DATA_IN, MPI_Request *request), (DATA_NAMES, request))
FILE_CALL(iwrite_shared, (DATA_OUT, MPI_Request *request), (DATA_NAMES, request))
FILE_CALL(iread, (DATA_IN, MPI_Request *request), (DATA_NAMES, request))
FILE_CALL(iread_all, (DATA_IN, MPI_Request *request), (DATA_NAMES, request))
FILE_CALL(iread_at, (MPI_Offset at, DATA_IN, MPI_Request *request), (at, DATA_NAMES, request))
FILE_CALL(iread_at_all, (MPI_Offset at, DATA_IN, MPI_Request *request), (at, DATA_NAMES, request))
FILE_CALL(iwrite, (DATA_OUT, MPI_Request *request), (DATA_NAMES, request))
FILE_CALL(iwrite_all, (DATA_OUT, MPI_Request *request), (DATA_NAMES, request))
FILE_CALL(iwrite_at, (MPI_Offset at, DATA_OUT, MPI_Request *request), (at, DATA_NAMES, request))
FILE_CALL(iwrite_at_all, (MPI_Offset at, DATA_OUT, MPI_Request *request), (at, DATA_NAMES, request))

/* Processes: ranks outside MPI_COMM_WORLD are not traced, but communicators with them are known */

#define JOINED(name, parameters, arguments)                                                        \
    CALL(name, parameters, arguments, NOTHING, (END c.made = *made;))
JOINED(Comm_spawn,
       (const char *command, char *argv[], int n, MPI_Info info, int root, MPI_Comm comm,
        MPI_Comm *made, int errors[]),
       (command, argv, n, info, root, comm, made, errors))
JOINED(Comm_spawn_multiple,
       (int count, char *commands[], char **argv[], COUNTS n[], INFOS info[], int root,
        MPI_Comm comm, MPI_Comm *made, int errors[]),
       (count, commands, argv, n, info, root, comm, made, errors))
JOINED(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
       (port, info, root, comm, made))
JOINED(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made),
       (port, info, root, comm, made))
JOINED(Comm_join, (int fd, MPI_Comm *made), (fd, made))

/* Generalised requests */

BY_NAME(Grequest_start,
        (MPI_Grequest_query_function * query, MPI_Grequest_free_function *release,
         MPI_Grequest_cancel_function *cancel, void *state, MPI_Request *request),
        (query, release, cancel, state, request))

/* Partitioned communication */

#if MPI_VERSION >= 4
#define PARTS       int parts, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define PARTS_NAMES parts, count, type, peer, tag, comm
BY_NAME(Psend_init, (const void *buf, PARTS, MPI_Info info, MPI_Request *request),
        (buf, PARTS_NAMES, info, request))
BY_NAME(Precv_init, (void *buf, PARTS, MPI_Info info, MPI_Request *request),
        (buf, PARTS_NAMES, info, request))
BY_NAME(Pready, (int part, MPI_Request request), (part, request))
#ifdef MPICH /* MPICH initially declared the list without const; the standard has const */
BY_NAME(Pready_list, (int n, int parts[], MPI_Request request), (n, parts, request))
#endif
BY_NAME(Pready_range, (int low, int high, MPI_Request request), (low, high, request))
BY_NAME(Parrived, (MPI_Request request, int part, int *flag), (request, part, flag))
#endif
