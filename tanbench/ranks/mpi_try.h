/* mpi_try.h - abort of the job on MPI errors, with a one-line message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_MPI_TRY_H
#define TANBENCH_RANKS_MPI_TRY_H

#include <mpi.h>

/* All communicators return errors (MPI_ERRORS_RETURN), but none of our calls can be repeated after
 * one, so they all end here: print rank, host, call and the library's message to stderr, then
 * MPI_Abort. */
#define MPI_TRY(call)                                                                              \
    do {                                                                                           \
        int mpi_try_code = (call);                                                                 \
        if (__builtin_expect(mpi_try_code != MPI_SUCCESS, 0)) {                                    \
            mpi_failed(mpi_try_code, #call);                                                       \
        }                                                                                          \
    } while (0)

_Noreturn void mpi_failed(int code, const char *call);

/* Called by mpi_failed between its message and MPI_Abort; may be NULL. */
extern void (*mpi_failed_explain)(void);

#endif
