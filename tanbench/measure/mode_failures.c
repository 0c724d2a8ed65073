/* mode_failures.c - waves before, at and after the failure of a process
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "tanbench/measure/mode_run.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/sampling/sampling.h"

/* Waves of a run that are measured together. */
struct waves {
    struct cell_run *run;
    struct recovery recovery;
    int32_t next; /* number of the next one */
};

/* `waves` is always 1, without a timer. */
static int next_wave(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    struct waves *w = context;
    (void)waves;
    return stop_check(w->run->world, e) < 0
               ? -1
               : heal_wave(w->run->heal, w->next++, seconds, &w->recovery, e);
}

static bool is_disturbed(void *context)
{
    const struct waves *w = context;
    return mode_run_disturbed(w->run);
}

/* Waves before the one in which the process fails: the phase ends by the number of the wave, so
 * none is discarded for showing samples, nor excluded because of interference. */
static int sample_before(struct waves *w, struct measurement *m, struct tan_error *e)
{
    const struct settings *s = w->run->settings;
    *m = (struct measurement){.stopped = STOP_FIXED,
                              .batch = 1,
                              .warmup = s->warmup,
                              .round_trips =
                                  malloc((size_t)s->failure.wave * sizeof *m->round_trips)};
    if (m->round_trips == NULL) {
        return tan_fail_nomem(e);
    }
    int failed = 0;
    double begin = tan_clock_seconds();
    m->disturbed = mode_run_disturbed(w->run);
    while (w->next < s->failure.wave && !failed && !stop_requested()) {
        double seconds;
        if (w->next == 1) {
            begin = tan_clock_seconds();
        }
        const bool counts = w->next >= 1;
        failed = next_wave(w, 1, &seconds, e);
        if (counts && !failed) {
            m->round_trips[m->n++] = seconds;
        }
    }
    m->period = m->n > 0 ? (tan_clock_seconds() - begin) / (double)m->n : 0;
    m->disturbed |= mode_run_disturbed(w->run);
    return failed;
}

/* The wave in which the process fails is no sample. A recovery that does not end is not kept. */
static int suffer(struct waves *w, struct measurement *m, struct tan_error *e)
{
    double seconds;
    if (next_wave(w, 1, &seconds, e) < 0) {
        return -1;
    }
    if (TAN_ONE_MORE(m->heal.recoveries, m->heal.n_recoveries) < 0) {
        return tan_fail_nomem(e);
    }
    m->heal.recoveries[m->heal.n_recoveries++] = w->recovery;
    return 0;
}

/* Waves on the healed tree, as many as the settings say. */
static int sample_healed(struct waves *w, struct measurement *m, struct tan_error *e)
{
    struct cell_run *run = w->run;
    const struct sampling_ops ops = {
        .sample = next_wave,
        .disturbed = run->core_probe != NULL ? is_disturbed : NULL,
        .stopped = stop_requested,
        .context = w,
    };
    struct measurement healed = {.n = 0};
    const int result = tan_sampling_run(run->settings, run->cell, NULL, &ops, &healed, e);
    m->heal.healed = healed.round_trips;
    m->heal.n_healed = healed.n;
    m->stopped = healed.stopped;
    m->excluded += healed.excluded;
    m->disturbed |= healed.disturbed;
    healed.round_trips = NULL;
    tan_measurement_clear(&healed);
    return result;
}

int mode_failures_lead(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    struct waves w = {.run = run, .next = 1 - (int32_t)run->settings->warmup};
    const struct core_load before = mode_run_load(run);
    const bool failed =
        sample_before(&w, m, e) < 0 || (!stop_requested() && suffer(&w, m, e) < 0) ||
        (w.recovery.recovered > 0 && sample_healed(&w, m, e) < 0) || heal_end(run->heal, e) < 0;
    if (failed || stop_requested()) {
        m->stopped = STOP_INTERRUPTED;
    }
    if (failed) {
        return -1;
    }
    const struct core_load after = mode_run_load(run);
    m->disturbed |= core_load_by_others(&before, &after);
    return 0;
}

int mode_failures_follow(struct cell_run *run, struct tan_error *e)
{
    return heal_follow(run->heal, e);
}
