/* mode_oneway.c - one-way times, with leaves that send at an agreed time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/clock.h"
#include "tanbench/measure/mode_run.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/sampling/sampling.h"

/* Seconds from the root's first request to the agreed time, enough for large trees. */
#define INITIAL_LEAD 0.002
/* The request must reach all leaves within this share of the lead: if it came too late, the wave
 * would measure that delay, so it is repeated with a longer lead. */
#define LEAD_SHARE 0.8
/* Seconds; longer leads are an error. */
#define MAX_LEAD 10.0

struct oneway {
    struct cell_run *run;
    const struct measurement *m; /* m->n: index of the sampled wave */
    double lead;
    double *up, *down, *late; /* as in struct measurement */
};

/* `waves` is always 1, since each has a time of its own. */
static int sample_wave(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    struct oneway *s = context;
    struct round_times times;
    for (;;) {
        if (stop_check(s->run->world, e) < 0) {
            return -1;
        }
        double when = tan_clock_seconds() + s->lead;
        if (round_lead(s->run, waves, false, when, &times, e) < 0) {
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
        if (s->lead > MAX_LEAD) {
            return tan_fail(e, "requests take longer than %g s to reach the leaves", MAX_LEAD);
        }
    }
}

int mode_oneway_lead(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const int64_t fixed = tan_plan_fixed_waves(run->settings, run->cell);
    const int64_t max_waves = fixed > 0 ? fixed : run->settings->max_waves;
    struct round_times times;
    struct oneway s = {.run = run,
                       .m = m,
                       .lead = INITIAL_LEAD,
                       .up = malloc((size_t)max_waves * sizeof *s.up),
                       .down = malloc((size_t)max_waves * sizeof *s.down),
                       .late = malloc((size_t)max_waves * sizeof *s.late)};
    if (s.up == NULL || s.down == NULL || s.late == NULL) {
        free(s.up);
        free(s.down);
        free(s.late);
        return tan_fail_nomem(e);
    }
    const struct sampling_ops ops = {
        .sample = sample_wave, .stopped = stop_requested, .context = &s};
    int result = tan_sampling_run(run->settings, run->cell, NULL, &ops, m, e);
    m->up = s.up;
    m->down = s.down;
    m->late = s.late;
    return result || round_lead(run, 1, true, 0, &times, e) < 0 ? -1 : 0;
}
