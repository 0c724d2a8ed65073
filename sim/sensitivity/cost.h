/* cost.h - costs of messages that a response is a function of
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SENSITIVITY_COST_H
#define TAN_SIM_SENSITIVITY_COST_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"
#include "sim/view/critical_path.h"

/* The costs, as in LogGOPS; o is that of both sides. */
enum tan_cost { TAN_COST_L, TAN_COST_o, TAN_COST_G, TAN_COSTS };

struct tan_cost_info {
    char letter;
    const char *what; /* "latency" */
    double step;      /* resolution of what is added: picoseconds, of G picoseconds per byte */
};
/* By enum tan_cost. */
extern const struct tan_cost_info tan_costs[TAN_COSTS];

/* The finish time when `added` has been added to a cost of every message. */
struct tan_sample {
    double added;  /* picoseconds, of G picoseconds per byte; a multiple of the cost's step */
    double finish; /* picoseconds; exact up to 2^53 (2.5 hours) */
    struct tan_path_weights weights;
    uint64_t order; /* see struct tan_simulation */
};

/* The sample of a simulation that has been made with nothing added, and with a history. Fails if
 * the job does not end. */
int tan_sample_of(const struct tan_schedule *s, const struct tan_sim_params *p,
                  const struct tan_simulation *r, struct tan_sample *out, struct tan_error *e);
/* Simulate with `added`, at least 0, in all links of `p`. Fails if the job does not end. */
int tan_sample_take(const struct tan_schedule *s, const struct tan_sim_params *p,
                    enum tan_cost cost, double added, struct tan_sample *out, struct tan_error *e);
/* The same for `n` values of out[i].added, in threads on the cores that there are. */
int tan_samples_take(const struct tan_schedule *s, const struct tan_sim_params *p,
                     enum tan_cost cost, struct tan_sample *out, size_t n, struct tan_error *e);
/* Derivative of the finish time with respect to the cost, on the sample's critical path. */
double tan_sample_slope(const struct tan_sample *sample, enum tan_cost cost);

/* A cost, and up to what is to be added to it, as in struct tan_sample; NaN: not given. */
struct tan_cost_range {
    enum tan_cost cost;
    double most;
};
/* Parse "L", "L,o,G" or "L=+100us,o": each cost at most once. `what` names the option. */
int tan_cost_ranges_parse(const char *what, const char *text, struct tan_cost_range out[TAN_COSTS],
                          size_t *n, struct tan_error *e);

#endif
