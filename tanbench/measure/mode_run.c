/* mode_run.c - waves requested by the root, and the modes as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/mode_run.h"

#include <stdlib.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/sampling/sampling.h"

/* --- consecutive waves requested by the root --- */

/* The measured interval is everything between the two readings of the clock. */
int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e)
{
    overlay_prepare(run->overlay);
    times->begin = tan_clock_seconds();
    overlay_set_times(run->overlay, when, times->begin);
    for (int64_t left = waves; left > 0; left--) {
        if (overlay_multicast(run->overlay, last, e) < 0 || overlay_collect(run->overlay, e) < 0) {
            return -1;
        }
    }
    times->end = tan_clock_seconds();
    deadline_renew();
    times->heard = overlay_result(run->overlay)->heard_last;
    times->sent = overlay_result(run->overlay)->sent_last;
    return overlay_verify(run->overlay, e);
}

/* Answer a request: a leaf sends its packet when the root's clock reaches `when`, or at once if
 * that is 0; internal processes forward. */
static int send_answer(struct cell_run *run, double when, struct tan_error *e)
{
    double heard = 0;
    double sent = 0;
    if (tan_tree_fanout(run->tree, run->world->rank) == 0) {
        if (when > 0 && !tan_modes[run->settings->mode].pushes) {
            heard = tan_rank_clock_now(&run->clock);
            tan_rank_clock_sleep(&run->clock, when, !run->waiters[CHANNEL_WAVE].policy->rings);
            sent = tan_rank_clock_now(&run->clock);
        }
        overlay_stamp(run->overlay, heard, sent);
    }
    return overlay_answer(run->overlay, e);
}

int rounds_follow(struct cell_run *run, struct tan_error *e)
{
    for (bool last = false; !last;) {
        const struct packet *request;
        if (overlay_listen(run->overlay, &request, e) < 0) {
            return -1;
        }
        last = request->last;
        run->start = request->sent_last;
        if (send_answer(run, run->start, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* --- modes --- */

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
    const enum mode mode = run->settings->mode;
    struct waiter *side = &run->waiters[CHANNEL_SIDE];
    if (!tan_modes[mode].clocks) {
        return runs[mode].follow(run, e);
    }
    prctl(PR_SET_TIMERSLACK, 1UL); /* for sleeping until a precise time */
    if (clocks_follow(side, &run->clock, e) < 0 || runs[mode].follow(run, e) != 0) {
        return -1;
    }
    prctl(PR_SET_TIMERSLACK, 0UL); /* back to the default */
    return clocks_follow(side, &run->clock, e);
}
