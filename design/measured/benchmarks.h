/* benchmarks.h - output of benchmarks of collectives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_BENCHMARKS_H
#define TAN_DESIGN_MEASURED_BENCHMARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/csv.h"

/* Whether it is the output of OSU's, Intel's or ReproMPI's benchmarks. */
bool tan_is_benchmark(const char *text);
/* Turn it into a table as in table.h, which the caller clears. `source` is its name in errors and
 * is borrowed by the table. */
int tan_benchmark_table(const char *text, const char *source, int64_t members, struct tan_csv *out,
                        struct tan_error *e);

#endif
