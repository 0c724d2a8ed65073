/* match.h - matching of messages and receives: first posted, first arrived
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_MATCH_H
#define SIM_ENGINE_MATCH_H

#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

/* Posted receives and unexpected messages of all ranks. A message takes the receive posted first
 * among those that it fits, a receive the message that arrived first among those that fit it (the
 * order of MPI). A message is named by its send, a receive by its operation. Memory: 8 bytes a
 * channel and 4 an operation; with wildcards 16 more an operation. */
struct tan_match;

struct tan_match *tan_match_create(const struct tan_schedule *s, struct tan_error *e);
void tan_match_destroy(struct tan_match *m);

/* A message has arrived: the receive that it takes, or TAN_OP_NONE, and then it is kept. O(1); for
 * a message with a wildcard tag O(receives' channels that it fits). */
uint32_t tan_match_message(struct tan_match *m, uint32_t send);
/* A receive is posted: the send whose message it takes, or TAN_OP_NONE, and then it is kept. O(1),
 * amortised. */
uint32_t tan_match_receive(struct tan_match *m, uint32_t receive);

/* Make room for as many operations and channels as the schedule has by now, where no wildcard is.
 * Links may move. */
int tan_match_grow(struct tan_match *m, struct tan_error *e);

/* One entry per operation, the matcher's own while the operation is kept; before and after that for
 * the caller's use. */
uint32_t *tan_match_links(struct tan_match *m);
/* Prefetch the data that tan_match_message(m, send) will read. */
void tan_match_prefetch(const struct tan_match *m, uint32_t channel);
/* The receive of that channel posted first, the likely match of a message; or TAN_OP_NONE. */
uint32_t tan_match_peek(const struct tan_match *m, uint32_t channel);

/* Unmatched messages and receives, each list malloc'd (the caller frees) and rising by operation
 * number. The matcher cannot be used afterwards. */
int tan_match_left(struct tan_match *m, uint32_t **messages, uint32_t *n_messages,
                   uint32_t **receives, uint32_t *n_receives, struct tan_error *e);

#endif
