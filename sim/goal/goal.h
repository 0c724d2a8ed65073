/* goal.h - GOAL files: schedules as text and in LogGOPSim's binary form
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_GOAL_H
#define TAN_SIM_GOAL_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/schedule/schedule.h"

struct tan_source;

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
 * Tags are 0 to 4294967294, or -1 for any, which may be written as 2^64 - 1, in the binary form as
 * 2^32 - 1; larger numbers are reduced to their low 32 bits, and refused if these are all ones.
 * CPUs are 0 to 65535, in the binary form and NICs 0 to 255. All default to 0. A label consists of
 * letters, digits and _, starts with a letter, is none of num_ranks, rank, send, recv and calc, and
 * is local to its rank block; it may be used before its definition. Options are on the line of
 * their operation, in any order; elsewhere blanks, line ends and comments (//, and C style) are
 * free. A line end is LF or CR LF. */

/* Read a schedule from `path` ("-": standard input): text or binary GOAL, optionally
 * gzip-compressed, detected from the content. Errors in text have line, column and excerpt; errors
 * in binaries name rank and byte. Single pass: besides the schedule, memory holds one rank's labels
 * and dependencies, and 4 bytes per rank (binary: 24; more for ranks out of order in text).
 * `compatible`: like LogGOPSim, resolve a label defined twice to its first operation instead of
 * reporting an error. O(length of the file). */
struct tan_schedule *tan_goal_load(const char *path, bool compatible, struct tan_error *e);
/* The same from uncompressed memory; `source` names it in errors. */
struct tan_schedule *tan_goal_parse(const void *data, size_t length, const char *source,
                                    bool compatible, struct tan_error *e);

/* The readers of both forms, from the first byte of a source (sim/goal/source.h). */
struct tan_schedule *tan_goal_read_text(struct tan_source *in, bool compatible,
                                        struct tan_error *e);
struct tan_schedule *tan_goal_read_binary(struct tan_source *in, struct tan_error *e);

/* Write GOAL text that reads back as the same schedule and that LogGOPSim accepts as well (unless a
 * calculation is not a whole number of nanoseconds). Operations with dependencies or dependents get
 * labels l1, l2, ... by their position in the rank. Write errors are left for the stream's owner to
 * check. */
void tan_goal_write_text(const struct tan_schedule *s, FILE *to);

#endif
