/* clock_sync.c - comparison of the clocks of a tree's ranks with the root's
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/overlay/clock_sync.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"

enum {
    BURST_EXCHANGES = 12, /* in a burst; only the shortest exchange counts */
    FIRST_BURSTS = 20,    /* when a clock is compared for the first time */
    LATER_BURSTS = 3,
};
#define PAUSE 25e-3 /* after each of the first bursts, since drift takes time to show */
/* A burst is repeated if its shortest exchange exceeds this multiple of the shortest so far. */
#define MAX_RATIO 1.5
enum { MAX_REPETITIONS = 5 };
/* Where others use the cores, an exchange may take as long as thousands do otherwise. A longer
 * burst is not repeated, and after a longer comparison, for each rank, LATER_BURSTS are enough:
 * ranks must not take each other for dead. The residual tells what that costs. */
#define LONG_BURST      0.1
#define LONG_COMPARISON 0.5

struct clocks {
    const struct world *world;
    struct local_clock local;
    struct clock_history *histories; /* one per rank */
    struct clock_model *models;
};

/* The root asks with `end` 0, and the rank answers with its clock; `end` 1 sends it its model. */
struct message {
    double clock;
    struct clock_model model;
    int32_t end;
};

struct clocks *clocks_create(const struct world *world, struct tan_error *e)
{
    struct clocks *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->world = world;
        c->local = tan_local_clock_of(0);
        c->histories = calloc((size_t)world->size, sizeof *c->histories);
        c->models = calloc((size_t)world->size, sizeof *c->models);
    }
    if (c == NULL || c->histories == NULL || c->models == NULL) {
        clocks_destroy(c);
        tan_fail_nomem(e);
        return NULL;
    }
    return c;
}

void clocks_destroy(struct clocks *c)
{
    if (c != NULL) {
        free(c->histories);
        free(c->models);
        free(c);
    }
}

static bool shares_clock(const struct clocks *c, int rank)
{
    return c->world->one_clock || c->world->peers[rank].host_index == c->world->peers[0].host_index;
}

static int read_clock(const struct clocks *c, struct waiter *side, int rank,
                      struct clock_reading *r, struct tan_error *e)
{
    struct message question = {.end = 0};
    struct message answer;
    MPI_Request request;
    MPI_TRY(MPI_Irecv(&answer, (int)sizeof answer, MPI_BYTE, rank, tag_up(CHANNEL_SIDE),
                      side->world->comm, &request));
    r->sent = tan_local_clock_now(&c->local);
    side_send(side, rank, &question, sizeof question);
    if (side_receive(side, rank, &request, e) < 0) {
        return -1;
    }
    r->received = tan_local_clock_now(&c->local);
    r->answered = answer.clock;
    return 0;
}

/* The shortest exchange of a burst. Bursts are repeated in case of interference, and the first one
 * with a rank in any case, since there is nothing to compare it with. */
static int measure_burst(const struct clocks *c, struct waiter *side, int rank,
                         struct clock_point *best, struct tan_error *e)
{
    const struct clock_history *h = &c->histories[rank];
    struct clock_reading readings[BURST_EXCHANGES];
    const double began = tan_clock_seconds();
    for (int repetition = 0; repetition < MAX_REPETITIONS; repetition++) {
        for (int i = 0; i < BURST_EXCHANGES; i++) {
            if (read_clock(c, side, rank, &readings[i], e) < 0) {
                return -1;
            }
        }
        struct clock_point point = tan_clock_best(readings, BURST_EXCHANGES);
        if (repetition == 0 || point.round_trip < best->round_trip) {
            *best = point;
        }
        if ((h->n > 0 && best->round_trip <= MAX_RATIO * tan_clock_shortest(h)) ||
            tan_clock_seconds() - began > LONG_BURST) {
            break;
        }
    }
    return 0;
}

static int measure_bursts(struct clocks *c, struct waiter *side, int ranks, int bursts, bool pause,
                          struct tan_error *e)
{
    const double began = tan_clock_seconds();
    for (int b = 0; b < bursts; b++) {
        if (b >= LATER_BURSTS && tan_clock_seconds() - began > LONG_COMPARISON * ranks) {
            break;
        }
        for (int rank = 1; rank < ranks; rank++) {
            struct clock_point point;
            if (measure_burst(c, side, rank, &point, e) < 0) {
                return -1;
            }
            tan_clock_history_add(&c->histories[rank], point);
        }
        if (pause) {
            tan_clock_sleep(PAUSE);
        }
    }
    return 0;
}

static void send_models(const struct clocks *c, struct waiter *side, int ranks)
{
    for (int rank = 1; rank < ranks; rank++) {
        struct message m = {.model = c->models[rank], .end = 1};
        side_send(side, rank, &m, sizeof m);
    }
}

int clocks_lead(struct clocks *c, struct waiter *side, int ranks, struct clock_quality *quality,
                struct tan_error *e)
{
    struct clock_quality q = {.ranks = ranks - 1};
    bool foreign = false; /* a clock of another host is compared for the first time */
    for (int rank = 1; rank < ranks; rank++) {
        foreign |= c->histories[rank].n == 0 && !shares_clock(c, rank);
    }
    if (measure_bursts(c, side, ranks, foreign ? FIRST_BURSTS : LATER_BURSTS, foreign, e) < 0) {
        return -1;
    }
    for (int rank = 1; rank < ranks; rank++) {
        const struct clock_history *h = &c->histories[rank];
        struct clock_model fitted = tan_clock_fit(h);
        q.round_trip = fmax(q.round_trip, tan_clock_shortest(h));
        if (shares_clock(c, rank)) {
            /* For the same clock the measured offset is the error of the method. */
            q.shared++;
            q.shared_off = fmax(q.shared_off, fabs(fitted.offset));
            c->models[rank] = (struct clock_model){.offset = 0};
        } else {
            q.offset = fmax(q.offset, fabs(fitted.offset));
            q.drift = fmax(q.drift, fabs(fitted.drift));
            q.residual = fmax(q.residual, tan_clock_residual(h, &fitted));
            c->models[rank] = fitted;
        }
    }
    q.accuracy = q.residual;
    *quality = q;
    send_models(c, side, ranks);
    return 0;
}

int clocks_check(struct clocks *c, struct waiter *side, int ranks, struct clock_quality *quality,
                 struct tan_error *e)
{
    /* after a request to stop, the other ranks only need the message that ends the exchange */
    const int bursts = stop_requested() ? 0 : 1;
    if (measure_bursts(c, side, ranks, bursts, false, e) < 0) {
        return -1;
    }
    for (int rank = 1; rank < ranks; rank++) {
        const struct clock_history *h = &c->histories[rank];
        if (!shares_clock(c, rank)) {
            quality->check =
                fmax(quality->check, tan_clock_error(&c->models[rank], &h->points[h->n - 1]));
        }
    }
    quality->accuracy = fmax(quality->residual, quality->check);
    send_models(c, side, ranks);
    return 0;
}

int clocks_follow(struct waiter *side, struct rank_clock *mine, struct tan_error *e)
{
    const struct world *world = side->world;
    struct message m;
    mine->local = tan_local_clock_of(world->peers[world->rank].host_index);
    for (;;) {
        MPI_Request request;
        MPI_TRY(MPI_Irecv(&m, (int)sizeof m, MPI_BYTE, 0, tag_down(CHANNEL_SIDE), world->comm,
                          &request));
        if (side_receive(side, 0, &request, e) < 0) {
            return -1;
        }
        if (m.end) {
            mine->model = m.model;
            return 0;
        }
        m.clock = tan_local_clock_now(&mine->local);
        side_send(side, 0, &m, sizeof m);
    }
}
