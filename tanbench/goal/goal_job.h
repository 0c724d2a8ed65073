/* goal_job.h - job of tanbench run-goal, which executes a schedule
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_GOAL_GOAL_JOB_H
#define TANBENCH_GOAL_GOAL_JOB_H

#include <jansson.h>

#include "base/error.h"
#include "tanbench/ranks/world.h"

/* As many as a median's interval needs. */
enum { GOAL_LEAST_RUNS = 6 };

/* All borrowed. */
struct goal_job {
    const char *file;
    const char *json; /* NULL: none */
    int repeat;       /* number of measured runs; a tenth of them and one, at most 100, go before */
    const struct world *world;
};

/* Ranks that a schedule needs; -1 with an error: it cannot be read, or can never end. */
int goal_job_ranks(const char *file, struct tan_error *e);
/* Every rank's part; every rank reads the file. Told to stop, rank 0 reports the runs that there
 * are, if they are enough. Returns the exit status, or -1 with an error, on rank 0 only, when the
 * measurement broke off. */
int goal_job_run(const struct goal_job *job, int argc, char **argv, struct tan_error *e);

#endif
