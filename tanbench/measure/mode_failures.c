/* mode_failures.c - waves before, during and after failures of processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "bench/sampling/sampling.h"
#include "tanbench/measure/mode_run.h"
#include "tanbench/ranks/stop.h"

/* Waves of a run that are measured together. */
struct waves {
    struct cell_run *run;
    struct measurement *m;
    int32_t next; /* number of the next one */
};

/* Keep the recovery, which the measurement then owns. */
static int keep_recovery(struct measurement *m, struct recovery *recovery, struct tan_error *e)
{
    if (recovery->n_steps == 0) {
        tan_recovery_clear(recovery);
        return 0;
    }
    if (TAN_ONE_MORE(m->heal.recoveries, m->heal.n_recoveries) < 0) {
        tan_recovery_clear(recovery);
        return tan_fail_nomem(e);
    }
    m->heal.recoveries[m->heal.n_recoveries++] = *recovery;
    return 0;
}

/* The next wave. *interrupted: somebody was found silent. A recovery that does not end is not kept.
 */
static int next_wave(struct waves *w, double *seconds, bool *interrupted, struct tan_error *e)
{
    struct recovery recovery = {.wave = 0};
    if (stop_check(w->run->world, e) < 0) {
        return -1;
    }
    if (heal_wave(w->run->heal, w->next++, seconds, &recovery, e) < 0) {
        tan_recovery_clear(&recovery);
        return -1;
    }
    *interrupted = recovery.n_steps > 0;
    return keep_recovery(w->m, &recovery, e);
}

/* Interrupted waves are no samples: they are in the recoveries. */
static int sample_wave(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    bool interrupted = true;
    (void)waves; /* always 1, without a timer */
    while (interrupted) {
        if (next_wave(context, seconds, &interrupted, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static bool is_disturbed(void *context)
{
    const struct waves *w = context;
    return mode_run_disturbed(w->run);
}

/* Waves before `first`, in which a process fails, whoever is given up before: the phase ends by the
 * number of the wave, so none is discarded for showing samples, nor excluded because of
 * interference. */
static int sample_before(struct waves *w, int32_t first, struct measurement *m, struct tan_error *e)
{
    const struct cell_run *run = w->run;
    *m = (struct measurement){.stopped = STOP_FIXED,
                              .batch = 1,
                              .warmup = run->settings->warmup,
                              .round_trips = malloc((size_t)first * sizeof *m->round_trips)};
    if (m->round_trips == NULL) {
        return tan_fail_nomem(e);
    }
    int failed = 0;
    double begin = tan_clock_seconds();
    m->disturbed = mode_run_disturbed(w->run);
    while (w->next < first && !failed && !stop_requested()) {
        double seconds;
        bool interrupted;
        if (w->next == 1) {
            begin = tan_clock_seconds();
        }
        const bool counts = w->next >= 1;
        failed = next_wave(w, &seconds, &interrupted, e);
        if (counts && !failed && !interrupted) {
            m->round_trips[m->n++] = seconds;
        }
    }
    m->period = m->n > 0 ? (tan_clock_seconds() - begin) / (double)m->n : 0;
    m->disturbed |= mode_run_disturbed(w->run);
    return failed;
}

/* Waves without failures, as many as the settings say. */
static int sample_free(struct waves *w, struct measurement *m, struct tan_error *e)
{
    struct cell_run *run = w->run;
    const struct sampling_ops ops = {
        .sample = sample_wave,
        .disturbed = run->core_probe != NULL ? is_disturbed : NULL,
        .stopped = stop_requested,
        .context = w,
        .watch = run->watch,
    };
    struct cell cell = *run->cell;
    cell.waves = 0;
    return tan_sampling_run(run->settings, &cell, NULL, &ops, m, e);
}

/* Waves in which processes fail, and those between. */
static int suffer(struct waves *w, int32_t last, struct tan_error *e)
{
    while (w->next <= last && !stop_requested()) {
        double seconds;
        bool interrupted;
        if (next_wave(w, &seconds, &interrupted, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Waves on the tree that is left, if it has leaves. */
static int sample_healed(struct waves *w, struct measurement *m, struct tan_error *e)
{
    struct measurement healed = {.n = 0};
    int result = 0;
    if (heal_result(w->run->heal)->n > 0 && !stop_requested()) {
        result = sample_free(w, &healed, e);
        m->heal.healed = healed.round_trips;
        m->heal.n_healed = healed.n;
        m->stopped = healed.stopped;
        m->excluded += healed.excluded;
        m->disturbed |= healed.disturbed;
        healed.round_trips = NULL;
        tan_measurement_clear(&healed);
    }
    return result;
}

int mode_failures_lead(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const struct failure_list *failures = &run->settings->failures;
    const int32_t first = tan_failure_list_first(failures);
    struct waves w = {.run = run, .m = m, .next = 1 - (int32_t)run->settings->warmup};
    const struct leaf_set *leaves = heal_result(run->heal);
    const struct core_load before = mode_run_load(run);
    struct heal_summary summary;
    const bool failed = (first > 0 ? sample_before(&w, first, m, e) : sample_free(&w, m, e)) < 0 ||
                        suffer(&w, tan_failure_list_last(failures), e) < 0 ||
                        (failures->n > 0 && sample_healed(&w, m, e) < 0) ||
                        heal_end(run->heal, &summary, e) < 0;
    if (failed || stop_requested()) {
        m->stopped = STOP_INTERRUPTED;
    }
    if (failed) {
        return -1;
    }
    const struct core_load after = mode_run_load(run);
    m->disturbed |= core_load_by_others(&before, &after);
    m->heal.late = summary.late;
    m->heal.suspected = summary.suspected;
    m->heal.overrun = summary.overrun;
    return tan_leaf_set_add_all(&m->heal.leaves, leaves->list, leaves->n, e);
}

int mode_failures_follow(struct cell_run *run, struct tan_error *e)
{
    return heal_follow(run->heal, e);
}
