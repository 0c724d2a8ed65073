/* emulation.h - time as a machine file says, played by sleeping
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_EMULATION_H
#define BENCH_PLAN_EMULATION_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"

/* The overlay's processes and messages are real, but what they cost is the TAN recursion taken for
 * a machine: a message is there L after it was sent; every message takes its child a, on the way
 * down after it came, on the way up before it leaves; a node spends the rest of its level's cost
 * each way, a leaf C. Half a round trip is then exactly the recursion of model/wave.h. Where the
 * machine file says how the latency is distributed, every link draws its own for each wave.
 *
 * Packets carry the instant at which they were sent, and every process computes from it the instant
 * at which it is done and sleeps until then. Waking late therefore delays nobody below or above
 * unless it takes longer than the message would have. Ranks must share a clock, so all are on one
 * host. */
struct emulation {
    double dilation;                 /* all times are stretched by this factor, 0: no emulation */
    char name[64];                   /* of the machine */
    struct tan_params params;        /* its own, not stretched; no draws */
    struct tan_peak peak[TAN_PEAKS]; /* what a message's latency is drawn from */
    int n_peaks;                     /* 0: it is always L */
    uint64_t seed;
};

static inline bool emulation_on(const struct emulation *emulation)
{
    return emulation->dilation > 0;
}

/* Read the machine file `path`. */
int tan_emulation_load(struct emulation *emulation, const char *path, double dilation,
                       struct tan_error *e);
/* The same machine's bare links: nothing but latency. */
struct emulation tan_emulation_links(const struct emulation *emulation);

/* What a process with `fanout` children pays, in stretched seconds. */
struct emulated_costs {
    double latency; /* of every message, where it is not drawn */
    double message; /* of a process for each message from or to its parent */
    double node;    /* of a process each way */
};
struct emulated_costs tan_emulation_costs(const struct emulation *emulation, int fanout);
/* A message's latency in stretched seconds, of a machine with peaks. */
double tan_emulation_draw(const struct emulation *emulation, gsl_rng *rng);

/* How late waves ended, since this machine was too slow or too busy. */
struct lateness {
    uint64_t waves,
        behind;    /* all that were played; those late by more than MAX_LATENESS of their time */
    uint64_t kept; /* of the latter, those that count all the same */
    double mean;   /* seconds of the emulated machine, of those that are not behind */
    double most;   /* of all */
};
#define MAX_LATENESS 0.01
/* A wave that is behind tells nothing of the emulated machine. It is played again, but counts when
 * it is behind so many times in a row. */
enum { MAX_PLAYS = 5 };
/* One more wave, played for the `tries`th time, which took `seconds`, `late` of them too many.
 * True: it counts. */
bool tan_lateness_add(struct lateness *l, int tries, double seconds, double late);
/* All of `more` as well. */
void tan_lateness_join(struct lateness *l, const struct lateness *more);
/* Share of the waves that count but are behind. */
double tan_lateness_share(const struct lateness *l);

#endif
