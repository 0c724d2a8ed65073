/* p2p_samples.h - samples of messages of many sizes, and selection of undisturbed ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_SAMPLING_P2P_SAMPLES_H
#define TAN_TANBENCH_SAMPLING_P2P_SAMPLES_H

#include <stdbool.h>

#include "model/fit/p2p_fit.h"

/* Values are made of P2P_MIN_PASSES or more. */
enum { P2P_MAX_MEASURED = 256, P2P_MIN_PASSES = 3, P2P_MAX_PASSES = 1500 };

/* Groups of timings, each sampled in passes of its own: one-way times, and all others. */
enum p2p_group { P2P_TRIPS, P2P_CALLS, P2P_GROUPS };

struct p2p_measurement {
    int64_t size[P2P_MAX_MEASURED]; /* increasing */
    size_t n_sizes;
    size_t passes[P2P_GROUPS];  /* number of kept passes; 0: not measured */
    int few[P2P_MAX_MEASURED];  /* messages per window, by size */
    int many[P2P_MAX_MEASURED]; /* the same */
    double *sample; /* seconds, [size][timing][pass] with room for P2P_MAX_PASSES passes; owned */
    /* [size][group][pass], likewise: the longer one of the probes before and after the sample, on
     * the leader's and the partner's core; owned */
    double (*probe)[2];
    double fastest[2]; /* fastest probe of either core, seconds */
};

/* Allocate for m->n_sizes sizes. -1 if memory is short. */
int tan_p2p_measurement_allocate(struct p2p_measurement *m, struct tan_error *e);
void tan_p2p_measurement_clear(struct p2p_measurement *m);

static inline enum p2p_group tan_p2p_group_of(enum tan_p2p_timing timing)
{
    return timing == TAN_P2P_TRIP ? P2P_TRIPS : P2P_CALLS;
}

/* The samples of one size, one for each pass of the group. */
static inline double *tan_p2p_samples_of(const struct p2p_measurement *m, size_t size,
                                         enum tan_p2p_timing timing)
{
    return &m->sample[(size * TAN_P2P_TIMINGS + (size_t)timing) * P2P_MAX_PASSES];
}

/* The probes of both cores for one sample. */
static inline double *tan_p2p_probe_of(const struct p2p_measurement *m, size_t size,
                                       enum p2p_group group, size_t pass)
{
    return m->probe[(size * P2P_GROUPS + group) * P2P_MAX_PASSES + pass];
}

/* Whether the probes show no other program on either core during the sample. */
bool tan_p2p_quiet(const struct p2p_measurement *m, size_t size, enum p2p_group group, size_t pass);
/* Share of quiet samples among all. */
double tan_p2p_quiet_share(const struct p2p_measurement *m);
/* Whether at least a quarter of the sizes have too few quiet samples. O(samples). */
bool tan_p2p_disturbed(const struct p2p_measurement *m);
/* The samples of one size that count, in order: the quiet ones if these are at least 8 or a
 * quarter, otherwise all. `out`: room for P2P_MAX_PASSES. Returns their number. */
size_t tan_p2p_take(const struct p2p_measurement *m, size_t size, enum tan_p2p_timing timing,
                    double *out);
/* The undisturbed one-way time of a size, from the samples that count; seconds. */
double tan_p2p_one_way_time(const struct p2p_measurement *m, size_t size);

/* What all of `n` tries but at most a fifth have found, by numbers from 0; 0, which is unknown,
 * where there is no such answer. */
int tan_p2p_agreed(const int *found, int n);

/* A core's units serve two hardware threads, and the other one may belong to another job or virtual
 * machine. The kernel does not show this, but work that keeps the units busy then takes 1.2 to 2
 * times as long; on a free core it varies by 2 %. `took`, `fastest`: seconds for that work now, and
 * its minimum on this core. */
static inline bool tan_core_slowed(double took, double fastest)
{
    return took > 1.1 * fastest;
}

#endif
