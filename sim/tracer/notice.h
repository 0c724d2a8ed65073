/* notice.h - messages to the user and to tan-trace, and the MPI library that the first is about
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACER_NOTICE_H
#define TAN_SIM_TRACER_NOTICE_H

#include <stdbool.h>

/* Print "libtantrace: " and a sentence on standard error in one piece, with "?" for control
 * characters, which names of folders may contain. */
void notice(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Whether this process is to say what concerns all, before MPI_Init or without it: the first rank,
 * by the launcher's environment. */
bool notice_is_first(void);
/* Tell tan-trace, if it runs on this host, that the trace of a rank is missing or incomplete. */
void notice_incomplete(void);

/* Name and version of the program's MPI; static storage. */
const char *library_version(void);
/* Terminate the program with a message if its MPI is not the one this library was built for:
 * handles differ, so nothing would work. */
void library_check(void);

#endif
