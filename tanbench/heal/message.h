/* message.h - messages in a tree of which a process may fail
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_MESSAGE_H
#define TAN_TANBENCH_HEAL_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "bench/plan/packet.h"

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

static inline size_t heal_bytes(const struct heal_head *m)
{
    return sizeof *m + sizeof(struct packet) + m->bytes;
}

static inline struct packet *heal_packet(struct heal_head *m)
{
    return (struct packet *)(m + 1);
}

/* What leaf `leaf` adds to the check of wave `wave`: 64 bits that look random, so another set of
 * leaves has the same sum, modulo 2^64, by chance only. The finalizer of SplitMix64 [Steele, Lea,
 * Flood 2014]: a bijection, so leaves never agree. */
static inline uint64_t heal_check(uint32_t leaf, uint32_t wave)
{
    uint64_t x = ((uint64_t)wave << 32 | leaf) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
