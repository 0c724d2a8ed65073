/* cost_map.h - which schedule is the fastest, by a cost and by the size of messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_COST_MAP_H
#define TAN_SIM_SENSITIVITY_COST_MAP_H

#include <stdio.h>

#include "sim/sensitivity/envelope.h"

struct json_t;
struct tan_json_writer;

/* The schedules with messages of one size. */
struct tan_cost_row {
    int64_t bytes;
    double base;  /* the cost of a message of this size between hosts, as in struct tan_sample */
    double least; /* the same where the responses begin, with nothing added */
    struct tan_response *responses; /* one per schedule; owned */
    struct tan_envelope envelope;
};

struct tan_cost_map {
    enum tan_cost cost;
    const char *const *names;  /* of the schedules; borrowed */
    size_t n;                  /* schedules, 1 to TAN_RIVALS */
    struct tan_cost_row *rows; /* ascending by size; owned */
    size_t n_rows;
};

/* Allocate the rows, of which nothing is known yet. */
int tan_cost_map_begin(struct tan_cost_map *map, size_t n_rows, struct tan_error *e);
void tan_cost_map_clear(struct tan_cost_map *map);
/* Which is the fastest with the present cost and how long it stays so, in sentences; a table of all
 * ranges; and how exact they are. */
void tan_cost_map_print(const struct tan_cost_map *map, FILE *to);
/* Fill `object` with the same, and with all functions. */
void tan_cost_map_json(struct tan_json_writer *w, struct json_t *object,
                       const struct tan_cost_map *map);

#endif
