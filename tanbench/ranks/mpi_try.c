/* mpi_try.c - abort of the job on MPI errors, with a one-line message
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/mpi_try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MPI_Status *volatile mpi_ignored_statuses = MPI_STATUSES_IGNORE;

void mpi_failed(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "unknown error";
    char host[MPI_MAX_PROCESSOR_NAME] = "unknown host";
    int length = 0;
    int rank = -1;
    MPI_Error_string(code, text, &length);
    MPI_Get_processor_name(host, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "tanbench: rank %d on %s: %.*s failed: %s\n", rank, host,
            (int)strcspn(call, "("), call, text);
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}
