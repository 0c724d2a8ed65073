/* node.c - one process of a tree whose processes may fail, during a pass
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/heal/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/overlay/overlay.h"

/* --- the tree --- */

int heal_node_learn(struct heal_node *n, struct tan_error *e)
{
    const struct heal_shape *shape = n->shape;
    const int32_t size = tan_tree_size(shape->tree);
    if (tan_heal(shape->tree, n->dead, shape->policy, n->parents, e) < 0) {
        return -1;
    }
    tan_heal_heights(n->parents, size, n->heights);
    n->n_children = 0;
    for (int32_t node = 1; node < size; node++) {
        if (n->parents[node] == n->node) {
            n->children[n->n_children].node = node;
            n->ranks[n->n_children++] = node;
        }
    }
    return 0;
}

/* Failed processes never come back, so a longer list has more of them. */
static int learn_silent(struct heal_node *n, const struct silent *silent, uint32_t n_silent,
                        struct tan_error *e)
{
    if (n_silent <= n->n_silent) {
        return 0;
    }
    for (uint32_t i = 0; i < n_silent; i++) {
        n->dead[silent[i].node] = true;
        n->silent[i] = silent[i];
    }
    n->n_silent = n_silent;
    return heal_node_learn(n, e);
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
                            .dead = calloc(size, sizeof *n->dead),
                            .silent = calloc(HEAL_MOST_SILENT, sizeof *n->silent),
                            .parents = calloc(size, sizeof *n->parents),
                            .heights = calloc(size, sizeof *n->heights),
                            .children = calloc(size, sizeof *n->children),
                            .ranks = calloc(size, sizeof *n->ranks),
                            .out = calloc(1, packet),
                            .found = calloc(HEAL_MOST_SILENT, sizeof *n->found)};
    if (n->own == NULL || n->dead == NULL || n->silent == NULL || n->parents == NULL ||
        n->heights == NULL || n->children == NULL || n->ranks == NULL || n->out == NULL ||
        n->found == NULL) {
        return tan_fail_nomem(e);
    }
    if (tan_tree_fanout(shape->tree, node) == 0) {
        tan_tree_leaf_counts(shape->tree, n->heights);
        n->leaf = overlay_leaf_number(shape->tree, n->heights, node);
        n->own->leaves = 1;
        n->own->leaf_sum = n->leaf;
        n->own->bytes = shape->leaf_bytes;
        tan_payload_fill(shape->element, n->leaf, n->own->payload, shape->leaf_bytes);
    }
    return heal_node_learn(n, e);
}

void heal_node_close(struct heal_node *n)
{
    free(n->own);
    free(n->dead);
    free(n->silent);
    free(n->parents);
    free(n->heights);
    free(n->children);
    free(n->ranks);
    free(n->out);
    free(n->found);
    tan_leaf_set_clear(&n->in);
}

/* --- a pass --- */

/* Add a packet to those reduced so far. */
static void reduce(struct heal_node *n, const struct packet *packet)
{
    if (n->out->leaves == 0) {
        memcpy(n->out, packet, sizeof *packet + packet->bytes);
    } else {
        tan_filter_combine(n->shape->filter, n->shape->element, n->out, packet);
    }
}

/* Waves of the warm-up are numbered from 0 down. */
static int contribute(struct heal_node *n, struct tan_error *e)
{
    const struct heal_shape *shape = n->shape;
    const uint32_t wave = (uint32_t)n->request.wave;
    tan_payload_turn(shape->element, n->leaf, n->filled, wave, n->own->payload, shape->leaf_bytes);
    n->filled = wave;
    n->own->wave = wave;
    n->check += tan_leaf_check(n->leaf, wave);
    reduce(n, n->own);
    return tan_leaf_set_add(&n->in, (struct leaf_range){n->leaf, n->leaf}, e);
}

static bool includes(const struct leaf_range *ranges, uint32_t n, uint32_t leaf)
{
    bool found = false;
    for (uint32_t i = 0; i < n; i++) {
        found |= ranges[i].first <= leaf && leaf <= ranges[i].last;
    }
    return found;
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
    if (learn_silent(n, heal_silent(request), request->n_silent, e) < 0 ||
        forward(n, request, e) < 0) {
        return -1;
    }
    n->request = *request;
    n->requester = requester;
    n->waiting = n->n_children;
    for (int i = 0; i < n->n_children; i++) {
        struct heal_child *child = &n->children[i];
        child->deadline = n->begin + n->shape->detect * (1 + n->heights[child->node]);
        child->answered = false;
    }
    *n->out = (struct packet){.wave = (uint32_t)request->wave};
    tan_leaf_set_reset(&n->in);
    n->check = 0;
    n->n_found = 0;
    return request->kind == HEAL_WAVE && n->leaf != UINT32_MAX &&
                   !includes(heal_ranges(request), request->n_ranges, n->leaf)
               ? contribute(n, e)
               : 0;
}

static void add_found(struct heal_node *n, const struct silent *silent)
{
    if (n->n_found < HEAL_MOST_SILENT) {
        n->found[n->n_found++] = *silent;
    }
}

int heal_node_take(struct heal_node *n, struct heal_head *answer, int sender, struct tan_error *e)
{
    struct heal_child *child = n->children;
    const struct heal_child *end = n->children + n->n_children;
    while (child < end && child->node != sender) {
        child++;
    }
    if (n->waiting == 0 || answer->pass != n->request.pass || child == end || child->answered) {
        n->late++;
        return 0;
    }
    child->answered = true;
    n->waiting--;
    for (uint32_t i = 0; i < answer->n_silent; i++) {
        add_found(n, &heal_silent(answer)[i]);
    }
    if (heal_packet(answer)->leaves > 0) {
        reduce(n, heal_packet(answer));
    }
    n->check += answer->check;
    return tan_leaf_set_add_all(&n->in, heal_ranges(answer), answer->n_ranges, e);
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
            n->overrun = fmax(n->overrun, now - child->deadline);
            add_found(n, &silent);
        }
    }
}

int heal_node_answer(struct heal_node *n, struct tan_error *e)
{
    struct heal_head head = {.kind = HEAL_ANSWER,
                             .pass = n->request.pass,
                             .wave = n->request.wave,
                             .check = n->check,
                             .n_silent = n->n_found,
                             .n_ranges = (uint32_t)n->in.n,
                             .bytes = n->out->bytes};
    const int32_t to = n->requester;
    struct heal_head *answer = mailbox_message(&head, e);
    if (answer == NULL) {
        return -1;
    }
    memcpy(heal_packet(answer), n->out, sizeof *n->out + n->out->bytes);
    if (n->n_found > 0) {
        memcpy(heal_silent(answer), n->found, n->n_found * sizeof *n->found);
    }
    if (n->in.n > 0) {
        memcpy(heal_ranges(answer), n->in.list, n->in.n * sizeof *n->in.list);
    }
    return mailbox_send(n->box, answer, &to, 1, e);
}
