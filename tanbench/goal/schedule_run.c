/* schedule_run.c - execution of a schedule on real ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/goal/schedule_run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tanbench/ranks/mpi_try.h"

/* Up to this total size of received messages each has a buffer of its own. */
enum { OWN_BUFFERS = 1 << 28 };

struct schedule_run {
    const struct tan_schedule *schedule;
    const struct world *world;
    uint32_t first, n;        /* this rank's operations */
    struct tan_op_spec *spec; /* of each */
    uint32_t *waits_for;      /* number of unmet dependencies of each operation */
    uint32_t *ready;          /* a heap of those that may start, the first in the schedule on top */
    uint32_t n_ready;
    MPI_Request *request; /* of messages in flight */
    uint32_t *of_request; /* their operations */
    int *done;            /* for MPI_Waitsome */
    int n_requests;
    char *out, *in;
    size_t out_room;
    size_t *place; /* of each receive in `in` */
    uint32_t finished;
};

static int refuse_operation(uint32_t rank, uint32_t i, const char *why, struct tan_error *e)
{
    return tan_fail(e, "operation %" PRIu32 " of rank %" PRIu32 " cannot be executed: %s", i + 1,
                    rank, why);
}

/* Check every operation, then allocate buffers. */
static int prepare_buffers(struct schedule_run *r, struct tan_error *e)
{
    const uint32_t rank = (uint32_t)r->world->rank;
    int *highest = NULL;
    int found = 0;
    size_t out = 1;
    size_t in = 0;
    size_t longest = 1;
    MPI_TRY(MPI_Comm_get_attr(r->world->comm, MPI_TAG_UB, &highest, &found));
    for (uint32_t i = 0; i < r->n; i++) {
        const struct tan_op_spec spec = tan_schedule_spec(r->schedule, r->first + i);
        r->spec[i] = spec;
        const bool message = spec.kind != TAN_OP_CALC;
        if (spec.cpu > 0 || spec.nic > 0) {
            return refuse_operation(rank, i, "a rank has one CPU and one NIC, number 0", e);
        }
        if (message && spec.amount > INT_MAX) {
            return refuse_operation(rank, i, "a message has at most 2147483647 bytes", e);
        }
        if (message && spec.tag != TAN_ANY_TAG && found && spec.tag > (uint32_t)*highest) {
            return refuse_operation(rank, i, "its tag exceeds the highest one of this MPI library",
                                    e);
        }
        if (spec.kind == TAN_OP_SEND) {
            if (spec.tag == TAN_ANY_TAG) {
                return refuse_operation(rank, i, "MPI has no sends with a wildcard tag", e);
            }
            out = spec.amount > out ? spec.amount : out;
        } else if (message) {
            r->place[i] = in;
            in += spec.amount;
            longest = spec.amount > longest ? spec.amount : longest;
        }
    }
    if (in > OWN_BUFFERS) { /* share one buffer, since the data are not used */
        memset(r->place, 0, r->n * sizeof *r->place);
        in = longest;
    }
    r->out = malloc(out);
    r->out_room = out;
    r->in = calloc(in + 1, 1);
    return r->out == NULL || r->in == NULL ? tan_fail_nomem(e) : 0;
}

struct schedule_run *schedule_run_open(const struct tan_schedule *s, const struct world *world,
                                       struct tan_error *e)
{
    struct schedule_run *r = calloc(1, sizeof *r);
    if (r == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    r->schedule = s;
    r->world = world;
    r->first = s->first_op[world->rank];
    r->n = s->rank_ops[world->rank];
    const size_t n = (size_t)r->n + 1;
    r->waits_for = calloc(n, sizeof *r->waits_for);
    r->ready = calloc(n, sizeof *r->ready);
    r->request = calloc(n, sizeof(MPI_Request));
    r->of_request = calloc(n, sizeof *r->of_request);
    r->done = calloc(n, sizeof *r->done);
    r->spec = calloc(n, sizeof *r->spec);
    r->place = calloc(n, sizeof *r->place);
    const bool memory = r->waits_for != NULL && r->ready != NULL && r->request != NULL &&
                        r->of_request != NULL && r->done != NULL && r->place != NULL &&
                        r->spec != NULL;
    if (!memory || prepare_buffers(r, e) < 0) {
        if (!memory) {
            tan_fail_nomem(e);
        }
        schedule_run_close(r);
        return NULL;
    }
    return r;
}

void schedule_run_close(struct schedule_run *r)
{
    if (r != NULL) {
        free(r->waits_for);
        free(r->ready);
        free(r->request);
        free(r->of_request);
        free(r->done);
        free(r->spec);
        free(r->place);
        free(r->out);
        free(r->in);
        free(r);
    }
}

/* Heap of operations that may start */

static void push_ready(struct schedule_run *r, uint32_t op)
{
    uint32_t at = r->n_ready++;
    while (at > 0 && r->ready[(at - 1) / 2] > op) {
        r->ready[at] = r->ready[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    r->ready[at] = op;
}

static uint32_t pop_ready(struct schedule_run *r)
{
    const uint32_t top = r->ready[0];
    const uint32_t last = r->ready[--r->n_ready];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= r->n_ready) {
            break;
        }
        child += child + 1 < r->n_ready && r->ready[child + 1] < r->ready[child];
        if (r->ready[child] >= last) {
            break;
        }
        r->ready[at] = r->ready[child];
        at = child;
    }
    r->ready[at] = last;
    return top;
}

/* Release the operations that depend on the start, or the end, of an operation. */
static void release_dependents(struct schedule_run *r, uint32_t i, bool started)
{
    const struct tan_op *op = &r->schedule->ops[r->first + i];
    for (uint32_t d = op[0].dependents; d < op[1].dependents; d++) {
        const uint32_t dependent = r->schedule->dependents[d];
        if (((dependent & TAN_DEPENDENT_START) != 0) == started) {
            const uint32_t k = (dependent & ~TAN_DEPENDENT_START) - r->first;
            if (--r->waits_for[k] == 0) {
                push_ready(r, k);
            }
        }
    }
}

static void finish_operation(struct schedule_run *r, uint32_t i)
{
    r->finished++;
    release_dependents(r, i, false);
}

static void begin_operation(struct schedule_run *r, uint32_t i)
{
    const struct tan_op_spec spec = r->spec[i];
    MPI_Request *request = &r->request[r->n_requests];
    if (spec.kind == TAN_OP_CALC) {
        const double end = tan_clock_seconds() + (double)spec.amount * 1e-12;
        release_dependents(r, i, true);
        if (spec.amount > 0) {
            tan_clock_compute_until(end);
        }
        finish_operation(r, i);
        return;
    }
    if (spec.kind == TAN_OP_SEND) {
        MPI_TRY(MPI_Isend(r->out, (int)spec.amount, MPI_BYTE, (int)spec.peer, (int)spec.tag,
                          r->world->comm, request));
    } else {
        MPI_TRY(MPI_Irecv(r->in + r->place[i], (int)spec.amount, MPI_BYTE,
                          spec.peer == TAN_ANY_SOURCE ? MPI_ANY_SOURCE : (int)spec.peer,
                          spec.tag == TAN_ANY_TAG ? MPI_ANY_TAG : (int)spec.tag, r->world->comm,
                          request));
    }
    r->of_request[r->n_requests++] = i;
    release_dependents(r, i, true);
}

/* Wait until a message has arrived or left. */
static void await_message(struct schedule_run *r)
{
    int n = 0;
    MPI_TRY(MPI_Waitsome(r->n_requests, r->request, &n, r->done, mpi_ignored_statuses));
    for (int i = 0; i < n; i++) {
        finish_operation(r, r->of_request[r->done[i]]);
    }
    int kept = 0;
    for (int i = 0; i < r->n_requests; i++) {
        if (r->request[i] != MPI_REQUEST_NULL) {
            r->of_request[kept] = r->of_request[i];
            r->request[kept++] = r->request[i];
        }
    }
    r->n_requests = kept;
}

double schedule_run_once(struct schedule_run *r, struct instant *instant, bool *late)
{
    r->finished = 0;
    r->n_ready = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        r->waits_for[i] = r->schedule->ops[r->first + i].requires;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->waits_for[i] == 0) {
            push_ready(r, i);
        }
    }
    memset(r->out, 1, r->out_room); /* as a program does before it sends */
    const double start = instant_await(instant, late);
    while (r->finished < r->n) {
        if (r->n_ready > 0) {
            begin_operation(r, pop_ready(r));
        } else {
            await_message(r);
        }
    }
    return instant_since(instant, start);
}
