/* patterns.h - schedules of common communication patterns
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_PATTERNS_H
#define TAN_SIM_SCHEDULE_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

/* Arguments of a pattern. */
struct tan_pattern_request {
    uint32_t ranks; /* P >= 1 */
    uint32_t k;     /* K, if the pattern has one */
    uint64_t bytes;
    bool schedgen; /* as Schedgen has it: messages of later rounds are received when they come */
};

/* The last messages of a rank's rounds; TAN_OP_NONE before the first round. */
struct tan_round {
    uint32_t sent, got;
};

/* Add a round: a send of `out` bytes and a receive of `in` bytes, both after the round before, so
 * that an early message waits for its own round. */
void tan_make_round(struct tan_maker *m, struct tan_round *round, uint64_t out, uint32_t to,
                    uint64_t in, uint32_t from);

struct tan_pattern {
    const char *name;
    const char *alias;     /* schedgen's name for it; NULL if none */
    const char *arguments; /* "P" or "K:P" */
    const char *help;
    /* Total number of operations of all ranks. */
    uint64_t (*operations)(const struct tan_pattern_request *request);
    /* Add the operations of one rank; `request` is a struct tan_pattern_request. */
    void (*rank)(struct tan_maker *m, const void *request, uint32_t rank);
};
/* Ended by a NULL name. */
extern const struct tan_pattern tan_patterns[];

/* The schedule described by `spec` ("binomial-reduce:1Mi"), with messages of `bytes` (the total if
 * the pattern divides its data). All tags are 0. An unknown name, an invalid number, or more
 * operations than a schedule can have are TAN_USAGE. O(operations). */
struct tan_schedule *tan_pattern_build(const char *spec, uint64_t bytes, struct tan_error *e);
/* Number of operations of that schedule; -1 with an error if `spec` is invalid. *fits: whether it
 * can be built within the limit of tan_schedule_limit_memory. */
int64_t tan_pattern_operations(const char *spec, bool *fits, struct tan_error *e);

/* A collective operation of MPI, and a pattern that implements it. */
struct tan_algorithm {
    const char *collective; /* "allreduce" */
    const char *pattern;    /* "ring-allreduce", or "pipelined-ring:8": its spec without P */
};
/* Grouped by collective; ended by a NULL row. */
extern const struct tan_algorithm tan_algorithms[];
/* The first row for the collective in `spec` ("allreduce:1000"); NULL if none. */
const struct tan_algorithm *tan_algorithms_of(const char *spec);

/* The pattern or collective operation that the `length` characters of a name are nearest to, or
 * that is known to others by this name; NULL if none is near. */
const char *tan_pattern_nearest(const char *name, size_t length);

/* Print the patterns for help texts, one per line. */
void tan_pattern_help(FILE *to);

#endif
