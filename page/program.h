/* program.h - execution of external drawing programs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_PROGRAM_H
#define TAN_PAGE_PROGRAM_H

#include "base/error.h"

/* Run argv[0], found in PATH, without showing its messages, and wait for it; -1 with an error, in
 * which `what` names its input, if it fails. argv is terminated by NULL. Its standard input and
 * output are the descriptors `from` and `to`. */
int tan_program_run(const char *const argv[], const char *what, int from, int to,
                    struct tan_error *e);

#endif
