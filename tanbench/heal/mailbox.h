/* mailbox.h - messages from any rank, with a deadline
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HEAL_MAILBOX_H
#define TAN_TANBENCH_HEAL_MAILBOX_H

#include "tanbench/heal/message.h"
#include "tanbench/ranks/wait.h"

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
