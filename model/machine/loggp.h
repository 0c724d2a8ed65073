/* loggp.h - LogGPO: costs of one message by protocol and progress
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_LOGGP_H
#define TAN_MODEL_MACHINE_LOGGP_H

#include <stdint.h>

/* Protocol of a message: R request, A acknowledgement, T the message itself. */
enum tan_transfer {
    TAN_TRANSFER_UNKNOWN,
    TAN_TRANSFER_T,   /* eager: the sender does not depend on the receiver */
    TAN_TRANSFER_TA,  /* the same, but the buffer is not free until the receiver has reacted */
    TAN_TRANSFER_RTA, /* the receiver fetches the message */
    TAN_TRANSFER_RAT, /* the sender pushes it after the receiver's answer */
    TAN_TRANSFERS
};
/* Whether messages progress while the application computes, or only inside library calls. */
enum tan_progress {
    TAN_PROGRESS_UNKNOWN, /* treated as dependent */
    TAN_PROGRESS_DEPENDENT,
    TAN_PROGRESS_INDEPENDENT,
    TAN_PROGRESSES
};

/* Costs of a message of one size; seconds. */
struct tan_loggpo_costs {
    enum tan_transfer transfer;
    enum tan_progress progress;
    double delivered; /* from the start of the send until a waiting receiver has the message */
    double arrival;   /* until the receiver can react: to the message (T, TA) or the request */
    double o_s, o_r;  /* processor time of a side that computes during the transfer */
    double answer;    /* the same for a receiver that reacts in its Irecv; at most o_r */
    double blocked; /* from the start of the send until a waiting sender continues, if the receiver
                       waits, too */
};

/* The model of [Chen 2009] (section 2.2), without the gap g. Times are seconds; overheads are those
 * for the length of the message. */
struct tan_loggpo {
    double L;       /* latency */
    double G;       /* gap per byte */
    double control; /* O', processing of one control message */
    double start;   /* O_i, start of the transfer */
    double copy;    /* O_c, copy out of the library's buffer */
};

/* The costs of a message by the model's parameters. With move = O_i + G (K-1):
 *     T, TA              o_s = O_i   o_r = O_c               delivered = move + L + O_c
 *     RTA, dependent     o_s = 2 O'  o_r = O' + move         delivered = 2 O' + L + move
 *     RTA, independent   o_s = 2 O'  o_r = 2 O' + O_i        delivered = 4 O' + 3 L + move
 *     RAT, dependent     o_s = 2 O' + move,  o_r = 3 O' + 2 L + move,
 *                                                            delivered = 4 O' + 3 L + move
 * answer is 2 O' under the dependent RAT (case (a) of the paper), where the sender pushes the data
 * later, else o_r. T and the independent RTA are the paper's; the dependent RTA follows from its
 * definitions, and the dependent RAT from the event form below. An unknown protocol counts as RAT.
 * The paper does not define RAT with independent progress, so the costs of RTA are used. */
void tan_loggpo_by_paper(const struct tan_loggpo *p, enum tan_transfer transfer,
                         enum tan_progress progress, int64_t bytes, struct tan_loggpo_costs *out);

/* Isend or Irecv, computation, Wait: times on a common clock and durations, in seconds. */
struct tan_loggpo_calls {
    double isend, irecv;                       /* T_s, T_r: start of the calls */
    double sender_computes, receiver_computes; /* between the call and its Wait */
};
struct tan_loggpo_ends {
    double sender, receiver; /* return from Wait */
};
/* When both sides are finished, by the event form of the model. A receiver that progresses only in
 * calls reacts in its Irecv, if the message or request has arrived by then, or else in its Wait.
 * The message is delivered costs->delivered - costs->arrival after the reaction; under a dependent
 * RAT not before the sender has pushed it in its Wait. A receiver that reacts in its Irecv computes
 * afterwards, and only pays costs->answer. Each side finishes after its own overhead and
 * computation, and after what it waits for from the other side.
 * In case (b) of section 2.2.2, RAT with dependent progress, the paper contradicts itself: its
 * formula blocks the sender until T_r, but in its text and its T_c the receiver answers in its
 * Wait, T_rw. The latter is used. */
void tan_loggpo_exchange(const struct tan_loggpo_costs *costs, const struct tan_loggpo_calls *calls,
                         struct tan_loggpo_ends *out);

/* Share of its time that a side spends on computing for `computation` seconds: comp / (comp + O). 0
 * if both are 0. */
double tan_overlap_ratio(double computation, double overhead);

#endif
