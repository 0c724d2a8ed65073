/* loggp.h - cost of one message in LogGP and its extensions
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_LOGGP_H
#define TAN_MODEL_MACHINE_LOGGP_H

#include <stdint.h>

/* All times are seconds; `bytes` is the length of the message, k in the formulas, at least 1. */
struct tan_loggp {
    double L;        /* latency: from the end of the send to the arrival of the first byte */
    double o_s, o_r; /* overhead: processor time of sender and receiver */
    double g;        /* gap: minimum time between two messages */
    double G;        /* gap per byte of a long message */
};

/* MPI protocols composed of plain messages [Al-Tawil 1998, equations 1 to 7]. R: request, A:
 * acknowledgement, T: the message itself. `_sender` is the time until the sender may continue, the
 * other one until delivery, both from the start of the send. */

/* T, a short message: T_s = o_s (1), T_sr = o_s + L + o_r (2). */
double tan_loggp_t_sender(const struct tan_loggp *p);
double tan_loggp_t(const struct tan_loggp *p);
/* TA, a short synchronous message: T_s = T_sr = 2 o_s + 2 L + 2 o_r (3). */
double tan_loggp_ta(const struct tan_loggp *p);
/* RTA, the receiver fetches: T_sr = 2 o_s + 2 L + o_r + (k-1) G (4), T_s = T_sr + L + o_r (5). */
double tan_loggp_rta(const struct tan_loggp *p, int64_t bytes);
double tan_loggp_rta_sender(const struct tan_loggp *p, int64_t bytes);
/* RAT, the sender pushes: T_s = 4 o_s + 3 L + 2 o_r + (k-1) G (6), T_sr = T_s + L + o_r (7). */
double tan_loggp_rat_sender(const struct tan_loggp *p, int64_t bytes);
double tan_loggp_rat(const struct tan_loggp *p, int64_t bytes);

/* Al-Tawil's two tiers: messages within a host go through shared memory, without latency. */
struct tan_loggp_local {
    double s_s, s_r; /* overhead of the sender and of the receiver */
    double S;        /* gap per byte */
};
/* Within a host: s_s + s_r + (k-1) S (8). */
double tan_loggp_within(const struct tan_loggp_local *p, int64_t bytes);
/* Between hosts, and in general LogGP for a long message: o_s + o_r + (k-1) G + L (9). */
double tan_loggp_between(const struct tan_loggp *p, int64_t bytes);

/* LogGPS, one way [Bacon 2023, section 3]: max(o_s, g) + G k + L + o_r, with the overheads measured
 * for messages of this length. */
double tan_loggps(const struct tan_loggp *p, int64_t bytes);

/* LogGOPS adds overheads per byte; one way [Bacon 2023, section 3]: max(o_s + O_s k, g + G k) + L +
 * O_r k + o_r. */
struct tan_loggops {
    struct tan_loggp base;
    double O_s, O_r; /* overhead per byte */
};
double tan_loggops(const struct tan_loggops *p, int64_t bytes);

#endif
