/* peer.c - properties of a rank, known to all ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/peer.h"

int32_t tan_peers_on(const struct peer *peers, int32_t ranks, int32_t host)
{
    int32_t n = 0;
    for (int32_t i = 0; i < ranks; i++) {
        n += peers[i].host_index == host;
    }
    return n;
}
