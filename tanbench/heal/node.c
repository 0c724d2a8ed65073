/* node.c - one process of a tree of which a process may fail, during a request and its answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/heal/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/plan/failure.h"

/* --- the tree --- */

static void find_children(struct heal_node *n)
{
    const struct heal_shape *shape = n->shape;
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

void heal_node_learn(struct heal_node *n, const struct silent *failed)
{
    n->failed = *failed;
    find_children(n);
}

int heal_node_open(struct heal_node *n, const struct heal_shape *shape, struct mailbox *box,
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

void heal_node_close(struct heal_node *n)
{
    free(n->own);
    free(n->parents);
    free(n->heights);
    free(n->children);
    free(n->ranks);
    free(n->out);
}

/* --- a request --- */

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
    const struct heal_shape *shape = n->shape;
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

int heal_node_begin(struct heal_node *n, struct heal_head *request, int requester,
                    struct tan_error *e)
{
    n->begin = tan_clock_seconds();
    if (request->silent.node != n->failed.node) {
        heal_node_learn(n, &request->silent);
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

void heal_node_take(struct heal_node *n, struct heal_head *answer, int sender)
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

double heal_node_deadline(const struct heal_node *n)
{
    double next = INFINITY;
    for (int i = 0; i < n->n_children && n->waiting > 0; i++) {
        if (!n->children[i].answered) {
            next = fmin(next, n->children[i].deadline);
        }
    }
    return next;
}

void heal_node_give_up(struct heal_node *n)
{
    const double due = heal_node_deadline(n);
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

int heal_node_answer(struct heal_node *n, struct tan_error *e)
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
