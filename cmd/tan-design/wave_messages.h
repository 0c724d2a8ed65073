/* wave_messages.h - the messages of the waves, and the models that they are priced by
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_WAVE_MESSAGES_H
#define CMD_TAN_DESIGN_WAVE_MESSAGES_H

#include "cmd/tan-design/config.h"
#include "design/report/report.h"

/* What each leaf sends: as asked, or as measured. */
int64_t wave_bytes(const struct config *c, const struct tan_machine *machine);
const struct tan_payload_rule *wave_growth(const struct config *c);
/* The payload of waves with messages of `bytes`; NULL where it is the measured one. */
int wave_payload(const struct config *c, const struct tan_provenance *from, int64_t bytes,
                 const struct tan_payload_rule *growth, struct tan_payload **payload,
                 struct tan_error *e);
/* Parameters that are derived from single messages become those by --message-model. */
int wave_use_message_model(const struct config *c, const struct tan_provenance *from,
                           struct tan_machine *machine, struct tan_error *e);
/* The model that is least off the check trees of the machine file, where none is given. */
const struct tan_model *wave_checked_model(const struct config *c,
                                           const struct tan_machine *machine);

#endif
