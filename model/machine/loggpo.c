/* loggpo.c - cost of one message in LogGPO, and its overlap with computation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/loggpo.h"

#include <math.h>
#include <stdbool.h>

/* O_i + G (K-1) */
static double move(const struct tan_loggpo *p, int64_t bytes)
{
    return p->start + p->G * (double)(bytes - 1);
}

void tan_loggpo_eager(const struct tan_loggpo *p, int64_t bytes, struct tan_loggpo_cost *out)
{
    *out = (struct tan_loggpo_cost){
        .sender = p->start,
        .receiver = p->copy,
        .receiver_wait = p->copy,
        .message = move(p, bytes) + p->L + p->copy,
    };
}

void tan_loggpo_dependent_rat(const struct tan_loggpo *p, int64_t bytes,
                              const struct tan_loggpo_calls *calls, struct tan_loggpo_cost *out)
{
    const double handshake = 2 * p->control + p->L;
    const double blocked = fmax(calls->irecv - calls->send_wait, 0.0);
    const bool receiver_late = calls->irecv > calls->isend + p->control + p->L;
    const double waiting = receiver_late ? blocked : fmax(calls->recv_wait - calls->send_wait, 0.0);
    *out = (struct tan_loggpo_cost){
        .sender_wait = blocked + handshake + move(p, bytes),
        .receiver_wait = receiver_late ? 0.0 : handshake + move(p, bytes),
        .message = 4 * p->control + 3 * p->L + waiting + move(p, bytes),
    };
    out->sender = p->control + out->sender_wait;
    out->receiver = receiver_late ? 2 * p->control : p->control + out->receiver_wait;
}

void tan_loggpo_independent_rta(const struct tan_loggpo *p, int64_t bytes,
                                struct tan_loggpo_cost *out)
{
    *out = (struct tan_loggpo_cost){
        .sender = 2 * p->control,
        .sender_wait = p->control,
        .receiver = 2 * p->control + p->start,
        .receiver_wait = p->control + p->start,
        .message = 2 * (2 * p->control + p->L) + move(p, bytes) + p->L,
    };
}

double tan_overlap_ratio(double computation, double overhead)
{
    const double whole = computation + overhead;
    return whole > 0.0 ? computation / whole : 0.0;
}
