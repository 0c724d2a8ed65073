/* imports.h - MPI calls of a program that are not traced
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_IMPORTS_H
#define TRACER_IMPORTS_H

#include <stdbool.h>

/* Give `comment` a line for every MPI function that the program or a library of it, other than
 * MPI's own, may call and that moves data, or makes communicators, without being traced; `aloud`:
 * say so on standard error, too. */
void imports_report(bool aloud, void (*comment)(const char *text));

/* The name and version of the program's MPI; static. */
const char *imports_mpi(void);
/* End the program with a sentence where its MPI is not the one that this library is for: their
 * handles differ, so that nothing would work. */
void imports_check_mpi(void);

#endif
