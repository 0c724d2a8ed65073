/* session.c - a running job: rank 0 says what is measured next, the others follow
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/session.h"

#include <stdlib.h>
#include <string.h>

#include "tanbench/clock.h"
#include "tanbench/reference.h"
#include "tanbench/stop.h"
#include "topo/spec.h"

/* What rank 0 sends down the command tree: the number of a cell, or that all is done. */
struct command {
    int32_t cell;    /* -1: the session ends */
    int32_t partner; /* of rank 0 in a ping-pong */
};

/* Wide, since every level of it wakes ranks one after the other, and deep trees of sleepers are
 * slow. */
enum { COMMAND_FANOUT = 16 };

static struct tan_tree *command_tree(int32_t size, struct tan_error *e)
{
    int32_t *parents = malloc((size_t)size * sizeof *parents);
    struct tan_tree *tree = NULL;

    if (!parents) {
        tan_fail_nomem(e);
        return NULL;
    }
    parents[0] = -1;
    for (int32_t i = 1; i < size; i++) {
        parents[i] = (i - 1) / COMMAND_FANOUT;
    }
    tree = tan_tree_create(parents, size, NULL, e);
    free(parents);
    return tree;
}

int session_open(struct session *s, const struct world *world, const struct plan *plan,
                 struct tan_error *e)
{
    const struct wait_policy *asleep = wait_policy_find("park", world, e);

    *s = (struct session){.world = world, .plan = plan};
    s->policy = wait_policy_find(plan->settings.wait, world, e);
    s->command_tree = command_tree(world->size, e);
    if (!s->policy || !s->command_tree) {
        return -1;
    }
    waiter_init(&s->waiters[CHANNEL_COMMAND], asleep, world, CHANNEL_COMMAND);
    waiter_init(&s->waiters[CHANNEL_WAVE], s->policy, world, CHANNEL_WAVE);
    struct overlay_shape shape = {.tree = s->command_tree,
                                  .filter = filter_find("null", e),
                                  .request_bytes = sizeof(struct command)};
    s->commands = overlay_create(&s->waiters[CHANNEL_COMMAND], CHANNEL_COMMAND, &shape, e);
    if (world->rank == 0) {
        world_await_bindings(world);
        s->timer = timer_calibrate();
    }
    return s->commands ? 0 : -1;
}

void session_close(struct session *s)
{
    overlay_destroy(s->commands);
    tan_tree_destroy(s->command_tree);
}

/* A cell in progress: overlay or reference is set, neither on a rank that has no part in it. */
struct cell_run {
    const struct world *world;
    int partner;
    struct overlay *overlay;
    struct reference *reference;
};

/* The rank that plays ping-pong with rank 0: on another host if there is one, else on another core.
 */
static int pingpong_partner(const struct world *world)
{
    const struct peer *root = &world->peers[0];
    int partner = 1;

    for (int i = world->size - 1; i > 0; i--) {
        const struct peer *peer = &world->peers[i];
        if (peer->host_index != root->host_index) {
            return i;
        }
        if (strcmp(world_binding(world, i), world_binding(world, 0)) != 0) {
            partner = i;
        }
    }
    return partner;
}

static int open_tree(struct session *s, int index, struct cell_run *run, struct tan_error *e)
{
    const struct settings *settings = &s->plan->settings;
    struct overlay_shape shape = {
        .tree = s->plan->trees[index],
        .filter = filter_find(settings->filter, e),
        .element = settings->element,
        .leaf_bytes = (uint32_t)settings->bytes,
        .request_bytes =
            (uint32_t)(settings->request_bytes < 0 ? settings->bytes : settings->request_bytes),
    };

    if (!shape.filter || s->world->rank >= tan_tree_size(shape.tree)) {
        return shape.filter ? 0 : -1;
    }
    run->overlay = overlay_create(&s->waiters[CHANNEL_WAVE], CHANNEL_WAVE, &shape, e);
    return run->overlay ? 0 : -1;
}

static int open_collective(struct session *s, int index, struct cell_run *run, struct tan_error *e)
{
    int ranks = s->plan->cells[index].processes;

    if (s->world->rank >= ranks) {
        return 0;
    }
    run->reference = reference_collective(MPI_COMM_WORLD, ranks, s->plan->settings.bytes, e);
    return run->reference ? 0 : -1;
}

static int open_pingpong(struct session *s, int index, struct cell_run *run, struct tan_error *e)
{
    (void)index;
    if (s->world->rank != 0 && s->world->rank != run->partner) {
        return 0;
    }
    run->reference = reference_pingpong(MPI_COMM_WORLD, run->partner, s->plan->settings.bytes, e);
    return run->reference ? 0 : -1;
}

/* This rank's part in a cell of each kind; none at all leaves `run` empty. */
static int (*const open_cell[CELL_KINDS])(struct session *, int index, struct cell_run *,
                                          struct tan_error *) = {
    [CELL_TREE] = open_tree,
    [CELL_COLLECTIVE] = open_collective,
    [CELL_PINGPONG] = open_pingpong,
};

static void close_cell(struct cell_run *run)
{
    overlay_destroy(run->overlay);
    reference_destroy(run->reference);
}

/* So many waves or reference rounds in a row; `last` ends the others' part. Results are checked
 * outside of the time: of several waves that are timed together, the last one's. */
static int some_rounds(struct cell_run *run, int64_t waves, bool last, double *seconds,
                       struct tan_error *e)
{
    if (run->reference) {
        *seconds = reference_rounds(run->reference, waves, last);
        return 0;
    }
    double begin = clock_seconds();
    for (int64_t i = 0; i < waves; i++) {
        if (overlay_multicast(run->overlay, last, e) || overlay_collect(run->overlay, e)) {
            return -1;
        }
    }
    *seconds = clock_seconds() - begin;
    return overlay_verify(run->overlay, e);
}

/* A rank that dies without being waited for would otherwise go unnoticed until its turn comes. */
static int sample_rounds(void *context, int64_t waves, double *seconds, struct tan_error *e)
{
    struct cell_run *run = context;

    return stop_check(run->world, e) || some_rounds(run, waves, false, seconds, e) ? -1 : 0;
}

static int command(struct session *s, struct command what, struct tan_error *e)
{
    *(struct command *)overlay_request(s->commands) = what;
    return overlay_multicast(s->commands, what.cell < 0, e);
}

int session_measure(struct session *s, int index, struct measurement *m, struct tan_error *e)
{
    struct cell_run run = {.world = s->world, .partner = pingpong_partner(s->world)};
    double ignored;

    if (command(s, (struct command){.cell = index, .partner = run.partner}, e) ||
        open_cell[s->plan->cells[index].kind](s, index, &run, e) ||
        sampling_run(&s->plan->settings, &s->plan->cells[index], &s->timer, sample_rounds, &run, m,
                     e) ||
        some_rounds(&run, 1, true, &ignored, e)) {
        /* Nothing is freed that messages in flight may still need: an error ends the job. */
        return -1;
    }
    close_cell(&run);
    return overlay_collect(s->commands, e);
}

int session_end(struct session *s, struct tan_error *e)
{
    return command(s, (struct command){.cell = -1}, e) || overlay_collect(s->commands, e) ? -1 : 0;
}

int session_follow(struct session *s, struct tan_error *e)
{
    for (;;) {
        const struct packet *packet;
        if (overlay_listen(s->commands, &packet, e)) {
            return -1;
        }
        const struct command *what = (const struct command *)packet->payload;
        int32_t cell = what->cell;
        if (cell >= 0) {
            struct cell_run run = {.world = s->world, .partner = what->partner};
            if (open_cell[s->plan->cells[cell].kind](s, (int)cell, &run, e)) {
                return -1;
            }
            if (run.overlay && overlay_serve(run.overlay, e)) {
                return -1;
            }
            if (run.reference) {
                reference_serve(run.reference);
            }
            close_cell(&run);
        }
        if (overlay_answer(s->commands, e)) {
            return -1;
        }
        if (cell < 0) {
            return 0;
        }
    }
}
