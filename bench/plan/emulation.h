/* emulation.h - a machine file's times, played by processes that sleep in simulated time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_EMULATION_H
#define BENCH_PLAN_EMULATION_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "model/wave/wave.h"

/* The times of the TAN recursion for a machine, on simulated hosts that take none themselves: a
 * process sleeps after a request came, and before its answer leaves, for as long as the message
 * between it and its parent costs both and the network, the level's cost by the tier of that link;
 * a leaf also for C. Half a round trip is then exactly the recursion of model/wave/wave.h. Where
 * the machine file has the distribution of the latency, every link of the last tier draws its own
 * for each wave, the same for both ways. */
struct emulation {
    char name[64]; /* of the machine */
    int n_tiers;   /* 0: no emulation; 1: all processes are as far from each other */
    struct tan_params params[TAN_TIERS]; /* by tier; no draws */
    struct tan_peak peak[TAN_PEAKS];     /* distribution of a message's latency, of the last tier */
    int n_peaks;                         /* 0: it is always L */
};

static inline bool emulation_on(const struct emulation *emulation)
{
    return emulation->n_tiers > 0;
}

/* Read the machine file `path`. */
int tan_emulation_load(struct emulation *emulation, const char *path, struct tan_error *e);
/* The same machine's bare links: latency only. */
struct emulation tan_emulation_links(const struct emulation *emulation);

/* What passes each way between a process and its parent, in seconds. All 0 at the root, and without
 * emulation. */
struct emulated_way {
    double seconds; /* L included, which a drawn latency takes the place of */
    double latency; /* L */
    bool drawn;
};
struct emulated_way tan_emulation_way(const struct emulation *emulation,
                                      const struct tan_tree *tree, const struct tan_sites *sites,
                                      int32_t node);
/* A message's latency in seconds, of a machine with peaks. */
double tan_emulation_draw(const struct emulation *emulation, gsl_rng *rng);

#endif
