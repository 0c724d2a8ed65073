/* payload.h - cost of messages of sizes other than measured
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_WAVE_PAYLOAD_H
#define TAN_MODEL_WAVE_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/machine/p2p.h"
#include "model/machine/params.h"

/* Length of the message of a node with `leaves` leaves below it if each leaf contributes
 * `bytes`. */
struct tan_payload_rule {
    const char *name; /* "constant", "concat" */
    const char *help;
    int64_t (*bytes)(int64_t bytes, int64_t leaves); /* non-decreasing in both */
};
/* A row with name NULL ends the table; row 0 is constant. */
extern const struct tan_payload_rule tan_payload_rules[];
const struct tan_payload_rule *tan_payload_rule_find(const char *name, struct tan_error *e);

/* Payload of a wave. For messages of K bytes it adds to the cost of a level with x children,
 * measured with messages of K0 bytes,
 *     Tc(K) - Tc(K0)  +  (x - 1) max(O_r(K) - O_r(K0), gap(K) - gap(K0)):
 * the first message is delayed by its longer transfer, and the others queue behind it at the
 * parent's processor or link, whichever is slower. Of messages that grow towards the root,
 * measured times that decrease with the size count as constant, so that both parts are
 * non-decreasing in K. */
struct tan_payload;

/* `p2p`, `model` and `rule` are borrowed; `base` is K0, `bytes` the size of a leaf's message;
 * `model`: for Tc, NULL: tan_p2p_best. NULL with an error that names `file` if parameters are
 * missing, or when memory is short. Under the model fitted, O_r and gap are those of the section,
 * and if the sender pushes (RAT) others queue for the gap alone, since most of the receiver's
 * overhead is waiting. */
struct tan_payload *tan_payload_create(const struct tan_p2p *p2p, const struct tan_p2p_model *model,
                                       int64_t base, int64_t bytes,
                                       const struct tan_payload_rule *rule, const char *file,
                                       struct tan_error *e);
void tan_payload_destroy(struct tan_payload *p);

/* A parent's work per byte of its children's messages, in seconds, adds (x - 1) (K - K0) times as
 * much. 0 by default. */
void tan_payload_set_work(struct tan_payload *p, double per_byte);

int64_t tan_payload_bytes(const struct tan_payload *p); /* of a leaf */
/* Those of the params' payload, or else that they were measured with; 0: unknown. */
int64_t tan_params_bytes(const struct tan_params *params);
const struct tan_payload_rule *tan_payload_rule_of(const struct tan_payload *p);
/* Whether messages get longer towards the root; not without payload (NULL). */
bool tan_payload_grows(const struct tan_payload *p);
const struct tan_p2p_model *tan_payload_model_of(const struct tan_payload *p); /* of Tc */
/* S, the longest eager message, if the message of a node with `leaves` leaves below it is longer
 * and the measured ones were not, so that it uses a rendezvous; otherwise -1. */
int64_t tan_payload_offered_from(const struct tan_payload *p, int64_t leaves);
/* For the message of a node with `leaves` leaves below it: Tc(K) - Tc(K0), and the larger
 * difference in the formula; seconds, negative if K < K0. O(sizes).
 * `draw`: 0, or a draw from 1 on, which includes the uncertainty of messages: each of the two is
 * multiplied by a normally distributed factor around 1, with the relative width of the interval of
 * the one-way time or the gap at the measured size nearest to a leaf's. The factors are
 * reproducible. */
double tan_payload_late(const struct tan_payload *p, int64_t leaves, int draw);
double tan_payload_queue(const struct tan_payload *p, int64_t leaves, int draw);

/* Additional time, compared with a measured message, of that of a node with `leaves` leaves below
 * it, by part; seconds, can be negative. `draw` as above. Sender, network and receiver add up to
 * tan_payload_late. If the sender pushes (RAT), either side is busy for the gap only: the rest of
 * its overhead is waiting. */
struct tan_payload_more {
    double sender, way, receiver; /* parts of the time from send to delivery */
    double gap;                   /* to the next message */
    double work;                  /* of the parent on the message */
};
void tan_payload_more(const struct tan_payload *p, int64_t leaves, int draw,
                      struct tan_payload_more *out);

#endif
