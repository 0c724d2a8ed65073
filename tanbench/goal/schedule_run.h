/* schedule_run.h - execution of a schedule by real ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_GOAL_SCHEDULE_RUN_H
#define TANBENCH_GOAL_SCHEDULE_RUN_H

#include "base/error.h"
#include "sim/schedule/schedule.h"
#include "tanbench/goal/instant.h"
#include "tanbench/ranks/world.h"

/* This rank's operations and their state; MPI has finished with nothing of it between two runs. */
struct schedule_run;

/* Operations use CPU and NIC 0 only, messages have at most INT_MAX bytes and tags that MPI allows:
 * else an error that names the operation. The schedule is borrowed. */
struct schedule_run *schedule_run_open(const struct tan_schedule *s, const struct world *world,
                                       struct tan_error *e);
/* NULL is allowed. */
void schedule_run_close(struct schedule_run *run);

/* Collective: all ranks begin at one instant. Operations whose dependencies are met are begun in
 * the order of the schedule; a calculation keeps this rank from everything else. Returns the
 * seconds from the instant to the end of the rank's last operation; *late: it began later than
 * that. A schedule that cannot end hangs: simulate it before. */
double schedule_run_once(struct schedule_run *run, struct instant *instant, bool *late);

#endif
