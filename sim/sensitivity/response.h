/* response.h - finish time as a function of a cost of messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_RESPONSE_H
#define TAN_SIM_SENSITIVITY_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "sim/sensitivity/cost.h"

struct json_t;
struct tan_json_writer;

/* The finish time T as a function of what is added to the L, o or G of every message. While CPUs
 * and NICs serve operations in the same order, and messages match the same receives, T is the
 * greatest of several sums of costs, each a path through the job: a convex function made of
 * straight lines, whose slopes are the weights of critical paths (as Shen et al., LLAMP, SC 2024,
 * find them by linear programs). T can jump, or bend down, where that order changes.
 *
 * Samples (see tan_sample_take) are added until T is known between them: if two have the same
 * order, and the line of one, through its finish time with its slope, passes through the other, T
 * is that line between. Otherwise the next sample is where both lines meet, or halfway if the order
 * differs, until nothing is left between two samples. An order can change and change back between
 * two samples: therefore, if it changes at all, samples are at most 1/64 of the range apart. So far
 * as it does not do so between these, T is exact. Where the order is fixed (tan_order_is_fixed), T
 * is convex, and exact for certain. */

/* A straight part of T. */
struct tan_response_piece {
    double from, to;               /* added, as in struct tan_sample */
    double finish_from, finish_to; /* picoseconds */
    struct tan_path_weights weights;
    bool exact; /* false: T is simulated only at both ends */
    bool jump;  /* shorter than the cost's step: T changes at once */
};

/* What may be added until T is `share` longer than without. */
enum { TAN_TOLERANCES = 3 };
struct tan_tolerance {
    double share;       /* 0.01 */
    double added;       /* NaN: T does not get so long */
    double least, most; /* equal to `added` if T is exact there; else the samples around it */
};

struct tan_response {
    enum tan_cost cost;
    bool fixed;   /* the order of service does not depend on costs */
    bool whole;   /* up to a given value; else until T is as long as the last tolerance allows */
    double to;    /* the last value added */
    double start; /* T without anything added */
    struct tan_sample *samples; /* ascending, from 0; owned */
    size_t n_samples;
    struct tan_response_piece *pieces; /* ascending, from 0 to `to`, without gaps; owned */
    size_t n_pieces;
    struct tan_tolerance tolerance[TAN_TOLERANCES];
    size_t simulations;
    double exact;   /* share of the range in which T is exact */
    double off;     /* in the rest, if T never falls: the furthest that it can be from the lines */
    bool falls;     /* T is shorter at some larger value */
    double rounded; /* exact means to within so many picoseconds: the cost of a message's bytes is
                       rounded to whole ones, so that T(G) only nearly consists of lines */
};

/* `base`: the simulation of both, with a history, which saves one; or NULL. `range`: see
 * tan_cost_ranges_parse. At most `simulations` (at least 3) are made, or 0: as many as seem
 * adequate for a schedule of this length. Deterministic. Fails if the job does not end with some
 * value. */
int tan_response_find(const struct tan_schedule *s, const struct tan_sim_params *p,
                      const struct tan_simulation *base, const struct tan_cost_range *range,
                      size_t simulations, struct tan_response *out, struct tan_error *e);
void tan_response_clear(struct tan_response *r);

/* Whether CPUs and NICs serve operations in the same order, and messages match the same receives,
 * whatever the costs in `p`: the dependencies of each rank leave its operations a single order, no
 * resource is shared by ranks, nothing matches wildcards, and messages of a channel have the same
 * latency and overhead, so that they arrive in the order in which they are sent. The finish time is
 * then the greatest of sums of costs that are the same for all costs. True is certain; false is
 * not: other schedules can have a fixed order, too. O(operations + dependencies). */
int tan_order_is_fixed(const struct tan_schedule *s, const struct tan_sim_params *p, bool *fixed,
                       struct tan_error *e);

/* The answer in two sentences, a table of the pieces, of which the inner ones are left out if there
 * are many, and how exact they are. */
void tan_response_print(const struct tan_response *r, FILE *to);
/* Fill `object` with the same, and all pieces. */
void tan_response_json(struct tan_json_writer *w, struct json_t *object,
                       const struct tan_response *r);
/* Append a row to an answer's table (base/reply.h): "cost", what may be added to it as "0", "1" and
 * so on, by tolerance, and as "path" how often it is on the critical path; and say how exact that
 * is unless it is. */
void tan_response_say(struct tan_json_writer *w, struct json_t *answer,
                      const struct tan_response *r);

#endif
