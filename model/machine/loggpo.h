/* loggpo.h - cost of one message in LogGPO, and its overlap with computation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_LOGGPO_H
#define MODEL_MACHINE_LOGGPO_H

#include <stdint.h>

/* Protocol of a message: R a request, A an acknowledgement, T the message itself. */
enum tan_transfer {
    TAN_TRANSFER_UNKNOWN,
    TAN_TRANSFER_T,   /* the sender needs nothing of the receiver */
    TAN_TRANSFER_TA,  /* the same, but its buffer is free only when the receiver has reacted */
    TAN_TRANSFER_RTA, /* the receiver fetches the message */
    TAN_TRANSFER_RAT, /* the sender pushes it when the receiver has answered */
    TAN_TRANSFERS
};
/* Whether messages move while the application computes, or only inside the library's calls. */
enum tan_progress {
    TAN_PROGRESS_UNKNOWN, /* as dependent */
    TAN_PROGRESS_DEPENDENT,
    TAN_PROGRESS_INDEPENDENT,
    TAN_PROGRESSES
};

/* What a message of one size costs; seconds. */
struct tan_loggpo_costs {
    enum tan_transfer transfer;
    enum tan_progress progress;
    double delivered; /* from the start of the send until a receiver that waits has the message */
    double arrival;   /* until the receiver can react: to the message (T, TA) or the request */
    double o_s, o_r;  /* processor time of a side that computes while the message is under way */
    double answer;    /* the same of a receiver that reacts in its Irecv; at most o_r */
    double blocked;   /* from the start of the send until a sender that waits may continue, when the
                         receiver waits, too */
};

/* The model of [Chen 2009] (section 2.2), which drops the gap g. Times are seconds. The overheads
 * are those of the message's length. */
struct tan_loggpo {
    double L;       /* latency */
    double G;       /* gap per byte */
    double control; /* O', handling one control message */
    double start;   /* O_i, starting the transfer */
    double copy;    /* O_c, copying the message out of the library's buffer */
};

/* The costs of a message by the model's parameters. With move = O_i + G (K-1):
 *     T, TA              o_s = O_i   o_r = O_c               delivered = move + L + O_c
 *     RTA, dependent     o_s = 2 O'  o_r = O' + move         delivered = 2 O' + L + move
 *     RTA, independent   o_s = 2 O'  o_r = 2 O' + O_i        delivered = 4 O' + 3 L + move
 *     RAT, dependent     o_s = 2 O' + move,  o_r = 3 O' + 2 L + move,
 *                                                            delivered = 4 O' + 3 L + move
 * answer is 2 O' under the dependent RAT (case (a) of the paper), where the sender pushes the data
 * later, else o_r. T and the independent RTA are the paper's; the dependent RTA follows from its
 * definitions, and its dependent RAT from the event form below. An unknown protocol counts as RAT,
 * which with independent progress the paper has not: it counts as RTA then. */
void tan_loggpo_by_paper(const struct tan_loggpo *p, enum tan_transfer transfer,
                         enum tan_progress progress, int64_t bytes, struct tan_loggpo_costs *out);

/* Isend and Irecv, computation, Wait. Times on one clock, and durations. */
struct tan_loggpo_calls {
    double isend, irecv;                       /* T_s, T_r: when the calls begin */
    double sender_computes, receiver_computes; /* between the call and its Wait */
};
struct tan_loggpo_ends {
    double sender, receiver; /* when Wait returns */
};
/* The event form of the model: when both sides are done. A receiver that depends on calls reacts in
 * its Irecv, when the message or request is there already, or in its Wait; the message is delivered
 * delivered - arrival after that, under RAT not before the sender, in its Wait, has pushed it. A
 * receiver that reacts in its Irecv computes after that, and has only its answer to pay for. Each
 * side is done when its own overhead and computation are, and the other side has done what it waits
 * for.
 * This settles case (b) of section 2.2.2 for RAT with dependent progress: the paper has the sender
 * blocked until T_r there, but its text and its T_c have the receiver answer in its Wait, T_rw. */
void tan_loggpo_exchange(const struct tan_loggpo_costs *costs, const struct tan_loggpo_calls *calls,
                         struct tan_loggpo_ends *out);

/* The share of its time that a side which computes for `computation` seconds computes:
 * comp / (comp + O). 0 when both are 0. */
double tan_overlap_ratio(double computation, double overhead);

#endif
