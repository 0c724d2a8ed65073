/* stream.h - pipelined waves of packets up a tree, with flow control
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_STREAM_H
#define TANBENCH_OVERLAY_STREAM_H

#include <stdint.h>

#include "base/error.h"
#include "bench/plan/packet.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/ranks/wait.h"

/* The way up of a tree in which no wave waits for the one before. Every link has a window: its
 * receiver has posted that number of receives, and its sender sends no more packets until the
 * receiver has confirmed half a window. So memory is bounded at any rate of the leaves, no message
 * is unexpected, and a slow process slows down the leaves below it. Internal processes gather by
 * shape->sync. Bells are rung when the sender is about to wait or has sent half a window, so that
 * one wake-up serves many packets. */
struct stream;

/* Counters of one process; plain data. */
struct stream_counts {
    uint64_t packets;    /* sent up, or given to the sink at the root; end marks not counted */
    uint64_t leaves;     /* leaves' packets in them */
    uint64_t late;       /* packets that came after their wave was forwarded */
    uint64_t wave_sum;   /* root: of the waves' numbers, once for each leaf */
    uint64_t leaf_sum;   /* root: of the leaves' numbers, once for each wave */
    uint32_t queue_high; /* longest queue of packets here */
    uint32_t window;     /* of each link */
    int64_t memory;      /* bytes of this process once all buffers, MPI's too, had been in use for
                            a while; 0: too few packets */
    double blocked;      /* leaf: seconds spent waiting for credits */
};

/* Root: takes each result as soon as it is reduced, before it is checked. */
typedef int stream_sink(void *context, const struct packet *result, struct tan_error *e);

/* This process's part, made by every rank below the tree's size with the same shape. Nothing is
 * allocated after this. `waiter` is of CHANNEL_STREAM, borrowed. */
struct stream *stream_create(struct waiter *waiter, const struct overlay_shape *shape,
                             stream_sink *sink, void *context, struct tan_error *e);
/* After the end on all ranks. */
void stream_destroy(struct stream *s);
const struct stream_counts *stream_counts(const struct stream *s);
/* Number of this leaf. */
uint32_t stream_leaf(const struct stream *s);

/* Leaf: wait until the tree takes one more packet, and return it, filled but for its times; NULL on
 * a request to stop. stream_send sends it. */
struct packet *stream_next(struct stream *s, struct tan_error *e);
void stream_send(struct stream *s);
/* Ring for all packets sent so far; needed before the caller waits for anything else. */
int stream_flush(struct stream *s, struct tan_error *e);
/* Leaf: send the end mark; returns once all packets are confirmed. */
int stream_end(struct stream *s, struct tan_error *e);

/* All other ranks: gather and forward until all leaves below have contributed to `waves` waves
 * since the beginning, or (STREAM_ALL) all children have ended. */
#define STREAM_ALL UINT64_MAX
int stream_pump(struct stream *s, uint64_t waves, struct tan_error *e);

#endif
