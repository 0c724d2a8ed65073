/* heal_internal.h - state of a process of a tree that heals
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_HEAL_INTERNAL_H
#define TAN_TANBENCH_HEAL_HEAL_INTERNAL_H

#include "tanbench/heal/heal.h"

struct heal {
    struct heal_shape shape;
    struct mailbox *box;
    struct heal_node node;
    int32_t ranks;
    /* Other ranks: */
    bool fails;           /* some time */
    int32_t failing_wave; /* from which on, or FAIL_HEALING */
    bool silent;          /* it has failed */
    bool passing;         /* a pass is current */
    /* Root: */
    struct heal_head *request; /* room for the longest */
    uint32_t pass;
    struct leaf_set have; /* leaves in the result of the current wave */
    uint64_t check;       /* of these */
    struct packet *result;
    uint32_t *leaf_numbers; /* by node; UINT32_MAX: no leaf */
};

#endif
