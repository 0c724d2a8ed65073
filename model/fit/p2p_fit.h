/* p2p_fit.h - sections and their parameters, from measured messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_FIT_P2P_FIT_H
#define TAN_MODEL_FIT_P2P_FIT_H

#include "model/machine/p2p.h"

/* Timings of one message size, in seconds. */
enum tan_p2p_timing {
    TAN_P2P_TRIP,             /* half round trip, the mean of many */
    TAN_P2P_SEND_CALL,        /* blocking send to a waiting receiver */
    TAN_P2P_SENDER_COMPUTE,   /* Isend, computation longer than the transfer, Wait; minus the
                                 computation; the receiver waits */
    TAN_P2P_RECEIVER_COMPUTE, /* the same for the receiver: Irecv, computation, Wait; the sender
                                 waits */
    TAN_P2P_FEW,  /* a window: Isends to posted receives until all complete and the receiver has
                     replied with an empty message; the smaller window */
    TAN_P2P_MANY, /* the larger window */
    TAN_P2P_DUPLEX_FEW, /* the same in both directions at once */
    TAN_P2P_DUPLEX_MANY,
    TAN_P2P_ISEND_CALL,   /* Isend call; the receiver waits */
    TAN_P2P_RECEIVE_CALL, /* blocking receive of a message sent four one-way times earlier */
    TAN_P2P_TIMINGS
};

/* Repeated timings of one message size. */
struct tan_p2p_samples {
    int64_t bytes;
    int few, many;                         /* messages per window, few < many */
    const double *sample[TAN_P2P_TIMINGS]; /* in order of measurement, n each */
    size_t n[TAN_P2P_TIMINGS];             /* 0: not measured, and so are the values made of it */
};

/* The library's protocols, and sizes in bytes at which its behaviour changes: each is the last one
 * before a change. */
enum { TAN_P2P_MAX_JUMPS = 16 };
struct tan_p2p_limits {
    enum tan_transfer transfer; /* above S */
    enum tan_progress progress;
    int64_t eager;                   /* S; -1 if unknown */
    int64_t alone;                   /* up to S; -1: equals S */
    double control;                  /* O', seconds; NaN if unknown */
    int64_t jump[TAN_P2P_MAX_JUMPS]; /* sizes after which one-way times jump */
    size_t n_jumps;
};

/* The time of messages without interference: the lower quartile of the samples, since interference
 * only adds time and differs between runs. `scratch`: room for n; NULL if the samples are sorted.
 * O(n log n). */
double tan_p2p_undisturbed(const double *samples, size_t n, double *scratch);

struct tan_p2p_estimate {
    double value; /* NaN if not identifiable */
    struct tan_interval ci95;
};
/* The undisturbed time with the order statistics that bound the lower quartile with 95 % confidence
 * (normal approximation of the binomial; unknown for n < 19, which is too few for the lower one).
 * Sorts the samples. O(n log n). */
struct tan_p2p_estimate tan_p2p_estimate(double *samples, size_t n);

/* Make a p2p block of `n` sizes (bytes ascending) from the undisturbed time of every timing; the
 * gap, in one direction and in both, is the difference of the windows' times over that of their
 * message counts. Gaps whose 95 % interval reaches 0 are not identifiable and NaN; all other times
 * may be 0. Sections start at the breakpoints of a piecewise linear fit to half(bytes)
 * (tan_segments_find) and above the protocol limits. In each
 *     o_s + O_s k, o_r + O_r k, g + G (k-1)
 * are fitted to the values per size with relative weights; they neither fall nor are negative
 * within the section, and are constant if sizes differ by less than a quarter; if the receiver
 * fetches (RTA), o_s is the median over all sizes above S. L and L_byte, of either sign, are the
 * rest of the one-way time: half = o_s + O_s k + L + L_byte k + o_r + O_r k. g and G are omitted if
 * not identifiable, that is if the gaps equal the larger overhead within 5 % on average. ack, above
 * `alone`, is the mean blocking send time minus half. Intervals predict another, shorter run:
 * everything is refitted to resamplings of one eighth of the time, each eighth in turn, since slow
 * drifts last for seconds and resampling the whole time would hide them. `disturbed` is left to the
 * caller, who owns the result (tan_p2p_destroy). NULL without messages, or if memory is short. */
struct tan_p2p *tan_p2p_fit(const struct tan_p2p_samples *samples, size_t n,
                            const struct tan_p2p_limits *limits, uint64_t seed,
                            struct tan_error *e);

/* Timings of one message size, in seconds. */
struct tan_p2p_pack_samples {
    int64_t bytes;
    size_t n;                 /* of each, at least 1 */
    const double *contiguous; /* sent or received from contiguous data */
    const double *spread;     /* from non-contiguous data */
};

/* What non-contiguous data add to the time that a side is busy with a message. */
struct tan_p2p_pack {
    struct tan_p2p_estimate message; /* seconds, part of o */
    struct tan_p2p_estimate byte;    /* seconds per byte, part of O */
};

/* Fit message + byte * bytes, both coefficients >= 0, to the undisturbed times of `spread` minus
 * those of `contiguous`, with relative weights; at least 2 `sizes`, all different. Intervals come
 * from refits of resampled data; a value whose 95 % interval reaches 0 is not identifiable. -1 if
 * memory is short. */
int tan_p2p_pack_fit(const struct tan_p2p_pack_samples *samples, size_t sizes, uint64_t seed,
                     struct tan_p2p_pack *out, struct tan_error *e);

#endif
