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
    uint32_t wave;   /* number of the next wave, or of the current one */
    bool root;
    bool posted; /* receives of the next answers are posted */
    double work;
    /* A leaf: its number, for payloads, and the wave of the payload in `out`. */
    struct {
        uint32_t number, filled;
    } leaf;

    struct packet *request; /* received from the parent, sent to the children */
    struct packet *out;     /* sent up; at the root the result, possibly an only child's packet */
    struct packet **in;     /* one per child */
    unsigned char *buffers; /* memory of all these */
    int request_length, answer_length; /* of messages, in bytes */

    /* The receives are persistent; that from the parent is MPI_REQUEST_NULL at the root. */
    struct {
        int rank; /* -1 at the root */
        MPI_Request from, to;
        struct doorbell *bell; /* NULL: on another host */
        struct receives receives;
    } parent;
    struct {
        int n;                /* 0: this rank is a leaf */
        const int32_t *ranks; /* of the tree, borrowed */
        MPI_Request *from, *to;
        struct doorbell **bells; /* likewise */
        struct receives receives;
    } children;
};

#endif
