/* stream_internal.h - interface between a stream's traffic and its synchronisation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_STREAM_INTERNAL_H
#define TANBENCH_OVERLAY_STREAM_INTERNAL_H

#include <stdbool.h>

#include "tanbench/overlay/stream.h"

/* The link to a child: a ring of posted receives. */
struct link {
    struct packet **slots;  /* `window` entries, as `ring` */
    MPI_Request *ring;      /* persistent receives into the slots */
    uint32_t head, arrived; /* packets used up and packets received, modulo 2^32 */
    uint32_t confirmed;     /* packets used up since the last confirmation */
    uint32_t unrung;        /* confirmations sent but not rung for */
    uint32_t wave;          /* leaf: number of the next packet */
    bool leaf;              /* the child is a leaf */
    bool ended;
    MPI_Request confirm;   /* persistent send of no bytes */
    struct doorbell *bell; /* NULL: on another host */
};

struct stream {
    struct waiter *waiter;
    struct overlay_shape shape;
    uint32_t tree_leaves;
    uint32_t below; /* leaves below this node */
    uint32_t leaf;  /* this leaf's number */
    uint32_t window;
    int fanout, open; /* children; those that have not ended */
    bool root;
    stream_sink *sink;
    void *context;
    struct stream_counts counts;

    struct link *links;
    MPI_Request *active; /* for each child its next receive, NULL when the ring is full or the child
                            has ended; last the confirmation of the parent */
    int *indices;        /* of MPI_Testsome, as the next */
    MPI_Status *statuses;
    uint32_t waiting; /* packets received and not yet used up */
    uint32_t seen;    /* messages of this host's ranks received so far; the waiter's `consumed` */
    unsigned tries;   /* unsuccessful tests since the last message */
    bool remote;      /* some link leads to another host */

    struct packet **out;    /* a ring of `window` packets; the root has one */
    MPI_Request *out_ring;  /* persistent sends of them */
    uint32_t sent, flown;   /* packets posted; those of them that MPI has completed */
    uint32_t credits;       /* packets that may still be sent to the parent */
    uint32_t confirmations; /* received so far */
    uint32_t unrung;        /* packets sent but not rung for */
    struct doorbell *parent_bell;

    uint32_t wave;         /* of the packet that is gathered, or the next one */
    struct packet *gather; /* timeout: combined packets of the wave */
    bool gathering;        /* `gather` is in use */
    double deadline;       /* when it is forwarded at the latest */
    int turn;              /* none: the child to serve first */

    unsigned char *buffers; /* behind all packets */
};

static inline uint32_t link_waiting(const struct link *l)
{
    return l->arrived - l->head;
}

static inline const struct packet *link_head(const struct stream *s, const struct link *l)
{
    return l->slots[l->head % s->window];
}

/* Return the link's oldest packet to the ring, and confirm it. */
int stream_use_up(struct stream *s, struct link *l, struct tan_error *e);
/* The next packet to send, NULL without credit from the parent. */
struct packet *stream_slot(struct stream *s, struct tan_error *e);
/* After the filter's duration, forward the packet of stream_slot; at the root check it and pass it
 * to the sink. */
int stream_forward(struct stream *s, struct tan_error *e);

/* One step of a synchronisation policy over the packets in the rings. Returns 1 when a packet was
 * sent or used up, 0 when nothing can be done before *need more messages have come or the clock
 * reaches *until, -1 with an error. */
typedef int sync_step(struct stream *s, uint32_t *need, double *until, struct tan_error *e);
extern sync_step *const sync_steps[SYNC_KINDS];

#endif
