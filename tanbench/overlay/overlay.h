/* overlay.h - persistent tree of MPI processes for waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_OVERLAY_OVERLAY_H
#define TAN_TANBENCH_OVERLAY_OVERLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/plan/emulation.h"
#include "tanbench/plan/filter.h"
#include "tanbench/ranks/wait.h"
#include "tanbench/ranks/world.h"
#include "topo/tree.h"

struct emulated_link;

/* A wave: the root multicasts a request, each leaf answers with its payload, and internal nodes
 * wait for all their children, apply the filter and send one packet up. Tree node i is rank i. */
struct overlay_shape {
    const struct tan_tree *tree;
    const struct filter *filter;
    uint32_t leaf_bytes;        /* payload of a leaf, a multiple of ELEMENT_BYTES */
    uint32_t request_bytes;     /* payload of the request */
    double work;                /* CPU seconds of the filter in every internal node */
    struct emulated_link *link; /* to this rank's parent, borrowed; NULL: a real link */
};

struct overlay;

/* This rank's part of the tree on the waiter's channel; called with the same shape on every rank
 * below the tree's size. Allocates all buffers and persistent receives, so that waves allocate
 * nothing. Borrows `waiter`, with the same policy on every rank, and the tree. NULL with an error,
 * also if a message would exceed INT_MAX bytes. */
struct overlay *overlay_create(struct waiter *waiter, const struct overlay_shape *shape,
                               struct tan_error *e);
/* After the last wave. */
void overlay_destroy(struct overlay *o);

/* Largest message of this shape in bytes, including the header: at the root if payloads grow. */
int64_t overlay_largest_message(const struct overlay_shape *shape);
/* The same for a node with `leaves` leaves below it (1 for a leaf). */
int64_t overlay_message_bytes(const struct overlay_shape *shape, int64_t leaves);
/* Bytes to allocate for that message: whole cache lines. */
size_t overlay_packet_room(const struct overlay_shape *shape, int64_t leaves);
/* Number of the leaf `node` in depth-first order, which is that of concat. `counts` as from
 * tan_tree_leaf_counts. */
uint32_t overlay_leaf_number(const struct tan_tree *tree, const int32_t *counts, int32_t node);

/* Root's half of a wave. All return -1 on a request to stop while waiting. */

/* Payload of the next request, of request_bytes. */
void *overlay_request(struct overlay *o);
/* Make leaves answer the next wave when the root's clock reaches `when`, 0: at once; `now` is its
 * current time. */
void overlay_set_times(struct overlay *o, double when, double now);
/* Prepare the next wave before it starts. */
void overlay_prepare(struct overlay *o);
/* Multicast the request. `last`: the tree terminates after this wave. */
int overlay_multicast(struct overlay *o, bool last, struct tan_error *e);
/* Wait for all children and reduce their answers. */
int overlay_collect(struct overlay *o, struct tan_error *e);
/* Result of the last collected wave. */
const struct packet *overlay_result(const struct overlay *o);
/* Verify that result: wave number, leaves, every element. */
int overlay_verify(const struct overlay *o, struct tan_error *e);

/* The other ranks' half. */

/* Wait for a request and forward it; *request is valid until the answer is sent. */
int overlay_listen(struct overlay *o, const struct packet **request, struct tan_error *e);
/* Internal nodes: wait for all children and reduce. Then send a packet up. */
int overlay_answer(struct overlay *o, struct tan_error *e);
/* A leaf, before it answers: set the times of the request's arrival and of sending, on the root's
 * clock. */
void overlay_stamp(struct overlay *o, double heard, double sent);

/* A link that delays messages: the process sleeps for the time that they take
 * (tanbench/plan/emulation.h). It is between this rank and its parent in `tree`, in which rank i is
 * node i. Random latencies are a separate sequence for each `seed` and rank. NULL if memory is
 * short. */
struct emulated_link *emulated_link_create(const struct emulation *emulation,
                                           const struct tan_tree *tree, const struct world *world,
                                           uint64_t seed, struct tan_error *e);
/* NULL is allowed. */
void emulated_link_destroy(struct emulated_link *link);

#endif
