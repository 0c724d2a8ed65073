/* network.h - networks dominated by the transfer of messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_NETWORK_H
#define TAN_MODEL_MACHINE_NETWORK_H

#include "model/machine/params.h"

/* Every process has its own full-duplex link to the network, with the same rate in both directions,
 * and the children of a parent share the parent's link. */
struct tan_network {
    double rate;      /* bytes per second; 0: unknown, and the rest is ignored */
    int64_t up, down; /* message size up and down the tree; 0: no messages in that direction */
};
/* Whether only one direction has messages. */
bool tan_network_one_way(const struct tan_network *t);
/* Complete `params`, whose method is joint and whose L, a and b are those of empty messages: add
 * the transfers to L, and set b, c = 0, bytes and one_way. All parameters then count as identified.
 * D / B is the time of a message on a link of rate B.
 *   one way     L grows by D / B, and an additional child costs D / B: the link sends messages one
 *               after the other;
 *   both ways   half a round trip. L grows by (D_up + D_down) / 2B, and an additional child costs
 *               max(D_up, D_down) / 2B: the first answers arrive while the last requests leave.
 * An additional child costs at least a, the processor time of its parent for a message, and b. */
void tan_network_apply(const struct tan_network *t, struct tan_params *params);
/* Whether messages have the same length in both directions. */
bool tan_network_same(const struct tan_network *t);
/* Whether messages have a single length, so that tan-overlap has parameters, too. */
bool tan_network_overlaps(const struct tan_network *t);
/* Add the transfers to L of `params`, which are tan-overlap's of empty messages, and set g, bytes
 * and one_way: a message takes D / B longer and occupies its link for that time, and for g. */
void tan_network_apply_overlap(const struct tan_network *t, struct tan_params *params);
/* Write "16 Mbit/s, 1000000 bytes down" to `buffer` and return it. */
const char *tan_network_text(const struct tan_network *t, char *buffer, size_t size);

#endif
