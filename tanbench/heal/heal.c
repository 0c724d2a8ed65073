/* heal.c - a process below the root of a tree that heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/heal/heal_internal.h"

/* --- creation --- */

/* Bytes of the longest message. Only the root gets reports, of ranks' messages to all others. */
static size_t longest_message(const struct heal_shape *shape, bool root)
{
    const size_t payload =
        shape->leaf_bytes > shape->request_bytes ? shape->leaf_bytes : shape->request_bytes;
    const size_t ranges =
        root ? (size_t)tan_tree_size(shape->tree) : (size_t)tan_tree_leaves(shape->tree) / 2 + 1;
    return sizeof(struct heal_head) + sizeof(struct packet) + payload + 8 +
           sizeof(struct heal_report) + HEAL_MOST_SILENT * sizeof(struct silent) +
           ranges * sizeof(struct leaf_range);
}

static void number_leaves(struct heal *h, int32_t *counts)
{
    const struct tan_tree *tree = h->shape.tree;
    uint32_t *first = h->leaf_numbers; /* leaves before each node's */
    tan_tree_leaf_counts(tree, counts);
    first[0] = 0;
    for (int32_t node = 0; node < h->ranks; node++) {
        const int32_t *children = tan_tree_children(tree, node);
        uint32_t next = first[node];
        for (int32_t i = 0; i < tan_tree_fanout(tree, node); i++) {
            first[children[i]] = next;
            next += (uint32_t)counts[children[i]];
        }
    }
    for (int32_t node = 0; node < h->ranks; node++) {
        if (tan_tree_fanout(tree, node) > 0) {
            first[node] = UINT32_MAX;
        }
    }
}

static int prepare_root(struct heal *h, size_t room, struct tan_error *e)
{
    int32_t *counts = malloc((size_t)h->ranks * sizeof *counts);
    h->request = calloc(1, room);
    h->result = calloc(1, sizeof(struct packet) + h->shape.leaf_bytes);
    h->leaf_numbers = calloc((size_t)h->ranks, sizeof *h->leaf_numbers);
    const bool failed =
        counts == NULL || h->request == NULL || h->result == NULL || h->leaf_numbers == NULL;
    if (!failed) {
        number_leaves(h, counts);
    }
    free(counts);
    return failed ? tan_fail_nomem(e) : 0;
}

struct heal *heal_create(struct waiter *waiter, const struct heal_shape *shape,
                         const struct failure_list *failures, struct tan_error *e)
{
    const int rank = waiter->world->rank;
    const size_t room = longest_message(shape, rank == 0);
    struct heal *h = calloc(1, sizeof *h);
    if (h == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    h->shape = *shape;
    h->ranks = tan_tree_size(shape->tree);
    for (int i = 0; i < failures->n; i++) {
        if (failures->list[i].node == rank) {
            h->fails = true;
            h->failing_wave = failures->list[i].wave;
        }
    }
    h->box = mailbox_create(waiter, h->ranks, room, e);
    if (h->box == NULL || heal_node_open(&h->node, &h->shape, h->box, rank, e) < 0 ||
        (rank == 0 && prepare_root(h, room, e) < 0)) {
        heal_destroy(h);
        return NULL;
    }
    return h;
}

void heal_destroy(struct heal *h)
{
    if (h != NULL) {
        heal_node_close(&h->node);
        mailbox_destroy(h->box);
        free(h->request);
        free(h->result);
        free(h->leaf_numbers);
        tan_leaf_set_clear(&h->have);
        free(h);
    }
}

/* --- messages of a process below the root; each returns 1 to go on, 0 at the end --- */

static bool fails_now(const struct heal *h, const struct heal_head *request)
{
    return h->fails && (h->failing_wave == FAIL_HEALING ? request->kind == HEAL_TREE
                                                        : request->wave >= h->failing_wave);
}

static int take_request(struct heal *h, struct heal_head *request, int sender, struct tan_error *e)
{
    if (request->pass <= h->node.request.pass) {
        h->node.late++;
        return 1;
    }
    if (fails_now(h, request)) {
        h->silent = true;
        h->passing = false;
        return 1;
    }
    h->passing = true;
    return heal_node_begin(&h->node, request, sender, e) < 0 ? -1 : 1;
}

static int take_answer(struct heal *h, struct heal_head *answer, int sender, struct tan_error *e)
{
    if (!h->passing) {
        h->node.late++;
        return 1;
    }
    return heal_node_take(&h->node, answer, sender, e) < 0 ? -1 : 1;
}

static int take_end(struct heal *h, struct heal_head *end, int sender, struct tan_error *e)
{
    (void)h;
    (void)end;
    (void)sender;
    (void)e;
    return 0;
}

static int (*const take[])(struct heal *h, struct heal_head *message, int sender,
                           struct tan_error *e) = {
    [HEAL_WAVE] = take_request,
    [HEAL_TREE] = take_request,
    [HEAL_ANSWER] = take_answer,
    [HEAL_END] = take_end,
};

/* --- end --- */

static int send_report(struct heal *h, struct tan_error *e)
{
    const uint32_t *sent = mailbox_sent(h->box);
    const struct heal_report report = {h->silent, h->node.late, h->node.overrun};
    const int32_t root = 0;
    struct heal_head head = {.kind = HEAL_REPORT, .bytes = sizeof report};
    for (int32_t rank = 1; rank < h->ranks; rank++) {
        head.n_ranges += sent[rank] > 0;
    }
    struct heal_head *message = mailbox_message(&head, e);
    if (message == NULL) {
        return -1;
    }
    memcpy(heal_packet(message)->payload, &report, sizeof report);
    struct heal_sent *entry = (struct heal_sent *)heal_ranges(message);
    for (int32_t rank = 1; rank < h->ranks; rank++) {
        if (sent[rank] > 0) {
            *entry++ = (struct heal_sent){(uint32_t)rank, sent[rank]};
        }
    }
    return mailbox_send(h->box, message, &root, 1, e);
}

/* Receive what is still on its way, so that no later receive matches it. */
static int receive_rest(struct heal *h, struct tan_error *e)
{
    uint32_t expected = UINT32_MAX;
    while (mailbox_received(h->box) < expected) {
        struct heal_head *message;
        int sender;
        if (mailbox_receive(h->box, INFINITY, &message, &sender, e) < 0) {
            return -1;
        }
        if (message->kind == HEAL_FINAL) {
            expected = message->count;
        }
    }
    mailbox_flush(h->box);
    return 0;
}

int heal_follow(struct heal *h, struct tan_error *e)
{
    for (int on = 1; on > 0;) {
        struct heal_head *message;
        int sender;
        const double deadline = h->passing ? heal_node_deadline(&h->node) : INFINITY;
        const int come = mailbox_receive(h->box, deadline, &message, &sender, e);
        if (come < 0) {
            return -1;
        }
        if (come == 0) {
            heal_node_give_up(&h->node);
        } else if (!h->silent || message->kind == HEAL_END) {
            on = take[message->kind](h, message, sender, e);
        }
        if (on < 0) {
            return -1;
        }
        if (h->passing && h->node.waiting == 0) {
            h->passing = false;
            if (heal_node_answer(&h->node, e) < 0) {
                return -1;
            }
        }
    }
    return send_report(h, e) < 0 ? -1 : receive_rest(h, e);
}
