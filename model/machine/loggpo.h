/* loggpo.h - cost of one message in LogGPO, and its overlap with computation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_LOGGPO_H
#define MODEL_MACHINE_LOGGPO_H

#include <stdint.h>

/* The model of [Chen 2009] (section 2.2), which drops the gap g. Times are seconds. The overheads
 * are those of the message's length. */
struct tan_loggpo {
    double L;       /* latency */
    double G;       /* gap per byte */
    double control; /* O', handling one control message */
    double start;   /* O_i, starting the transfer */
    double copy;    /* O_c, copying the message out of the library's buffer */
};

/* When the calls begin, on one clock. */
struct tan_loggpo_calls {
    double isend, irecv;         /* T_s, T_r */
    double send_wait, recv_wait; /* T_sw, T_rw: the two MPI_Wait */
};

struct tan_loggpo_cost {
    double sender, receiver;           /* O_s, O_r: all overhead of either side */
    double sender_wait, receiver_wait; /* O_sw, O_rw: the part inside MPI_Wait */
    double message;                    /* T_c: the whole communication */
};

/* Eager, up to S bytes: O_s = O_i, O_r = O_c, T_c = O_i + G (K-1) + L + O_c. */
void tan_loggpo_eager(const struct tan_loggpo *p, int64_t bytes, struct tan_loggpo_cost *out);

/* Rendezvous by RAT where the library moves messages only inside its own calls (DCP). With the time
 * that a side waits for the other, B, and move = O_i + G (K-1):
 *     T_r > T_s + O' + L:   B = T_r - T_sw,  O_sw = B + 2 O' + L + move,  O_s = O' + O_sw,
 *                           O_r = 2 O',      T_c = 4 O' + 3 L + B + move
 *     else:                 O_sw as above,   O_rw = 2 O' + L + move,      O_r = O' + O_rw,
 *                           T_c = 4 O' + 3 L + (T_rw - T_sw) + move
 * A difference below 0 means that the other side waits, not that time is gained: it counts as 0. */
void tan_loggpo_dependent_rat(const struct tan_loggpo *p, int64_t bytes,
                              const struct tan_loggpo_calls *calls, struct tan_loggpo_cost *out);

/* Rendezvous by RTA where messages move while the application computes (ICP): O_s = 2 O',
 * O_r = 2 O' + O_i, T_c = 2 (2 O' + L) + O_i + G (K-1) + L. */
void tan_loggpo_independent_rta(const struct tan_loggpo *p, int64_t bytes,
                                struct tan_loggpo_cost *out);

/* The share of its time that a side which computes for `computation` seconds computes:
 * comp / (comp + O). 0 when both are 0. */
double tan_overlap_ratio(double computation, double overhead);

#endif
