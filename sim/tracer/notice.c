/* notice.c - messages to the user and to tan-trace, and the MPI library that the first is about
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/notice.h"

#include <errno.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

void notice(const char *format, ...)
{
    enum { LONGEST = 1 << 14 };
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "libtantrace: %s\n", tan_printable(text));
}

bool notice_is_first(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *rank = getenv(names[i]);
        if (rank != NULL && *rank != '\0') {
            return strcmp(rank, "0") == 0;
        }
    }
    return true;
}

/* The marker is an empty file that tan-trace creates; any content means an incomplete trace. */
void notice_incomplete(void)
{
    const char *marker = getenv("TAN_TRACE_MARKER");
    if (marker != NULL && truncate(marker, 1) < 0) {
        notice("tan-trace will not report that the trace is incomplete: cannot write %s: %s",
               marker, strerror(errno));
    }
}

#ifdef OPEN_MPI
#define OWN_MPI "Open MPI"
#else
#define OWN_MPI "MPICH"
#endif

const char *library_version(void)
{
    /* another MPI may write more than our MPI_MAX_LIBRARY_VERSION_STRING */
    enum { LONGEST = 1 << 14 };
    static char version[LONGEST] = "";
    int length;
    PMPI_Get_library_version(version, &length);
    version[strcspn(version, "\n,")] = '\0';
    return version;
}

void library_check(void)
{
    const char *version = library_version();
    /* MPICH derivatives share its handles under different names */
    const bool is_open_mpi = strstr(version, "Open MPI") != NULL;
    if (is_open_mpi == (strcmp(OWN_MPI, "Open MPI") == 0)) {
        return;
    }
    if (notice_is_first()) {
        notice("this one is for " OWN_MPI ", and the program's MPI is %s: preload the "
               "libtantrace.so that was built for it",
               version);
    }
    _exit(1);
}

/* At load time, since a Fortran program may never call this library. */
__attribute__((constructor)) static void check_at_load(void)
{
    library_check();
}
