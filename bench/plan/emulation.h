/* emulation.h - a machine file's times, emulated by sleeping
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_EMULATION_H
#define BENCH_PLAN_EMULATION_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "model/wave/wave.h"

/* The overlay's processes and messages are real, but their times are those of the TAN recursion for
 * a machine: a message arrives L after it was sent; every message takes its child a, on the way
 * down after it came, on the way up before it leaves, and its parent the rest of the link's cost;
 * a leaf spends C each way. L, a and that rest are those of the link's tier. Half a round trip is
 * then exactly the recursion of model/wave.h. Where the machine file has the distribution of the
 * latency, every link draws its own for each wave.
 *
 * Packets carry the instant at which they were sent, and every process computes from it the
 * instant at which it is done and sleeps until then. Waking late therefore delays no other process
 * unless it takes longer than the message would have. Ranks must share a clock, so all are on hosts
 * of one kernel. */
struct emulation {
    double dilation; /* all times are stretched by this factor, 0: no emulation */
    char name[64];   /* of the machine */
    int n_tiers;     /* 1: all processes are as far from each other */
    struct tan_params params[TAN_TIERS]; /* by tier, not stretched; no draws */
    struct tan_peak peak[TAN_PEAKS];     /* distribution of a message's latency, of the last tier */
    int n_peaks;                         /* 0: it is always L */
    uint64_t seed;
};

static inline bool emulation_on(const struct emulation *emulation)
{
    return emulation->dilation > 0;
}

/* Read the machine file `path`. */
int tan_emulation_load(struct emulation *emulation, const char *path, double dilation,
                       struct tan_error *e);
/* The same machine's bare links: latency only. */
struct emulation tan_emulation_links(const struct emulation *emulation);

/* Its parameters, as those of a machine; borrowed. */
struct tan_tiers tan_emulation_tiers(const struct emulation *emulation);

/* Costs of a process and of the link to its parent, in stretched seconds. */
struct emulated_costs {
    double latency; /* of every message, where it is not drawn */
    bool drawn;     /* where the machine has a distribution, it is this link's */
    double parent;  /* of the parent for each message, which others wait for */
    double message; /* of the process for each message from or to its parent */
    double leaf;    /* of a leaf each way */
};
struct emulated_costs tan_emulation_costs(const struct emulation *emulation,
                                          const struct tan_tree *tree,
                                          const struct tan_sites *sites, int32_t node);
/* A message's latency in stretched seconds, of a machine with peaks. */
double tan_emulation_draw(const struct emulation *emulation, gsl_rng *rng);

/* Lateness of waves, since this machine was too slow or too busy. */
struct lateness {
    uint64_t waves;
    uint64_t behind; /* of all waves: those that were later than is allowed */
    uint64_t kept;   /* of the latter, those that count nevertheless */
    double mean;     /* seconds of the emulated machine, of those that are not behind */
    double most;     /* of all */
};
#define MAX_LATENESS 0.01 /* of an emulated wave's time */
/* A wave that is behind says nothing about the emulated machine. It is repeated, but counts when it
 * is behind MAX_PLAYS consecutive times. */
enum { MAX_PLAYS = 5 };
/* One more wave, played for the `tries`th time, which was `late` by so many seconds, of which
 * `allowed` do not matter. True: it counts. */
bool tan_lateness_add(struct lateness *l, int tries, double allowed, double late);
/* Add all of `more`. */
void tan_lateness_join(struct lateness *l, const struct lateness *more);
/* Share of the waves that count but are behind. */
double tan_lateness_share(const struct lateness *l);

#endif
