/* node.h - one process of a tree of which a process may fail, during a request and its answers
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_NODE_H
#define TAN_TANBENCH_HEAL_NODE_H

#include <stdbool.h>

#include "tanbench/heal/mailbox.h"
#include "tanbench/plan/filter.h"
#include "topo/tree.h"

/* The same on every rank of the tree. */
struct heal_shape {
    const struct tan_tree *tree; /* as it was before the failure; borrowed */
    const struct filter *filter; /* whose payload does not grow */
    uint32_t leaf_bytes, request_bytes;
};

struct heal_child {
    int32_t node;
    double deadline; /* when its parent gives it up */
    bool answered;   /* or given up */
};

/* A process's state. Once it knows who has failed it knows its children, since trees are healed by
 * a function that all processes share. */
struct heal_node {
    const struct heal_shape *shape;
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

/* Zero before. `box` is borrowed. */
int heal_node_open(struct heal_node *n, const struct heal_shape *shape, struct mailbox *box,
                   int32_t node, struct tan_error *e);
void heal_node_close(struct heal_node *n);

/* Begin to answer this request, which came from `requester`: learn who has failed, forward it to
 * the children, and contribute the own leaf's packet. */
int heal_node_begin(struct heal_node *n, struct heal_head *request, int requester,
                    struct tan_error *e);
/* This process has failed: find the children in the healed tree. */
void heal_node_learn(struct heal_node *n, const struct silent *failed);
/* An answer from `sender`; it is dropped unless it is waited for. */
void heal_node_take(struct heal_node *n, struct heal_head *answer, int sender);
/* When the next child is given up. */
double heal_node_deadline(const struct heal_node *n);
/* Give up the children with the next deadline, which has passed without a message. Answers of those
 * with later ones may be there and are looked for first. */
void heal_node_give_up(struct heal_node *n);
/* Once no child is waited for: answer the requester. */
int heal_node_answer(struct heal_node *n, struct tan_error *e);

#endif
