/* mode_run.c - measurement of a tree in each mode, as rows of a table
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/mode_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "tanbench/ranks/mpi_try.h"
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

/* Check that each packet of the leaves has reached the root exactly once: by their number, and by
 * the sums of wave and leaf numbers, which reveal a loss compensated by a duplicate. */
static int check_sums(const struct rank_report *reports, int ranks, const struct flow_result *flow,
                      struct tan_error *e)
{
    uint64_t waves = 0;
    uint64_t leaves = 0;
    for (int i = 1; i < ranks; i++) {
        if (reports[i].is_leaf) {
            uint64_t n = reports[i].counts.packets;
            waves += n * (n - 1) / 2;
            leaves += n * reports[i].leaf;
        }
    }
    if (flow->sent != flow->received || waves != reports[0].counts.wave_sum ||
        leaves != reports[0].counts.leaf_sum) {
        return tan_fail(e,
                        "the leaves sent %" PRIu64 " packets but the root received %" PRIu64
                        ", or not the same ones",
                        flow->sent, flow->received);
    }
    return 0;
}

/* Combine all ranks' stream counters. */
static int conclude_stream(struct cell_run *run, const struct rank_report *reports,
                           struct measurement *m, struct tan_error *e)
{
    int ranks = run->cell->processes;
    struct flow_result *flow = &m->flow;
    flow->window = run->report.counts.window;
    flow->received = run->report.counts.leaves;
    flow->waves = run->results.whole;
    flow->partial = run->report.counts.packets - run->results.whole;
    for (int i = 0; i < ranks; i++) {
        const struct stream_counts *counts = &reports[i].counts;
        flow->sent += reports[i].is_leaf ? counts->packets : 0;
        flow->queue_high =
            counts->queue_high > flow->queue_high ? counts->queue_high : flow->queue_high;
    }
    mode_stream_conclude(run, reports, m);
    return check_sums(reports, ranks, flow, e);
}

/* Collect the reports that ranks 1 to `ranks` - 1 send on the channel of `side`; all[0] is the
 * caller's. */
static int gather_reports(struct waiter *side, struct rank_report *all, int ranks,
                          struct tan_error *e)
{
    for (int rank = 1; rank < ranks; rank++) {
        MPI_Request request;
        MPI_TRY(MPI_Irecv(&all[rank], (int)sizeof all[rank], MPI_BYTE, rank, tag_up(CHANNEL_SIDE),
                          side->world->comm, &request));
        if (side_receive(side, rank, &request, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Combine all ranks' reports on their streams. */
static int combine_reports(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    int ranks = run->cell->processes;
    struct rank_report *reports = calloc((size_t)ranks, sizeof *reports);
    int result = -1;
    if (reports == NULL) {
        return tan_fail_nomem(e);
    }
    run->report.counts = *stream_counts(run->stream);
    reports[0] = run->report;
    if (gather_reports(&run->waiters[CHANNEL_SIDE], reports, ranks, e) == 0) {
        result = conclude_stream(run, reports, m, e);
    }
    free(reports);
    return result;
}

int mode_measure(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const struct mode_info *mode = &tan_modes[run->settings->mode];
    struct waiter *side = &run->waiters[CHANNEL_SIDE];
    int ranks = run->cell->processes;
    struct clock_quality quality = {.ranks = 0};
    if ((mode->clocks && clocks_lead(run->clocks, side, ranks, &quality, e) < 0) ||
        runs[run->settings->mode].lead(run, m, e) != 0 ||
        (run->stream != NULL && combine_reports(run, m, e) < 0) ||
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
    if (run->stream != NULL) {
        run->report.counts = *stream_counts(run->stream);
        run->report.is_leaf = tan_tree_fanout(run->tree, run->world->rank) == 0;
        run->report.leaf = stream_leaf(run->stream);
        side_send(side, 0, &run->report, sizeof run->report);
    }
    return mode->clocks ? clocks_follow(side, &run->clock, e) : 0;
}
