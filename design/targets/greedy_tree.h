/* greedy_tree.h - LogP's greedy broadcast tree, as MPICH's topology_wave builds it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_GREEDY_TREE_H
#define TAN_DESIGN_TARGETS_GREEDY_TREE_H

#include "design/targets/target.h"

/* A process that has the message sends it on once per unit of time; `latency` + 2 units after a
 * message was sent its receiver starts to do the same. So every process gets it as early as
 * possible. Processes are numbered in the order in which they are reached, those reached at the
 * same time in the order of their parents; another order would only move leaves that are reached
 * last. `latency` is from 1 to TAN_GREEDY_LATENCY. */
enum { TAN_GREEDY_LATENCY = 256 };

/* `split` and `parents` of struct tan_knob, with the latency as their value. A process with more
 * kinds of children than TAN_BRANCHES, as in trees of more than 3 * 10^4 processes at the largest
 * latency, has those with the smallest subtrees evened out. */
int tan_greedy_tree_split(int64_t latency, int64_t size, int depth, struct tan_branch *out);
void tan_greedy_tree_parents(int64_t latency, int32_t n, int32_t *parents);

#endif
