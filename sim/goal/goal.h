/* goal.h - GOAL files: schedules as text and in LogGOPSim's binary form
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_GOAL_GOAL_H
#define SIM_GOAL_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

TAN_BEGIN_DECLS

/* GOAL text:
 *
 *     num_ranks N
 *     rank R {                                        each rank from 0 to N - 1 once, in any order
 *     [label:] send BYTESb to RANK   [tag T] [cpu C] [nic K]
 *     [label:] recv BYTESb from RANK [tag T] [cpu C] [nic K]     RANK -1: from any rank
 *     [label:] calc TIME             [cpu C]          nanoseconds, with up to 3 decimals
 *     label requires label                            starts when the other has finished
 *     label irequires label                           starts when the other has started
 *     }
 *
 * Tags are 0 to 4294967294, or -1 for any; of a larger number the low 32 bits count. CPUs and NICs
 * are 0 to 255. All are 0 where they are not given. A label is letters, digits and _, begins with a
 * letter, is none of num_ranks, rank, send, recv and calc, and holds for its rank block; it may be
 * defined after it is used. Options stand on the line of their operation, in any order; otherwise
 * blanks, line ends and comments (//, and the C kind) are free. A line end is LF or CR LF. */

struct tan_goal_options {
    /* As LogGOPSim reads it: a label that is defined twice means its first operation. Otherwise
     * that is an error. */
    bool compatible;
};

/* Read a schedule from the file `path` ("-": standard input): text, or binary GOAL, either of them
 * also compressed by gzip; the content tells which. Errors in a text have a line, a column and an
 * excerpt; errors in a binary name its rank and byte. One pass: besides the schedule, memory holds
 * the labels of one rank and 4 bytes a rank (binary: 24). O(length of the file). */
struct tan_schedule *tan_goal_load(const char *path, const struct tan_goal_options *options,
                                   struct tan_error *e);
/* The same from memory, not compressed; `source` names it in errors. */
struct tan_schedule *tan_goal_parse(const void *data, size_t length, const char *source,
                                    const struct tan_goal_options *options, struct tan_error *e);

/* Write GOAL text that reads back as the same schedule and that LogGOPSim reads, too (unless a
 * calculation is no whole number of nanoseconds). Operations that others wait for, and those that
 * wait, have the labels l1, l2, ... by their place in the rank. A failed write is left to the
 * stream's owner. */
int tan_goal_write_text(const struct tan_schedule *s, FILE *to, struct tan_error *e);
/* Write the binary form, byte by byte what LogGOPSim's txt2bin makes of the same schedule. A
 * calculation that is no whole number of nanoseconds is an error; then nothing is written. */
int tan_goal_write_binary(const struct tan_schedule *s, FILE *to, struct tan_error *e);

TAN_END_DECLS

#endif
