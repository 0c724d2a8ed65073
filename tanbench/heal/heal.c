/* heal.c - waves on a tree of which a process falls silent, and which heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/heal/heal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/heal/mailbox.h"
#include "tanbench/ranks/stop.h"

struct heal_child {
    int32_t node;
    double deadline; /* when its parent gives it up */
    bool answered;   /* or given up */
};

/* A process's state. Once it knows who has failed it knows its children, since trees are healed by
 * a function that all processes share. */
struct heal_node {
    const struct overlay_shape *shape;
    struct mailbox *box;
    int32_t node;               /* and rank */
    uint32_t leaf;              /* number of this leaf, UINT32_MAX: none */
    struct packet *own;         /* leaf: its packet */
    uint32_t filled;            /* wave of that payload */
    struct silent failed;       /* the process that has */
    int32_t *parents, *heights; /* of the tree as healed so far */
    struct heal_child *children;
    int32_t *ranks; /* of the children */
    int n_children;
    /* The current request: */
    int requester; /* rank to be answered */
    int waiting;   /* children that are neither in nor given up */
    double begin;
    struct packet *out;      /* reduced answers */
    struct heal_head answer; /* so far */
};

/* --- one process: the tree --- */

static void find_children(struct heal_node *n)
{
    const struct overlay_shape *shape = n->shape;
    const int32_t size = tan_tree_size(shape->tree);
    tan_heal(shape->tree, n->failed.node, n->parents);
    tan_heal_heights(n->parents, size, n->heights);
    n->n_children = 0;
    for (int32_t node = 1; node < size; node++) {
        if (n->parents[node] == n->node) {
            n->children[n->n_children].node = node;
            n->ranks[n->n_children++] = node;
        }
    }
}

/* Who has failed is known: find the children in the healed tree. */
static void node_learn(struct heal_node *n, const struct silent *failed)
{
    n->failed = *failed;
    find_children(n);
}

/* *n is zero before; `box` is borrowed. */
static int node_open(struct heal_node *n, const struct overlay_shape *shape, struct mailbox *box,
                     int32_t node, struct tan_error *e)
{
    const size_t size = (size_t)tan_tree_size(shape->tree);
    const size_t packet = sizeof(struct packet) + shape->leaf_bytes;
    *n = (struct heal_node){.shape = shape,
                            .box = box,
                            .node = node,
                            .leaf = UINT32_MAX,
                            .own = calloc(1, packet),
                            .parents = calloc(size, sizeof *n->parents),
                            .heights = calloc(size, sizeof *n->heights),
                            .children = calloc(size, sizeof *n->children),
                            .ranks = calloc(size, sizeof *n->ranks),
                            .out = calloc(1, packet)};
    if (n->own == NULL || n->parents == NULL || n->heights == NULL || n->children == NULL ||
        n->ranks == NULL || n->out == NULL) {
        return tan_fail_nomem(e);
    }
    if (tan_tree_fanout(shape->tree, node) == 0) {
        tan_tree_leaf_counts(shape->tree, n->heights);
        n->leaf = overlay_leaf_number(shape->tree, n->heights, node);
        n->own->leaves = 1;
        n->own->leaf_sum = n->leaf;
        n->own->bytes = shape->leaf_bytes;
        tan_payload_fill(n->leaf, n->own->payload, shape->leaf_bytes);
    }
    find_children(n);
    return 0;
}

static void node_close(struct heal_node *n)
{
    free(n->own);
    free(n->parents);
    free(n->heights);
    free(n->children);
    free(n->ranks);
    free(n->out);
}

/* --- one process: a request and its answers --- */

/* Add a packet to those reduced so far. */
static void reduce(struct heal_node *n, const struct packet *packet)
{
    if (n->out->leaves == 0) {
        memcpy(n->out, packet, sizeof *packet + packet->bytes);
    } else {
        tan_filter_combine(n->shape->filter, n->out, packet);
    }
}

/* Waves of the warm-up are numbered from 0 down. */
static void contribute(struct heal_node *n)
{
    const struct overlay_shape *shape = n->shape;
    const uint32_t wave = (uint32_t)n->answer.wave;
    tan_payload_turn(n->leaf, n->filled, wave, n->own->payload, shape->leaf_bytes);
    n->filled = wave;
    n->own->wave = wave;
    n->answer.check += heal_check(n->leaf, wave);
    reduce(n, n->own);
}

static int forward(struct heal_node *n, struct heal_head *request, struct tan_error *e)
{
    struct heal_head *copy = n->n_children > 0 ? mailbox_message(request, e) : NULL;
    if (copy == NULL) {
        return n->n_children > 0 ? -1 : 0;
    }
    memcpy(copy, request, heal_bytes(request));
    return mailbox_send(n->box, copy, n->ranks, n->n_children, e);
}

/* Begin to answer this request, which came from `requester`: learn who has failed, forward it to
 * the children, and contribute the own leaf's packet. */
static int node_begin(struct heal_node *n, struct heal_head *request, int requester,
                      struct tan_error *e)
{
    n->begin = tan_clock_seconds();
    if (request->silent.node != n->failed.node) {
        node_learn(n, &request->silent);
    }
    if (forward(n, request, e) < 0) {
        return -1;
    }
    n->requester = requester;
    n->waiting = n->n_children;
    for (int i = 0; i < n->n_children; i++) {
        struct heal_child *child = &n->children[i];
        child->deadline = n->begin + FAIL_SECONDS * (1 + n->heights[child->node]);
        child->answered = false;
    }
    *n->out = (struct packet){.wave = (uint32_t)request->wave};
    n->answer = (struct heal_head){.kind = HEAL_ANSWER, .wave = request->wave};
    if (request->kind == HEAL_WAVE && n->leaf != UINT32_MAX && request->first <= n->leaf &&
        n->leaf < request->end) {
        contribute(n);
    }
    return 0;
}

static void add_silent(struct heal_node *n, const struct silent *first, uint32_t more)
{
    if (n->answer.n_silent == 0) {
        n->answer.silent = *first;
    }
    n->answer.n_silent += more;
}

/* An answer from `sender`; it is dropped unless it is waited for. */
static void node_take(struct heal_node *n, struct heal_head *answer, int sender)
{
    struct heal_child *child = n->children;
    const struct heal_child *end = n->children + n->n_children;
    while (child < end && child->node != sender) {
        child++;
    }
    if (n->waiting == 0 || child == end || child->answered) {
        return;
    }
    child->answered = true;
    n->waiting--;
    add_silent(n, &answer->silent, answer->n_silent);
    if (heal_packet(answer)->leaves > 0) {
        reduce(n, heal_packet(answer));
    }
    n->answer.check += answer->check;
}

/* When the next child is given up. */
static double node_deadline(const struct heal_node *n)
{
    double next = INFINITY;
    for (int i = 0; i < n->n_children && n->waiting > 0; i++) {
        if (!n->children[i].answered) {
            next = fmin(next, n->children[i].deadline);
        }
    }
    return next;
}

/* Give up the children with the next deadline, which has passed without a message. Answers of those
 * with later ones may be there and are looked for first. */
static void node_give_up(struct heal_node *n)
{
    const double due = node_deadline(n);
    const double now = tan_clock_seconds();
    for (int i = 0; i < n->n_children; i++) {
        struct heal_child *child = &n->children[i];
        if (!child->answered && child->deadline <= due) {
            const struct silent silent = {child->node, n->node, now - n->begin};
            child->answered = true;
            n->waiting--;
            add_silent(n, &silent, 1);
        }
    }
}

/* Once no child is waited for: answer the requester. */
static int node_answer(struct heal_node *n, struct tan_error *e)
{
    const int32_t to = n->requester;
    n->answer.bytes = n->out->bytes;
    struct heal_head *answer = mailbox_message(&n->answer, e);
    if (answer == NULL) {
        return -1;
    }
    memcpy(heal_packet(answer), n->out, sizeof *n->out + n->out->bytes);
    return mailbox_send(n->box, answer, &to, 1, e);
}

/* --- creation --- */

struct heal {
    struct overlay_shape shape;
    struct failure failure;
    struct mailbox *box;
    struct heal_node node;
    /* Other ranks: */
    bool silent;  /* it has failed */
    bool passing; /* a request is being answered */
    /* Root: */
    struct heal_head *request;   /* room for the longest */
    struct packet *result;       /* of the current wave */
    uint64_t check;              /* of it */
    uint32_t lost_from, lost_to; /* leaves at and below the process that fails */
};

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
    int32_t *counts = malloc((size_t)tan_tree_size(tree) * sizeof *counts);
    h->request = calloc(1, longest_message(&h->shape));
    h->result = calloc(1, sizeof(struct packet) + h->shape.leaf_bytes);
    if (counts == NULL || h->request == NULL || h->result == NULL) {
        free(counts);
        return tan_fail_nomem(e);
    }
    tan_tree_leaf_counts(tree, counts);
    h->lost_from = overlay_leaf_number(tree, counts, node);
    h->lost_to = h->lost_from + (uint32_t)counts[node];
    free(counts);
    return 0;
}

struct heal *heal_create(struct waiter *waiter, const struct overlay_shape *shape,
                         const struct failure *failure, struct tan_error *e)
{
    const int rank = waiter->world->rank;
    struct heal *h = calloc(1, sizeof *h);
    if (h == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    h->shape = *shape;
    h->failure = *failure;
    h->box = mailbox_create(waiter, longest_message(shape), e);
    if (h->box == NULL || node_open(&h->node, &h->shape, h->box, rank, e) < 0 ||
        (rank == 0 && prepare_root(h, e) < 0)) {
        heal_destroy(h);
        return NULL;
    }
    return h;
}

void heal_destroy(struct heal *h)
{
    if (h != NULL) {
        mailbox_destroy(h->box);
        node_close(&h->node);
        free(h->request);
        free(h->result);
        free(h);
    }
}

/* --- a process below the root --- */

static int take_request(struct heal *h, struct heal_head *request, int sender, struct tan_error *e)
{
    if (h->node.node == h->failure.node && request->wave >= h->failure.wave) {
        h->silent = true;
        return 0;
    }
    h->passing = true;
    return node_begin(&h->node, request, sender, e);
}

int heal_follow(struct heal *h, struct tan_error *e)
{
    for (;;) {
        struct heal_head *message;
        int sender;
        const double deadline = h->passing ? node_deadline(&h->node) : INFINITY;
        const int come = mailbox_receive(h->box, deadline, &message, &sender, e);
        if (come < 0) {
            return -1;
        }
        if (come == 0) {
            node_give_up(&h->node);
        } else if (message->kind == HEAL_END) {
            mailbox_flush(h->box);
            return 0;
        } else if (message->kind == HEAL_ANSWER) {
            node_take(&h->node, message, sender);
        } else if (!h->silent && take_request(h, message, sender, e) < 0) {
            return -1;
        }
        if (h->passing && h->node.waiting == 0) {
            h->passing = false;
            if (node_answer(&h->node, e) < 0) {
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
    struct heal_node *n = &h->node;
    *h->request = (struct heal_head){.kind = kind,
                                     .wave = wave,
                                     .bytes = kind == HEAL_WAVE ? h->shape.request_bytes : 0,
                                     .silent = n->failed,
                                     .first = first,
                                     .end = end};
    if (node_begin(n, h->request, 0, e) < 0) {
        return -1;
    }
    while (n->waiting > 0) {
        struct heal_head *message;
        int sender;
        const int come = mailbox_receive(h->box, node_deadline(n), &message, &sender, e);
        if (come < 0) {
            return -1;
        }
        if (come > 0) {
            node_take(n, message, sender);
        } else {
            node_give_up(n);
        }
    }
    deadline_renew();
    return 0;
}

/* Nobody may be found silent but the process that has failed: 1 if it is, in this wave. */
static int check_silent(const struct heal *h, int32_t wave, struct tan_error *e)
{
    const struct heal_head *all = &h->node.answer;
    const bool failed = wave == h->failure.wave && h->node.failed.node == 0;
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
    const struct heal_node *n = &h->node;
    if (n->out->leaves > 0 && h->result->leaves == 0) {
        memcpy(h->result, n->out, sizeof *n->out + n->out->bytes);
    } else if (n->out->leaves > 0) {
        tan_filter_combine(h->shape.filter, h->result, n->out);
    }
    h->check += n->answer.check;
}

/* The result must be of all leaves that live, by number and by value. */
static int verify(struct heal *h, int32_t wave, struct tan_error *e)
{
    const struct overlay_shape *shape = &h->shape;
    const int32_t failed = h->node.failed.node;
    const uint32_t all = (uint32_t)tan_tree_leaves(shape->tree);
    const bool lost = failed > 0 && tan_tree_fanout(shape->tree, failed) == 0;
    uint64_t sum = 0;
    uint64_t check = 0;
    for (uint32_t leaf = 0; leaf < all; leaf++) {
        if (!lost || leaf != h->lost_from) {
            sum += leaf;
            check += heal_check(leaf, (uint32_t)wave);
        }
    }
    if (h->result->leaves != all - lost || h->result->leaf_sum != sum || h->check != check) {
        return tan_fail(e,
                        "wave %" PRId32 ": the result is of %" PRIu32 " leaves, which are not the "
                        "%" PRIu32 " that live",
                        wave, h->result->leaves, all - lost);
    }
    if (h->result->leaves == 0) {
        return 0;
    }
    h->result->wave = (uint32_t)wave;
    tan_filter_finish(shape->filter, h->result);
    return tan_filter_verify_part(shape->filter, h->result, all, shape->leaf_bytes, e);
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
    const struct silent *found = &h->node.answer.silent;
    *r = (struct recovery){.wave = wave,
                           .node = found->node,
                           .parent = found->parent,
                           .deadline = FAIL_SECONDS * (1 + h->node.heights[found->node]),
                           .waited = found->waited,
                           .noticed = (int32_t)h->result->leaves};
    r->seconds[STEP_NOTICE] = lap(&begin);
    node_learn(&h->node, found);
    if (tan_tree_fanout(h->shape.tree, r->node) > 0) {
        if (make_pass(h, HEAL_TREE, wave, 0, 0, e) < 0 || check_silent(h, wave, e) < 0) {
            return -1;
        }
        r->seconds[STEP_REPARENT] = lap(&begin);
        if (make_pass(h, HEAL_WAVE, wave, h->lost_from, h->lost_to, e) < 0 ||
            check_silent(h, wave, e) < 0) {
            return -1;
        }
        add_leaves(h);
        r->seconds[STEP_RESEND] = lap(&begin);
    }
    r->recovered = (int32_t)h->result->leaves;
    return 0;
}

int heal_wave(struct heal *h, int32_t wave, double *seconds, struct recovery *recovery,
              struct tan_error *e)
{
    const double begin = tan_clock_seconds();
    *h->result = (struct packet){.leaves = 0};
    h->check = 0;
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
        if (message == NULL || mailbox_send(h->box, message, &rank, 1, e) < 0) {
            return -1;
        }
    }
    mailbox_flush(h->box);
    return 0;
}
