/* imports.h - untraced MPI calls of a program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACER_IMPORTS_H
#define TAN_SIM_TRACER_IMPORTS_H

#include <stdbool.h>

/* Pass to `comment` one line with the names of all MPI functions that the program or its libraries
 * (except MPI's own) may call without being traced, although they move data. No line if there are
 * none. `aloud`: print it on standard error, too. */
void imports_report(bool aloud, void (*comment)(const char *text));

/* Name and version of the program's MPI; static storage. */
const char *imports_mpi(void);
/* Terminate the program with a message if its MPI is not the one this library was built for:
 * handles differ, so nothing would work. */
void imports_check_mpi(void);

#endif
