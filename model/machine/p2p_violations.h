/* p2p_violations.h - measured messages that contradict the published models
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_MODEL_MACHINE_P2P_VIOLATIONS_H
#define TAN_MODEL_MACHINE_P2P_VIOLATIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "model/machine/p2p.h"

/* In LogP and its successors overheads, latency and gaps do not overlap, so L is at least 0 and no
 * overhead is longer than the time between messages. If a machine contradicts this, their
 * predictions follow the formulas with L = 0 for L < 0. */
enum { TAN_P2P_VIOLATIONS = 3, TAN_P2P_VIOLATION_TEXT = 256 };

/* Whether violation `i`, below TAN_P2P_VIOLATIONS, occurs; describes it in `text`. */
bool tan_p2p_violation(const struct tan_p2p *p, int i, char text[TAN_P2P_VIOLATION_TEXT]);
/* Print those that occur after a heading, if any. */
void tan_p2p_violations_print(const struct tan_p2p *p, FILE *to);
/* Their descriptions as an array; the caller owns the reference. NULL if memory is short. */
struct json_t *tan_p2p_violations_json(const struct tan_p2p *p);

#endif
