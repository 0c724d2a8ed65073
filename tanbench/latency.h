/* latency.h - what a ping-pong shows
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LATENCY_H
#define TANBENCH_LATENCY_H

#include <stdio.h>

#include "tanbench/results.h"

/* Describe the half round trips of every ping-pong among the results, and draw their histogram. */
int latency_print(const struct results *r, FILE *to, struct tan_error *e);

#endif
