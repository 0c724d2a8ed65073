/* schedule_run.h - execution of a schedule on real ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_GOAL_SCHEDULE_RUN_H
#define TAN_TANBENCH_GOAL_SCHEDULE_RUN_H

#include "base/error.h"
#include "sim/schedule/schedule.h"
#include "tanbench/goal/instant.h"
#include "tanbench/ranks/world.h"

/* Operations and state of this rank. Between runs all MPI requests are complete. */
struct schedule_run;

/* Fails, naming the operation, unless operations use CPU and NIC 0 only, and messages have at most
 * INT_MAX bytes and tags valid in MPI. The schedule is borrowed. */
struct schedule_run *schedule_run_open(const struct tan_schedule *s, const struct world *world,
                                       struct tan_error *e);
/* NULL is allowed. */
void schedule_run_close(struct schedule_run *run);

/* Collective: all ranks start at the same instant. Operations are started in the order of the
 * schedule as their dependencies are met; during a calculation this rank does nothing else. Returns
 * the seconds from the instant to the end of the rank's last operation; *late: it started later
 * than the instant. A schedule that cannot finish hangs, so simulate it first. */
double schedule_run_once(struct schedule_run *run, struct instant *instant, bool *late);

#endif
