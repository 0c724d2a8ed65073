/* overlay_internal.h - what a process of a tree keeps from wave to wave
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_OVERLAY_INTERNAL_H
#define TANBENCH_OVERLAY_OVERLAY_INTERNAL_H

#include "bench/plan/packet.h"
#include "tanbench/overlay/overlay.h"

struct overlay {
    struct waiter *waiter;
    struct emulated_link *link; /* to the parent; NULL: a real one */
    struct perf *perf;          /* NULL: nothing is counted */
    const struct filter *filter;
    enum element element;
    uint32_t leaf_bytes, request_bytes;
    uint32_t leaves; /* of the whole tree */
    uint32_t leaf;   /* this leaf's number, for payloads */
    uint32_t wave;   /* the next wave, or the one in progress */
    uint32_t filled; /* leaf: the wave whose payload `out` holds */
    int fanout;      /* 0: this rank is a leaf */
    bool root, only_down;
    bool posted; /* the receives of the next answers */
    double work;

    struct packet *request; /* received from above, sent below */
    struct packet *out;     /* sent up; the result at the root, which is an only child's packet */
    struct packet **in;     /* one per child */
    unsigned char *buffers; /* behind all of them */

    /* Persistent requests. The parent's are at the root MPI_REQUEST_NULL. */
    MPI_Request *from_children, *to_children;
    MPI_Request from_parent, to_parent;
    struct doorbell **child_bells; /* NULL entries: on another host */
    struct doorbell *parent_bell;
    struct receives parent_receives, child_receives;
};

#endif
