/* round_trips.c - consecutive waves requested by the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/mode_run.h"

#include "base/clock.h"
#include "tanbench/plan/settings.h"
#include "tanbench/ranks/stop.h"

/* The measured interval: everything between the two readings of the clock. */
static int time_waves(struct cell_run *run, int64_t waves, bool last, double when,
                      struct round_times *times, struct tan_error *e)
{
    times->begin = tan_clock_seconds();
    overlay_set_times(run->overlay, when, times->begin);
    for (int64_t left = waves; left > 0; left--) {
        if (overlay_multicast(run->overlay, last, e) < 0 || overlay_collect(run->overlay, e) < 0) {
            return -1;
        }
    }
    times->end = tan_clock_seconds();
    return 0;
}

int round_lead(struct cell_run *run, int64_t waves, bool last, double when,
               struct round_times *times, struct tan_error *e)
{
    overlay_prepare(run->overlay);
    if (time_waves(run, waves, last, when, times, e) < 0) {
        return -1;
    }
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
