/* loggp.c - LogGPO: costs of one message by protocol and progress
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/loggp.h"

#include <math.h>
#include <stdbool.h>

void tan_loggpo_by_paper(const struct tan_loggpo *p, enum tan_transfer transfer,
                         enum tan_progress progress, int64_t bytes, struct tan_loggpo_costs *out)
{
    const double move = p->start + p->G * (double)(bytes - 1);
    const double handshake = p->control + p->L;
    *out = (struct tan_loggpo_costs){
        .transfer = transfer == TAN_TRANSFER_UNKNOWN ? TAN_TRANSFER_RAT : transfer,
        .progress = progress,
    };
    if (transfer == TAN_TRANSFER_T || transfer == TAN_TRANSFER_TA) {
        out->o_s = p->start;
        out->o_r = out->answer = p->copy;
        out->arrival = move + p->L;
        out->delivered = out->arrival + p->copy;
        out->blocked = transfer == TAN_TRANSFER_T ? out->o_s : out->delivered + handshake;
        return;
    }
    out->arrival = handshake;
    const bool waits = progress != TAN_PROGRESS_INDEPENDENT;
    if (transfer == TAN_TRANSFER_RTA || !waits) { /* the paper does not define an independent RAT */
        out->o_s = 2 * p->control;
        out->o_r = out->answer = waits ? p->control + move : 2 * p->control + p->start;
        out->delivered = waits ? handshake + out->o_r : 4 * p->control + 3 * p->L + move;
        out->blocked = out->delivered + handshake;
    } else {
        out->o_s = 2 * p->control + move;
        out->o_r = 3 * p->control + 2 * p->L + move;
        out->answer = 2 * p->control;
        out->delivered = 4 * p->control + 3 * p->L + move;
        out->blocked = out->delivered - p->L;
    }
}

void tan_loggpo_exchange(const struct tan_loggpo_costs *costs, const struct tan_loggpo_calls *calls,
                         struct tan_loggpo_ends *out)
{
    const bool dependent = costs->progress != TAN_PROGRESS_INDEPENDENT;
    const double sender_free = calls->isend + calls->sender_computes + costs->o_s;
    const double receiver_waits = calls->irecv + calls->receiver_computes;
    const double after = costs->blocked - costs->delivered; /* until the sender is notified */
    const double arrival = calls->isend + costs->arrival;
    const bool in_wait = dependent && arrival > calls->irecv;
    const double reaction = fmax(arrival, in_wait ? receiver_waits : calls->irecv);
    double delivery = reaction + costs->delivered - costs->arrival;
    if (dependent && costs->transfer == TAN_TRANSFER_RAT) {
        delivery = fmax(delivery, sender_free - after);
    }
    out->receiver = fmax(delivery, receiver_waits + (in_wait ? costs->o_r : costs->answer));
    out->sender =
        costs->transfer == TAN_TRANSFER_T ? sender_free : fmax(sender_free, delivery + after);
}

double tan_overlap_ratio(double computation, double overhead)
{
    const double whole = computation + overhead;
    return whole == 0.0 ? 0.0 : computation / whole;
}
