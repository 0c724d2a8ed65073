/* session.c - a running job, controlled by rank 0
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/session.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/measure/mode_run.h"
#include "tanbench/overlay/overlay.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/stop.h"
#include "tanbench/ranks/world.h"
#include "topo/spec.h"

/* Send the tree of cell `i` as a parent vector. */
static int broadcast_tree(struct plan *plan, int i, int rank, struct tan_error *e)
{
    int32_t size = plan->cells[i].processes;
    int32_t *parents = malloc((size_t)size * sizeof *parents);
    if (parents == NULL) {
        return tan_fail_nomem(e);
    }
    if (rank == 0) {
        tan_tree_parents(plan->trees[i], parents);
    }
    MPI_TRY(MPI_Bcast(parents, size, MPI_INT32_T, 0, MPI_COMM_WORLD));
    if (rank != 0) {
        plan->trees[i] = tan_tree_create(parents, size, NULL, e);
    }
    free(parents);
    return plan->trees[i] != NULL ? 0 : -1;
}

void plan_share(struct plan *plan)
{
    *plan = *(struct plan *)machine_broadcast(plan, sizeof *plan);
}

void plan_release(struct plan *plan, int rank)
{
    if (rank == 0 || !machine_simulated) {
        tan_plan_clear(plan);
    }
}

int plan_broadcast(struct plan *plan, int *status, struct tan_error *e)
{
    int rank;
    struct {
        struct settings settings;
        int n_cells, status;
    } head = {plan->settings, plan->n_cells, *status};
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_TRY(MPI_Bcast(&head, (int)sizeof head, MPI_BYTE, 0, MPI_COMM_WORLD));
    *status = head.status;
    if (head.status != TAN_DONE) {
        return 0;
    }
    if (machine_simulated) {
        plan_share(plan);
        return 0;
    }
    if (rank != 0) {
        plan->settings = head.settings;
        plan->n_cells = head.n_cells;
        plan->cells = calloc((size_t)plan->n_cells + 1, sizeof *plan->cells);
        plan->trees = calloc((size_t)plan->n_cells + 1, sizeof *plan->trees);
        if (plan->cells == NULL || plan->trees == NULL) {
            return tan_fail_nomem(e);
        }
    }
    MPI_TRY(MPI_Bcast(plan->cells, plan->n_cells * (int)sizeof *plan->cells, MPI_BYTE, 0,
                      MPI_COMM_WORLD));
    for (int i = 0; i < plan->n_cells; i++) {
        const struct cell *cell = &plan->cells[i];
        if (cell->kind != CELL_TREE) {
            continue;
        }
        /* files may exist on rank 0's host only, and tan_spec_build does not know TAN_SPEC_NEAR */
        if (cell->near || strncmp(cell->spec, "file:", 5) == 0) {
            if (broadcast_tree(plan, i, rank, e) < 0) {
                return -1;
            }
        } else if (rank != 0 && (plan->trees[i] = tan_spec_build(cell->spec, e)) == NULL) {
            return -1;
        }
    }
    return 0;
}

/* Rank 0's messages down the command tree are cell numbers, or this: the session ends. */
enum { COMMAND_END = -1 };
struct command {
    int32_t cell;
    int32_t partner; /* rank 0's partner in a ping-pong */
};

/* Wide, since each level adds a wake-up, so deep trees of sleepers are slow. */
enum { COMMAND_FANOUT = 16 };

/* Simulated ranks share rank 0's tree. */
static struct tan_tree *command_tree(const struct world *world, struct tan_error *e)
{
    const bool shares = machine_simulated && world->rank != 0;
    int32_t *parents = shares ? NULL : malloc((size_t)world->size * sizeof *parents);
    struct tan_tree *tree = NULL;
    for (int32_t i = 0; parents != NULL && i < world->size; i++) {
        parents[i] = i > 0 ? (i - 1) / COMMAND_FANOUT : -1;
    }
    if (parents != NULL) {
        tree = tan_tree_create(parents, world->size, NULL, e);
    } else if (!shares) {
        tan_fail_nomem(e);
    }
    free(parents);
    return machine_simulated ? machine_broadcast(tree, 0) : tree;
}

int session_open(struct session *s, struct world *world, const struct plan *plan,
                 struct tan_error *e)
{
    const struct wait_policy *asleep =
        wait_policy_find(machine_simulated ? "block" : "park", world);
    *s = (struct session){.world = world, .plan = plan};
    for (int i = 0; i < plan->n_cells; i++) {
        if (plan->cells[i].near) {
            s->near = world_near_create(world);
            break;
        }
    }
    s->policy = wait_policy_find(plan->settings.wait, world);
    s->command_tree = command_tree(world, e);
    if (s->command_tree == NULL) {
        return -1;
    }
    waiter_init(&s->waiters[CHANNEL_COMMAND], asleep, world, CHANNEL_COMMAND);
    for (int channel = CHANNEL_WAVE; channel < CHANNELS; channel++) {
        waiter_init(&s->waiters[channel], s->policy, world, (enum channel)channel);
    }
    struct overlay_shape shape = {.tree = s->command_tree,
                                  .filter = tan_filter_find("null", e),
                                  .request_bytes = sizeof(struct command)};
    s->commands = overlay_create(&s->waiters[CHANNEL_COMMAND], &shape, e);
    if (world->rank == 0) {
        world_await_bindings(world);
        s->timer = tan_timer_calibrate();
        s->clocks = clocks_create(world, e);
        s->core_probe = s->policy->rings ? core_probe_create(world->binding.cores) : NULL;
    }
    if (emulation_on(&plan->settings.emulation)) {
        s->link = tan_spec_build("chain:1", e);
        if (s->link == NULL) {
            return -1;
        }
    }
    return s->commands != NULL && (s->clocks != NULL || world->rank != 0) ? 0 : -1;
}

void session_close(struct session *s)
{
    overlay_destroy(s->commands);
    clocks_destroy(s->clocks);
    core_probe_destroy(s->core_probe);
    if (!machine_simulated || s->world->rank == 0) {
        tan_tree_destroy(s->command_tree);
    }
    tan_tree_destroy(s->link);
    world_near_destroy(s->near);
}

/* Every rank draws an independent random sequence in every cell. */
static int open_link(struct cell_run *run, struct tan_error *e)
{
    const struct settings *s = run->settings;
    const struct emulation bare = tan_emulation_links(&s->emulation);
    const uint64_t seed = (s->seed * 1000003 + (uint64_t)run->cell->order) * 65537;
    run->link = emulated_link_create(run->cell->kind == CELL_PINGPONG ? &bare : &s->emulation,
                                     run->tree, run->world, seed, e);
    return run->link != NULL ? 0 : -1;
}

static int open_tree(struct cell_run *run, struct tan_error *e)
{
    const struct settings *settings = run->settings;
    int64_t bytes = run->cell->bytes;
    bool pushes = tan_modes[settings->mode].pushes;
    struct overlay_shape shape = {
        .tree = run->tree,
        .filter = tan_filter_find(settings->filter, e),
        .leaf_bytes = (uint32_t)bytes,
        .request_bytes = (uint32_t)(settings->request_bytes < 0 ? bytes : settings->request_bytes),
        .work = settings->work,
    };
    if (shape.filter == NULL || run->world->rank >= tan_tree_size(shape.tree)) {
        return shape.filter != NULL ? 0 : -1;
    }
    if (tan_modes[settings->mode].heals) {
        run->heal = heal_create(&run->waiters[CHANNEL_WAVE], &shape, &settings->failure, e);
        return run->heal != NULL ? 0 : -1;
    }
    if (emulation_on(&settings->emulation) && open_link(run, e) < 0) {
        return -1;
    }
    shape.link = run->link;
    run->overlay = overlay_create(&run->waiters[CHANNEL_WAVE], &shape, e);
    if (run->overlay != NULL && pushes) {
        run->stream =
            stream_create(&run->waiters[CHANNEL_STREAM], &shape, mode_stream_sink, run, e);
    }
    return run->overlay != NULL && (run->stream != NULL || !pushes) ? 0 : -1;
}

static int open_collective(struct cell_run *run, struct tan_error *e)
{
    int ranks = run->cell->processes;
    if (run->world->rank >= ranks) {
        return 0;
    }
    run->reference = mpi_reference_collective(run->world->comm, ranks, run->cell->bytes, e);
    return run->reference != NULL ? 0 : -1;
}

/* Emulated links connect nodes without costs of their own. */
static int open_pingpong(struct cell_run *run, struct tan_error *e)
{
    if (emulation_on(&run->settings->emulation)) {
        return open_tree(run, e);
    }
    if (run->world->rank != 0 && run->world->rank != run->partner) {
        return 0;
    }
    run->reference = mpi_reference_pingpong(run->world->comm, run->partner, run->cell->bytes, e);
    return run->reference != NULL ? 0 : -1;
}

/* Set up this rank's part in a cell of each kind; `run` stays empty if it takes no part. */
static int (*const open_part[CELL_KINDS])(struct cell_run *, struct tan_error *) = {
    [CELL_TREE] = open_tree,
    [CELL_COLLECTIVE] = open_collective,
    [CELL_PINGPONG] = open_pingpong,
};

static int open_cell(struct session *s, struct command what, struct cell_run *run,
                     struct tan_error *e)
{
    struct world *world = s->plan->cells[what.cell].near ? s->near : s->world;
    *run = (struct cell_run){.world = s->world};
    if (world == NULL) {
        return 0; /* takes no part */
    }
    for (int channel = CHANNEL_WAVE; channel < CHANNELS; channel++) {
        s->waiters[channel].world = world;
    }
    *run = (struct cell_run){
        .world = world,
        .settings = &s->plan->settings,
        .cell = &s->plan->cells[what.cell],
        .tree = s->plan->trees[what.cell],
        .waiters = s->waiters,
        .partner = what.partner,
        .clocks = s->clocks,
        .timer = &s->timer,
        .core_probe = s->core_probe,
    };
    if (run->cell->kind == CELL_PINGPONG) {
        run->tree = s->link;
    }
    /* Distribute the cell's ranks, and no others, over all cores. */
    int part = run->cell->kind == CELL_PINGPONG ? world->size : run->cell->processes;
    run->cores = world_cores_used(world, part);
    if (world->rank < part) {
        world_spread(world, run->cell->kind == CELL_TREE ? run->tree : NULL, part);
        s->world->binding = world->binding; /* a rank is bound only once, whatever its number */
    }
    if (s->near != NULL) {
        s->near->binding = s->world->binding;
    }
    return open_part[run->cell->kind](run, e);
}

static void close_cell(struct cell_run *run)
{
    stream_destroy(run->stream);
    overlay_destroy(run->overlay);
    heal_destroy(run->heal);
    emulated_link_destroy(run->link);
    mpi_reference_destroy(run->reference);
}

static int sample_reference(void *context, int64_t rounds, double *seconds, struct tan_error *e)
{
    struct cell_run *run = context;
    if (stop_check(run->world, e) < 0) {
        return -1;
    }
    *seconds = mpi_reference_rounds(run->reference, rounds, false);
    deadline_renew();
    return 0;
}

static int measure_reference(struct cell_run *run, struct measurement *m, struct tan_error *e)
{
    const struct sampling_ops ops = {
        .sample = sample_reference, .stopped = stop_requested, .context = run};
    if (tan_sampling_run(run->settings, run->cell, run->timer, &ops, m, e) < 0) {
        return -1;
    }
    mpi_reference_rounds(run->reference, 1, true);
    return 0;
}

static int send_command(struct session *s, struct command what, struct tan_error *e)
{
    *(struct command *)overlay_request(s->commands) = what;
    return overlay_multicast(s->commands, what.cell == COMMAND_END, e);
}

/* Limit the time until something comes back. */
static void begin_limit(const struct session *s, const char *when, const char *what)
{
    deadline_begin(s->wave_limit > 0 ? s->wave_limit + DEADLINE_GRACE : 0,
                   DEADLINE_PASSED " %s %.200s", s->wave_limit, when, what);
}

int session_measure(struct session *s, int index, struct measurement *m, struct tan_error *e)
{
    struct world *world = s->plan->cells[index].near ? s->near : s->world;
    struct command what = {.cell = index,
                           .partner = s->partner > 0 ? s->partner : placement_partner(world)};
    struct cell_run run;
    int result = -1;
    begin_limit(s, "during", s->plan->cells[index].spec);
    if (send_command(s, what, e) == 0 && open_cell(s, what, &run, e) == 0 &&
        (run.reference != NULL ? measure_reference(&run, m, e) : mode_measure(&run, m, e)) == 0) {
        /* After an error messages in flight may still use the memory, and the job ends anyway. */
        close_cell(&run);
        result = overlay_collect(s->commands, e);
    }
    deadline_end();
    return result;
}

int session_end(struct session *s, struct tan_error *e)
{
    const struct command end = {.cell = COMMAND_END};
    begin_limit(s, "at", "the end");
    const bool ended = send_command(s, end, e) == 0 && overlay_collect(s->commands, e) == 0;
    deadline_end();
    return ended ? 0 : -1;
}

int session_follow(struct session *s, struct tan_error *e)
{
    for (;;) {
        const struct packet *packet;
        if (overlay_listen(s->commands, &packet, e) < 0) {
            return -1;
        }
        struct command what = *(const struct command *)packet->payload;
        if (what.cell != COMMAND_END) {
            struct cell_run run;
            if (open_cell(s, what, &run, e) != 0 ||
                ((run.overlay != NULL || run.heal != NULL) && mode_follow(&run, e) < 0)) {
                return -1;
            }
            if (run.reference != NULL) {
                mpi_reference_serve(run.reference);
            }
            close_cell(&run);
        }
        if (overlay_answer(s->commands, e) != 0) {
            return -1;
        }
        if (what.cell == COMMAND_END) {
            return 0;
        }
    }
}
