/* program.h - other programs that draw: whether they are there, and running them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PLOT_PROGRAM_H
#define TAN_REPORT_PLOT_PROGRAM_H

#include <stdbool.h>

#include "base/error.h"

/* Whether the program is in PATH. */
bool tan_program_found(const char *name);
/* Run it, its own messages left out, and wait for it; `what` it works on is for the error. argv
 * ends with NULL. */
int tan_program_run(const char *const argv[], const char *what, struct tan_error *e);

#endif
