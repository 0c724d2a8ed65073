/* round_trips.c - consecutive waves requested by the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/round_trips.h"

#include "base/clock.h"
#include "bench/plan/mode.h"
#include "tanbench/host/usage.h"
#include "tanbench/ranks/deadline.h"

/* The answers go up as a stream where internal processes do not wait for all children. */
static bool streams_answers(const struct cell_run *run)
{
    return run->stream != NULL && !tan_modes[run->settings->mode].pushes;
}

/* CPU time of the closed loop is counted from the first wave after the warm-up. */
static void count_cpu(struct cell_run *run, uint64_t wave, bool last)
{
    struct rank_report *r = &run->report;
    if (!tan_modes[run->settings->mode].pushes) {
        return;
    }
    if (wave == (uint64_t)run->settings->warmup) {
        r->closed_cpu = -usage_cpu();
    }
    if (last) {
        r->closed_cpu += usage_cpu();
        r->closed_waves = (uint32_t)(run->rounds - (uint64_t)run->settings->warmup);
    }
}

/* Whether the counters need to know when this wave, or the warm-up, has ended. */
static bool clock_wanted(const struct cell_run *run)
{
    const uint64_t warmup = (uint64_t)run->settings->warmup;
    return run->perf != NULL && run->rounds >= warmup &&
           (run->perf->timed || perf_timed(run->rounds - warmup));
}

/* Between two waves: counters begin after the warm-up. The last request is not a measured one,
 * which only the root knows before: all keep what they had counted when it came. `now` is not used
 * unless clock_wanted. */
static void count_wave(struct cell_run *run, double now)
{
    const uint64_t warmup = (uint64_t)run->settings->warmup;
    if (run->perf == NULL || run->rounds < warmup) {
        return;
    }
    if (run->rounds == warmup) {
        perf_begin(run->perf, PERF_IDLE, now, usage_cpu());
    } else {
        perf_next(run->perf, run->rounds - warmup - 1, now);
    }
}

static void count_last(struct cell_run *run)
{
    if (run->perf != NULL && run->perf->kept.waves > 0) {
        run->perf->kept.cpu += usage_cpu();
    }
}

/* Multicast a request, and wait for the answers. */
static int one_round(struct cell_run *run, bool last, struct tan_error *e)
{
    run->heard_last = run->sent_last = 0;
    run->rounds++;
    if (overlay_multicast(run->overlay, last, e) != 0) {
        return -1;
    }
    if (!streams_answers(run)) {
        return overlay_collect(run->overlay, e);
    }
    return overlay_skip_answer(run->overlay, e) < 0 ? -1 : stream_pump(run->stream, run->rounds, e);
}

int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e)
{
    count_cpu(run, run->rounds, false);
    overlay_prepare(run->overlay);
    if (run->rounds == 0) {
        count_wave(run, tan_clock_seconds());
    }
    if (last) {
        count_last(run);
    }
    times->begin = times->end = tan_clock_seconds();
    overlay_set_times(run->overlay, when, times->begin);
    for (int64_t i = 0; i < waves; i++) {
        if (run->perf != NULL && run->perf->timed) {
            perf_charge(run->perf, PERF_SENDING, times->end);
        }
        if (one_round(run, last, e) < 0) {
            return -1;
        }
        if (i == waves - 1 || clock_wanted(run)) {
            times->end = tan_clock_seconds();
        }
        if (!last) {
            count_wave(run, times->end);
        }
    }
    deadline_end();
    if (streams_answers(run)) {
        times->heard = run->heard_last;
        times->sent = run->sent_last;
        return last ? stream_pump(run->stream, STREAM_ALL, e) : 0;
    }
    times->heard = overlay_result(run->overlay)->heard_last;
    times->sent = overlay_result(run->overlay)->sent_last;
    if (last) {
        count_cpu(run, UINT64_MAX, true);
    }
    return overlay_verify(run->overlay, e);
}

/* A leaf's packet of this wave, at the right time; inner processes forward. */
static int send_answer(struct cell_run *run, bool last, double when, struct tan_error *e)
{
    bool leaf = tan_tree_fanout(run->tree, run->world->rank) == 0;
    double heard = 0;
    double sent = 0;
    if (leaf && when > 0 && !tan_modes[run->settings->mode].pushes) {
        heard = tan_rank_clock_now(&run->clock);
        tan_rank_clock_sleep(&run->clock, when, !run->waves->policy->rings);
        sent = tan_rank_clock_now(&run->clock);
    }
    if (!streams_answers(run)) {
        if (leaf) {
            overlay_stamp(run->overlay, heard, sent);
        }
        return overlay_answer(run->overlay, e);
    }
    /* Before the packet is sent: the next request may come as soon as the root has it. */
    if (overlay_skip_answer(run->overlay, e) < 0) {
        return -1;
    }
    if (!leaf) {
        return stream_pump(run->stream, last ? STREAM_ALL : run->rounds, e);
    }
    struct packet *p = stream_next(run->stream, e);
    if (p == NULL) {
        return -1;
    }
    p->heard_last = heard;
    p->sent_first = p->sent_last = sent;
    stream_send(run->stream);
    return last ? stream_end(run->stream, e) : stream_flush(run->stream, e);
}

int rounds_follow(struct cell_run *run, struct tan_error *e)
{
    for (bool last = false; !last;) {
        const struct packet *request;
        count_wave(run, clock_wanted(run) ? tan_clock_seconds() : 0);
        if (overlay_listen(run->overlay, &request, e) < 0) {
            return -1;
        }
        last = request->last;
        if (last) {
            count_last(run);
        }
        run->start = request->sent_last;
        count_cpu(run, run->rounds, false);
        run->rounds++;
        if (send_answer(run, last, run->start, e) != 0) {
            return -1;
        }
    }
    count_cpu(run, UINT64_MAX, true);
    return 0;
}
