/* pairs.h - single messages between many pairs of ranks, and how the pairs differ
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_PAIRS_H
#define TANBENCH_P2P_PAIRS_H

#include "tanbench/p2p/calibrate.h"

struct p2p_pair {
    int rank[2];         /* ascending; the first leads */
    bool share_cores;    /* whether the ranks share a core */
    json_t *found;       /* from p2p_findings_json; owned */
    struct tan_p2p *p2p; /* parsed block of `found`; owned */
};

/* Minimum, median and maximum over the pairs with a value. */
struct p2p_difference {
    const char *key; /* from tan_p2p_params or tan_p2p_series_keys */
    int64_t bytes;   /* -1: a parameter of the first section, or of the last if it is per byte */
    size_t n;        /* number of pairs */
    double min, median, max; /* seconds, or seconds per byte */
};

struct p2p_pairs {
    struct p2p_pair *pair;             /* owned */
    size_t n;                          /* number of pairs */
    struct p2p_difference *difference; /* per parameter and measured size; owned */
    size_t n_differences;
};

/* Number of pairs among `ranks` ranks. */
int64_t p2p_pairs_among(int64_t ranks);

/* Rank 0: measure request->pairs distinct random pairs one after another; at most as many as exist.
 * `limits` as in p2p_calibrate. Always clear `pairs`. */
int p2p_pairs_measure(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                      struct p2p_pairs *pairs, struct tan_error *e);
void p2p_pairs_clear(struct p2p_pairs *pairs);
/* A rank other than 0 that leads a pair: measure, and send the results to rank 0. */
void p2p_pairs_lead(struct p2p_link *link, void *request);

void p2p_pairs_print(const struct p2p_pairs *pairs, const struct world *world, FILE *to);
/* `pairs`, each with `ranks`, `hosts`, `cores`, `share_cores` and its findings, and `differences`;
 * owned by the caller; NULL when memory is short. */
json_t *p2p_pairs_json(const struct p2p_pairs *pairs, const struct world *world);
/* The p2p block of the pair with median one-way times, plus `pairs` (without findings) and
 * `differences`; ownership as above. */
json_t *p2p_pairs_block(const struct p2p_pairs *pairs, const struct world *world);

#endif
