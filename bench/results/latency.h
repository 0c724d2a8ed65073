/* latency.h - description of a measured ping-pong
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_LATENCY_H
#define TAN_BENCH_RESULTS_LATENCY_H

#include <stdio.h>

#include "bench/results/results.h"

/* Print a summary and a histogram of the half round trips of every ping-pong among the results. */
int tan_pingpong_print(const struct results *r, FILE *to, struct tan_error *e);

#endif
