/* heal.c - waves on a tree of which a process falls silent, and which heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/heal/heal.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "tanbench/plan/filter.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

enum heal_kind {
    HEAL_WAVE,   /* down: a request for the leaves' packets */
    HEAL_TREE,   /* down: the failed process, and so the new tree */
    HEAL_ANSWER, /* up: the answer to one of these */
    HEAL_END     /* from the root to every process: no more requests follow */
};

/* A process that did not answer in time. */
struct silent {
    int32_t node;   /* 0: none, since the root does not fail */
    int32_t parent; /* which waited for it */
    double waited;  /* seconds, from the request's arrival at that parent */
};

/* Every message starts with this; a struct packet with `bytes` of payload follows. */
struct heal_head {
    uint32_t kind;
    int32_t wave;         /* from 1; the warm-up's are 0 and less */
    uint32_t bytes;       /* of the payload */
    uint32_t n_silent;    /* answers: processes found silent by the sender and below */
    struct silent silent; /* requests: the failed process; answers: the first of these */
    uint32_t first, end;  /* requests: the leaves that are to answer, by number */
    uint64_t check;       /* answers: sum of heal_check over the leaves included */
};

static size_t heal_bytes(const struct heal_head *m)
{
    return sizeof *m + sizeof(struct packet) + m->bytes;
}

static struct packet *heal_packet(struct heal_head *m)
{
    return (struct packet *)(m + 1);
}

/* What leaf `leaf` adds to the check of wave `wave`: 64 bits that look random, so another set of
 * leaves has the same sum, modulo 2^64, by chance only. The finalizer of SplitMix64 [Steele, Lea,
 * Flood 2014]: a bijection, so leaves never agree. */
static uint64_t heal_check(uint32_t leaf, uint32_t wave)
{
    uint64_t x = ((uint64_t)wave << 32 | leaf) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A message on its way to `uses` ranks. */
struct parcel {
    int uses;
    struct heal_head head;
};

struct outgoing {
    MPI_Request request;
    struct parcel *parcel;
};

/* A rank's messages on the channel of its waiter. Nothing is sent that the receiver has not asked
 * for or does not read anyway, so that a process that fails does not keep others from sending. */
struct mailbox {
    struct waiter *waiter;
    int tag;
    unsigned char *in; /* `room` bytes */
    size_t room;
    MPI_Request incoming;
    bool posted; /* the receive of the next message */
    struct outgoing *outgoing;
    size_t n_outgoing, outgoing_room;
};

/* --- messages: sending --- */

/* A new message as long as *head says, which it starts with; the rest is undefined. It is freed
 * after it was sent to all its receivers. */
static struct heal_head *mailbox_message(const struct heal_head *head, struct tan_error *e)
{
    struct parcel *parcel = malloc(offsetof(struct parcel, head) + heal_bytes(head));
    if (parcel == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    parcel->uses = 0;
    memcpy(&parcel->head, head, sizeof *head);
    return &parcel->head;
}

/* Send it to `n` > 0 ranks. */
static int mailbox_send(struct mailbox *box, struct heal_head *message, const int32_t *ranks, int n,
                        struct tan_error *e)
{
    struct parcel *parcel = (struct parcel *)((char *)message - offsetof(struct parcel, head));
    const int bytes = (int)heal_bytes(message);
    if (TAN_RESERVE(box->outgoing, box->outgoing_room, box->n_outgoing + (size_t)n) < 0) {
        free(parcel);
        return tan_fail_nomem(e);
    }
    parcel->uses = n;
    for (int i = 0; i < n; i++) {
        struct outgoing *out = &box->outgoing[box->n_outgoing++];
        out->parcel = parcel;
        MPI_TRY(MPI_Isend(message, bytes, MPI_BYTE, ranks[i], box->tag, box->waiter->world->comm,
                          &out->request));
        wait_ring(box->waiter, ranks[i]);
        machine_signal(ranks[i]);
    }
    return 0;
}

/* Free what has been sent, and let MPI proceed with the rest. Testing takes simulated time, but
 * simulated messages leave without help. */
static void reap(struct mailbox *box)
{
    size_t left = 0;
    for (size_t i = 0; i < box->n_outgoing; i++) {
        struct outgoing *out = &box->outgoing[i];
        int done = machine_simulated;
        if (machine_simulated) {
            MPI_TRY(MPI_Wait(&out->request, MPI_STATUS_IGNORE));
        } else {
            MPI_TRY(MPI_Test(&out->request, &done, MPI_STATUS_IGNORE));
        }
        if (!done) {
            box->outgoing[left++] = *out;
        } else if (--out->parcel->uses <= 0) {
            free(out->parcel);
        }
    }
    box->n_outgoing = left;
}

/* Complete all sends. */
static void mailbox_flush(struct mailbox *box)
{
    while (box->n_outgoing > 0) {
        reap(box);
        if (box->n_outgoing > 0) {
            sched_yield();
        }
    }
}

/* --- messages: receiving, from any rank, with a deadline --- */

static void post_receive(struct mailbox *box)
{
    if (!box->posted) {
        MPI_TRY(MPI_Irecv(box->in, (int)box->room, MPI_BYTE, MPI_ANY_SOURCE, box->tag,
                          box->waiter->world->comm, &box->incoming));
        box->posted = true;
    }
}

/* Test until the message has come. Sends that are not complete need further calls of MPI. */
static int await_real(struct mailbox *box, double deadline, MPI_Status *status, struct tan_error *e)
{
    const double between_checks = 0.05;
    struct waiter *w = box->waiter;
    double checked = tan_clock_seconds();
    for (unsigned tries = 0;; tries++) {
        int done;
        /* before the test: what comes while this rank is off its core is tested once more */
        const double now = tan_clock_seconds();
        reap(box);
        MPI_TRY(MPI_Test(&box->incoming, &done, status));
        wait_learn(w, done);
        if (done) {
            w->consumed += world_doorbell(w->world, status->MPI_SOURCE, w->channel) != NULL;
            return 1;
        }
        if (now >= deadline) {
            return 0;
        }
        if (now - checked > between_checks || stop_requested() || w->slept) {
            if (stop_check(w->world, e) < 0) {
                return -1;
            }
            checked = now;
        }
        if (box->n_outgoing > 0) {
            sched_yield();
        } else {
            wait_pause(w, tries, deadline - now);
        }
    }
}

/* A message whose sender has signalled is waited for, even if it arrives after the deadline. */
static int await_simulated(struct mailbox *box, double deadline, MPI_Status *status,
                           struct tan_error *e)
{
    const struct world *world = box->waiter->world;
    reap(box);
    if (stop_requested() && stop_check(world, e) < 0) {
        return -1;
    }
    if (!machine_await(world->rank, deadline - tan_clock_seconds())) {
        return 0;
    }
    MPI_TRY(MPI_Wait(&box->incoming, status));
    return 1;
}

/* Wait for the next message until tan_clock_seconds() is `deadline`, which may be infinite. Returns
 * 1 if it has come, with its sender, 0 if it has not, and -1 on a request to stop. *message is
 * valid until the next call. */
static int mailbox_receive(struct mailbox *box, double deadline, struct heal_head **message,
                           int *sender, struct tan_error *e)
{
    MPI_Status status;
    post_receive(box);
    const int come = machine_simulated ? await_simulated(box, deadline, &status, e)
                                       : await_real(box, deadline, &status, e);
    if (come > 0) {
        box->posted = false;
        *message = (struct heal_head *)box->in;
        *sender = status.MPI_SOURCE;
    }
    return come;
}

/* --- a process --- */

struct heal_child {
    int32_t node;
    double deadline; /* when its parent gives it up */
    bool answered;   /* or given up */
};

/* A process's part. Once it knows who has failed it knows its children, since trees are healed by a
 * function that all processes share. */
struct heal {
    struct overlay_shape shape;
    struct failure failure;
    struct mailbox box;
    int32_t node;               /* and rank */
    uint32_t leaf;              /* number of this leaf, UINT32_MAX: none */
    struct packet *own;         /* leaf: its packet */
    uint32_t filled;            /* wave of that payload */
    struct silent failed;       /* the process that has */
    int32_t *parents, *heights; /* of the tree as healed so far */
    struct heal_child *children;
    int32_t *ranks; /* of the children */
    int n_children;
    struct {
        int requester; /* rank to be answered */
        int waiting;   /* children that are neither in nor given up */
        double begin;
        struct packet *out;      /* reduced answers */
        struct heal_head answer; /* so far */
    } current;                   /* request */
    bool silent;                 /* this process has failed */
    bool passing;                /* a request is being answered */
    struct {
        struct heal_head *request;   /* room for the longest */
        struct packet *result;       /* of the current wave */
        uint64_t check;              /* of it */
        uint32_t lost_from, lost_to; /* leaves at and below the process that fails */
    } root;
};

/* --- one process: the tree --- */

/* Learn who has failed, and so the children in the tree as healed. */
static void learn(struct heal *h, const struct silent *failed)
{
    const struct overlay_shape *shape = &h->shape;
    const int32_t size = tan_tree_size(shape->tree);
    h->failed = *failed;
    tan_heal(shape->tree, h->failed.node, h->parents);
    tan_heal_heights(h->parents, size, h->heights);
    h->n_children = 0;
    for (int32_t node = 1; node < size; node++) {
        if (h->parents[node] == h->node) {
            h->children[h->n_children].node = node;
            h->ranks[h->n_children++] = node;
        }
    }
}

/* --- one process: a request and its answers --- */

static void reduce(const struct heal *h, struct packet *to, const struct packet *from)
{
    if (to->leaves == 0) {
        memcpy(to, from, sizeof *from + from->bytes);
    } else {
        tan_filter_combine(h->shape.filter, to, from);
    }
}

/* Waves of the warm-up are numbered from 0 down. */
static void contribute(struct heal *h)
{
    const struct overlay_shape *shape = &h->shape;
    const uint32_t wave = (uint32_t)h->current.answer.wave;
    tan_payload_turn(h->leaf, h->filled, wave, h->own->payload, shape->leaf_bytes);
    h->filled = wave;
    h->own->wave = wave;
    h->current.answer.check += heal_check(h->leaf, wave);
    reduce(h, h->current.out, h->own);
}

static int forward(struct heal *h, struct heal_head *request, struct tan_error *e)
{
    struct heal_head *copy = h->n_children > 0 ? mailbox_message(request, e) : NULL;
    if (copy == NULL) {
        return h->n_children > 0 ? -1 : 0;
    }
    memcpy(copy, request, heal_bytes(request));
    return mailbox_send(&h->box, copy, h->ranks, h->n_children, e);
}

/* Begin to answer this request, which came from `requester`: learn who has failed, forward it to
 * the children, and contribute the own leaf's packet. */
static int begin_request(struct heal *h, struct heal_head *request, int requester,
                         struct tan_error *e)
{
    h->current.begin = tan_clock_seconds();
    if (request->silent.node != h->failed.node) {
        learn(h, &request->silent);
    }
    if (forward(h, request, e) < 0) {
        return -1;
    }
    h->current.requester = requester;
    h->current.waiting = h->n_children;
    for (int i = 0; i < h->n_children; i++) {
        struct heal_child *child = &h->children[i];
        child->deadline = h->current.begin + FAIL_SECONDS * (1 + h->heights[child->node]);
        child->answered = false;
    }
    *h->current.out = (struct packet){.wave = (uint32_t)request->wave};
    h->current.answer = (struct heal_head){.kind = HEAL_ANSWER, .wave = request->wave};
    if (request->kind == HEAL_WAVE && h->leaf != UINT32_MAX && request->first <= h->leaf &&
        h->leaf < request->end) {
        contribute(h);
    }
    return 0;
}

static void add_silent(struct heal *h, const struct silent *first, uint32_t more)
{
    if (h->current.answer.n_silent == 0) {
        h->current.answer.silent = *first;
    }
    h->current.answer.n_silent += more;
}

/* An answer from `sender`; it is dropped unless it is waited for. */
static void take_answer(struct heal *h, struct heal_head *answer, int sender)
{
    struct heal_child *child = h->children;
    const struct heal_child *end = h->children + h->n_children;
    while (child < end && child->node != sender) {
        child++;
    }
    if (h->current.waiting == 0 || child == end || child->answered) {
        return;
    }
    child->answered = true;
    h->current.waiting--;
    add_silent(h, &answer->silent, answer->n_silent);
    if (heal_packet(answer)->leaves > 0) {
        reduce(h, h->current.out, heal_packet(answer));
    }
    h->current.answer.check += answer->check;
}

/* When the next child is given up. */
static double next_deadline(const struct heal *h)
{
    double next = INFINITY;
    for (int i = 0; i < h->n_children && h->current.waiting > 0; i++) {
        if (!h->children[i].answered) {
            next = fmin(next, h->children[i].deadline);
        }
    }
    return next;
}

/* Give up the children with the next deadline, which has passed without a message. Answers of those
 * with later ones may be there and are looked for first. */
static void give_up(struct heal *h)
{
    const double due = next_deadline(h);
    const double now = tan_clock_seconds();
    for (int i = 0; i < h->n_children; i++) {
        struct heal_child *child = &h->children[i];
        if (!child->answered && child->deadline <= due) {
            const struct silent silent = {child->node, h->node, now - h->current.begin};
            child->answered = true;
            h->current.waiting--;
            add_silent(h, &silent, 1);
        }
    }
}

/* Once no child is waited for: answer the requester. */
static int send_answer(struct heal *h, struct tan_error *e)
{
    const int32_t to = h->current.requester;
    h->current.answer.bytes = h->current.out->bytes;
    struct heal_head *answer = mailbox_message(&h->current.answer, e);
    if (answer == NULL) {
        return -1;
    }
    memcpy(heal_packet(answer), h->current.out, sizeof *h->current.out + h->current.out->bytes);
    return mailbox_send(&h->box, answer, &to, 1, e);
}

/* --- creation --- */

/* Bytes of the longest message. */
static size_t longest_message(const struct overlay_shape *shape)
{
    return sizeof(struct heal_head) + sizeof(struct packet) +
           (shape->leaf_bytes > shape->request_bytes ? shape->leaf_bytes : shape->request_bytes);
}

static int prepare_root(struct heal *h, struct tan_error *e)
{
    const struct tan_tree *tree = h->shape.tree;
    const int32_t node = h->failure.node;
    h->root.request = calloc(1, longest_message(&h->shape));
    h->root.result = calloc(1, sizeof(struct packet) + h->shape.leaf_bytes);
    if (h->root.request == NULL || h->root.result == NULL) {
        return tan_fail_nomem(e);
    }
    h->root.lost_from = overlay_leaf_number(tree, h->heights, node);
    h->root.lost_to = h->root.lost_from + (uint32_t)h->heights[node];
    return 0;
}

static void prepare_leaf(struct heal *h)
{
    const struct overlay_shape *shape = &h->shape;
    h->leaf = overlay_leaf_number(shape->tree, h->heights, h->node);
    h->own->leaves = 1;
    h->own->leaf_sum = h->leaf;
    h->own->bytes = shape->leaf_bytes;
    tan_payload_fill(h->leaf, h->own->payload, shape->leaf_bytes);
}

static int open_parts(struct heal *h, struct waiter *waiter, struct tan_error *e)
{
    const size_t size = (size_t)tan_tree_size(h->shape.tree);
    const size_t packet = sizeof(struct packet) + h->shape.leaf_bytes;
    h->own = calloc(1, packet);
    h->current.out = calloc(1, packet);
    h->parents = calloc(size, sizeof *h->parents);
    h->heights = calloc(size, sizeof *h->heights);
    h->children = calloc(size, sizeof *h->children);
    h->ranks = calloc(size, sizeof *h->ranks);
    h->box = (struct mailbox){
        .waiter = waiter, .tag = tag_up(waiter->channel), .room = longest_message(&h->shape)};
    h->box.in = malloc(h->box.room);
    if (h->own == NULL || h->current.out == NULL || h->parents == NULL || h->heights == NULL ||
        h->children == NULL || h->ranks == NULL || h->box.in == NULL) {
        return tan_fail_nomem(e);
    }
    tan_tree_leaf_counts(h->shape.tree, h->heights); /* for now in place of the heights */
    if (h->node == 0 && prepare_root(h, e) < 0) {
        return -1;
    }
    if (tan_tree_fanout(h->shape.tree, h->node) == 0) {
        prepare_leaf(h);
    }
    learn(h, &(struct silent){.node = 0});
    return 0;
}

struct heal *heal_create(struct waiter *waiter, const struct overlay_shape *shape,
                         const struct failure *failure, struct tan_error *e)
{
    struct heal *h = calloc(1, sizeof *h);
    if (h == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *h = (struct heal){
        .shape = *shape, .failure = *failure, .node = waiter->world->rank, .leaf = UINT32_MAX};
    if (open_parts(h, waiter, e) < 0) {
        heal_destroy(h);
        return NULL;
    }
    return h;
}

void heal_destroy(struct heal *h)
{
    if (h != NULL) {
        free(h->box.in);
        free(h->box.outgoing);
        free(h->own);
        free(h->current.out);
        free(h->parents);
        free(h->heights);
        free(h->children);
        free(h->ranks);
        free(h->root.request);
        free(h->root.result);
        free(h);
    }
}

/* --- a process below the root --- */

static int take_request(struct heal *h, struct heal_head *request, int sender, struct tan_error *e)
{
    if (h->node == h->failure.node && request->wave >= h->failure.wave) {
        h->silent = true;
        return 0;
    }
    h->passing = true;
    return begin_request(h, request, sender, e);
}

int heal_follow(struct heal *h, struct tan_error *e)
{
    for (;;) {
        struct heal_head *message;
        int sender;
        const double deadline = h->passing ? next_deadline(h) : INFINITY;
        const int come = mailbox_receive(&h->box, deadline, &message, &sender, e);
        if (come < 0) {
            return -1;
        }
        if (come == 0) {
            give_up(h);
        } else if (message->kind == HEAL_END) {
            mailbox_flush(&h->box);
            return 0;
        } else if (message->kind == HEAL_ANSWER) {
            take_answer(h, message, sender);
        } else if (!h->silent && take_request(h, message, sender, e) < 0) {
            return -1;
        }
        if (h->passing && h->current.waiting == 0) {
            h->passing = false;
            if (send_answer(h, e) < 0) {
                return -1;
            }
        }
    }
}

/* --- the root: a request and its answers --- */

/* Make a request to the leaves from `first` to before `end`, and wait for the answers as far as
 * they come in time. */
static int make_pass(struct heal *h, enum heal_kind kind, int32_t wave, uint32_t first,
                     uint32_t end, struct tan_error *e)
{
    *h->root.request = (struct heal_head){.kind = kind,
                                          .wave = wave,
                                          .bytes = kind == HEAL_WAVE ? h->shape.request_bytes : 0,
                                          .silent = h->failed,
                                          .first = first,
                                          .end = end};
    if (begin_request(h, h->root.request, 0, e) < 0) {
        return -1;
    }
    while (h->current.waiting > 0) {
        struct heal_head *message;
        int sender;
        const int come = mailbox_receive(&h->box, next_deadline(h), &message, &sender, e);
        if (come < 0) {
            return -1;
        }
        if (come > 0) {
            take_answer(h, message, sender);
        } else {
            give_up(h);
        }
    }
    deadline_renew();
    return 0;
}

/* Nobody may be found silent but the process that has failed: 1 if it is, in this wave. */
static int check_silent(const struct heal *h, int32_t wave, struct tan_error *e)
{
    const struct heal_head *all = &h->current.answer;
    const bool failed = wave == h->failure.wave && h->failed.node == 0;
    if (all->n_silent > (failed ? 1 : 0) || (failed && all->silent.node != h->failure.node)) {
        return tan_fail(e,
                        "wave %" PRId32 ": processes that have not failed did not answer within %d "
                        "s for each level below them: this machine is too busy",
                        wave, FAIL_SECONDS);
    }
    return failed;
}

/* Add the packets that have come to the result. */
static void add_leaves(struct heal *h)
{
    if (h->current.out->leaves > 0) {
        reduce(h, h->root.result, h->current.out);
    }
    h->root.check += h->current.answer.check;
}

/* The result must be of all leaves that live, by number and by value. */
static int verify(struct heal *h, int32_t wave, struct tan_error *e)
{
    const struct overlay_shape *shape = &h->shape;
    const int32_t failed = h->failed.node;
    const uint32_t all = (uint32_t)tan_tree_leaves(shape->tree);
    const bool lost = failed > 0 && tan_tree_fanout(shape->tree, failed) == 0;
    uint64_t sum = 0;
    uint64_t check = 0;
    for (uint32_t leaf = 0; leaf < all; leaf++) {
        if (!lost || leaf != h->root.lost_from) {
            sum += leaf;
            check += heal_check(leaf, (uint32_t)wave);
        }
    }
    if (h->root.result->leaves != all - lost || h->root.result->leaf_sum != sum ||
        h->root.check != check) {
        return tan_fail(e,
                        "wave %" PRId32 ": the result is of %" PRIu32 " leaves, which are not the "
                        "%" PRIu32 " that live",
                        wave, h->root.result->leaves, all - lost);
    }
    if (h->root.result->leaves == 0) {
        return 0;
    }
    h->root.result->wave = (uint32_t)wave;
    tan_filter_finish(shape->filter, h->root.result);
    return tan_filter_verify_part(shape->filter, h->root.result, all, shape->leaf_bytes, e);
}

/* --- the root: a wave --- */

/* Seconds since *begin, which becomes now. */
static double lap(double *begin)
{
    const double now = tan_clock_seconds();
    const double seconds = now - *begin;
    *begin = now;
    return seconds;
}

/* Tell all processes the new tree, and ask the leaves that are missing. Nobody needs to be told at
 * once that a leaf has failed: the others have answered. */
static int recover(struct heal *h, int32_t wave, double begin, struct recovery *r,
                   struct tan_error *e)
{
    const struct silent *found = &h->current.answer.silent;
    *r = (struct recovery){.wave = wave,
                           .node = found->node,
                           .parent = found->parent,
                           .deadline = FAIL_SECONDS * (1 + h->heights[found->node]),
                           .waited = found->waited,
                           .noticed = (int32_t)h->root.result->leaves};
    r->seconds[STEP_NOTICE] = lap(&begin);
    learn(h, found);
    if (tan_tree_fanout(h->shape.tree, r->node) > 0) {
        if (make_pass(h, HEAL_TREE, wave, 0, 0, e) < 0 || check_silent(h, wave, e) < 0) {
            return -1;
        }
        r->seconds[STEP_REPARENT] = lap(&begin);
        if (make_pass(h, HEAL_WAVE, wave, h->root.lost_from, h->root.lost_to, e) < 0 ||
            check_silent(h, wave, e) < 0) {
            return -1;
        }
        add_leaves(h);
        r->seconds[STEP_RESEND] = lap(&begin);
    }
    r->recovered = (int32_t)h->root.result->leaves;
    return 0;
}

int heal_wave(struct heal *h, int32_t wave, double *seconds, struct recovery *recovery,
              struct tan_error *e)
{
    const double begin = tan_clock_seconds();
    *h->root.result = (struct packet){.leaves = 0};
    h->root.check = 0;
    if (make_pass(h, HEAL_WAVE, wave, 0, UINT32_MAX, e) < 0) {
        return -1;
    }
    const int failed = check_silent(h, wave, e);
    add_leaves(h);
    if (failed < 0 || (failed > 0 && recover(h, wave, begin, recovery, e) < 0)) {
        return -1;
    }
    *seconds = tan_clock_seconds() - begin;
    return verify(h, wave, e);
}

int heal_end(struct heal *h, struct tan_error *e)
{
    for (int32_t rank = 1; rank < tan_tree_size(h->shape.tree); rank++) {
        const struct heal_head head = {.kind = HEAL_END};
        struct heal_head *message = mailbox_message(&head, e);
        if (message == NULL || mailbox_send(&h->box, message, &rank, 1, e) < 0) {
            return -1;
        }
    }
    mailbox_flush(&h->box);
    return 0;
}
