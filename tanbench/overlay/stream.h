/* stream.h - pipelined waves of packets up a tree, with flow control
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_OVERLAY_STREAM_H
#define TAN_TANBENCH_OVERLAY_STREAM_H

#include <stdint.h>

#include "base/error.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/plan/filter.h"
#include "tanbench/ranks/wait.h"

/* The upward path of a tree with overlapping waves. Every link has a window: its receiver posts
 * that many receives, and its sender waits for an acknowledgement from the receiver, which covers
 * half a window, before it sends more. This bounds memory at any rate, avoids unexpected messages,
 * and lets a slow process slow down the leaves below it. Internal processes wait for a packet of
 * every child. A bell is rung when the sender is about to wait or has sent half a window, so that
 * one wake-up serves many packets. */
struct stream;

/* Counters of a process; plain data. */
struct stream_counts {
    uint64_t packets;    /* sent up, or passed to the sink at the root; without end marks */
    uint64_t leaves;     /* leaves' packets included in them */
    uint64_t wave_sum;   /* root: sum of the wave numbers of all leaves' packets */
    uint64_t leaf_sum;   /* root: sum of the leaf numbers of all leaves' packets */
    uint32_t queue_high; /* longest queue of packets in this process */
    uint32_t window;     /* of each link */
    uint32_t leaf;       /* leaf: its number */
    double blocked;      /* leaf: seconds spent waiting for credits */
};

/* Root: called with each result after it was reduced, before it is verified. */
typedef void stream_sink(void *context, const struct packet *result);

/* This process's part, created with the same shape on every rank below the tree's size, of which
 * overlay_create has accepted the message sizes. Nothing is allocated later. `waiter` is that of
 * CHANNEL_STREAM, borrowed. */
struct stream *stream_create(struct waiter *waiter, const struct overlay_shape *shape,
                             stream_sink *sink, void *context, struct tan_error *e);
/* After the end on all ranks. */
void stream_destroy(struct stream *s);
const struct stream_counts *stream_counts(const struct stream *s);

/* Leaf: wait until the tree accepts another packet and return it, complete except for its times;
 * NULL on a request to stop. stream_send sends it. */
struct packet *stream_next(struct stream *s, struct tan_error *e);
void stream_send(struct stream *s);
/* Ring for all packets sent so far, and complete their sends; required before waiting for anything
 * else. */
int stream_flush(struct stream *s, struct tan_error *e);
/* Leaf: send the end mark, and wait for all acknowledgements that the parent will send. */
int stream_end(struct stream *s, struct tan_error *e);

/* All other ranks: gather and forward until all children have ended. */
int stream_pump(struct stream *s, struct tan_error *e);

#endif
