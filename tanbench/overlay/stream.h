/* stream.h - packets that leaves push up a tree, several waves at once, and flow control
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_STREAM_H
#define TANBENCH_OVERLAY_STREAM_H

#include <stdint.h>

#include "base/error.h"
#include "bench/plan/packet.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/ranks/wait.h"

/* The way up of a tree in which no wave waits for the one before. Every link has a window: its
 * receiver has posted as many receives, and its sender sends no more packets than that until the
 * receiver has confirmed half a window. So memory is bounded whatever the leaves do, no message
 * comes unexpected, and a slow process slows down the leaves below it. Internal processes gather as
 * shape->sync says. Bells are rung when the sender is about to wait or has sent half a window, so
 * that one wake-up serves many packets. */
struct stream;

/* What a process has seen; plain data. */
struct stream_counts {
    uint64_t packets;    /* sent up, or given to the sink at the root; end marks not counted */
    uint64_t leaves;     /* leaves' packets in them */
    uint64_t late;       /* packets that came after the others of their wave had gone on */
    uint64_t wave_sum;   /* root: of the waves' numbers, once for each leaf */
    uint64_t leaf_sum;   /* root: of the leaves' numbers, once for each wave */
    uint32_t queue_high; /* most packets that waited here at a time */
    uint32_t window;     /* of each link */
    int64_t memory; /* bytes that this process had once all buffers, MPI's too, had been in use for
                       a while; 0: not that many packets */
    double blocked; /* leaf: seconds spent waiting for the tree to take a packet */
};

/* Root: takes each result as soon as it is reduced, before it is checked. */
typedef int stream_sink(void *context, const struct packet *result, struct tan_error *e);

/* This process's part, made by every rank below the tree's size with the same shape. Nothing is
 * allocated after this. `waiter` is of CHANNEL_STREAM, borrowed. */
struct stream *stream_create(struct waiter *waiter, const struct overlay_shape *shape,
                             stream_sink *sink, void *context, struct tan_error *e);
/* After everybody has ended. */
void stream_destroy(struct stream *s);
const struct stream_counts *stream_counts(const struct stream *s);
/* Number of this leaf. */
uint32_t stream_leaf(const struct stream *s);

/* Leaf: wait until the tree takes one more packet, and return it, filled but for its times; NULL
 * when told to stop. stream_send sends it. */
struct packet *stream_next(struct stream *s, struct tan_error *e);
void stream_send(struct stream *s);
/* What has been sent shall go on now; needed before the caller waits for something else. */
int stream_flush(struct stream *s, struct tan_error *e);
/* Leaf: nothing more will come; returns once all is confirmed. */
int stream_end(struct stream *s, struct tan_error *e);

/* Everybody else: gather and send on until all leaves below have gone up `waves` times since the
 * beginning, or (STREAM_ALL) all children have ended. */
#define STREAM_ALL UINT64_MAX
int stream_pump(struct stream *s, uint64_t waves, struct tan_error *e);

#endif
