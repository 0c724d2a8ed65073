/* levels.h - costs of a tree's levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_REPORT_LEVELS_H
#define TAN_DESIGN_REPORT_LEVELS_H

#include "design/report/fields.h"

/* A level, or the sum of all. Times are seconds, NaN if not known separately. */
struct tan_level_row {
    int64_t fanout, nodes; /* nodes: 0 if unknown */
    double latency, overhead, work, gap, cost;
};

/* Columns ".level=" or ".levels=", "nodes", "fanout=" and TAN_LEVEL_COSTS. */
extern const struct tan_field tan_level_fields[];
#define TAN_LEVEL_COSTS "latency_us overhead_us gap_us= cost_us"

/* The costs of a level with this fanout, in place of level->fanout, which is too narrow for
 * designs: latency, gap and the overhead that makes up the rest, including the work. Latency and
 * overhead are NaN unless the parameters separate them. */
struct tan_level_row tan_level_row(const struct tan_level *level, int64_t fanout,
                                   const struct tan_params *params);
/* Add a line for `n` levels like `row`, and add their costs to *sum unless that is NULL. `label`
 * and `fanout` are the line's first and "fanout=" cells. */
void tan_level_list(struct tan_listing *listing, const struct tan_level_row *row, int n,
                    const char *label, const char *fanout, struct tan_level_row *sum);

#endif
