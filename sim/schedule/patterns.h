/* patterns.h - schedules of well-known communication patterns, by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_SCHEDULE_PATTERNS_H
#define SIM_SCHEDULE_PATTERNS_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

struct tan_maker;

/* Arguments of a pattern. */
struct tan_pattern_request {
    uint32_t ranks; /* P >= 1 */
    uint32_t k;     /* K, where the pattern has one */
    uint64_t bytes;
};

struct tan_pattern {
    const char *name;
    const char *alias;     /* schedgen's name for the same operations; NULL: none */
    const char *arguments; /* "P" or "K:P" */
    const char *help;
    /* Number of operations of all ranks together. */
    uint64_t (*operations)(const struct tan_pattern_request *request);
    /* Add the operations of one rank; `request` is a struct tan_pattern_request. */
    void (*rank)(struct tan_maker *m, const void *request, uint32_t rank);
};
/* A row with name NULL ends the table. */
extern const struct tan_pattern tan_patterns[];

/* The schedule that `spec` ("binomial-reduce:1Mi") names, with messages of `bytes` (where a pattern
 * divides its data, the total). All tags are 0. An unknown name, a wrong number and more operations
 * than a schedule can have are TAN_USAGE. O(operations). */
struct tan_schedule *tan_pattern_build(const char *spec, uint64_t bytes, struct tan_error *e);
/* Number of operations of that schedule; -1 with an error where `spec` is wrong. *fits: it can be
 * built, in the memory of tan_schedule_limit_memory. */
int64_t tan_pattern_operations(const char *spec, bool *fits, struct tan_error *e);

/* A collective operation, as MPI calls it, and a pattern that is an algorithm of it. */
struct tan_algorithm {
    const char *collective; /* "allreduce" */
    const char *pattern;    /* "ring-allreduce"; before the last number, "pipelined-ring:8" */
};
/* By collective; a row with NULL ends the table. */
extern const struct tan_algorithm tan_algorithms[];
/* The first row of the collective that `spec` ("allreduce:1000") names; NULL: none. */
const struct tan_algorithm *tan_algorithms_of(const char *spec);

/* The patterns, one line each, for help texts. */
void tan_pattern_help(FILE *to);

TAN_END_DECLS

#endif
