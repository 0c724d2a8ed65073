/* stream.c - pipelined waves of packets up a tree, with flow control
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/stream.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

/* Packets in flight on a link: enough for a wake-up to serve many, few enough for short queues. */
enum { MIN_WINDOW = 2, MAX_WINDOW = 32 };
/* A link's packets should fit into caches. */
enum { MAX_LINK_BYTES = 256 * 1024 };
/* Longest sleep without a progress call (seconds), as in ranks/wait.c. */
#define MAX_SLEEP 0.02
/* Unsuccessful tests between two checks for a request to stop. */
enum { TRIES_BEFORE_CHECK = 256 };

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

    uint32_t wave; /* of the next packet */
};

static uint32_t link_waiting(const struct link *l)
{
    return l->arrived - l->head;
}

static const struct packet *link_head(const struct stream *s, const struct link *l)
{
    return l->slots[l->head % s->window];
}

/* Both ends of a link must agree, so it depends on the tree instead of the node. Even, because
 * acknowledgements are sent for half a window. */
static uint32_t window_of(const struct overlay_shape *shape)
{
    int64_t window = MAX_LINK_BYTES / overlay_largest_message(shape);
    if (window > MAX_WINDOW) {
        return MAX_WINDOW;
    }
    return window > MIN_WINDOW ? (uint32_t)window & ~1U : MIN_WINDOW;
}

static void free_parts(struct stream *s)
{
    if (s == NULL) {
        return;
    }
    for (int i = 0; s->links != NULL && i < s->fanout; i++) {
        free(s->links[i].slots);
        free(s->links[i].ring);
    }
    free(s->links);
    free(s->in.active);
    free(s->in.indices);
    free(s->up.slots);
    free(s->up.ring);
    free(s->buffers);
    free(s);
}

/* Make slots for `n` packets of `room` bytes each, at *at, which is advanced. */
static struct packet **make_slots(unsigned char **at, uint32_t n, size_t room)
{
    struct packet **slots = calloc(n, sizeof(struct packet *));
    for (uint32_t k = 0; slots != NULL && k < n; k++, *at += room) {
        slots[k] = (struct packet *)*at;
    }
    return slots;
}

/* Allocate one block of memory, touched now instead of while waves are measured. */
static int allocate_buffers(struct stream *s, const int32_t *counts, struct tan_error *e)
{
    int32_t node = s->waiter->world->rank;
    const int32_t *children = tan_tree_children(s->shape.tree, node);
    uint32_t outs = s->root ? 1 : s->window;
    size_t out_room = overlay_packet_room(&s->shape, counts[node]);
    size_t total = outs * out_room;
    for (int i = 0; i < s->fanout; i++) {
        total += s->window * overlay_packet_room(&s->shape, counts[children[i]]);
    }
    s->buffers = aligned_alloc(64, total);
    s->links = calloc((size_t)s->fanout + 1, sizeof *s->links);
    s->in.active = calloc((size_t)s->fanout + 1, sizeof(MPI_Request));
    s->in.indices = calloc((size_t)s->fanout + 1, sizeof(int));
    s->up.ring = calloc(outs, sizeof(MPI_Request));
    if (s->buffers == NULL || s->links == NULL || s->in.active == NULL || s->in.indices == NULL ||
        s->up.ring == NULL) {
        return tan_fail_nomem(e);
    }
    memset(s->buffers, 0, total);
    unsigned char *at = s->buffers;
    s->up.slots = make_slots(&at, outs, out_room);
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        l->slots = make_slots(&at, s->window, overlay_packet_room(&s->shape, counts[children[i]]));
        l->ring = calloc(s->window, sizeof(MPI_Request));
        if (l->slots == NULL || l->ring == NULL) {
            return tan_fail_nomem(e);
        }
    }
    return s->up.slots != NULL ? 0 : tan_fail_nomem(e);
}

static void connect_children(struct stream *s, const int32_t *counts)
{
    const struct world *world = s->waiter->world;
    const int32_t *children = tan_tree_children(s->shape.tree, world->rank);
    int up = tag_up(CHANNEL_STREAM);
    int down = tag_down(CHANNEL_STREAM);
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        int child = children[i];
        int size = (int)overlay_message_bytes(&s->shape, counts[child]);
        l->leaf = tan_tree_fanout(s->shape.tree, child) == 0;
        l->bell = world_doorbell(world, child, CHANNEL_STREAM);
        s->remote |= l->bell == NULL;
        for (uint32_t k = 0; k < s->window; k++) {
            MPI_TRY(
                MPI_Recv_init(l->slots[k], size, MPI_BYTE, child, up, world->comm, &l->ring[k]));
        }
        MPI_TRY(MPI_Startall((int)s->window, l->ring));
        MPI_TRY(MPI_Send_init(NULL, 0, MPI_BYTE, child, down, world->comm, &l->confirm));
        s->in.active[i] = l->ring[0];
    }
}

static void connect_parent(struct stream *s, const int32_t *counts)
{
    const struct world *world = s->waiter->world;
    int parent = tan_tree_parent(s->shape.tree, world->rank);
    int size = (int)overlay_message_bytes(&s->shape, counts[world->rank]);
    s->in.active[s->fanout] = MPI_REQUEST_NULL;
    if (s->root) {
        return;
    }
    for (uint32_t k = 0; k < s->window; k++) {
        MPI_TRY(MPI_Send_init(s->up.slots[k], size, MPI_BYTE, parent, tag_up(CHANNEL_STREAM),
                              world->comm, &s->up.ring[k]));
    }
    MPI_TRY(MPI_Recv_init(NULL, 0, MPI_BYTE, parent, tag_down(CHANNEL_STREAM), world->comm,
                          &s->in.active[s->fanout]));
    MPI_TRY(MPI_Start(&s->in.active[s->fanout]));
    s->up.bell = world_doorbell(world, parent, CHANNEL_STREAM);
    s->remote |= s->up.bell == NULL;
}

struct stream *stream_create(struct waiter *waiter, const struct overlay_shape *shape,
                             stream_sink *sink, void *context, struct tan_error *e)
{
    int32_t node = waiter->world->rank;
    struct stream *s = calloc(1, sizeof *s);
    int32_t *counts = malloc((size_t)tan_tree_size(shape->tree) * sizeof *counts);
    if (s == NULL || counts == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    tan_tree_leaf_counts(shape->tree, counts);
    *s = (struct stream){
        .waiter = waiter,
        .shape = *shape,
        .tree_leaves = (uint32_t)tan_tree_leaves(shape->tree),
        .window = window_of(shape),
        .fanout = (int)tan_tree_fanout(shape->tree, node),
        .open = (int)tan_tree_fanout(shape->tree, node),
        .root = node == 0,
        .sink = sink,
        .context = context,
        .in.seen = waiter->consumed,
    };
    s->up.credits = s->root ? 1 : s->window;
    s->counts.window = s->window;
    if (allocate_buffers(s, counts, e) < 0) {
        goto fail;
    }
    if (s->fanout == 0) {
        s->counts.leaf = overlay_leaf_number(shape->tree, counts, node);
        for (uint32_t k = 0; k < s->window; k++) {
            tan_payload_fill(s->counts.leaf, s->up.slots[k]->payload, shape->leaf_bytes);
        }
    }
    connect_children(s, counts);
    connect_parent(s, counts);
    free(counts);
    return s;
fail:
    free(counts);
    free_parts(s);
    return NULL;
}

static void cancel_request(MPI_Request *request)
{
    MPI_TRY(MPI_Cancel(request));
    MPI_TRY(MPI_Wait(request, MPI_STATUS_IGNORE));
}

/* At the end all receives are posted, except that of the end mark; so is the one for an
 * acknowledgement. */
static void cancel_receives(struct stream *s)
{
    for (int i = 0; i < s->fanout; i++) {
        for (uint32_t k = 0; k < s->window; k++) {
            if (k != (s->links[i].head - 1) % s->window) {
                cancel_request(&s->links[i].ring[k]);
            }
        }
    }
    if (!s->root) {
        cancel_request(&s->in.active[s->fanout]);
    }
}

/* The same for SimGrid, which cannot cancel persistent receives: send them empty messages. */
static void end_receives(struct stream *s)
{
    const struct world *world = s->waiter->world;
    const int32_t *children = tan_tree_children(s->shape.tree, world->rank);
    const size_t n = (size_t)s->fanout + (s->root ? 0 : s->window - 1);
    MPI_Request *sends = malloc((n + 1) * sizeof *sends);
    struct tan_error ignored = TAN_ERROR_INIT;
    int sent = 0;
    if (sends == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "ending a stream");
    }
    for (int i = 0; i < s->fanout; i++) {
        MPI_TRY(MPI_Isend(NULL, 0, MPI_BYTE, children[i], tag_down(CHANNEL_STREAM), world->comm,
                          &sends[sent++]));
    }
    for (uint32_t k = 1; !s->root && k < s->window; k++) {
        MPI_TRY(MPI_Isend(NULL, 0, MPI_BYTE, tan_tree_parent(s->shape.tree, world->rank),
                          tag_up(CHANNEL_STREAM), world->comm, &sends[sent++]));
    }
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        const uint32_t last = (l->head - 1) % s->window; /* not posted */
        wait_send(s->waiter, l->ring, (int)last, &ignored);
        wait_send(s->waiter, l->ring + last + 1, (int)(s->window - last) - 1, &ignored);
    }
    if (!s->root) {
        wait_send(s->waiter, &s->in.active[s->fanout], 1, &ignored);
    }
    wait_send(s->waiter, sends, sent, &ignored);
    free(sends);
}

void stream_destroy(struct stream *s)
{
    if (s == NULL) {
        return;
    }
    (machine_simulated ? end_receives : cancel_receives)(s);
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        for (uint32_t k = 0; k < s->window; k++) {
            MPI_TRY(MPI_Request_free(&l->ring[k]));
        }
        MPI_TRY(MPI_Request_free(&l->confirm));
    }
    if (!s->root) {
        MPI_TRY(MPI_Request_free(&s->in.active[s->fanout]));
        for (uint32_t k = 0; k < s->window; k++) {
            MPI_TRY(MPI_Request_free(&s->up.ring[k]));
        }
    }
    free_parts(s);
}

const struct stream_counts *stream_counts(const struct stream *s)
{
    return &s->counts;
}

static void ring_bell(const struct stream *s, struct doorbell *bell, uint32_t *unrung)
{
    if (bell != NULL && *unrung > 0 && s->waiter->policy->rings) {
        doorbell_ring(bell, *unrung);
    }
    *unrung = 0;
}

static void ring_all(struct stream *s)
{
    ring_bell(s, s->up.bell, &s->up.unrung);
    for (int i = 0; i < s->fanout; i++) {
        ring_bell(s, s->links[i].bell, &s->links[i].unrung);
    }
}

/* Return the link's oldest packet to the ring, and acknowledge it when half a window is used up. */
static int use_up(struct stream *s, struct link *l, struct tan_error *e)
{
    int i = (int)(l - s->links);
    l->wave++;
    s->in.waiting--;
    if (!l->ended) {
        MPI_TRY(MPI_Start(&l->ring[l->head % s->window]));
    }
    l->head++;
    s->in.active[i] = l->ended ? MPI_REQUEST_NULL : l->ring[l->arrived % s->window];
    if (++l->confirmed < s->window / 2) {
        return 0;
    }
    l->confirmed = 0;
    l->unrung++;
    if (wait_send(s->waiter, &l->confirm, 1, e) != 0) {
        return -1;
    }
    MPI_TRY(MPI_Start(&l->confirm));
    return 0;
}

/* Test all posted receives; `wait`: wait until at least one has completed. Returns the number of
 * those that have. */
static int test_receives(struct stream *s, bool wait)
{
    int n = 0;
    if (wait) {
        MPI_TRY(MPI_Waitsome(s->fanout + 1, s->in.active, &n, s->in.indices, mpi_ignored_statuses));
    } else {
        MPI_TRY(MPI_Testsome(s->fanout + 1, s->in.active, &n, s->in.indices, mpi_ignored_statuses));
    }
    n = n == MPI_UNDEFINED ? 0 : n;
    for (int k = 0; k < n; k++) {
        int i = s->in.indices[k];
        bool local;
        if (i == s->fanout) {
            s->up.credits += s->window / 2;
            s->up.confirmations++;
            local = s->up.bell != NULL;
            MPI_TRY(MPI_Start(&s->in.active[i]));
        } else {
            struct link *l = &s->links[i];
            l->arrived++;
            s->in.waiting++;
            s->in.active[i] =
                link_waiting(l) < s->window ? l->ring[l->arrived % s->window] : MPI_REQUEST_NULL;
            local = l->bell != NULL;
        }
        s->in.seen += local;
    }
    s->waiter->consumed = s->in.seen;
    s->counts.queue_high =
        s->in.waiting > s->counts.queue_high ? s->in.waiting : s->counts.queue_high;
    return n;
}

/* Whether all sends are complete; MPI may need progress calls to send large packets. */
static bool all_flown(struct stream *s)
{
    int done = 1;
    while (!s->root && s->up.flown != s->up.sent && done) {
        MPI_TRY(MPI_Test(&s->up.ring[s->up.flown % s->window], &done, MPI_STATUS_IGNORE));
        s->up.flown += done != 0;
    }
    return s->root || s->up.flown == s->up.sent;
}

/* Wait for `need` more messages; may return early. */
static int await_messages(struct stream *s, uint32_t need, struct tan_error *e)
{
    const struct wait_policy *policy = s->waiter->policy;
    struct doorbell *bell = s->waiter->bell;
    const bool received = test_receives(s, policy->blocks) > 0;
    wait_learn(s->waiter, received);
    if (received) {
        s->in.tries = 0;
        return 0;
    }
    ring_all(s);
    bool flown = all_flown(s);
    if (++s->in.tries % TRIES_BEFORE_CHECK == 0 || stop_requested()) {
        if (stop_check(s->waiter->world, e) < 0) {
            return -1;
        }
    }
    /* Sleep only after seeing everything posted so far, which is where `need` counts from. */
    if (!policy->rings || !flown || doorbell_reached(bell, s->in.seen + 1)) {
        policy->pause(s->in.tries);
        return 0;
    }
    const bool there = s->remote ? wait_sleep(s->waiter, s->in.seen + 1, MAX_SLEEP)
                                 : doorbell_sleep(bell, s->in.seen + need, MAX_SLEEP);
    return there ? 0 : stop_check(s->waiter->world, e);
}

int stream_flush(struct stream *s, struct tan_error *e)
{
    ring_all(s);
    for (unsigned tries = 0; !all_flown(s); tries++) {
        s->waiter->policy->pause(tries);
        if ((tries % TRIES_BEFORE_CHECK == 0 || stop_requested()) &&
            stop_check(s->waiter->world, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The next packet to send; NULL without credit from the parent, or with an error. */
static struct packet *next_slot(struct stream *s, struct tan_error *e)
{
    if (s->up.credits == 0) {
        return NULL;
    }
    uint32_t k = s->root ? 0 : s->up.sent % s->window;
    /* the parent has acknowledged the slot's previous packet */
    if (!s->root && wait_send(s->waiter, &s->up.ring[k], 1, e) != 0) {
        return NULL;
    }
    return s->up.slots[k];
}

/* Send the packet in the slot. */
static void post_packet(struct stream *s)
{
    uint32_t k = s->up.sent++ % s->window;
    MPI_TRY(MPI_Start(&s->up.ring[k]));
    s->up.credits--;
    if (++s->up.unrung >= s->window / 2) {
        ring_bell(s, s->up.bell, &s->up.unrung);
    }
}

/* The root's result. Every wave is complete except at the end, when leaves have stopped at
 * different waves. */
static int check_and_sink(struct stream *s, struct packet *result, struct tan_error *e)
{
    const struct overlay_shape *shape = &s->shape;
    uint64_t leaves = result->leaves;
    tan_filter_finish(shape->filter, result);
    s->sink(s->context, result);
    s->counts.wave_sum += leaves * result->wave;
    s->counts.leaf_sum += result->leaf_sum;
    return leaves == s->tree_leaves ? tan_filter_verify(shape->filter, result, s->wave - 1,
                                                        s->tree_leaves, shape->leaf_bytes, e)
                                    : tan_filter_verify_part(shape->filter, result, s->tree_leaves,
                                                             shape->leaf_bytes, e);
}

/* Forward the packet of next_slot; at the root verify it and pass it to the sink. */
static int forward_packet(struct stream *s, struct tan_error *e)
{
    struct packet *out = s->up.slots[s->root ? 0 : s->up.sent % s->window];
    s->counts.leaves += out->leaves;
    s->counts.packets++;
    if (s->root) {
        return check_and_sink(s, out, e);
    }
    post_packet(s);
    return 0;
}

/* Wait for a free slot. */
static struct packet *reserve_slot(struct stream *s, struct tan_error *e)
{
    if (s->up.credits == 0) {
        double begin = tan_clock_seconds();
        while (s->up.credits == 0) {
            if (await_messages(s, 1, e) < 0) {
                return NULL;
            }
        }
        s->counts.blocked += tan_clock_seconds() - begin;
    }
    return next_slot(s, e);
}

struct packet *stream_next(struct stream *s, struct tan_error *e)
{
    struct packet *out = reserve_slot(s, e);
    if (out != NULL) {
        tan_payload_turn(s->counts.leaf, out->wave, s->wave, out->payload, s->shape.leaf_bytes);
        *out = (struct packet){
            .wave = s->wave, .leaves = 1, .leaf_sum = s->counts.leaf, .bytes = s->shape.leaf_bytes};
    }
    return out;
}

void stream_send(struct stream *s)
{
    s->wave++;
    s->counts.leaves++;
    s->counts.packets++;
    post_packet(s);
}

/* The parent acknowledges half windows only. */
int stream_end(struct stream *s, struct tan_error *e)
{
    if (s->root) {
        return stream_flush(s, e);
    }
    struct packet *out = reserve_slot(s, e);
    if (out == NULL) {
        return -1;
    }
    *out = (struct packet){.wave = s->wave, .last = 1};
    post_packet(s);
    while (s->up.confirmations != s->up.sent / (s->window / 2)) {
        if (await_messages(s, 1, e) < 0) {
            return -1;
        }
    }
    return stream_flush(s, e);
}

static int out_of_order(const struct stream *s, const struct packet *p, uint32_t wave,
                        struct tan_error *e)
{
    return tan_fail(e, "rank %d received a packet of wave %" PRIu32 " in place of wave %" PRIu32,
                    s->waiter->world->rank, p->wave, wave);
}

/* Consume end marks at the heads of the rings. Returns their number, -1 on an error; *empty counts
 * the children that have neither ended nor sent. */
static int take_ends(struct stream *s, uint32_t *empty, struct tan_error *e)
{
    int ends = 0;
    *empty = 0;
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        if (l->ended) {
            continue;
        }
        if (link_waiting(l) == 0) {
            ++*empty;
        } else if (link_head(s, l)->last) {
            l->ended = true;
            s->open--;
            ends++;
            if (use_up(s, l, e) < 0) {
                return -1;
            }
        } else if (l->leaf && link_head(s, l)->wave != l->wave) {
            return out_of_order(s, link_head(s, l), l->wave, e);
        }
    }
    return ends;
}

/* Reduce and forward the packets at the heads of the rings, once there is one of every child that
 * has not ended. Returns 1 if packets were consumed, -1 on an error, and 0 if nothing can be done
 * until *need more messages have arrived. */
static int gather_wave(struct stream *s, uint32_t *need, struct tan_error *e)
{
    int ends = take_ends(s, need, e);
    if (ends) {
        return ends;
    }
    if (*need > 0 || s->open == 0) {
        return 0;
    }
    *need = 1;
    struct packet *out = next_slot(s, e);
    if (out == NULL) {
        return 0;
    }
    bool first = true;
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        if (l->ended) {
            continue;
        }
        const struct packet *in = link_head(s, l);
        if (in->wave != s->wave) {
            return out_of_order(s, in, s->wave, e);
        }
        if (first) {
            memcpy(out, in, sizeof *in + in->bytes);
        } else {
            tan_filter_combine(s->shape.filter, out, in);
        }
        tan_work_for(s->shape.work);
        first = false;
        if (use_up(s, l, e) < 0) {
            return -1;
        }
    }
    s->wave++;
    return forward_packet(s, e) < 0 ? -1 : 1;
}

int stream_pump(struct stream *s, struct tan_error *e)
{
    for (;;) {
        uint32_t need;
        const int did = gather_wave(s, &need, e);
        if (did < 0) {
            return -1;
        }
        if (did == 0 && s->open == 0) {
            return stream_end(s, e);
        }
        if (did == 0 && await_messages(s, need, e) < 0) {
            return -1;
        }
    }
}
