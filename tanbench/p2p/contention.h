/* contention.h - which samples were taken while others used the pair's cores, too
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_CONTENTION_H
#define BENCH_CONTENTION_H

#include "tanbench/p2p/samples.h"

/* On a virtual machine the same message may take a third longer for seconds or minutes, as
 * neighbours come and go, and half as long while its two processors are threads of one core. So the
 * cores are looked at before and after each sample. A core is slowed when its piece of work takes
 * clearly longer than the fastest one seen. */
enum {
    P2P_MIXED = TAN_P2P_ANY, /* not the same before and after */
    P2P_ELSEWHERE = -2       /* a cache line took much longer or shorter than it mostly does */
};

struct p2p_conditions {
    int8_t *of; /* [size][group][pass], P2P_MOST_PASSES apart: how many cores were slowed, or one of
                   the above; owned */
    double share[TAN_P2P_CONDITIONS]; /* of all samples */
    double fastest[2];                /* piece of work of each core here, seconds */
    double work[2], turn;             /* as in struct tan_p2p: what cores are compared with */
    int slowed; /* the condition chosen, TAN_P2P_ANY when none has enough samples */
    double half[P2P_MOST_SIZES]; /* by size: the undisturbed half trip in it, seconds */
};

/* Judge every sample and choose a condition that most sizes have enough samples of, in every group
 * that was measured: that of free cores, which alone is the same every time, or else the one
 * with the most. `known`: a machine to compare with; its fastest work counts, its time for a cache
 * line, and only conditions that it has been measured in, its own before others that are not of
 * free cores. NULL: there is none. Clear it in any case. */
int p2p_conditions_judge(const struct p2p_measurement *m, const struct tan_p2p *known,
                         struct p2p_conditions *c, struct tan_error *e);
void p2p_conditions_clear(struct p2p_conditions *c);
/* Most sizes have enough samples from free cores. */
bool p2p_conditions_quiet(const struct p2p_conditions *c, const struct p2p_measurement *m);
/* Whether what was judged with `known` tells something of its predictions: the two have a condition
 * in common, or `known` does not say which it was measured in. */
bool p2p_conditions_comparable(const struct p2p_conditions *c, const struct tan_p2p *known);

/* What was judged of one sample. */
int p2p_condition_of(const struct p2p_conditions *c, size_t size, enum p2p_group group,
                     size_t pass);
/* The samples of one condition, in their order; none when they are too few to say something.
 * `out`: room for the passes of its group. Returns how many. */
size_t p2p_conditions_select(const struct p2p_conditions *c, const struct p2p_measurement *m,
                             size_t size, enum tan_p2p_timing timing, int slowed, double *out);
/* Those of the condition chosen; when they are too few, all that were not taken elsewhere, or all.
 * 1 or more. */
size_t p2p_conditions_take(const struct p2p_conditions *c, const struct p2p_measurement *m,
                           size_t size, enum tan_p2p_timing timing, double *out);

#endif
