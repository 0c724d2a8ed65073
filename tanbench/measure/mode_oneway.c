/* mode_oneway.c - leaves that send together at an agreed instant: one-way times
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/clock.h"
#include "bench/sampling/sampling.h"
#include "tanbench/measure/mode_run.h"
#include "tanbench/measure/round_trips.h"
#include "tanbench/ranks/stop.h"

/* From the root's request to the agreed instant, to begin with: what a large tree may need
 * (seconds).
 */
#define FIRST_LEAD 0.002
/* The request must be everywhere before this share of the lead is over; else the wave is repeated
 * with a longer lead. */
#define LEAD_SHARE 0.8
/* Leads longer than this mean that something is wrong (seconds). */
#define LONGEST_LEAD 10.0

struct sync {
    struct cell_run *run;
    const struct measurement *m; /* m->n tells which wave is sampled */
    double lead;
    double *up, *down, *late; /* as in struct measurement */
};

/* Waves whose request came too late to some leaf show when that leaf woke, and nothing of the tree:
 * they are made again. */
static int sample_sync(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    struct sync *s = context;
    struct round_times times;

    (void)waves; /* always 1: each has an instant of its own */
    for (;;) {
        if (stop_check(s->run->world, e)) {
            return -1;
        }
        double when = clock_seconds() + s->lead;
        if (round_lead(s->run, 1, false, when, &times, e)) {
            return -1;
        }
        double down = times.heard - times.begin;
        if (down < LEAD_SHARE * s->lead) {
            s->up[s->m->n] = times.end - when;
            s->down[s->m->n] = down;
            s->late[s->m->n] = times.sent - when;
            *seconds = down + s->up[s->m->n];
            return 0;
        }
        s->lead *= 2;
        if (s->lead > LONGEST_LEAD) {
            return tan_fail(e, "requests take longer than %g s to the leaves", LONGEST_LEAD);
        }
    }
}

int mode_oneway_lead(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    int64_t most = run->cell->waves > 0 ? run->cell->waves : run->settings->max_waves;
    struct round_times times;
    struct sync s = {.run = run,
                     .m = m,
                     .lead = FIRST_LEAD,
                     .up = malloc((size_t)most * sizeof *s.up),
                     .down = malloc((size_t)most * sizeof *s.down),
                     .late = malloc((size_t)most * sizeof *s.late)};

    if (!s.up || !s.down || !s.late) {
        free(s.up);
        free(s.down);
        free(s.late);
        return tan_fail_nomem(e);
    }
    const struct sampling_ops ops = {
        .sample = sample_sync, .stopped = stop_requested, .context = &s};
    int result = tan_sampling_run(run->settings, run->cell, NULL, &ops, m, e);
    m->up = s.up;
    m->down = s.down;
    m->late = s.late;
    return result || round_lead(run, 1, true, 0, &times, e) ? -1 : 0;
}
