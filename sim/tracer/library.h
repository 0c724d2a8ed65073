/* library.h - MPI library of the traced program
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACER_LIBRARY_H
#define TAN_SIM_TRACER_LIBRARY_H

/* Name and version of the program's MPI; static storage. */
const char *library_version(void);
/* Terminate the program with a message if its MPI is not the one this library was built for:
 * handles differ, so nothing would work. */
void library_check(void);

#endif
