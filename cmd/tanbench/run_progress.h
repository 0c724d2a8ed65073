/* run_progress.h - progress of a run: estimate, line on stderr, and point reached
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TANBENCH_RUN_PROGRESS_H
#define CMD_TANBENCH_RUN_PROGRESS_H

#include <stddef.h>

#include "bench/results/results.h"
#include "bench/sampling/measurement.h"
#include "bench/sampling/sampling.h"
#include "cmd/tanbench/options.h"

/* How far this launch is, in visits to cells. */
struct run_progress {
    const struct options *options; /* borrowed */
    const struct plan *plan;       /* borrowed */
    int total, done, measured;     /* done: with those of the journal */
    double begin;                  /* when measuring began */
    double shown;                  /* when a line was last written that stays */
    int index, pass;               /* of the visit that has begun last */
    double visit;                  /* when that was */
    size_t n_shown;                /* samples of this visit when they were last shown */
    char picture[96];              /* of the last visit's waves, with their median; "": none yet */
    struct sampling_watch watch;
};

/* Before the first visit; print how long the rest of all launches takes at most. `ranks`: of the
 * job. `options` and `plan` must outlive `p`. */
void run_progress_begin(struct run_progress *p, const struct options *options,
                        const struct plan *plan, const struct results *results, int ranks);
/* What shows the waves of a visit while they are taken, a few times a second at most; borrowed from
 * `p`. NULL: nothing is to be shown. */
const struct sampling_watch *run_progress_watch(struct run_progress *p);
/* Before a visit: a line that is replaced on a terminal, else one a minute that stays. */
void run_progress_show(struct run_progress *p, int index, int pass);
/* After it; these are its waves. */
void run_progress_visited(struct run_progress *p, const struct measurement *waves);
/* How far this launch came: "after 3 of 7 topologies", "in pass 2 of 7 after 3 of 46 topologies".
 * Returns `text`, which has room for `size` bytes. */
const char *run_progress_reached(const struct plan *plan, const struct results *results, char *text,
                                 size_t size);

#endif
