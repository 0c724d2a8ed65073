/* mpi_try.h - abort of the job on MPI errors, with a one-line message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_MPI_TRY_H
#define TAN_TANBENCH_RANKS_MPI_TRY_H

#include <mpi.h>

/* Call mpi_failed if an MPI call fails: all communicators return errors (MPI_ERRORS_RETURN), to be
 * reported in one line, but no call can be repeated or omitted. */
#define MPI_TRY(call)                                                                              \
    do {                                                                                           \
        int mpi_try_code = (call);                                                                 \
        if (__builtin_expect(mpi_try_code != MPI_SUCCESS, 0)) {                                    \
            mpi_failed(mpi_try_code, #call);                                                       \
        }                                                                                          \
    } while (0)

/* Print rank, host, the name of the call and the library's message to stderr, then call
 * MPI_Abort. */
_Noreturn void mpi_failed(int code, const char *call);

/* MPI_STATUSES_IGNORE. Volatile, since the compiler would check MPICH's constant like an array. */
extern MPI_Status *volatile mpi_ignored_statuses;

#endif
