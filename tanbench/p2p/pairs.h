/* pairs.h - single messages between many pairs of ranks, and differences of the pairs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_PAIRS_H
#define TANBENCH_P2P_PAIRS_H

#include "tanbench/p2p/calibrate.h"

struct p2p_pair {
    int rank[2];         /* the smaller one, which leads, first */
    bool share_cores;    /* the two ranks share a core */
    json_t *found;       /* of p2p_findings_json; owned */
    struct tan_p2p *p2p; /* the block in it; owned */
};

/* Minimum, median and maximum over the pairs that have a value. */
struct p2p_difference {
    const char *key; /* of tan_p2p_params, or of tan_p2p_series_keys */
    int64_t bytes;   /* -1: a parameter, of the first section, or of the last when it is per byte */
    size_t n;        /* pairs */
    double min, median, max; /* seconds, or seconds per byte */
};

struct p2p_pairs {
    struct p2p_pair *pair;             /* owned */
    size_t n;                          /* of them */
    struct p2p_difference *difference; /* of every parameter and measured size; owned */
    size_t n_differences;
};

/* Number of pairs among `ranks` ranks. */
int64_t p2p_pairs_among(int64_t ranks);

/* Rank 0: measure request->pairs different pairs, drawn with the seed, one after the other; at most
 * as many as there are. `limits` as in p2p_calibrate. Clear `pairs` in any case. */
int p2p_pairs_measure(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                      struct p2p_pairs *pairs, struct tan_error *e);
void p2p_pairs_clear(struct p2p_pairs *pairs);
/* A rank other than 0 that leads a pair: measure and send it to rank 0. */
void p2p_pairs_lead(struct p2p_link *link, void *request);

void p2p_pairs_print(const struct p2p_pairs *pairs, const struct world *world, FILE *to);
/* `pairs`, each with `ranks`, `hosts`, `cores`, `share_cores` and its findings, and `differences`;
 * the caller owns the reference; NULL: memory is short. */
json_t *p2p_pairs_json(const struct p2p_pairs *pairs, const struct world *world);
/* The p2p block of the pair with median one-way times, with `pairs` (without findings) and
 * `differences`; the same. */
json_t *p2p_pairs_block(const struct p2p_pairs *pairs, const struct world *world);

#endif
