/* greedy_tree.h - LogP's greedy broadcast tree, as MPICH's topology_wave builds it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_GREEDY_TREE_H
#define TAN_DESIGN_TARGETS_GREEDY_TREE_H

#include "design/targets/target.h"

/* Every process that has the message sends it on, once per unit of time; a message takes
 * `latency` + 2 units until its receiver can do the same. So the next process always gets it as
 * early as possible. Processes are numbered in the order in which they are reached. Of those that
 * could send at the same time the one with the lower number sends first; other rules only move
 * leaves of the last time. */
enum { TAN_GREEDY_LATENCY = 256 }; /* the most; the least is 1 */
/* Of more than TAN_BRANCHES kinds of children, beyond 3 * 10^4 processes, those with the smallest
 * subtrees are evened out. */
int tan_greedy_tree_split(int64_t latency, int64_t size, int depth, struct tan_branch *out);
void tan_greedy_tree_parents(int64_t latency, int32_t n, int32_t *parents);

#endif
