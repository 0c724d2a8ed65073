/* message.h - messages in a tree whose processes may fail
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_MESSAGE_H
#define TAN_TANBENCH_HEAL_MESSAGE_H

#include <stdint.h>

#include "bench/plan/leaf_set.h"
#include "bench/plan/packet.h"
#include "bench/sampling/recovery.h"

enum heal_kind {
    HEAL_WAVE,   /* down: a request for the leaves' packets */
    HEAL_TREE,   /* down: failed processes, and so the new tree */
    HEAL_ANSWER, /* up: the answer to one of these */
    HEAL_END,    /* from the root to every process: no more requests follow */
    HEAL_REPORT, /* to the root: struct heal_report, and the number of messages sent to each rank */
    HEAL_FINAL   /* from the root to every process: the number of messages sent to it */
};

/* Every message starts with this. Behind it: a struct packet with `bytes` of payload, at the next
 * multiple of 8 `n_silent` entries of struct silent, and `n_ranges` of struct leaf_range. A pass is
 * one request and its answers; its number grows, so that late messages of earlier passes are
 * recognised. */
struct heal_head {
    uint32_t kind;
    uint32_t pass;
    int32_t wave;      /* from 1; the warm-up's are 0 and less */
    uint32_t bytes;    /* of the payload */
    uint64_t check;    /* answers: sum of tan_leaf_check over the leaves included */
    uint32_t n_silent; /* requests: all failed processes; answers: those found in this pass */
    uint32_t n_ranges; /* requests: leaves that the root has; answers: leaves included;
                          HEAL_REPORT: entries of struct heal_sent */
    uint32_t count;    /* HEAL_FINAL */
    uint32_t unused;
};

struct heal_report {
    uint32_t silent; /* this process has failed */
    uint32_t late;   /* messages that were dropped because they were late */
    double overrun;  /* seconds by which it waited longer than its deadlines allow, at most */
};

/* Messages sent to a rank; as long as a leaf_range. */
struct heal_sent {
    uint32_t rank, messages;
};

static inline size_t heal_padded(uint32_t bytes)
{
    return ((size_t)bytes + 7) & ~(size_t)7;
}

static inline size_t heal_bytes(const struct heal_head *m)
{
    return sizeof *m + sizeof(struct packet) + heal_padded(m->bytes) +
           m->n_silent * sizeof(struct silent) + m->n_ranges * sizeof(struct leaf_range);
}

static inline struct packet *heal_packet(struct heal_head *m)
{
    return (struct packet *)(m + 1);
}

static inline struct silent *heal_silent(struct heal_head *m)
{
    return (struct silent *)(heal_packet(m)->payload + heal_padded(m->bytes));
}

static inline struct leaf_range *heal_ranges(struct heal_head *m)
{
    return (struct leaf_range *)(heal_silent(m) + m->n_silent);
}

#endif
