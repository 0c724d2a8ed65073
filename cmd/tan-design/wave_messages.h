/* wave_messages.h - messages of the waves, and models of their cost
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_WAVE_MESSAGES_H
#define TAN_CMD_TAN_DESIGN_WAVE_MESSAGES_H

#include "answer/answer.h"
#include "cmd/tan-design/config.h"

/* Bytes that each leaf sends: as asked for, or as measured. */
int64_t wave_bytes(const struct config *c, const struct tan_machine *machine);
/* How messages grow towards the root; by default they do not. */
const struct tan_payload_rule *wave_growth(const struct config *c);
/* Fail unless the machine file has a p2p block. */
int messages_check(const struct tan_basis *from, struct tan_error *e);
/* The payload for messages of `bytes`, destroyed by the caller. NULL if messages are as measured,
 * and under --bandwidth, where the parameters include it. */
int wave_payload(const struct tan_basis *from, int64_t bytes, const struct tan_payload_rule *growth,
                 struct tan_payload **payload, struct tan_error *e);
/* For systems with a setting per direction: only the way up has a filter. If that takes time, and
 * the model can price single directions, make the parameters those of one way up and one way down,
 * in place of half a round trip, and return true. */
bool wave_work_apart(const struct config *c, struct tan_params *up, struct tan_params *down);
/* The default model: the machine file's, or TAN where it has none or its choice does not apply; if
 * that is for a tier without the model's parameters, a note says so. */
const struct tan_model *wave_checked_model(const struct config *c, struct tan_machine *machine);

#endif
