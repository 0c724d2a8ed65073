/* stdin_copy.h - rewindable copy of standard input
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_STDIN_COPY_H
#define TAN_TANBENCH_LAUNCH_STDIN_COPY_H

#include "base/error.h"

/* Read all of standard input and replace it by a copy, positioned at its start, that lives as long
 * as this process: rewind(stdin) restores it, and children may inherit it. */
int stdin_copy(struct tan_error *e);

#endif
