/* round_trips.c - consecutive waves requested by the root
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/mode_run.h"

#include "base/clock.h"
#include "tanbench/plan/settings.h"
#include "tanbench/ranks/stop.h"

/* Whether answers go up as a stream, in which internal processes need not wait for all children. */
static bool streams_answers(const struct cell_run *run)
{
    return run->stream != NULL && !tan_modes[run->settings->mode].pushes;
}

/* Multicast a request and wait for the answers. */
static int one_round(struct cell_run *run, bool last, struct tan_error *e)
{
    run->results.heard_last = run->results.sent_last = 0;
    run->rounds++;
    if (overlay_multicast(run->overlay, last, e) < 0) {
        return -1;
    }
    if (!streams_answers(run)) {
        return overlay_collect(run->overlay, e);
    }
    return overlay_skip_answer(run->overlay, e) < 0 ? -1 : stream_pump(run->stream, run->rounds, e);
}

/* The measured interval: everything between the two readings of the clock. */
static int time_waves(struct cell_run *run, int64_t waves, bool last, double when,
                      struct round_times *times, struct tan_error *e)
{
    times->begin = tan_clock_seconds();
    overlay_set_times(run->overlay, when, times->begin);
    for (int64_t left = waves; left > 0; left--) {
        if (one_round(run, last, e) < 0) {
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
    if (streams_answers(run)) {
        times->heard = run->results.heard_last;
        times->sent = run->results.sent_last;
        return last ? stream_pump(run->stream, STREAM_ALL, e) : 0;
    }
    times->heard = overlay_result(run->overlay)->heard_last;
    times->sent = overlay_result(run->overlay)->sent_last;
    return overlay_verify(run->overlay, e);
}

/* Answer a request: a leaf sends its packet when the root's clock reaches `when`, or at once if
 * that is 0; internal processes forward. */
static int send_answer(struct cell_run *run, bool last, double when, struct tan_error *e)
{
    bool leaf = tan_tree_fanout(run->tree, run->world->rank) == 0;
    double heard = 0;
    double sent = 0;
    if (leaf && when > 0 && !tan_modes[run->settings->mode].pushes) {
        heard = tan_rank_clock_now(&run->clock);
        tan_rank_clock_sleep(&run->clock, when, !run->waiters[CHANNEL_WAVE].policy->rings);
        sent = tan_rank_clock_now(&run->clock);
    }
    if (!streams_answers(run)) {
        if (leaf) {
            overlay_stamp(run->overlay, heard, sent);
        }
        return overlay_answer(run->overlay, e);
    }
    /* Post the receive of the next request before sending: the root may send that request as soon
     * as it has the packet. */
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
        if (overlay_listen(run->overlay, &request, e) < 0) {
            return -1;
        }
        last = request->last;
        run->start = request->sent_last;
        run->rounds++;
        if (send_answer(run, last, run->start, e) < 0) {
            return -1;
        }
    }
    return 0;
}
