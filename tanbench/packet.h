/* packet.h - what travels in a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_PACKET_H
#define TANBENCH_PACKET_H

#include <stdint.h>

/* Every message starts with this; `bytes` of payload follow, aligned for any element type. */
struct packet {
    uint32_t wave;   /* counts from 0 in a tree */
    uint32_t last;   /* the tree comes down after this wave */
    uint32_t leaves; /* upwards: leaves whose values are in it */
    uint32_t bytes;
    unsigned char payload[];
};

#endif
