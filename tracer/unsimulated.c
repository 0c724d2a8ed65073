/* unsimulated.c - windows, files, processes and partitioned messages: only the calls with which
 * they begin, by name and times SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/calls.h"

/* SMPI declares these two without const. */
#ifdef TRACE_SIMULATED
#define COUNTS int
#define INFOS  MPI_Info
#else
#define COUNTS const int
#define INFOS  const MPI_Info
#endif

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

BY_NAME(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
        (comm, name, mode, info, file))

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

#if MPI_VERSION >= 4
#define PARTS       int parts, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm
#define PARTS_NAMES parts, count, type, peer, tag, comm
BY_NAME(Psend_init, (const void *buf, PARTS, MPI_Info info, MPI_Request *request),
        (buf, PARTS_NAMES, info, request))
BY_NAME(Precv_init, (void *buf, PARTS, MPI_Info info, MPI_Request *request),
        (buf, PARTS_NAMES, info, request))
#endif
