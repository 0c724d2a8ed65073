/* levels.c - costs of a tree's levels
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/levels.h"

#include <math.h>

#include "design/report/phrases.h"
#include "design/report/time_text.h"

#define AT(member) offsetof(struct tan_level_row, member)
const struct tan_field tan_level_fields[] = {
    {".level", "level", TAN_FIELD_CELL, 0},
    {".levels", "levels", TAN_FIELD_CELL, 0},
    {"fanout", "fanout", TAN_FIELD_INT64, AT(fanout)},
    {"nodes", "nodes", TAN_FIELD_KNOWN, AT(nodes)},
    {"latency_us", "latency", TAN_FIELD_TIME, AT(latency)},
    {"overhead_us", "overhead", TAN_FIELD_TIME, AT(overhead)},
    {"work_us", NULL, TAN_FIELD_TIME, AT(work)},
    {"gap_us", "gap", TAN_FIELD_TIME, AT(gap)},
    {"cost_us", "cost", TAN_FIELD_TIME, AT(cost)},
    TAN_FIELDS_END,
};

struct tan_level_row tan_level_row(const struct tan_level *level, int64_t fanout,
                                   const struct tan_params *params)
{
    const bool split = !params->unidentified[TAN_L];
    return (struct tan_level_row){
        .fanout = fanout,
        .latency = split ? level->latency : NAN,
        .overhead = split ? level->overhead : NAN,
        .work = params->work > 0.0 ? tan_level_work(params, fanout) : NAN,
        .gap = level->gap,
        .cost = level->cost,
    };
}

void tan_level_list(struct tan_listing *listing, const struct tan_level_row *row, int n,
                    const char *label, const char *fanout, struct tan_level_row *sum)
{
    char text[TAN_CELL];
    const bool gap = row->gap > 0.0 && !isnan(row->latency); /* only if the other parts are known */
    const char *const cells[] = {label, fanout, gap ? tan_exact_text(row->gap, text) : ""};
    tan_listing_add(listing, row, cells);
    if (sum != NULL) {
        sum->latency += n * row->latency;
        sum->overhead += n * row->overhead;
        sum->gap += n * row->gap;
        sum->cost += n * row->cost;
    }
}
