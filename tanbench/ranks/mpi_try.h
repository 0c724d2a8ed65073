/* mpi_try.h - abort of the job, with one sentence, on MPI errors
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_MPI_TRY_H
#define TANBENCH_RANKS_MPI_TRY_H

#include <mpi.h>

/* Every communicator returns its errors (MPI_ERRORS_RETURN), and no call of ours can be repeated
 * after one, so they all end here: rank, host, call and the library's text on stderr, then
 * MPI_Abort. */
#define MPI_TRY(call)                                                                              \
    do {                                                                                           \
        int mpi_try_code = (call);                                                                 \
        if (__builtin_expect(mpi_try_code != MPI_SUCCESS, 0)) {                                    \
            mpi_failed(mpi_try_code, #call);                                                       \
        }                                                                                          \
    } while (0)

_Noreturn void mpi_failed(int code, const char *call);

/* What mpi_failed calls between its text and MPI_Abort, or NULL. */
extern void (*mpi_failed_explain)(void);

#endif
