/* machine_links.h - LogGOPS parameters from single messages of a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_MACHINE_LINKS_H
#define TAN_SIM_SCHEDULE_MACHINE_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* The link for messages of `bytes` (0 is treated as 1) under a model of single messages
 * (model/machine/p2p.h): loggp, loggops, loggpo or fitted, so that a message takes the time the
 * model predicts. Under loggops o and O are means of both sides. Fails naming the `file` and the
 * missing key. */
int tan_machine_link(const struct tan_machine *machine, const char *file, const char *model,
                     uint64_t bytes, struct tan_link *link, struct tan_error *e);
/* The protocol of messages above S, and if it has control messages, their CPU time in picoseconds.
 * None, with *control unchanged, if S or O' is unknown or the protocol is T, in which senders need
 * nothing from receivers. */
enum tan_handshake tan_machine_handshake(const struct tan_p2p *p, uint64_t *control);
/* An entry for each size of messages sent in `schedule`, ascending, of which only `bytes` is set;
 * *n: their number. malloc'd, freed by the caller; NULL if memory is short. */
struct tan_sized_link *tan_sized_links(const struct tan_schedule *schedule, size_t *n,
                                       struct tan_error *e);

#endif
