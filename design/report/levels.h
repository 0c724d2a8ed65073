/* levels.h - what the levels of a tree cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_LEVELS_H
#define TAN_DESIGN_REPORT_LEVELS_H

#include "design/report/fields.h"

/* A level, or all together. Times are seconds, NaN where they are not told apart. */
struct tan_level_row {
    int64_t fanout, nodes; /* nodes: 0 where they are not told */
    double latency, overhead, work, gap, cost;
};

/* Columns ".level=" or ".levels=", "nodes", "fanout=" and TAN_LEVEL_COSTS. */
extern const struct tan_field tan_level_fields[];
#define TAN_LEVEL_COSTS "latency_us overhead_us gap_us= cost_us"

/* The costs of a level: latency, gap and the rest, the overhead; the first and the last only where
 * the parameters tell one from the other. The work is part of the overhead. */
struct tan_level_row tan_level_row(const struct tan_level *level, const struct tan_params *params);
/* Add a line of `n` levels like `row`, and their costs to *sum unless NULL. `label` and `fanout`
 * are cells. */
void tan_level_list(struct tan_listing *listing, const struct tan_level_row *row, int n,
                    const char *label, const char *fanout, struct tan_level_row *sum);

#endif
