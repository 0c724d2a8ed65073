/* samples.h - what was measured of messages of many sizes, sample by sample
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_SAMPLES_H
#define TANBENCH_P2P_SAMPLES_H

#include "model/fit/p2p_fit.h"

/* What else uses the cores of two ranks at a moment (pace.h); seconds. */
struct p2p_look {
    double work[2]; /* what leader and partner take for the same piece of work, at the same time */
    double turn;    /* of a cache line from one to the other; NaN between hosts, or when one of them
                       was away */
};

enum { P2P_MOST_SIZES = 256, P2P_MOST_PASSES = 1500 };

/* Timings of a group are sampled together, in passes of their own. */
enum p2p_group { P2P_TRIPS, P2P_TRAINS, P2P_COLD, P2P_GROUPS };

struct p2p_measurement {
    int64_t size[P2P_MOST_SIZES]; /* rising */
    size_t n_sizes;
    size_t passes[P2P_GROUPS]; /* that were kept; 0: not measured */
    int train[P2P_MOST_SIZES]; /* messages in a train, by size */
    double *sample;            /* [size][timing][pass], P2P_MOST_PASSES apart; owned */
    struct p2p_look *look;     /* [size][group][pass][before, after], the same; owned */
    double lost; /* share of the time that others had its core though it had work; NaN: not known */
};

static inline enum p2p_group p2p_group_of(enum tan_p2p_timing timing)
{
    return timing == TAN_P2P_TRIP ? P2P_TRIPS : timing == TAN_P2P_COLD ? P2P_COLD : P2P_TRAINS;
}

/* The samples of one size: as many as its group has passes. */
static inline double *p2p_samples(const struct p2p_measurement *m, size_t size,
                                  enum tan_p2p_timing timing)
{
    return &m->sample[(size * TAN_P2P_TIMINGS + (size_t)timing) * P2P_MOST_PASSES];
}

/* What was seen just before and just after one sample. */
static inline struct p2p_look *p2p_looks(const struct p2p_measurement *m, size_t size,
                                         enum p2p_group group, size_t pass)
{
    return &m->look[((size * P2P_GROUPS + group) * P2P_MOST_PASSES + pass) * 2];
}

#endif
