/* overlay_internal.h - state of a tree's process across waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_OVERLAY_OVERLAY_INTERNAL_H
#define TAN_TANBENCH_OVERLAY_OVERLAY_INTERNAL_H

#include "tanbench/overlay/overlay.h"
#include "tanbench/plan/filter.h"

struct overlay {
    struct waiter *waiter;
    struct emulated_link *link; /* to the parent; NULL: a real link */
    const struct filter *filter;
    uint32_t leaf_bytes, request_bytes;
    uint32_t leaves; /* of the whole tree */
    uint32_t leaf;   /* this leaf's number, for payloads */
    uint32_t wave;   /* number of the next wave, or of the current one */
    uint32_t filled; /* leaf: wave of the payload in `out` */
    int fanout;      /* 0: this rank is a leaf */
    bool root, only_down;
    bool posted; /* receives of the next answers are posted */
    double work;

    struct packet *request; /* received from the parent, sent to the children */
    struct packet *out;     /* sent up; at the root the result, possibly an only child's packet */
    struct packet **in;     /* one per child */
    unsigned char *buffers; /* memory of all these */

    int parent;              /* -1 at the root */
    const int32_t *children; /* of the tree, borrowed */
    /* The receives are persistent; that from the parent is MPI_REQUEST_NULL at the root. */
    MPI_Request *from_children, *to_children;
    MPI_Request from_parent, to_parent;
    int request_length, answer_length; /* of messages, in bytes */
    struct doorbell **child_bells;     /* NULL for children on other hosts */
    struct doorbell *parent_bell;
    struct receives parent_receives, child_receives;
};

#endif
