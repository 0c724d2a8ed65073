/* stdin_copy.h - standard input, kept so that it can be read again
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_STDIN_COPY_H
#define TANBENCH_LAUNCH_STDIN_COPY_H

#include "base/error.h"

/* Read all of standard input and put a copy in its place that is at its beginning and goes with
 * this process: rewind(stdin) makes it whole again, children may inherit it. */
int stdin_copy(struct tan_error *e);

#endif
