/* overlay.c - persistent tree of MPI processes that performs waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/overlay.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/plan/work.h"
#include "tanbench/ranks/mpi_try.h"

struct overlay {
    struct waiter *waiter;
    struct perf *perf; /* NULL: nothing is counted */
    const struct filter *filter;
    enum element element;
    uint32_t leaf_bytes, request_bytes;
    uint32_t leaves; /* of the whole tree */
    uint32_t leaf;   /* this leaf's number, for payloads */
    uint32_t wave;   /* the next wave, or the one in progress */
    uint32_t filled; /* leaf: the wave whose payload `out` holds */
    int fanout;      /* 0: this rank is a leaf */
    bool root, only_down;
    bool posted; /* the receives of the next answers */
    double work;
    struct emulation emulation;
    struct emulated_way way; /* to the parent; all 0 without emulation */
    gsl_rng *rng;            /* for random latencies, else NULL */
    double link;             /* emulated: what passes each way in this wave */

    struct packet *request; /* received from above, sent below */
    struct packet *out;     /* sent up; the result at the root, which is an only child's packet */
    struct packet **in;     /* one per child */
    unsigned char *buffers; /* behind all of them */

    /* Persistent requests. The parent's are at the root MPI_REQUEST_NULL. */
    MPI_Request *from_children, *to_children;
    MPI_Request from_parent, to_parent;
    struct doorbell **child_bells; /* NULL entries: on another host */
    struct doorbell *parent_bell;
    struct receives parent_receives, child_receives;
};

static size_t round_up(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Payload of a node with `leaves` leaves below it (or being one). */
static int64_t payload_bytes(const struct overlay_shape *shape, int64_t leaves)
{
    return shape->filter->grows ? shape->leaf_bytes * leaves : shape->leaf_bytes;
}

int64_t overlay_message_bytes(const struct overlay_shape *shape, int64_t leaves)
{
    return (int64_t)sizeof(struct packet) + payload_bytes(shape, leaves);
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

/* One block of memory, touched here rather than in the first wave. */
static int lay_out_buffers(struct overlay *o, const struct overlay_shape *shape, int32_t node,
                           const int32_t *counts, struct tan_error *e)
{
    size_t header = sizeof(struct packet);
    size_t request = round_up(header + shape->request_bytes);
    size_t out = round_up(header + (size_t)payload_bytes(shape, counts[node]));
    size_t total = request + out;
    const int32_t *children = tan_tree_children(shape->tree, node);
    for (int i = 0; i < o->fanout; i++) {
        total += round_up(header + (size_t)payload_bytes(shape, counts[children[i]]));
    }
    o->buffers = aligned_alloc(64, total);
    o->in = calloc((size_t)o->fanout + 1, sizeof(struct packet *));
    if (o->buffers == NULL || o->in == NULL) {
        return tan_fail_nomem(e);
    }
    memset(o->buffers, 0, total);
    unsigned char *at = o->buffers;
    o->request = (struct packet *)at;
    o->out = (struct packet *)(at += request);
    at += out;
    for (int i = 0; i < o->fanout; i++) {
        o->in[i] = (struct packet *)at;
        at += round_up(header + (size_t)payload_bytes(shape, counts[children[i]]));
    }
    if (o->root && o->fanout == 1) {
        o->out = o->in[0];
    }
    return 0;
}

static void make_requests(struct overlay *o, enum channel channel,
                          const struct overlay_shape *shape, const int32_t *counts)
{
    const struct world *world = o->waiter->world;
    MPI_Comm comm = world->comm;
    int down = tag_down(channel);
    int up = tag_up(channel);
    int node = world->rank;
    int parent = tan_tree_parent(shape->tree, node);
    const int32_t *children = tan_tree_children(shape->tree, node);
    int header = (int)sizeof(struct packet);
    int request = header + (int)shape->request_bytes;
    for (int i = 0; i < o->fanout; i++) {
        int size = header + (int)payload_bytes(shape, counts[children[i]]);
        MPI_TRY(
            MPI_Recv_init(o->in[i], size, MPI_BYTE, children[i], up, comm, &o->from_children[i]));
        MPI_TRY(MPI_Send_init(o->request, request, MPI_BYTE, children[i], down, comm,
                              &o->to_children[i]));
        o->child_bells[i] = world_doorbell(world, children[i], channel);
        o->child_receives.local += o->child_bells[i] != NULL;
    }
    o->child_receives.requests = o->from_children;
    o->child_receives.senders = o->child_bells;
    o->child_receives.n = o->fanout;
    o->child_receives.brief = o->fanout > 1 && counts[node] == o->fanout; /* leaves only */
    if (!o->root) {
        int size = header + (int)payload_bytes(shape, counts[node]);
        MPI_TRY(MPI_Recv_init(o->request, request, MPI_BYTE, parent, down, comm, &o->from_parent));
        MPI_TRY(MPI_Send_init(o->out, size, MPI_BYTE, parent, up, comm, &o->to_parent));
        o->parent_bell = world_doorbell(world, parent, channel);
        o->parent_receives =
            (struct receives){.requests = &o->from_parent,
                              .senders = &o->parent_bell,
                              .n = 1,
                              .local = o->parent_bell != NULL,
                              .brief = o->fanout == 0 && tan_tree_fanout(shape->tree, parent) > 1};
        MPI_TRY(MPI_Start(&o->from_parent));
    }
}

static void free_parts(struct overlay *o)
{
    if (o != NULL) {
        free(o->buffers);
        free(o->in);
        free(o->from_children);
        free(o->to_children);
        free(o->child_bells);
        if (o->rng != NULL) {
            gsl_rng_free(o->rng);
        }
        free(o);
    }
}

struct overlay *overlay_create(struct waiter *waiter, enum channel channel,
                               const struct overlay_shape *shape, struct tan_error *e)
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
        .perf = shape->perf,
        .filter = shape->filter,
        .element = shape->element,
        .leaf_bytes = shape->leaf_bytes,
        .request_bytes = shape->request_bytes,
        .leaves = (uint32_t)tan_tree_leaves(shape->tree),
        .fanout = (int)fanout,
        .root = node == 0,
        .only_down = shape->only_down,
        .work = shape->work,
        .emulation = shape->emulation,
        .from_children = calloc(fanout + 1, sizeof(MPI_Request)),
        .to_children = calloc(fanout + 1, sizeof(MPI_Request)),
        .from_parent = MPI_REQUEST_NULL,
        .to_parent = MPI_REQUEST_NULL,
        .child_bells = calloc(fanout + 1, sizeof(struct doorbell *)),
    };
    if (o->from_children == NULL || o->to_children == NULL || o->child_bells == NULL) {
        tan_fail_nomem(e);
        goto fail;
    }
    if (lay_out_buffers(o, shape, node, counts, e) < 0) {
        goto fail;
    }
    const struct tan_sites sites = {.at = {waiter->world->host_of}};
    o->way = tan_emulation_way(&shape->emulation, shape->tree, &sites, node);
    if (o->way.drawn) {
        o->rng = gsl_rng_alloc(gsl_rng_mt19937);
        if (o->rng == NULL) {
            tan_fail_nomem(e);
            goto fail;
        }
        gsl_rng_set(o->rng, shape->emulation.seed + (uint64_t)node);
    }
    o->request->bytes = shape->request_bytes;
    if (o->fanout == 0) {
        o->leaf = overlay_leaf_number(shape->tree, counts, node);
        o->out->leaves = 1;
        o->out->leaf_sum = o->leaf;
        o->out->bytes = shape->leaf_bytes;
        tan_payload_fill(o->element, o->leaf, o->out->payload, o->leaf_bytes);
    }
    make_requests(o, channel, shape, counts);
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
    for (int i = 0; i < o->fanout; i++) {
        MPI_TRY(MPI_Request_free(&o->from_children[i]));
        MPI_TRY(MPI_Request_free(&o->to_children[i]));
    }
    if (!o->root) {
        MPI_TRY(MPI_Request_free(&o->from_parent));
        MPI_TRY(MPI_Request_free(&o->to_parent));
    }
    free_parts(o);
}

static void post_send(const struct overlay *o, MPI_Request *request, struct doorbell *bell)
{
    MPI_TRY(MPI_Start(request));
    if (bell != NULL && o->waiter->policy->rings) {
        doorbell_ring(bell, 1);
    }
}

static void emulate_answer(const struct overlay *o)
{
    if (o->link > 0) {
        tan_clock_sleep(o->link);
    }
}

/* Emulated: the request was on its way, and the answer will be as long. Nothing on real hosts. */
static void emulate_request(struct overlay *o)
{
    o->link = o->way.seconds;
    if (o->rng != NULL) {
        o->link += tan_emulation_draw(&o->emulation, o->rng) - o->way.latency;
    }
    emulate_answer(o);
}

/* Before the requests go out, and better before the wave, when nobody waits for it: a packet that
 * finds its receive posted needs no copy. */
static void post_receives(struct overlay *o)
{
    if (!o->posted && o->fanout > 0 && !o->only_down) {
        MPI_TRY(MPI_Startall(o->fanout, o->from_children));
        o->posted = true;
    }
}

static int send_down(struct overlay *o, struct tan_error *e)
{
    if (o->fanout == 0) {
        perf_enter(o->perf, PERF_REST);
        return 0;
    }
    post_receives(o);
    perf_enter(o->perf, PERF_SENDING);
    if (o->perf != NULL) {
        perf_sent(o->perf, o->fanout, sizeof *o->request + o->request_bytes);
    }
    for (int i = 0; i < o->fanout; i++) {
        post_send(o, &o->to_children[i], o->child_bells[i]);
    }
    return wait_defer(o->waiter, o->to_children, o->fanout, o->child_receives.local, e);
}

static int reduce_packets(struct overlay *o, struct tan_error *e)
{
    perf_enter(o->perf, PERF_WAITING);
    if (wait_receive(o->waiter, &o->child_receives, e) < 0) {
        return -1;
    }
    o->posted = false;
    perf_enter(o->perf, PERF_FILTER);
    for (int i = 0; i < o->fanout; i++) {
        const struct packet *in = o->in[i];
        if (o->perf != NULL) {
            perf_received(o->perf, 1, sizeof *in + in->bytes);
        }
        if (in->wave != o->wave) {
            return tan_fail(e, "rank %d received a packet of wave %u during wave %u",
                            o->waiter->world->rank, in->wave, o->wave);
        }
        if (i == 0 && in != o->out) {
            memcpy(o->out, in, sizeof *in + in->bytes);
        } else if (i > 0) {
            tan_filter_combine(o->filter, o->element, o->out, in);
        }
    }
    tan_work_for(o->work * o->fanout);
    return 0;
}

void *overlay_request(struct overlay *o)
{
    return o->request->payload;
}

void overlay_set_times(struct overlay *o, double when, double now)
{
    o->request->sent_last = when;
    o->request->heard_last = now;
}

void overlay_prepare(struct overlay *o)
{
    post_receives(o);
}

int overlay_multicast(struct overlay *o, bool last, struct tan_error *e)
{
    o->request->wave = o->wave;
    o->request->last = last;
    return send_down(o, e);
}

int overlay_collect(struct overlay *o, struct tan_error *e)
{
    if (reduce_packets(o, e) < 0) {
        return -1;
    }
    tan_filter_finish(o->filter, o->element, o->out);
    o->wave++;
    return 0;
}

const struct packet *overlay_result(const struct overlay *o)
{
    return o->out;
}

int overlay_verify(const struct overlay *o, struct tan_error *e)
{
    return tan_filter_verify(o->filter, o->element, o->out, o->wave - 1, o->leaves, o->leaf_bytes,
                             e);
}

/* A leaf's payload for `wave`. */
static void fill_payload(struct overlay *o, uint32_t wave)
{
    if (o->fanout == 0 && o->filled != wave) {
        tan_payload_turn(o->element, o->leaf, o->filled, wave, o->out->payload, o->leaf_bytes);
        o->filled = wave;
    }
}

int overlay_listen(struct overlay *o, const struct packet **request, struct tan_error *e)
{
    if (wait_receive(o->waiter, &o->parent_receives, e) < 0) {
        return -1;
    }
    emulate_request(o);
    if (send_down(o, e) != 0) {
        return -1;
    }
    if (o->perf != NULL) {
        perf_received(o->perf, 1, sizeof *o->request + o->request_bytes);
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

int overlay_skip_answer(struct overlay *o, struct tan_error *e)
{
    if (wait_deferred(o->waiter, e) != 0) {
        return -1;
    }
    if (o->root) {
        o->wave++;
    } else if (!o->request->last) {
        MPI_TRY(MPI_Start(&o->from_parent));
    }
    return 0;
}

int overlay_answer(struct overlay *o, struct tan_error *e)
{
    bool last = o->request->last;
    if (o->fanout > 0 && reduce_packets(o, e) < 0) {
        return -1;
    }
    emulate_answer(o);
    o->out->wave = o->wave;
    perf_enter(o->perf, PERF_ANSWERING);
    if (o->perf != NULL) {
        perf_sent(o->perf, 1, sizeof *o->out + o->out->bytes);
    }
    /* The next request may come as soon as the answer is out, if the parent is woken even before
     * this rank goes on. One that polls takes longer. */
    const bool early = o->waiter->policy->rings;
    if (!last && early) {
        MPI_TRY(MPI_Start(&o->from_parent));
    }
    post_send(o, &o->to_parent, o->parent_bell);
    if (!last && !early) {
        MPI_TRY(MPI_Start(&o->from_parent));
    }
    if (wait_defer(o->waiter, &o->to_parent, 1, o->parent_receives.local, e) != 0) {
        return -1;
    }
    if (last) {
        return wait_deferred(o->waiter, e);
    }
    post_receives(o);
    if (o->waiter->n_deferred == 0) { /* MPI has taken the answer */
        fill_payload(o, o->wave + 1);
    }
    return 0;
}
