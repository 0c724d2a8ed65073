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

/* The link as a message of `bytes` (0 costs what 1 does) sees it, from the p2p block of a machine:
 * o and O are means of both sides' overheads, and one message takes as long as the file says.
 * Fails, naming the `file` and what is missing. */
int tan_machine_link(const struct tan_machine *machine, const char *file, uint64_t bytes,
                     struct tan_link *link, struct tan_error *e);
/* The same of files without L_us_per_byte by a formula of the papers: LogGPO's with its overheads,
 * handshake and gaps, or, `one_overhead`, LogGP's, whose overheads are those of one byte. Fails
 * where the file lacks a parameter, and names it. */
int tan_machine_link_by_paper(const struct tan_machine *machine, const char *file,
                              bool one_overhead, uint64_t bytes, struct tan_link *link,
                              struct tan_error *e);
/* The protocol of messages beyond S, and the CPU time of a control message in picoseconds, which is
 * set where the protocol has them. None where the file's sections lack what LogGPO as measured
 * needs and it has no control_us, or `papers` is false; and where the protocol is T, whose senders
 * need nothing of their receivers. */
enum tan_handshake tan_machine_handshake(const struct tan_machine *machine, bool papers,
                                         uint64_t *control);
/* Room for links of every size of message in `schedule`, rising; malloc'd, the caller frees. */
struct tan_sized_link *tan_sized_links(const struct tan_schedule *schedule, size_t *n,
                                       struct tan_error *e);

#endif
