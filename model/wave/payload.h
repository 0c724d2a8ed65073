/* payload.h - cost of messages of other sizes than the measured one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_WAVE_PAYLOAD_H
#define MODEL_WAVE_PAYLOAD_H

#include <stdint.h>
#include <stdio.h>

#include "model/machine/p2p.h"

/* Length of the message of a node with `leaves` leaves below it, when each leaf contributes
 * `bytes`. */
struct tan_payload_rule {
    const char *name; /* "constant", "concat" */
    const char *help;
    int64_t (*bytes)(int64_t bytes, int64_t leaves); /* not falling with either */
};
/* A row with name NULL ends the table; row 0 is constant. */
extern const struct tan_payload_rule tan_payload_rules[];
const struct tan_payload_rule *tan_payload_rule_find(const char *name, struct tan_error *e);
void tan_payload_rule_help(FILE *to);

/* The payload of a wave. To the cost of a level with x children, measured with messages of K0
 * bytes, it adds, for messages of K bytes,
 *     Tc(K) - Tc(K0)  +  (x - 1) max(O_r(K) - O_r(K0), gap(K) - gap(K0)):
 * the first message is late by its longer transfer, the others queue behind it at the parent's
 * processor or link, whichever is slower. Where measured times fall with the size they count as
 * constant, so that neither part falls with K. */
struct tan_payload;

/* `p2p` is borrowed; `base` is K0; `model`: of Tc, NULL: tan_p2p_best. Fails, naming `file`, when
 * it lacks parameters. Under fitted O_r and gap are those of the section, and what others queue for
 * is the gap alone where the sender pushes (RAT): its receiver's overhead is mostly waiting. */
struct tan_payload *tan_payload_create(const struct tan_p2p *p2p, const struct tan_p2p_model *model,
                                       int64_t base, int64_t bytes,
                                       const struct tan_payload_rule *rule, const char *file,
                                       struct tan_error *e);
void tan_payload_destroy(struct tan_payload *p);

/* Work of a parent on every byte of its children's messages, seconds: it adds (x - 1) (K - K0)
 * times as much. 0 unless set. */
void tan_payload_set_work(struct tan_payload *p, double per_byte);

int64_t tan_payload_bytes(const struct tan_payload *p); /* of a leaf */
const struct tan_payload_rule *tan_payload_rule_of(const struct tan_payload *p);
const struct tan_p2p_model *tan_payload_model_of(const struct tan_payload *p); /* of Tc */
/* S, the longest message that is sent at once, where the message of a node with `leaves` leaves
 * below it is longer and the measured ones were not: it is offered first (rendezvous). Else -1. */
int64_t tan_payload_offered_from(const struct tan_payload *p, int64_t leaves);
/* Under fitted the same messages by LogGPO as published, where the file has its parameters; NULL
 * otherwise. Borrowed. */
const struct tan_payload *tan_payload_published(const struct tan_payload *p);
/* The message of a node with `leaves` leaves below it: Tc(K) - Tc(K0), and the larger difference of
 * the formula; seconds, negative when K < K0. O(log sizes).
 * `draw`: 0, or one of the draws from 1 on, in which the messages' own uncertainty counts: each of
 * the two is a normal factor about 1, as wide as the interval of the one-way time or of the gap at
 * the measured size nearest to a leaf's. The same factors in every run. */
double tan_payload_late(const struct tan_payload *p, int64_t leaves, int draw);
double tan_payload_queue(const struct tan_payload *p, int64_t leaves, int draw);

/* What the same message takes longer than a measured one, for each part by itself; seconds, maybe
 * negative. Sender, way and receiver together are tan_payload_late. Where the sender pushes (RAT)
 * either side is busy for the gap only: the rest of its overhead is waiting. */
struct tan_payload_more {
    double sender, way, receiver; /* of its time from the send until it is delivered */
    double gap;                   /* to the next message */
    double work;                  /* of the parent on it */
};
void tan_payload_more(const struct tan_payload *p, int64_t leaves, int draw,
                      struct tan_payload_more *out);

#endif
