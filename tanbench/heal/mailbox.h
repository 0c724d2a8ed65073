/* mailbox.h - messages from any rank, with a deadline
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_MAILBOX_H
#define TAN_TANBENCH_HEAL_MAILBOX_H

#include <stddef.h>
#include <stdint.h>

#include "tanbench/plan/filter.h"
#include "tanbench/ranks/wait.h"

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

/* A rank's messages on the channel of its waiter. Nothing is sent that the receiver has not asked
 * for or does not read anyway, so that a process that fails does not keep others from sending. */
struct mailbox;

/* Messages have `room` bytes at most. `waiter` is borrowed. NULL with an error. */
struct mailbox *mailbox_create(struct waiter *waiter, size_t room, struct tan_error *e);
/* After mailbox_flush, and when no more messages come. */
void mailbox_destroy(struct mailbox *box);

/* Wait for the next message until tan_clock_seconds() is `deadline`, which may be infinite. Returns
 * 1 if it has come, with its sender, 0 if it has not, and -1 on a request to stop. *message is
 * valid until the next call. */
int mailbox_receive(struct mailbox *box, double deadline, struct heal_head **message, int *sender,
                    struct tan_error *e);

/* A new message as long as *head says, which it starts with; the rest is undefined. NULL with an
 * error. It is freed after it was sent to all its receivers. */
struct heal_head *mailbox_message(const struct heal_head *head, struct tan_error *e);
/* Send it to `n` ranks. -1 if memory is short. */
int mailbox_send(struct mailbox *box, struct heal_head *message, const int32_t *ranks, int n,
                 struct tan_error *e);
/* Complete all sends. */
void mailbox_flush(struct mailbox *box);

#endif
