/* run_progress.h - progress of a run: estimate, line on stderr, and final position
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_RUN_PROGRESS_H
#define TAN_CMD_TANBENCH_RUN_PROGRESS_H

#include <stddef.h>

#include "cmd/tanbench/options.h"
#include "tanbench/results/results.h"

/* Progress of this launch, in visits to cells; times are those of tan_clock_seconds. */
struct run_progress {
    const struct options *options; /* borrowed */
    const struct plan *plan;       /* borrowed */
    int total, done, measured;     /* visits; `done` includes those measured before */
    double begin;                  /* start of measuring */
    double shown;                  /* time of the last permanent line */
};

/* Before the first visit: print what is measured, with an upper bound for the time left in all
 * launches. `ranks`: of the job. `options` and `plan` must outlive `p`. */
void run_progress_begin(struct run_progress *p, const struct options *options,
                        const struct plan *plan, const struct results *results, int ranks);
/* Before a visit to cell `index`: print a line that is overwritten on a terminal, elsewhere one
 * line per minute; nothing with --quiet. */
void run_progress_show(struct run_progress *p, int index, int pass);
/* After a visit: count it. */
void run_progress_visited(struct run_progress *p);
/* How far this launch got: "after 3 of 7 topologies", "in pass 2 of 7 after 3 of 46 topologies".
 * Returns `text`, which has room for `size` bytes. */
const char *run_progress_reached(const struct plan *plan, const struct results *results, char *text,
                                 size_t size);

#endif
