/* packet.h - header of the messages in a tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_PLAN_PACKET_H
#define TAN_BENCH_PLAN_PACKET_H

#include <stdint.h>

/* Every message starts with this; `bytes` of payload follow, aligned for any element type. */
struct packet {
    uint32_t wave;   /* counts from 0 in a tree */
    uint32_t last;   /* the tree terminates after this wave */
    uint32_t leaves; /* upwards: number of leaves included */
    uint32_t bytes;
    uint64_t leaf_sum; /* upwards: sum of their numbers */
    /* Times on the root's clock (tanbench/overlay/clock_sync.h), 0 in modes without them. Upwards:
     * when the first and the last leaf sent, and when the request reached the last one. Downwards:
     * when leaves are to send (`sent_last`), and when the request left the root (`heard_last`). */
    double sent_first, sent_last, heard_last;
    unsigned char payload[];
};

#endif
