/* library.c - MPI library of the traced program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/library.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

#include "sim/tracer/notice.h"

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
