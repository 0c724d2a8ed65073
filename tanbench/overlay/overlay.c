/* overlay.c - one wave, as performed by each process of the tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/overlay.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/plan/filter.h"
#include "tanbench/ranks/mpi_try.h"

/* The root reads its clock, sends the requests (overlay_multicast), waits for the answers and
 * reduces them (overlay_collect), and reads its clock again: round_lead in measure/mode_run.c.
 * All other processes are meanwhile in overlay_listen and overlay_answer. Nothing is allocated
 * meanwhile: overlay_create makes buffers and persistent receives. */

/* A process's part, across waves. */
struct overlay {
    struct waiter *waiter;
    struct emulated_link *link; /* to the parent; NULL: a real link */
    const struct filter *filter;
    uint32_t leaf_bytes;
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

/* --- buffers, requests and packets --- */

int64_t overlay_message_bytes(const struct overlay_shape *shape, int64_t leaves)
{
    const int64_t payloads = shape->filter->grows ? leaves : 1;
    return (int64_t)sizeof(struct packet) + payloads * shape->leaf_bytes;
}

int64_t overlay_largest_message(const struct overlay_shape *shape)
{
    int64_t up = overlay_message_bytes(shape, tan_tree_leaves(shape->tree));
    int64_t down = (int64_t)sizeof(struct packet) + shape->request_bytes;
    return up > down ? up : down;
}

uint32_t overlay_leaf_number(const struct tan_tree *tree, const int32_t *counts, int32_t node)
{
    uint32_t number = 0;
    for (int32_t at = node; at > 0; at = tan_tree_parent(tree, at)) {
        int32_t parent = tan_tree_parent(tree, at);
        for (const int32_t *sibling = tan_tree_children(tree, parent); *sibling != at; sibling++) {
            number += (uint32_t)counts[*sibling];
        }
    }
    return number;
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

size_t overlay_packet_room(const struct overlay_shape *shape, int64_t leaves)
{
    return whole_lines((size_t)overlay_message_bytes(shape, leaves));
}

/* Allocate one block of memory, touched now instead of in the first wave. */
static int lay_out_buffers(struct overlay *o, const struct overlay_shape *shape, int32_t node,
                           const int32_t *counts, struct tan_error *e)
{
    size_t request = whole_lines(sizeof(struct packet) + shape->request_bytes);
    size_t out = overlay_packet_room(shape, counts[node]);
    size_t total = request + out;
    const int32_t *children = tan_tree_children(shape->tree, node);
    for (int i = 0; i < o->children.n; i++) {
        total += overlay_packet_room(shape, counts[children[i]]);
    }
    o->buffers = aligned_alloc(64, total);
    o->in = calloc((size_t)o->children.n + 1, sizeof(struct packet *));
    if (o->buffers == NULL || o->in == NULL) {
        return tan_fail_nomem(e);
    }
    memset(o->buffers, 0, total);
    unsigned char *at = o->buffers;
    o->request = (struct packet *)at;
    o->out = (struct packet *)(at += request);
    at += out;
    for (int i = 0; i < o->children.n; i++) {
        o->in[i] = (struct packet *)at;
        at += overlay_packet_room(shape, counts[children[i]]);
    }
    if (o->root && o->children.n == 1) {
        o->out = o->in[0];
    }
    return 0;
}

/* Whether `node` is the root or a child of it and has several children, all of them leaves. In
 * deeper trees a yielded core goes to other subtrees instead. */
static bool leads_leaves(const struct tan_tree *tree, const int32_t *counts, int32_t node)
{
    const int32_t fanout = tan_tree_fanout(tree, node);
    return fanout > 1 && counts[node] == fanout && tan_tree_parent(tree, node) <= 0;
}

static void make_requests(struct overlay *o, const struct overlay_shape *shape,
                          const int32_t *counts)
{
    const enum channel channel = o->waiter->channel;
    const struct world *world = o->waiter->world;
    const int node = world->rank;
    o->parent.rank = tan_tree_parent(shape->tree, node);
    o->children.ranks = tan_tree_children(shape->tree, node);
    o->request_length = (int)sizeof(struct packet) + (int)shape->request_bytes;
    o->answer_length = (int)overlay_message_bytes(shape, counts[node]);
    for (int i = 0; i < o->children.n; i++) {
        const int32_t child = o->children.ranks[i];
        const int size = (int)overlay_message_bytes(shape, counts[child]);
        MPI_TRY(MPI_Recv_init(o->in[i], size, MPI_BYTE, child, tag_up(channel), world->comm,
                              &o->children.from[i]));
        o->children.to[i] = MPI_REQUEST_NULL;
        o->children.bells[i] = world_doorbell(world, child, channel);
        o->children.receives.local += o->children.bells[i] != NULL;
    }
    o->children.receives.requests = o->children.from;
    o->children.receives.senders = o->children.bells;
    o->children.receives.n = o->children.n;
    o->children.receives.brief = leads_leaves(shape->tree, counts, node);
    if (!o->root) {
        MPI_TRY(MPI_Recv_init(o->request, o->request_length, MPI_BYTE, o->parent.rank,
                              tag_down(channel), world->comm, &o->parent.from));
        o->parent.bell = world_doorbell(world, o->parent.rank, channel);
        o->parent.receives = (struct receives){
            .requests = &o->parent.from,
            .senders = &o->parent.bell,
            .n = 1,
            .local = o->parent.bell != NULL,
            .brief = o->children.n == 0 && leads_leaves(shape->tree, counts, o->parent.rank)};
        MPI_TRY(MPI_Start(&o->parent.from));
    }
}

static void free_parts(struct overlay *o)
{
    if (o != NULL) {
        free(o->buffers);
        free(o->in);
        free(o->children.from);
        free(o->children.to);
        free(o->children.bells);
        free(o);
    }
}

struct overlay *overlay_create(struct waiter *waiter, const struct overlay_shape *shape,
                               struct tan_error *e)
{
    const struct world *world = waiter->world;
    int32_t node = world->rank;
    size_t fanout = (size_t)tan_tree_fanout(shape->tree, node);
    struct overlay *o = calloc(1, sizeof *o);
    int32_t *counts = malloc((size_t)tan_tree_size(shape->tree) * sizeof *counts);
    if (o == NULL || counts == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    if (overlay_largest_message(shape) > INT_MAX) {
        tan_fail(e, "a packet of %lld bytes is more than one MPI message can hold (%d)",
                 (long long)overlay_largest_message(shape), INT_MAX);
        goto fail;
    }
    tan_tree_leaf_counts(shape->tree, counts);
    *o = (struct overlay){
        .waiter = waiter,
        .link = shape->link,
        .filter = shape->filter,
        .leaf_bytes = shape->leaf_bytes,
        .leaves = (uint32_t)tan_tree_leaves(shape->tree),
        .children.n = (int)fanout,
        .root = node == 0,
        .work = shape->work,
        .children.from = calloc(fanout + 1, sizeof(MPI_Request)),
        .children.to = calloc(fanout + 1, sizeof(MPI_Request)),
        .parent.from = MPI_REQUEST_NULL,
        .parent.to = MPI_REQUEST_NULL,
        .children.bells = calloc(fanout + 1, sizeof(struct doorbell *)),
    };
    if (o->children.from == NULL || o->children.to == NULL || o->children.bells == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    if (lay_out_buffers(o, shape, node, counts, e) < 0) {
        goto fail;
    }
    o->request->bytes = shape->request_bytes;
    if (o->children.n == 0) {
        o->leaf.number = overlay_leaf_number(shape->tree, counts, node);
        o->out->leaves = 1;
        o->out->leaf_sum = o->leaf.number;
        o->out->bytes = shape->leaf_bytes;
        tan_payload_fill(o->leaf.number, o->out->payload, o->leaf_bytes);
    }
    make_requests(o, shape, counts);
    free(counts);
    return o;
fail:
    free(counts);
    free_parts(o);
    return NULL;
}

void overlay_destroy(struct overlay *o)
{
    if (o == NULL) {
        return;
    }
    for (int i = 0; i < o->children.n; i++) {
        MPI_TRY(MPI_Request_free(&o->children.from[i]));
    }
    if (!o->root) {
        MPI_TRY(MPI_Request_free(&o->parent.from));
    }
    free_parts(o);
}

void *overlay_request(struct overlay *o)
{
    return o->request->payload;
}

const struct packet *overlay_result(const struct overlay *o)
{
    return o->out;
}

int overlay_verify(const struct overlay *o, struct tan_error *e)
{
    return tan_filter_verify(o->filter, o->out, o->wave - 1, o->leaves, o->leaf_bytes, e);
}

/* --- steps --- */

static void ring_bell(const struct overlay *o, struct doorbell *bell)
{
    if (bell != NULL && o->waiter->policy->rings) {
        doorbell_ring(bell, 1);
    }
}

/* At the latest before sending the requests, preferably between waves, outside of the measured
 * time. A packet that arrives before its receive is posted would be copied through a buffer of the
 * library. */
void overlay_prepare(struct overlay *o)
{
    if (!o->posted && o->children.n > 0) {
        MPI_TRY(MPI_Startall(o->children.n, o->children.from));
        o->posted = true;
    }
}

/* Sends are not persistent: Open MPI completes a short MPI_Isend at once, but a persistent send,
 * however short, only when its receiver has acknowledged it. */
static int send_requests(struct overlay *o, struct tan_error *e)
{
    struct waiter *w = o->waiter;
    overlay_prepare(o);
    for (int i = 0; i < o->children.n; i++) {
        MPI_TRY(MPI_Isend(o->request, o->request_length, MPI_BYTE, o->children.ranks[i],
                          tag_down(w->channel), w->world->comm, &o->children.to[i]));
        ring_bell(o, o->children.bells[i]);
    }
    return wait_defer(w, o->children.to, o->children.n, o->children.receives.local, e);
}

/* Wait for the answers of all children, and reduce them to one packet, `out`. */
static int reduce_answers(struct overlay *o, struct tan_error *e)
{
    if (wait_receive(o->waiter, &o->children.receives, e) < 0) {
        return -1;
    }
    o->posted = false;
    for (int i = 0; i < o->children.n; i++) {
        const struct packet *in = o->in[i];
        if (in->wave != o->wave) {
            return tan_fail(e, "rank %d received a packet of wave %u during wave %u",
                            o->waiter->world->rank, in->wave, o->wave);
        }
        if (i == 0 && in != o->out) {
            memcpy(o->out, in, sizeof *in + in->bytes);
        } else if (i > 0) {
            tan_filter_combine(o->filter, o->out, in);
        }
    }
    tan_work_for(o->work * o->children.n);
    return 0;
}

/* A leaf's payload for `wave`. */
static void fill_payload(struct overlay *o, uint32_t wave)
{
    if (o->children.n == 0 && o->leaf.filled != wave) {
        tan_payload_turn(o->leaf.number, o->leaf.filled, wave, o->out->payload, o->leaf_bytes);
        o->leaf.filled = wave;
    }
}

/* Send the answer and post the receive of the next request. A parent that has to be woken may run,
 * and send that request, before this rank continues, so the receive is posted first. A polling
 * parent takes longer to send it, so the answer is sent first. */
static int send_answer(struct overlay *o, bool last, struct tan_error *e)
{
    struct waiter *w = o->waiter;
    const bool early = w->policy->rings;
    if (!last && early) {
        MPI_TRY(MPI_Start(&o->parent.from));
    }
    MPI_TRY(MPI_Isend(o->out, o->answer_length, MPI_BYTE, o->parent.rank, tag_up(w->channel),
                      w->world->comm, &o->parent.to));
    ring_bell(o, o->parent.bell);
    if (!last && !early) {
        MPI_TRY(MPI_Start(&o->parent.from));
    }
    return wait_defer(w, &o->parent.to, 1, o->parent.receives.local, e);
}

/* --- root --- */

void overlay_set_times(struct overlay *o, double when, double now)
{
    o->request->sent_last = when;
    o->request->heard_last = now;
}

int overlay_multicast(struct overlay *o, bool last, struct tan_error *e)
{
    o->request->wave = o->wave;
    o->request->last = last;
    return send_requests(o, e);
}

int overlay_collect(struct overlay *o, struct tan_error *e)
{
    if (reduce_answers(o, e) < 0) {
        return -1;
    }
    tan_filter_finish(o->filter, o->out);
    o->wave++;
    return 0;
}

/* --- link of a process to its parent on an emulated machine --- */

struct emulated_link {
    struct emulation emulation;
    struct emulated_way way;
    gsl_rng *rng;   /* for random latencies, else NULL */
    double seconds; /* per direction, in this wave */
};

struct emulated_link *emulated_link_create(const struct emulation *emulation,
                                           const struct tan_tree *tree, const struct world *world,
                                           uint64_t seed, struct tan_error *e)
{
    const struct tan_sites sites = {.at = {world->host_of}};
    struct emulated_link *link = malloc(sizeof *link);
    if (link == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *link = (struct emulated_link){
        .emulation = *emulation,
        .way = tan_emulation_way(emulation, tree, &sites, world->rank),
    };
    if (link->way.drawn && (link->rng = gsl_rng_alloc(gsl_rng_mt19937)) == NULL) {
        free(link);
        tan_fail_nomem(e);
        return NULL;
    }
    if (link->rng != NULL) {
        gsl_rng_set(link->rng, seed + (uint64_t)world->rank);
    }
    return link;
}

void emulated_link_destroy(struct emulated_link *link)
{
    if (link != NULL) {
        gsl_rng_free(link->rng);
        free(link);
    }
}

/* The answer of a wave takes as long as the request. */
static void pass_answer(const struct emulated_link *link)
{
    if (link != NULL && link->seconds > 0) {
        tan_clock_sleep(link->seconds);
    }
}

static void pass_request(struct emulated_link *link)
{
    if (link == NULL) {
        return;
    }
    link->seconds = link->way.seconds;
    if (link->rng != NULL) {
        link->seconds += tan_emulation_draw(&link->emulation, link->rng) - link->way.latency;
    }
    pass_answer(link);
}

/* --- internal processes and leaves --- */

int overlay_listen(struct overlay *o, const struct packet **request, struct tan_error *e)
{
    if (wait_receive(o->waiter, &o->parent.receives, e) < 0) {
        return -1;
    }
    pass_request(o->link);
    if (o->children.n > 0 && send_requests(o, e) < 0) {
        return -1;
    }
    o->wave = o->request->wave;
    fill_payload(o, o->wave);
    *request = o->request;
    return 0;
}

void overlay_stamp(struct overlay *o, double heard, double sent)
{
    o->out->heard_last = heard;
    o->out->sent_first = o->out->sent_last = sent;
}

int overlay_answer(struct overlay *o, struct tan_error *e)
{
    const bool last = o->request->last;
    if (o->children.n > 0 && reduce_answers(o, e) < 0) {
        return -1;
    }
    pass_answer(o->link);
    o->out->wave = o->wave;
    if (send_answer(o, last, e) < 0) {
        return -1;
    }
    if (last) {
        return wait_deferred(o->waiter, e);
    }
    overlay_prepare(o);
    if (o->waiter->n_deferred == 0) { /* MPI no longer needs the answer's buffer */
        fill_payload(o, o->wave + 1);
    }
    return 0;
}
