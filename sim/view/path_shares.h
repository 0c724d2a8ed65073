/* path_shares.h - critical path by call and by pair of ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_VIEW_PATH_SHARES_H
#define TAN_SIM_VIEW_PATH_SHARES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/view/critical_path.h"

struct json_t;
struct tan_json_writer;

/* The time of the path's steps in operations of a call: of a phase of the schedule, or if it has
 * none, of a kind. */
struct tan_path_call {
    uint16_t phase;        /* 0: operations without a phase, by kind */
    enum tan_op_kind kind; /* with phase 0 */
    uint64_t time;         /* picoseconds */
};

/* Messages of which the path has steps, in their sends and receives. */
struct tan_path_pair {
    uint32_t from, to; /* ranks */
    uint64_t messages, bytes;
    uint64_t latencies; /* their part of the derivative with respect to L */
    uint64_t time;      /* picoseconds */
};

struct tan_path_shares {
    uint64_t finish;            /* picoseconds: the sum of the calls' times */
    uint64_t latencies;         /* on the path */
    struct tan_path_call *call; /* by time, longest first; without those of no time; owned */
    size_t n_calls;
    struct tan_path_pair *pair; /* likewise, but all of them; owned */
    size_t n_pairs;
};

/* The shares of the critical path of a simulation with a history; see tan_critical_path. */
int tan_path_shares_find(const struct tan_schedule *s, const struct tan_sim_params *p,
                         const struct tan_simulation *simulation, struct tan_path_shares *out,
                         struct tan_error *e);
void tan_path_shares_clear(struct tan_path_shares *shares);

/* Two tables of the calls and of the pairs with the most time; nothing for an empty path. `names`:
 * of phases, from 1 to n_names; NULL if there are none. */
void tan_path_shares_print(const struct tan_path_shares *shares, const char *const *names,
                           size_t n_names, FILE *to);
/* The same as members "calls", "pairs" and "n_pairs" of `object`, with more pairs. */
void tan_path_shares_json(struct tan_json_writer *w, struct json_t *object,
                          const struct tan_path_shares *shares, const char *const *names,
                          size_t n_names);

/* What `shares` has more than `before`, of another simulation of the schedule: the difference of
 * the finish times, in a sentence with its largest parts, which add up to it; nothing if it is 0.
 * As an array: all parts, the largest first. */
void tan_path_added_print(const struct tan_path_shares *shares,
                          const struct tan_path_shares *before, const char *const *names,
                          size_t n_names, FILE *to);
void tan_path_added_json(struct tan_json_writer *w, struct json_t *array,
                         const struct tan_path_shares *shares, const struct tan_path_shares *before,
                         const char *const *names, size_t n_names);

#endif
