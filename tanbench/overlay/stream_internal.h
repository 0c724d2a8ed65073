/* stream_internal.h - interface between a stream's traffic and its synchronisation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_OVERLAY_STREAM_INTERNAL_H
#define TAN_TANBENCH_OVERLAY_STREAM_INTERNAL_H

#include <stdbool.h>

#include "tanbench/overlay/stream.h"

/* The link to a child: a ring of posted receives. */
struct link {
    struct packet **slots;  /* `window` entries, like `ring` */
    MPI_Request *ring;      /* persistent receives to the slots */
    uint32_t head, arrived; /* numbers of packets consumed and received, modulo 2^32 */
    uint32_t confirmed;     /* packets consumed since the last acknowledgement */
    uint32_t unrung;        /* acknowledgements sent without ringing */
    uint32_t wave;          /* leaf: number of the next packet */
    bool leaf;              /* the child is a leaf */
    bool ended;
    MPI_Request confirm;   /* persistent send of an empty message */
    struct doorbell *bell; /* NULL: on another host */
};

struct stream {
    struct waiter *waiter;
    struct overlay_shape shape;
    uint32_t tree_leaves;
    uint32_t below; /* leaves below this node */
    uint32_t leaf;  /* this leaf's number */
    uint32_t window;
    int fanout, open; /* number of children; number that have not ended */
    bool root;
    bool remote; /* some links go to other hosts */
    stream_sink *sink;
    void *context;
    struct stream_counts counts;
    struct link *links;
    unsigned char *buffers; /* memory of all packets */

    /* What has come, or may come. */
    struct {
        MPI_Request *active; /* per child its next receive, MPI_REQUEST_NULL if all are used or the
                                child has ended; then the receive of the parent's acknowledgement */
        int *indices;        /* for MPI_Testsome */
        uint32_t waiting;    /* number of packets received and not yet consumed */
        uint32_t seen;       /* messages received from this host's ranks; the waiter's `consumed` */
        unsigned tries;      /* unsuccessful tests since the last message */
    } in;

    /* The link to the parent: a ring of `window` packets; a single one at the root. */
    struct {
        struct packet **slots;
        MPI_Request *ring;      /* persistent sends of them */
        uint32_t sent, flown;   /* packets posted, and packets whose sends MPI has completed */
        uint32_t credits;       /* packets that may still be sent to the parent */
        uint32_t confirmations; /* received so far */
        uint32_t unrung;        /* packets sent without ringing */
        struct doorbell *bell;
    } up;

    uint32_t wave; /* of the gathered packet, or of the next one */
    int turn;      /* policy none: the child to serve first */
    /* Policy timeout: the packet in which the wave is combined. */
    struct {
        struct packet *packet;
        bool begun;      /* it is in use */
        double deadline; /* latest time to forward it */
    } gather;
};

static inline uint32_t link_waiting(const struct link *l)
{
    return l->arrived - l->head;
}

static inline const struct packet *link_head(const struct stream *s, const struct link *l)
{
    return l->slots[l->head % s->window];
}

/* Return the link's oldest packet to the ring, and acknowledge it when half a window is used up. */
int stream_use_up(struct stream *s, struct link *l, struct tan_error *e);
/* The next packet to send; NULL without credit from the parent, or with an error. */
struct packet *stream_slot(struct stream *s, struct tan_error *e);
/* After the filter's duration, forward the packet of stream_slot; at the root verify it and pass it
 * to the sink. */
int stream_forward(struct stream *s, struct tan_error *e);

/* A step of a synchronisation policy on the packets in the rings. Returns 1 if a packet was sent or
 * consumed, 0 if nothing can be done until *need more messages have arrived or the clock reaches
 * *until, -1 on an error. */
typedef int sync_step(struct stream *s, uint32_t *need, double *until, struct tan_error *e);
extern sync_step *const sync_steps[SYNC_KINDS];

#endif
