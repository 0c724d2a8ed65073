/* mailbox.c - messages from any rank, with a deadline
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/heal/mailbox.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

/* A message on its way to `uses` ranks. */
struct parcel {
    int uses;
    struct heal_head head;
};

struct outgoing {
    MPI_Request request;
    struct parcel *parcel;
};

struct mailbox {
    struct waiter *waiter;
    int tag;
    unsigned char *in; /* `room` bytes */
    size_t room;
    MPI_Request incoming;
    bool posted; /* the receive of the next message */
    struct outgoing *outgoing;
    size_t n_outgoing, outgoing_room;
};

struct mailbox *mailbox_create(struct waiter *waiter, size_t room, struct tan_error *e)
{
    struct mailbox *box = calloc(1, sizeof *box);
    if (box == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *box = (struct mailbox){
        .waiter = waiter, .tag = tag_up(waiter->channel), .in = malloc(room), .room = room};
    if (box->in == NULL) {
        tan_fail_nomem(e);
        mailbox_destroy(box);
        return NULL;
    }
    return box;
}

void mailbox_destroy(struct mailbox *box)
{
    if (box != NULL) {
        free(box->in);
        free(box->outgoing);
        free(box);
    }
}

/* --- sending --- */

struct heal_head *mailbox_message(const struct heal_head *head, struct tan_error *e)
{
    struct parcel *parcel = malloc(offsetof(struct parcel, head) + heal_bytes(head));
    if (parcel == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    parcel->uses = 0;
    memcpy(&parcel->head, head, sizeof *head);
    return &parcel->head;
}

static struct parcel *parcel_of(struct heal_head *message)
{
    return (struct parcel *)((char *)message - offsetof(struct parcel, head));
}

static void release(struct parcel *parcel)
{
    if (--parcel->uses <= 0) {
        free(parcel);
    }
}

int mailbox_send(struct mailbox *box, struct heal_head *message, const int32_t *ranks, int n,
                 struct tan_error *e)
{
    struct parcel *parcel = parcel_of(message);
    const int bytes = (int)heal_bytes(message);
    if (TAN_RESERVE(box->outgoing, box->outgoing_room, box->n_outgoing + (size_t)n) < 0) {
        free(parcel);
        return tan_fail_nomem(e);
    }
    parcel->uses = n;
    for (int i = 0; i < n; i++) {
        struct outgoing *out = &box->outgoing[box->n_outgoing++];
        out->parcel = parcel;
        MPI_TRY(MPI_Isend(message, bytes, MPI_BYTE, ranks[i], box->tag, box->waiter->world->comm,
                          &out->request));
        wait_ring(box->waiter, ranks[i]);
        machine_signal(ranks[i]);
    }
    if (n == 0) {
        free(parcel);
    }
    return 0;
}

/* Free what has been sent, and let MPI proceed with the rest. Testing takes simulated time, but
 * simulated messages leave without help. */
static void reap(struct mailbox *box)
{
    size_t left = 0;
    for (size_t i = 0; i < box->n_outgoing; i++) {
        struct outgoing *out = &box->outgoing[i];
        int done = machine_simulated;
        if (machine_simulated) {
            MPI_TRY(MPI_Wait(&out->request, MPI_STATUS_IGNORE));
        } else {
            MPI_TRY(MPI_Test(&out->request, &done, MPI_STATUS_IGNORE));
        }
        if (done) {
            release(out->parcel);
        } else {
            box->outgoing[left++] = *out;
        }
    }
    box->n_outgoing = left;
}

void mailbox_flush(struct mailbox *box)
{
    while (box->n_outgoing > 0) {
        reap(box);
        if (box->n_outgoing > 0) {
            sched_yield();
        }
    }
}

/* --- receiving --- */

static void post_receive(struct mailbox *box)
{
    if (!box->posted) {
        MPI_TRY(MPI_Irecv(box->in, (int)box->room, MPI_BYTE, MPI_ANY_SOURCE, box->tag,
                          box->waiter->world->comm, &box->incoming));
        box->posted = true;
    }
}

/* Test until the message has come. Sends that are not complete need further calls of MPI. */
static int await_real(struct mailbox *box, double deadline, MPI_Status *status, struct tan_error *e)
{
    const double between_checks = 0.05;
    struct waiter *w = box->waiter;
    double checked = tan_clock_seconds();
    for (unsigned tries = 0;; tries++) {
        int done;
        /* before the test: what comes while this rank is off its core is tested once more */
        const double now = tan_clock_seconds();
        reap(box);
        MPI_TRY(MPI_Test(&box->incoming, &done, status));
        wait_learn(w, done);
        if (done) {
            w->consumed += world_doorbell(w->world, status->MPI_SOURCE, w->channel) != NULL;
            return 1;
        }
        if (now >= deadline) {
            return 0;
        }
        if (now - checked > between_checks || stop_requested() || w->slept) {
            if (stop_check(w->world, e) < 0) {
                return -1;
            }
            checked = now;
        }
        if (box->n_outgoing > 0) {
            sched_yield();
        } else {
            wait_pause(w, tries, deadline - now);
        }
    }
}

/* A message whose sender has signalled is waited for, even if it arrives after the deadline. */
static int await_simulated(struct mailbox *box, double deadline, MPI_Status *status,
                           struct tan_error *e)
{
    const struct world *world = box->waiter->world;
    reap(box);
    if (stop_requested() && stop_check(world, e) < 0) {
        return -1;
    }
    if (!machine_await(world->rank, deadline - tan_clock_seconds())) {
        return 0;
    }
    MPI_TRY(MPI_Wait(&box->incoming, status));
    return 1;
}

int mailbox_receive(struct mailbox *box, double deadline, struct heal_head **message, int *sender,
                    struct tan_error *e)
{
    MPI_Status status;
    post_receive(box);
    const int come = machine_simulated ? await_simulated(box, deadline, &status, e)
                                       : await_real(box, deadline, &status, e);
    if (come > 0) {
        box->posted = false;
        *message = (struct heal_head *)box->in;
        *sender = status.MPI_SOURCE;
    }
    return come;
}
