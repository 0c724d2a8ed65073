/* mode_run.c - measurement of a tree in each mode, as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/mode_run.h"

#include <stdlib.h>
#include <sys/prctl.h>

#include "tanbench/ranks/stop.h"
#include "tanbench/sampling/sampling.h"

static int sample_waves(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    struct cell_run *run = context;
    struct round_times times;
    if (stop_check(run->world, e) < 0 || round_lead(run, waves, false, 0, &times, e) < 0) {
        return -1;
    }
    *seconds = times.end - times.begin;
    return 0;
}

bool mode_run_disturbed(void *context)
{
    const struct cell_run *run = context;
    return run->core_probe != NULL && core_probe_disturbed(run->core_probe, run->cores);
}

struct core_load mode_run_load(const struct cell_run *run)
{
    return core_load_read(run->world->binding.cores, run->cores, run->world->peers,
                          run->world->size);
}

static int waves_lead(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    /* reading the simulated clock costs nothing */
    const struct timer *timer = emulation_on(&run->settings->emulation) ? NULL : run->timer;
    const struct sampling_ops ops = {
        .sample = sample_waves,
        .disturbed = run->core_probe != NULL ? mode_run_disturbed : NULL,
        .stopped = stop_requested,
        .context = run,
    };
    struct round_times times;
    const struct core_load before = mode_run_load(run);
    if (tan_sampling_run(run->settings, run->cell, timer, &ops, m, e) < 0) {
        return -1;
    }
    const struct core_load after = mode_run_load(run);
    m->disturbed |= core_load_by_others(&before, &after);
    return round_lead(run, 1, true, 0, &times, e);
}

/* Implementations of the modes. */
static const struct {
    /* Rank 0: measure a tree; the other ranks follow until it is finished. On an error *m keeps the
     * measurements so far. */
    int (*lead)(struct cell_run *run, struct measurement *m, struct tan_error *e);
    /* Every other rank of the tree. */
    int (*follow)(struct cell_run *run, struct tan_error *e);
} runs[MODES] = {
    [MODE_WAVES] = {waves_lead, rounds_follow},
    [MODE_ONEWAY] = {mode_oneway_lead, rounds_follow},
    [MODE_STREAM] = {mode_stream_lead, mode_stream_follow},
    [MODE_FAILURES] = {mode_failures_lead, mode_failures_follow},
};

int mode_measure(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const struct mode_info *mode = &tan_modes[run->settings->mode];
    struct waiter *side = &run->waiters[CHANNEL_SIDE];
    int ranks = run->cell->processes;
    struct clock_quality quality = {.ranks = 0};
    if ((mode->clocks && clocks_lead(run->clocks, side, ranks, &quality, e) < 0) ||
        runs[run->settings->mode].lead(run, m, e) != 0 ||
        (mode->clocks && clocks_check(run->clocks, side, ranks, &quality, e) < 0)) {
        return -1;
    }
    m->clocks = quality;
    return 0;
}

int mode_follow(struct cell_run *run, struct tan_error *e)
{
    const struct mode_info *mode = &tan_modes[run->settings->mode];
    struct waiter *side = &run->waiters[CHANNEL_SIDE];
    if (mode->clocks) {
        prctl(PR_SET_TIMERSLACK, 1UL); /* for sleeping until a precise time */
    }
    if ((mode->clocks && clocks_follow(side, &run->clock, e) < 0) ||
        runs[run->settings->mode].follow(run, e) != 0) {
        return -1;
    }
    if (mode->clocks) {
        prctl(PR_SET_TIMERSLACK, 0UL); /* back to the default */
    }
    return mode->clocks ? clocks_follow(side, &run->clock, e) : 0;
}
