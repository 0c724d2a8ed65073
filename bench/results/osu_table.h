/* osu_table.h - waves in the form of the OSU benchmarks (--osu)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_OSU_TABLE_H
#define TAN_BENCH_RESULTS_OSU_TABLE_H

#include "bench/results/results.h"

/* Print a block for each tree, in the order of the command line, as OSU's collective benchmarks
 * print one with -f, so that scripts which read those read this: comments with #, then a line with
 * the size in bytes, mean, least and longest wave (half a round trip) in microseconds, and the
 * number of waves. */
void tan_results_print_osu(const struct results *r, FILE *to);

#endif
