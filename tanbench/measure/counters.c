/* counters.c - counters of a process: phases, packets, CPU time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/counters.h"

#include "base/clock.h"
#include "bench/plan/mode.h"

bool counters_need_clock(const struct cell_run *run)
{
    const uint64_t warmup = (uint64_t)run->settings->warmup;
    return run->perf != NULL && run->rounds >= warmup &&
           (run->perf->timed || perf_timed(run->rounds - warmup));
}

void counters_between(struct cell_run *run, double now)
{
    const uint64_t warmup = (uint64_t)run->settings->warmup;
    if (run->perf == NULL || run->rounds < warmup) {
        return;
    }
    if (run->rounds == warmup) {
        perf_begin(run->perf, PERF_IDLE, now, tan_clock_process_seconds());
    } else {
        overlay_count(run->overlay);
        perf_next(run->perf, run->rounds - warmup - 1, now);
    }
}

void counters_root(const struct cell_run *run, double now)
{
    if (run->perf != NULL && run->perf->timed) {
        perf_charge(run->perf, PERF_SENDING, now);
    }
}

void counters_last(struct cell_run *run)
{
    if (run->perf != NULL && run->perf->kept.waves > 0) {
        run->perf->kept.cpu += tan_clock_process_seconds();
    }
}

void closed_loop_wave(struct cell_run *run)
{
    if (tan_modes[run->settings->mode].pushes && run->rounds == (uint64_t)run->settings->warmup) {
        run->report.closed_cpu = -tan_clock_process_seconds();
    }
}

void closed_loop_end(struct cell_run *run)
{
    if (tan_modes[run->settings->mode].pushes) {
        run->report.closed_cpu += tan_clock_process_seconds();
        run->report.closed_waves = (uint32_t)(run->rounds - (uint64_t)run->settings->warmup);
    }
}
