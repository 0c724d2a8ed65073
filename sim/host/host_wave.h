/* host_wave.h - waves of processes that share the cores of their hosts (the model tan-host)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_HOST_HOST_WAVE_H
#define SIM_HOST_HOST_WAVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "topo/tree.h"

/* Placement of the nodes of a tree. A pool is some cores and the processes that share them: a
 * single core where processes are bound to cores, a whole host where they are not. */
struct tan_placement {
    const uint32_t *host_of; /* by node; borrowed */
    const uint32_t *pool_of; /* by node, pools from 0; no pool spans hosts; borrowed */
    uint32_t pools;
    const uint32_t *cores; /* by pool, each at least 1; borrowed */
};

/* Where tanbench puts the processes of a tree that it measures on a host of its own: in the order
 * of the nodes, as many on every core; up to one a core they share all cores instead. One block,
 * which the caller frees. processes and cores >= 1. */
struct tan_placement *tan_placement_spread(uint32_t processes, uint32_t cores, struct tan_error *e);

/* Half a round trip in steady state, in seconds: a request goes down the tree and one packet of
 * every node up, while each process needs a core of its pool for its work and sleeps otherwise. The
 * work of a process that gets a core costs the more, the more others have run there since it ran
 * last: they have evicted its data from the caches. O(n d log n) for n nodes, d of them on a core:
 * about 0.1 ms for 64 nodes on 2 cores. */
int tan_host_wave(const struct tan_tree *tree, const struct tan_placement *placement,
                  const struct tan_host_params *params, double *wave, struct tan_error *e);

/* A wave that was measured. */
struct tan_host_observation {
    const struct tan_tree *tree;           /* borrowed */
    const struct tan_placement *placement; /* borrowed */
    double wave;                           /* seconds, > 0 */
};

/* Minimum number of trees for a fit. */
enum { TAN_HOST_MIN_TREES = 8 };

/* Find the parameters with which the simulated waves of chains and N-to-1 trees come closest to the
 * measured ones (squared relative errors, beyond 15 % only linearly; large trees weigh more).
 * `between` is taken as it is; params->error is how well they come out in the end. At least
 * TAN_HOST_MIN_TREES observations. Some thousand simulations of each: seconds.
 */
int tan_host_fit(const struct tan_host_observation *observations, size_t n, double between,
                 struct tan_host_params *params, struct tan_error *e);

#endif
