/* overlay.c - one wave, as performed by each process of the tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/overlay.h"

#include <string.h>

#include "tanbench/overlay/overlay_internal.h"
#include "tanbench/plan/filter.h"
#include "tanbench/ranks/mpi_try.h"

/* The root reads its clock, sends the requests (overlay_multicast), waits for the answers and
 * reduces them (overlay_collect), and reads its clock again: time_waves in measure/round_trips.c.
 * All other processes are meanwhile in overlay_listen and overlay_answer. Nothing is allocated
 * here: overlay_layout.c creates buffers and persistent receives. */

/* --- steps --- */

static void ring_bell(const struct overlay *o, struct doorbell *bell)
{
    if (bell != NULL && o->waiter->policy->rings) {
        doorbell_ring(bell, 1);
    }
}

/* Not persistent: Open MPI completes a short MPI_Isend at once, but a persistent send, however
 * short, only when its receiver has acknowledged it. */
static void post_request(const struct overlay *o, int i)
{
    const struct waiter *w = o->waiter;
    MPI_TRY(MPI_Isend(o->request, o->request_length, MPI_BYTE, o->children.ranks[i],
                      tag_down(w->channel), w->world->comm, &o->children.to[i]));
    ring_bell(o, o->children.bells[i]);
}

static void post_answer(struct overlay *o)
{
    const struct waiter *w = o->waiter;
    MPI_TRY(MPI_Isend(o->out, o->answer_length, MPI_BYTE, o->parent.rank, tag_up(w->channel),
                      w->world->comm, &o->parent.to));
    ring_bell(o, o->parent.bell);
}

/* At the latest before sending the requests, preferably between waves, outside of the measured
 * time. A packet that arrives before its receive is posted would be copied through a buffer of the
 * library. */
static void post_receives(struct overlay *o)
{
    if (!o->posted && o->children.n > 0) {
        MPI_TRY(MPI_Startall(o->children.n, o->children.from));
        o->posted = true;
    }
}

static int send_requests(struct overlay *o, struct tan_error *e)
{
    post_receives(o);
    for (int i = 0; i < o->children.n; i++) {
        post_request(o, i);
    }
    return wait_defer(o->waiter, o->children.to, o->children.n, o->children.receives.local, e);
}

/* Wait for the answers of all children. */
static int receive_answers(struct overlay *o, struct tan_error *e)
{
    if (wait_receive(o->waiter, &o->children.receives, e) < 0) {
        return -1;
    }
    o->posted = false;
    return 0;
}

/* Reduce all answers to one packet, `out`. */
static int reduce_answers(struct overlay *o, struct tan_error *e)
{
    for (int i = 0; i < o->children.n; i++) {
        const struct packet *in = o->in[i];
        if (in->wave != o->wave) {
            return tan_fail(e, "rank %d received a packet of wave %u during wave %u",
                            o->waiter->world->rank, in->wave, o->wave);
        }
        if (i == 0 && in != o->out) {
            memcpy(o->out, in, sizeof *in + in->bytes);
        } else if (i > 0) {
            tan_filter_combine(o->filter, o->out, in);
        }
    }
    tan_work_for(o->work * o->children.n);
    return 0;
}

/* A leaf's payload for `wave`. */
static void fill_payload(struct overlay *o, uint32_t wave)
{
    if (o->children.n == 0 && o->leaf.filled != wave) {
        tan_payload_turn(o->leaf.number, o->leaf.filled, wave, o->out->payload, o->leaf_bytes);
        o->leaf.filled = wave;
    }
}

/* Send the answer and post the receive of the next request. A parent that has to be woken may run,
 * and send that request, before this rank continues, so the receive is posted first. A polling
 * parent takes longer to send it, so the answer is sent first. */
static int send_answer(struct overlay *o, bool last, struct tan_error *e)
{
    const bool early = o->waiter->policy->rings;
    if (!last && early) {
        MPI_TRY(MPI_Start(&o->parent.from));
    }
    post_answer(o);
    if (!last && !early) {
        MPI_TRY(MPI_Start(&o->parent.from));
    }
    return wait_defer(o->waiter, &o->parent.to, 1, o->parent.receives.local, e);
}

/* --- root --- */

void overlay_prepare(struct overlay *o)
{
    post_receives(o);
}

void overlay_set_times(struct overlay *o, double when, double now)
{
    o->request->sent_last = when;
    o->request->heard_last = now;
}

int overlay_multicast(struct overlay *o, bool last, struct tan_error *e)
{
    o->request->wave = o->wave;
    o->request->last = last;
    return send_requests(o, e);
}

int overlay_collect(struct overlay *o, struct tan_error *e)
{
    if (receive_answers(o, e) < 0 || reduce_answers(o, e) < 0) {
        return -1;
    }
    tan_filter_finish(o->filter, o->out);
    o->wave++;
    return 0;
}

/* --- internal processes and leaves --- */

int overlay_listen(struct overlay *o, const struct packet **request, struct tan_error *e)
{
    if (wait_receive(o->waiter, &o->parent.receives, e) < 0) {
        return -1;
    }
    if (o->link != NULL) {
        emulated_link_pass_request(o->link);
    }
    if (o->children.n > 0 && send_requests(o, e) < 0) {
        return -1;
    }
    o->wave = o->request->wave;
    fill_payload(o, o->wave);
    *request = o->request;
    return 0;
}

void overlay_stamp(struct overlay *o, double heard, double sent)
{
    o->out->heard_last = heard;
    o->out->sent_first = o->out->sent_last = sent;
}

int overlay_answer(struct overlay *o, struct tan_error *e)
{
    const bool last = o->request->last;
    if (o->children.n > 0 && (receive_answers(o, e) < 0 || reduce_answers(o, e) < 0)) {
        return -1;
    }
    if (o->link != NULL) {
        emulated_link_pass_answer(o->link);
    }
    o->out->wave = o->wave;
    if (send_answer(o, last, e) < 0) {
        return -1;
    }
    if (last) {
        return wait_deferred(o->waiter, e);
    }
    post_receives(o);
    if (o->waiter->n_deferred == 0) { /* MPI no longer needs the answer's buffer */
        fill_payload(o, o->wave + 1);
    }
    return 0;
}
