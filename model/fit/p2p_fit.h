/* p2p_fit.h - sections and their parameters, from measured messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_P2P_FIT_H
#define MODEL_FIT_P2P_FIT_H

#include "model/machine/p2p.h"

/* Timings, in seconds; PRTT(n, d, s) is the time of n messages of s bytes with a pause d between
 * them and one reply to the last. */
enum tan_p2p_timing {
    TAN_P2P_TRIP,   /* PRTT(1,0,s)/2, the mean of many */
    TAN_P2P_ONE,    /* PRTT(1,0,s) */
    TAN_P2P_TRAIN,  /* PRTT(n,0,s) */
    TAN_P2P_SPACED, /* PRTT(n,d,s) less the n - 1 pauses, which are longer than PRTT(1,0,s) */
    TAN_P2P_LATE,   /* a receive call whose message has arrived */
    TAN_P2P_TIMINGS
};

/* Repeated timings of one size. */
struct tan_p2p_samples {
    int64_t bytes;
    int train;                             /* messages in a train, 2 or more */
    const double *sample[TAN_P2P_TIMINGS]; /* in the order of their time, n each */
    size_t n[TAN_P2P_TIMINGS];             /* 1 or more */
};

/* The time of messages without interference: the lower quartile of the samples. Time that other
 * programs add is always positive, and differs from run to run. `scratch`: room for n; NULL when
 * the samples are sorted. O(n log n). */
double tan_p2p_undisturbed(const double *samples, size_t n, double *scratch);

/* The middle 95 % of `n` values from repeated fits, which it sorts, with the fit's own `value`. */
struct tan_interval tan_p2p_interval(double *drawn, size_t n, double value);

struct tan_p2p_estimate {
    double value; /* NaN when not identifiable */
    struct tan_interval ci95;
};
/* The undisturbed time with the order statistics that bound the lower quartile with 95 %
 * confidence (normal approximation of the binomial; unknown for n < 19, when there is none below).
 * Sorts the samples. O(n log n). */
struct tan_p2p_estimate tan_p2p_estimate(double *samples, size_t n);

/* Make a p2p block of `n` sizes (rising bytes), from the undisturbed time of every timing:
 *     o_s = (PRTT(n,d,s) - PRTT(1,0,s)) / (n-1) - d,   gap = (PRTT(n,0,s) - PRTT(1,0,s)) / (n-1)
 * A value is not identifiable, NaN, when its 95 % interval reaches 0. Sections begin where
 * straight lines through half(bytes) meet (piecewise.h), and, when `eager` >= 0, behind that size.
 * In each
 *     o_s + O_s k, o_r + O_r k, g + G (k-1)
 * are fitted to the sizes' values with relative weights, no coefficient below 0, and
 *     L = half - max(o_s + O_s k, g + G k) - o_r - O_r k
 * is the mean of the remainder, 0 when overheads already explain all of it. O' of LogGPO is the
 * excess of a message beyond `eager` over 3 L + o_s(1) + G (k-1), a quarter of it.
 * Intervals are those of another, shorter run: all is fitted again to samples drawn from one
 * eighth of the time, each eighth in turn. Slow drifts last for seconds; samples drawn from all of
 * the time would hide them. `disturbed` is left to the caller, who owns the result. */
struct tan_p2p *tan_p2p_fit(const struct tan_p2p_samples *samples, size_t n, int64_t eager,
                            uint64_t seed, struct tan_error *e);

#endif
