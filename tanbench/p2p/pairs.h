/* pairs.h - the same measurements for many pairs of ranks, and how the pairs differ
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_PAIRS_H
#define TANBENCH_P2P_PAIRS_H

#include "tanbench/p2p/calibrate.h"

/* Pairs among so many ranks. */
int64_t p2p_pairs_among(int64_t ranks);

/* Rank 0: measure request->pairs different pairs, drawn with the seed, one after the other; at most
 * as many as there are. An array with `ranks`, `hosts`, `cores` and `share_cores` of each and what
 * p2p_findings_json says of it; `limits` as in p2p_find. The caller owns the reference; NULL with
 * an error. */
json_t *p2p_pairs_measure(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
                          struct tan_error *e);
/* A rank other than 0 that leads a pair: measure and send it to rank 0. */
void p2p_pairs_lead(struct p2p_link *link, void *request);

/* Some two ranks have to share a core. */
bool p2p_pairs_crowded(const json_t *pairs);
/* For every parameter and measured size the least, middle and largest value over the pairs. */
json_t *p2p_pairs_differences(const json_t *pairs, struct tan_error *e);
/* The pair whose half trips are in the middle; borrowed. */
json_t *p2p_pairs_middle(const json_t *pairs);
void p2p_pairs_print(const json_t *pairs, const json_t *differences, FILE *to);

#endif
