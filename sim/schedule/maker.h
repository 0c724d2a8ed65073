/* maker.h - adding the operations of one rank after the other, with failures looked at once a rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHEDULE_MAKER_H
#define SIM_SCHEDULE_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

/* Once an operation could not be added, the functions below do nothing. */
struct tan_maker {
    struct tan_schedule_builder *builder;
    struct tan_error *e;
    bool failed;
};

/* Each returns the operation's number in its rank. CPU 0, NIC 0 and tag 0 throughout. */
uint32_t tan_make_send(struct tan_maker *m, uint64_t bytes, uint32_t to);
uint32_t tan_make_recv(struct tan_maker *m, uint64_t bytes, uint32_t from);
uint32_t tan_make_calc(struct tan_maker *m, uint64_t picoseconds);
/* Operation `index` of the rank waits for the end of operation `on`; nothing when `on` is
 * TAN_OP_NONE. */
void tan_make_require(struct tan_maker *m, uint32_t index, uint32_t on);

/* A schedule of `ranks` ranks without lines: `rank` is called for each in turn, with `context`. */
struct tan_schedule *tan_make_schedule(uint32_t ranks,
                                       void (*rank)(struct tan_maker *m, const void *context,
                                                    uint32_t rank),
                                       const void *context, struct tan_error *e);

#endif
