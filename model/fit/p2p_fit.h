/* p2p_fit.h - sections and their parameters, from measured messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_FIT_P2P_FIT_H
#define MODEL_FIT_P2P_FIT_H

#include "model/machine/p2p.h"

/* Timings of one size, in seconds. */
enum tan_p2p_timing {
    TAN_P2P_TRIP,             /* half of a round trip, the mean of many */
    TAN_P2P_SEND_CALL,        /* a blocking send whose receiver waits */
    TAN_P2P_SENDER_COMPUTE,   /* Isend, computation that outlasts the message, Wait, less the
                                 computation; the receiver waits */
    TAN_P2P_RECEIVER_COMPUTE, /* Irecv, computation, Wait, likewise; the sender waits */
    TAN_P2P_FEW,              /* a window: Isends to posted receives, until all are done and the
                                 receiver has replied with an empty message; the smaller one */
    TAN_P2P_MANY,             /* the larger window */
    TAN_P2P_DUPLEX_FEW,       /* the same in both directions at once */
    TAN_P2P_DUPLEX_MANY,
    TAN_P2P_TRIP_IN_PLACE, /* as the first, of messages received where the last one was sent from */
    TAN_P2P_ISEND_CALL,    /* Isend until it returns; the receiver waits */
    TAN_P2P_RECEIVE_CALL, /* a blocking receive of a message that was sent four one-way times ago */
    TAN_P2P_TIMINGS
};

/* Repeated timings of one size. */
struct tan_p2p_samples {
    int64_t bytes;
    int few, many;                         /* messages of the windows, few < many */
    const double *sample[TAN_P2P_TIMINGS]; /* in the order of their time, n each */
    size_t n[TAN_P2P_TIMINGS];             /* 1 or more */
};

/* The library's protocols, and the sizes at which it changes its ways: each is the last one before
 * the change. */
enum { TAN_P2P_MAX_JUMPS = 16 };
struct tan_p2p_limits {
    enum tan_transfer transfer; /* beyond S */
    enum tan_progress progress;
    int64_t eager;                   /* S; -1: not known */
    int64_t alone;                   /* up to S; -1: S */
    double control;                  /* O', seconds; 0: not known */
    int64_t jump[TAN_P2P_MAX_JUMPS]; /* of one-way times */
    size_t n_jumps;
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

/* Make a p2p block of `n` sizes (rising bytes), from the undisturbed time of every timing; the gap
 * is (many messages - few) / the difference of their numbers, in one direction and in both.
 * A value is not identifiable, NaN, when its 95 % interval reaches 0. Sections begin where straight
 * lines through half(bytes) meet (piecewise.h), and behind the limits. In each
 *     o_s + O_s k, o_r + O_r k, g + G (k-1)
 * are fitted to the sizes' values with relative weights, neither falling nor, in the section, below
 * 0, and level where sizes differ by less than a quarter; where the receiver fetches (RTA), o_s is
 * the median of all sizes beyond S. L and L_byte are what delivery leaves, of either sign: half =
 * o_s + O_s k + L + L_byte k + o_r + O_r k. g and G are left out where they are not identifiable:
 * the gaps are the larger overhead within 5 % in the mean. ack, beyond `alone`, is the mean of the
 * blocking send's time less half. Intervals are those of another, shorter run: all is fitted again
 * to samples drawn from one eighth of the time, each eighth in turn. Slow drifts last for seconds;
 * samples drawn from all of the time would hide them. `disturbed` is left to the caller, who owns
 * the result. */
struct tan_p2p *tan_p2p_fit(const struct tan_p2p_samples *samples, size_t n,
                            const struct tan_p2p_limits *limits, uint64_t seed,
                            struct tan_error *e);

/* How well the values of a section agree with each other. */
struct tan_p2p_check {
    double delivery; /* largest |o_s + L + o_r - half| / half of its sizes, by its lines */
    double period;   /* largest (overhead - gap) / gap of its sizes: > 0 where a side is busier than
                        its messages follow each other */
    bool gap_known;  /* the network's, not only a side's overhead */
};
/* By the sizes of section `i` that have all values; NaN when none has. */
struct tan_p2p_check tan_p2p_check_section(const struct tan_p2p *p, size_t i);

#endif
