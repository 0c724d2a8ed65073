/* goal_job.h - job of tanbench run-goal: execution of a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_GOAL_GOAL_JOB_H
#define TAN_TANBENCH_GOAL_GOAL_JOB_H

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* Minimum for the interval of a median. */
enum { GOAL_LEAST_RUNS = 6 };

/* All borrowed. */
struct goal_job {
    const char *file;
    const char *json; /* NULL: none */
    int repeat;       /* measured runs, after warm-up runs: a tenth plus one, at most 100 */
    const struct world *world;
};

/* Number of ranks in a schedule; -1 with an error if it cannot be read or cannot finish. */
int goal_job_ranks(const char *file, struct tan_error *e);
/* Run on every rank; every rank reads the file. If interrupted, rank 0 reports the runs so far,
 * given enough of them. Returns the exit status, or -1 with an error, on rank 0 only, if the
 * measurement broke off. */
int goal_job_run(const struct goal_job *job, int argc, char **argv, struct tan_error *e);

#endif
