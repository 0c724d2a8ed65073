/* overlay.h - persistent tree of MPI processes that performs waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_OVERLAY_H
#define TANBENCH_OVERLAY_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "bench/plan/filter.h"
#include "bench/plan/sync_policy.h"
#include "bench/sampling/perf.h"
#include "tanbench/ranks/wait.h"
#include "topo/tree.h"

struct emulated_link;

/* A wave: the root multicasts a request, each leaf answers with its payload, internal nodes wait
 * for all of their children, apply the filter and send one packet up. Tree node i is rank i. */
struct overlay_shape {
    const struct tan_tree *tree;
    const struct filter *filter;
    enum element element;
    uint32_t leaf_bytes;        /* payload of a leaf; a multiple of ELEMENT_BYTES */
    uint32_t request_bytes;     /* payload of the request */
    double work;                /* seconds of CPU time of the filter at every inner node */
    struct sync_policy sync;    /* of a stream; an overlay's own answers wait for all children */
    bool only_down;             /* the answers come through a stream */
    struct emulated_link *link; /* to this rank's parent, borrowed; NULL: a real one */
    struct perf *perf;          /* of this rank, borrowed; NULL: nothing is counted */
};

struct overlay;

/* This rank's part of the tree on `channel`; every rank below tree size calls it with the same
 * arguments. Buffers and persistent requests are made here, nothing is allocated in a wave.
 * `waiter` is the channel's, borrowed; its policy must be the same on every rank. */
struct overlay *overlay_create(struct waiter *waiter, enum channel channel,
                               const struct overlay_shape *shape, struct tan_error *e);
/* After the last wave. */
void overlay_destroy(struct overlay *o);

/* The largest message of this shape in bytes, header included: at the root when payloads grow. */
int64_t overlay_largest_message(const struct overlay_shape *shape);
/* The same for a node with `leaves` leaves below it (or being one). */
int64_t overlay_message_bytes(const struct overlay_shape *shape, int64_t leaves);
/* Number of the leaf `node` in the order of concat: depth first. `counts` as from
 * tan_tree_leaf_counts. */
uint32_t overlay_leaf_number(const struct tan_tree *tree, const int32_t *counts, int32_t node);

/* The root's half of a wave. All return -1 on a request to stop while waiting. */

/* Payload of the next request: request_bytes. */
void *overlay_request(struct overlay *o);
/* Request answers to the next wave when the root's clock reaches `when`, 0: at once; `now` is its
 * reading. */
void overlay_set_times(struct overlay *o, double when, double now);
/* What can be done before a wave begins. */
void overlay_prepare(struct overlay *o);
/* Multicast the request. `last`: the tree comes down after this wave. */
int overlay_multicast(struct overlay *o, bool last, struct tan_error *e);
/* Wait for all children and reduce. */
int overlay_collect(struct overlay *o, struct tan_error *e);
/* The result of the wave that was collected last. */
const struct packet *overlay_result(const struct overlay *o);
/* Check that result: wave number, leaves, every element. */
int overlay_verify(const struct overlay *o, struct tan_error *e);

/* Every rank, between two waves: count the packets that the last one received and sent here. */
void overlay_count(const struct overlay *o, struct perf *perf);

/* The other ranks' half. */

/* Wait for a request and pass it on; *request is valid until the answer is sent. */
int overlay_listen(struct overlay *o, const struct packet **request, struct tan_error *e);
/* Internal nodes: wait for all children and reduce. Then send one packet up. */
int overlay_answer(struct overlay *o, struct tan_error *e);
/* A leaf, before it answers: when, on the root's clock, the request came, and when it sends. */
void overlay_stamp(struct overlay *o, double heard, double sent);
/* With only_down, in place of overlay_collect and overlay_answer: prepare for the next wave. */
int overlay_skip_answer(struct overlay *o, struct tan_error *e);

#endif
