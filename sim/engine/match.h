/* match.h - matching of messages and receives in the order of MPI
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_MATCH_H
#define TAN_SIM_ENGINE_MATCH_H

#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

/* Posted receives and unexpected messages of all ranks. A message matches the earliest posted
 * receive it fits, and a receive the earliest arrived message that fits it. Messages are identified
 * by their send. Memory: 8 bytes per channel and 4 per operation; with wildcards as much
 * again per channel, 8 more per operation, and 8 for each receive channel that a send fits. */
struct tan_match;

struct tan_match *tan_match_create(const struct tan_schedule *s, struct tan_error *e);
void tan_match_destroy(struct tan_match *m);

/* A message arrives: returns the matching receive, or TAN_OP_NONE after queueing the message. O(1);
 * with a wildcard tag O(receive channels it fits). */
uint32_t tan_match_message(struct tan_match *m, uint32_t send);
/* A receive is posted: returns the send of the matching message, or TAN_OP_NONE after queueing the
 * receive. Amortised O(1). */
uint32_t tan_match_receive(struct tan_match *m, uint32_t receive);

/* One entry per operation, used by the matcher while the operation is queued and free for the
 * caller otherwise. */
uint32_t *tan_match_links(struct tan_match *m);
/* Prefetch the data read by tan_match_message(m, send). */
void tan_match_prefetch(const struct tan_match *m, uint32_t channel);
/* The receive posted first on that channel, a likely match for a message; or TAN_OP_NONE. */
uint32_t tan_match_peek(const struct tan_match *m, uint32_t channel);

/* Set what is left of each operation: 1 for an unmatched message or receive. */
void tan_match_left(const struct tan_match *m, uint8_t *left);

#endif
