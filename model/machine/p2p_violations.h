/* p2p_violations.h - where measured messages contradict the published models
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODEL_MACHINE_P2P_VIOLATIONS_H
#define MODEL_MACHINE_P2P_VIOLATIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "model/machine/p2p.h"

/* LogP and its successors have overheads, latency and gaps that follow each other, so that L is at
 * least 0 and no overhead is longer than the time from message to message. Of a machine whose
 * parameters are otherwise their predictions are what the formulas say, with L = 0 for L < 0. */
enum { TAN_P2P_VIOLATIONS = 3, TAN_P2P_VIOLATION_TEXT = 256 };

/* Whether kind `i` of them, below TAN_P2P_VIOLATIONS, occurs; a sentence in `text`. */
bool tan_p2p_violation(const struct tan_p2p *p, int i, char text[TAN_P2P_VIOLATION_TEXT]);
/* Those that occur, after a heading; nothing where none does. */
void tan_p2p_violations_print(const struct tan_p2p *p, FILE *to);
/* Their sentences as a list; the caller owns the reference. NULL: memory is short. */
struct json_t *tan_p2p_violations_json(const struct tan_p2p *p);

#endif
