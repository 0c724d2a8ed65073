/* distance.h - classes of distance between ranks, by ping-pongs of rank 0
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_DISTANCE_H
#define TAN_TANBENCH_RESULTS_DISTANCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "model/wave/overlap.h"

/* Ranks that rank 0 exchanges messages with, for each class; and the most classes: a host, every
 * level of racks, and what is beyond. */
enum { TAN_PARTNERS = 8, TAN_DISTANCES = TAN_RACK_LEVELS + 2 };

struct distance_class {
    int level; /* what its pairs share and nothing below: 0: a host, k: a rack of the k-th level */
    int partners;
    int32_t partner[TAN_PARTNERS];
    double latency; /* half a round trip, seconds: the median over the partners */
};

/* Zero: none. */
struct distance {
    bool apart; /* a host is a tier of its own, before these classes */
    int n;
    struct distance_class row[TAN_DISTANCES]; /* nearest first */
    struct tan_tiers tiers; /* the host, if `apart`, and the classes; without parameters */
    struct tan_sites sites; /* of the ranks, by tier */
    int32_t last_elsewhere; /* the last rank on another host than rank 0; 0: none */
    int32_t *space;         /* owned */
};

/* Choose partners at each distance from rank 0, spread evenly over the ranks there. `racks`: of the
 * hosts; host_of[]: the host of each rank. */
void tan_distance_plan(struct distance *d, const struct tan_racks *racks, const int32_t *host_of,
                       int32_t ranks, bool apart);
/* Once all latencies are set: keep as many classes as there are tiers. One that is no nearer than
 * the next, or the least so, becomes part of that. Borrows host_of[]. */
int tan_distance_classify(struct distance *d, const struct tan_racks *racks, const int32_t *host_of,
                          int32_t ranks, struct tan_error *e);
/* By how much shorter the latency of a class is than that of the last one, seconds. */
double tan_distance_nearer(const struct distance *d, int i);
/* "host", "switch", "group", "level 3", ... */
struct tan_text tan_distance_name(int level);
void tan_distance_print(const struct distance *d, FILE *to);
void tan_distance_clear(struct distance *d);

#endif
