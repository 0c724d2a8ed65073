/* machine_links.h - LogGOPS parameters from the single messages of a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_MACHINE_LINKS_H
#define SIM_SCHEDULE_MACHINE_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "sim/schedule/params.h"
#include "sim/schedule/schedule.h"

/* The link as a message of `bytes` (0 costs what 1 does) sees it under a model of single messages
 * (model/machine/p2p.h): loggp, loggops, loggpo or fitted. One message takes what the model says.
 * Under loggops o and O are the means of both sides' overheads. Fails, naming the `file` and what
 * it lacks. */
int tan_machine_link(const struct tan_machine *machine, const char *file, const char *model,
                     uint64_t bytes, struct tan_link *link, struct tan_error *e);
/* The protocol of messages beyond S, and the CPU time of a control message in picoseconds, which is
 * set where the protocol has them. None where O' is not known, and where the protocol is T, whose
 * senders need nothing of their receivers. */
enum tan_handshake tan_machine_handshake(const struct tan_p2p *p, uint64_t *control);
/* Room for links of every size of message in `schedule`, rising; malloc'd, the caller frees. */
struct tan_sized_link *tan_sized_links(const struct tan_schedule *schedule, size_t *n,
                                       struct tan_error *e);

#endif
