/* stream_sync.c - synchronisation policies of a stream's internal processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/overlay/stream_internal.h"
#include "tanbench/plan/filter.h"

static int out_of_order(const struct stream *s, const struct packet *p, uint32_t wave,
                        struct tan_error *e)
{
    return tan_fail(e, "rank %d received a packet of wave %" PRIu32 " in place of wave %" PRIu32,
                    s->waiter->world->rank, p->wave, wave);
}

/* Consume end marks at the heads of the rings. Returns their number, -1 on an error; *empty counts
 * the children that have neither ended nor sent. */
static int take_ends(struct stream *s, uint32_t *empty, struct tan_error *e)
{
    int ends = 0;
    *empty = 0;
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        if (l->ended) {
            continue;
        }
        if (link_waiting(l) == 0) {
            ++*empty;
        } else if (link_head(s, l)->last) {
            l->ended = true;
            s->open--;
            ends++;
            if (stream_use_up(s, l, e) < 0) {
                return -1;
            }
        } else if (l->leaf && link_head(s, l)->wave != l->wave) {
            return out_of_order(s, link_head(s, l), l->wave, e);
        }
    }
    return ends;
}

static void combine_packet(const struct stream *s, struct packet *to, const struct packet *from,
                           bool first)
{
    if (first) {
        memcpy(to, from, sizeof *from + from->bytes);
    } else {
        tan_filter_combine(s->shape.filter, to, from);
    }
    tan_work_for(s->shape.work);
}

static int step_all(struct stream *s, uint32_t *need, double *until, struct tan_error *e)
{
    (void)until;
    int ends = take_ends(s, need, e);
    if (ends) {
        return ends;
    }
    if (*need > 0 || s->open == 0) {
        return 0;
    }
    *need = 1;
    struct packet *out = stream_slot(s, e);
    if (out == NULL) {
        return 0;
    }
    bool first = true;
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        if (l->ended) {
            continue;
        }
        if (link_head(s, l)->wave != s->wave) {
            return out_of_order(s, link_head(s, l), s->wave, e);
        }
        combine_packet(s, out, link_head(s, l), first);
        first = false;
        if (stream_use_up(s, l, e) < 0) {
            return -1;
        }
    }
    s->wave++;
    return stream_forward(s, e) < 0 ? -1 : 1;
}

/* Forward one packet unchanged. */
static int forward_packet(struct stream *s, struct link *l, struct tan_error *e)
{
    struct packet *out = stream_slot(s, e);
    if (out == NULL) {
        return 0;
    }
    combine_packet(s, out, link_head(s, l), true);
    return stream_use_up(s, l, e) < 0 || stream_forward(s, e) < 0 ? -1 : 1;
}

static int step_none(struct stream *s, uint32_t *need, double *until, struct tan_error *e)
{
    int did = take_ends(s, need, e);
    (void)until;
    *need = 1;
    for (int i = 0; i < s->fanout && did >= 0; i++) {
        struct link *l = &s->links[(s->turn + i) % s->fanout];
        if (!l->ended && link_waiting(l) > 0 && !link_head(s, l)->last) {
            int passed = forward_packet(s, l, e);
            if (passed <= 0) {
                /* Round robin, so that no child starves while the parent is slow. */
                s->turn = (s->turn + i) % s->fanout;
                return passed < 0 ? -1 : did > 0;
            }
            did = 1;
        }
    }
    return did;
}

/* The earliest wave at the heads of the rings that has not been forwarded; false if there is
 * none. */
static bool earliest_wave(const struct stream *s, uint32_t *wave)
{
    bool found = false;
    for (int i = 0; i < s->fanout; i++) {
        const struct link *l = &s->links[i];
        if (!l->ended && link_waiting(l) > 0 && !link_head(s, l)->last) {
            uint32_t its = link_head(s, l)->wave;
            if (its >= s->wave && (!found || its < *wave)) {
                *wave = its;
                found = true;
            }
        }
    }
    return found;
}

/* Forward the gathered packet; the next wave may be any later one. */
static int close_wave(struct stream *s, struct tan_error *e)
{
    struct packet *out = stream_slot(s, e);
    if (out == NULL) {
        return 0;
    }
    memcpy(out, s->gather.packet, sizeof *out + s->gather.packet->bytes);
    s->gather.begun = false;
    s->wave++;
    return stream_forward(s, e) < 0 ? -1 : 1;
}

static int step_timeout(struct stream *s, uint32_t *need, double *until, struct tan_error *e)
{
    uint32_t empty;
    int did = take_ends(s, &empty, e);
    *need = 1;
    if (did < 0) {
        return -1;
    }
    if (!s->gather.begun && earliest_wave(s, &s->wave)) {
        s->gather.deadline = tan_clock_seconds() + s->shape.sync.timeout;
    }
    for (int i = 0; i < s->fanout; i++) {
        struct link *l = &s->links[i];
        if (l->ended || link_waiting(l) == 0 || link_head(s, l)->last) {
            continue;
        }
        if (link_head(s, l)->wave < s->wave) {
            int passed = forward_packet(s, l, e);
            if (passed < 0) {
                return -1;
            }
            s->counts.late += (uint64_t)passed;
            did |= passed;
        } else if (link_head(s, l)->wave == s->wave) {
            combine_packet(s, s->gather.packet, link_head(s, l), !s->gather.begun);
            s->gather.begun = true;
            did = 1;
            if (stream_use_up(s, l, e) < 0) {
                return -1;
            }
        }
    }
    if (!s->gather.begun) {
        return did;
    }
    /* no other child can contribute: each has sent, is past the wave, or has ended */
    bool complete = s->gather.packet->leaves == s->below || (did == 0 && empty == 0);
    if (complete || tan_clock_seconds() >= s->gather.deadline) {
        int closed = close_wave(s, e);
        return closed < 0 ? -1 : did | closed;
    }
    *until = s->gather.deadline;
    return did;
}

sync_step *const sync_steps[SYNC_KINDS] = {
    [SYNC_ALL] = step_all, [SYNC_TIMEOUT] = step_timeout, [SYNC_NONE] = step_none};
