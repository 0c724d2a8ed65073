/* results_table.h - results as tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_RESULTS_TABLE_H
#define TAN_BENCH_RESULTS_RESULTS_TABLE_H

#include <stdio.h>

#include "bench/results/results.h"

/* The mode's table in the order of the command line, and remarks below it. */
void tan_results_print(const struct results *r, FILE *to);

#endif
