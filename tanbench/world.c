/* world.c - the ranks of this job: who they are, where they run, what they share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/world.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tanbench/check.h"
#include "tanbench/cores.h"

/* Ranks of one host, told apart by the shared memory that they can have together. For tests of what
 * happens between hosts, TANBENCH_SPLIT_HOST=K makes K hosts of each one. */
static void find_hosts(struct world *world)
{
    struct peer me = {.pid = (int32_t)getpid(), .leader = world->rank};
    const char *split = getenv("TANBENCH_SPLIT_HOST");

    MPI_TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL,
                                &world->host_comm));
    MPI_TRY(MPI_Comm_set_errhandler(world->host_comm, MPI_ERRORS_RETURN));
    if (split && atoi(split) > 1) {
        MPI_Comm whole = world->host_comm;
        MPI_TRY(MPI_Comm_rank(whole, &me.local));
        MPI_TRY(MPI_Comm_size(whole, &world->local_size));
        MPI_TRY(MPI_Comm_split(whole, me.local * atoi(split) / world->local_size, world->rank,
                               &world->host_comm));
        MPI_TRY(MPI_Comm_set_errhandler(world->host_comm, MPI_ERRORS_RETURN));
        MPI_TRY(MPI_Comm_free(&whole));
    }
    MPI_TRY(MPI_Comm_rank(world->host_comm, &me.local));
    MPI_TRY(MPI_Comm_size(world->host_comm, &world->local_size));
    MPI_TRY(MPI_Bcast(&me.leader, 1, MPI_INT32_T, 0, world->host_comm));
    gethostname(me.host, sizeof me.host - 1);
    me.host[strcspn(me.host, ".")] = '\0';
    world->peers[world->rank] = me;
}

static void bind_and_count(struct world *world, enum binding binding)
{
    struct peer *me = &world->peers[world->rank];
    struct cores *cores = cores_create();

    if (!cores) {
        me->cores = 1;
        snprintf(me->binding, sizeof me->binding, "unknown");
        return;
    }
    me->cores = cores_usable(cores);
    if (binding == BIND_BLOCK || (binding == BIND_AUTO && cores_unbound(cores) && me->cores > 1 &&
                                  world->local_size > me->cores)) {
        cores_bind_block(cores, me->local, world->local_size);
    }
    cores_binding(cores, me->binding, sizeof me->binding);
    cores_destroy(cores);
}

/* One exchange tells everybody everything; a leader precedes the other ranks of its host. */
static void exchange(struct world *world)
{
    struct peer *peers = world->peers;

    MPI_TRY(MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, peers, (int)sizeof *peers, MPI_BYTE,
                          MPI_COMM_WORLD));
    for (int i = 0; i < world->size; i++) {
        peers[i].host_index =
            peers[i].leader == i ? world->hosts++ : peers[peers[i].leader].host_index;
    }
}

/* Cores of ranks that are bound to different cores add up; ranks with the same binding share its
 * cores. Each host judges itself, since only the ranks of one host matter to it. */
static void judge_cores(struct world *world)
{
    const struct peer *peers = world->peers;
    int host = peers[world->rank].host_index;
    int shared = 0;
    int bindings = 0;
    int crowded;

    for (int i = peers[world->rank].leader; i < world->size; i++) {
        if (peers[i].host_index != host) {
            continue;
        }
        bool first = true;
        for (int j = peers[i].leader; j < i && first; j++) {
            first = peers[j].host_index != host || strcmp(peers[j].binding, peers[i].binding) != 0;
        }
        bindings += first;
        shared = peers[i].cores > shared ? peers[i].cores : shared;
    }
    world->usable_cores = shared > bindings ? shared : bindings;
    crowded = world->local_size > world->usable_cores;
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    world->oversubscribed = crowded;
}

static void share_berths(struct world *world)
{
    int local = world->peers[world->rank].local;
    MPI_Aint bytes = local == 0 ? (MPI_Aint)sizeof(struct berth) * world->local_size + 128 : 0;
    MPI_Aint size;
    int unit;
    void *base;

    MPI_TRY(
        MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, world->host_comm, &base, &world->window));
    MPI_TRY(MPI_Win_shared_query(world->window, 0, &size, &unit, &base));
    /* Every rank maps the window at a page boundary plus the same offset, so all round alike. */
    world->berths = (struct berth *)(((uintptr_t)base + 127) & ~(uintptr_t)127);
    if (local == 0) {
        memset(world->berths, 0, sizeof(struct berth) * (size_t)world->local_size);
    }
    MPI_TRY(MPI_Barrier(world->host_comm));
}

struct world *world_create(enum binding binding)
{
    struct world *world = calloc(1, sizeof *world);

    MPI_TRY(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    if (!world) {
        mpi_failed(MPI_ERR_NO_MEM, "allocating the job's description");
    }
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &world->rank));
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &world->size));
    world->peers = calloc((size_t)world->size, sizeof *world->peers);
    if (!world->peers) {
        mpi_failed(MPI_ERR_NO_MEM, "allocating the job's description");
    }
    find_hosts(world);
    bind_and_count(world, binding);
    exchange(world);
    judge_cores(world);
    share_berths(world);
    for (int c = 0; c < CHANNELS; c++) {
        MPI_TRY(MPI_Comm_dup(MPI_COMM_WORLD, &world->comm[c]));
    }
    return world;
}

void world_destroy(struct world *world)
{
    for (int c = 0; c < CHANNELS; c++) {
        MPI_TRY(MPI_Comm_free(&world->comm[c]));
    }
    MPI_TRY(MPI_Win_free(&world->window));
    MPI_TRY(MPI_Comm_free(&world->host_comm));
    free(world->peers);
    free(world);
}

struct bell *world_bell(const struct world *world, int rank, enum channel channel)
{
    const struct peer *peer = &world->peers[rank];

    if (peer->host_index != world->peers[world->rank].host_index) {
        return NULL;
    }
    return &world->berths[peer->local].bell[channel];
}

/* Killed and not yet collected by its parent: kill() still finds such a process. */
static bool is_zombie(int pid)
{
    char path[64];
    char state = '?';

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "re");
    if (f) {
        if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1) {
            state = '?';
        }
        fclose(f);
    }
    return state == 'Z' || state == 'X';
}

int world_find_dead(const struct world *world)
{
    int host = world->peers[world->rank].host_index;

    for (int i = 0; i < world->size; i++) {
        const struct peer *peer = &world->peers[i];
        if (peer->host_index == host && !atomic_load(&world->berths[peer->local].left) &&
            ((kill(peer->pid, 0) && errno == ESRCH) || is_zombie(peer->pid))) {
            return i;
        }
    }
    return -1;
}
