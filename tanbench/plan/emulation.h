/* emulation.h - times of a machine file, replayed by processes that sleep in simulated time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_EMULATION_H
#define TAN_TANBENCH_PLAN_EMULATION_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/wave/wave.h"

/* Times of the TAN recursion for a machine, on simulated hosts without costs of their own. A
 * process sleeps after a request arrives and before its answer leaves, each time for the whole cost
 * of the message: to the process, its parent and the network. That is the level's cost in the tier
 * of the link; a leaf also sleeps for C. Half a round trip is then exactly the recursion of
 * model/wave/wave.h. If the machine file has a distribution of the latency, a latency is drawn for
 * each link of the last tier and each wave, the same in both directions. */
struct emulation {
    char name[64]; /* of the machine */
    int n_tiers;   /* 0: no emulation; 1: all processes are equally far apart */
    struct tan_params params[TAN_TIERS]; /* by tier, without draws and payload */
    struct tan_peak peak[TAN_PEAKS];     /* distribution of latencies in the last tier */
    int n_peaks;                         /* 0: constant L */
};

static inline bool emulation_on(const struct emulation *emulation)
{
    return emulation->n_tiers > 0;
}

/* Load the machine that tan_machine_find finds. Fails if it lacks the parameters of trees. */
int tan_emulation_load(struct emulation *emulation, const char *path, struct tan_error *e);
/* The same machine, but only its links: all parameters are 0 except L. */
struct emulation tan_emulation_links(const struct emulation *emulation);

/* Delay of a message between a process and its parent, per direction, in seconds. All 0 at the
 * root, and without emulation. */
struct emulated_way {
    double seconds; /* including L, which a drawn latency replaces */
    double latency; /* L */
    bool drawn;     /* L is drawn for each wave, by tan_emulation_draw */
};
struct emulated_way tan_emulation_way(const struct emulation *emulation,
                                      const struct tan_tree *tree, const struct tan_sites *sites,
                                      int32_t node);
/* A random latency in seconds from the machine's peaks, of which there is at least one: a mixture
 * of normal distributions, whose negative values become 0. */
double tan_emulation_draw(const struct emulation *emulation, gsl_rng *rng);

#endif
