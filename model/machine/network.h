/* network.h - networks on which the transfer of messages takes nearly all the time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_NETWORK_H
#define MODEL_MACHINE_NETWORK_H

#include "model/machine/params.h"

/* Every process has a link of its own to the network, of the same rate both ways at once (full
 * duplex), and the children of a parent share the parent's. */
struct tan_network {
    double rate;      /* bytes a second; 0: not known, and nothing below counts */
    int64_t up, down; /* bytes of a message up the tree and down it; 0: none goes that way */
};
/* Only one way has messages. */
bool tan_network_one_way(const struct tan_network *t);
/* Add them to the L, a and b of `params`, whose method is joint. With D / B the time of a message
 * on a link of B:
 *   one way     L grows by D / B, and a further child costs D / B: the link sends one after the
 *               other;
 *   both ways   half a round trip. L grows by (D_up + D_down) / 2B, and a further child costs
 *               max(D_up, D_down) / 2B: while the last requests leave, the first answers arrive.
 * A further child costs no less than a, which its parent's processor takes for a message. */
void tan_network_apply(const struct tan_network *t, struct tan_params *params);
/* Both ways have messages of the same length. */
bool tan_network_same(const struct tan_network *t);
/* Its messages have one length, so that tan-overlap has parameters, too. */
bool tan_network_overlaps(const struct tan_network *t);
/* Add them to the L and g of `params`, of tan-overlap: a message takes D / B longer, and its link
 * carries no other meanwhile. */
void tan_network_apply_overlap(const struct tan_network *t, struct tan_params *params);
/* "16 Mbit/s, 1000000 bytes down" into `buffer`, which it returns. */
const char *tan_network_text(const struct tan_network *t, char *buffer, size_t size);

#endif
