/* run_progress.h - progress of a run: estimate, line on stderr, and point reached
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_CMD_RUN_PROGRESS_H
#define TANBENCH_CMD_RUN_PROGRESS_H

#include <stddef.h>

#include "bench/results/results.h"
#include "bench/sampling/measurement.h"
#include "tanbench/cmd/options.h"

/* How far this launch is, in visits to cells. */
struct run_progress {
    int total, done, measured; /* done: with those of the journal */
    double begin;              /* when measuring began */
    double shown;              /* when a line was last written that stays */
    char picture[96];          /* of the last visit's waves, with their median; "": none yet */
};

/* Before the first visit; print how long the rest of all launches takes at most. `ranks`: of the
 * job. */
void run_progress_begin(struct run_progress *p, const struct options *options,
                        const struct plan *plan, const struct results *results, int ranks);
/* Before a visit: a line that is replaced on a terminal, else one a minute that stays. */
void run_progress_show(struct run_progress *p, const struct options *options,
                       const struct plan *plan, int index, int pass);
/* After a visit whose waves are these. */
void run_progress_visited(struct run_progress *p, const struct options *options,
                          const struct plan *plan, int index, int pass,
                          const struct measurement *waves);
/* How far this launch came: "after 3 of 7 topologies", "in pass 2 of 7 after 3 of 46 topologies".
 * Returns `text`, which has room for `size` bytes. */
const char *run_progress_reached(const struct plan *plan, const struct results *results, char *text,
                                 size_t size);

#endif
