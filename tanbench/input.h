/* input.h - standard input, kept so that it can be read again
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_INPUT_H
#define TANBENCH_INPUT_H

#include "base/error.h"
#include "tanbench/options.h"

/* How many of the options read standard input. */
int input_uses(const struct options *o);

/* If one does, read all of standard input and put a copy in its place that is at its beginning and
 * goes with this process: rewind(stdin) makes it whole again, children may inherit it. */
int input_keep(const struct options *o, struct tan_error *e);

#endif
