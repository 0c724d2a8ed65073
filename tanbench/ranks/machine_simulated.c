/* machine_simulated.c - ranks as threads of one process, on a platform simulated by SimGrid
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"
#include "tanbench/ranks/machine.h"

#include <math.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/json.h"
#include "tanbench/launch/launch.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/world.h"

const bool machine_simulated = true;

/* No locks are needed: threads take turns, and switch only in MPI calls and sleeps. */
static struct {
    struct peer *peers;
    int32_t *host_of, *members;
    int32_t *first_slot; /* by host */
    struct rank_slot *slots;
    sg_sem_t *messages; /* of each rank, NULL before its first */
    void *table;        /* the table being broadcast */
    int arrived;        /* calls of await_all so far, by all ranks */
    int left;           /* ranks that no longer use this */
} shared;

/* From SMPI's own headers, which rename functions of the C library. */
int smpi_clock_gettime(clockid_t id, struct timespec *t);
int smpi_nanosleep(const struct timespec *t, struct timespec *left);

/* Before MPI_Init SimGrid returns the time of the real host. */
double tan_clock_seconds(void)
{
    struct timespec t;
    smpi_clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A computing rank does nothing else. */
double tan_clock_cpu_seconds(void)
{
    return tan_clock_seconds();
}

void tan_clock_sleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds};
    if (seconds > 0) {
        t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9 + 0.5);
        smpi_nanosleep(&t, NULL);
    }
}

void tan_clock_sleep_until(double instant)
{
    tan_clock_sleep(instant - tan_clock_seconds());
}

/* Simulated messages need no help from the processor. */
void tan_clock_compute_until(double instant)
{
    tan_clock_sleep_until(instant);
}

static void allocate_shared(const struct world *world)
{
    const size_t size = (size_t)world->size;
    shared.peers = calloc(size, sizeof *shared.peers);
    shared.host_of = calloc(size, sizeof *shared.host_of);
    shared.members = calloc(size + 1, sizeof *shared.members);
    shared.first_slot = calloc(size, sizeof *shared.first_slot);
    shared.slots = aligned_alloc(_Alignof(struct rank_slot), size * sizeof *shared.slots);
    shared.messages = calloc(size, sizeof *shared.messages);
    if (shared.peers == NULL || shared.host_of == NULL || shared.members == NULL ||
        shared.first_slot == NULL || shared.slots == NULL || shared.messages == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "allocating the job's description");
    }
    memset(shared.slots, 0, size * sizeof *shared.slots);
}

static void describe_self(struct peer *me, int rank)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    MPI_TRY(MPI_Get_processor_name(name, &length));
    me->pid = rank;
    me->cores = me->threads = 1;
    snprintf(me->host, sizeof me->host, "%.63s", name);
    snprintf(me->domain, sizeof me->domain, "%.95s", name);
    strcpy(me->kernel, "simulated");
}

/* Wait until all ranks have called this: cheaper than SMPI's barrier, whose root matches all
 * messages against each other. */
static void await_all(int size)
{
    const double longest = 1e-3;
    const int wanted = (shared.arrived / size + 1) * size;
    shared.arrived++;
    for (double pause = 1e-6; shared.arrived < wanted; pause = fmin(2 * pause, longest)) {
        tan_clock_sleep(pause);
    }
}

void machine_meet(struct world *world)
{
    if (shared.peers == NULL) {
        allocate_shared(world);
    }
    world->peers = shared.peers;
    world->host_of = shared.host_of;
    world->members = shared.members;
    describe_self(&shared.peers[world->rank], world->rank);
    await_all(world->size);
    if (shared.members[world->size] == 0) {
        world_number_hosts(world);
    }
}

void *machine_broadcast(void *table, size_t bytes)
{
    int rank;
    int size;
    (void)bytes;
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (rank == 0) {
        shared.table = table;
    }
    await_all(size);
    table = shared.table;
    await_all(size); /* keeps the next broadcast from starting */
    return table;
}

static sg_sem_t messages_of(int rank)
{
    if (shared.messages[rank] == NULL) {
        shared.messages[rank] = sg_sem_init(0);
    }
    return shared.messages[rank];
}

void machine_signal(int rank)
{
    sg_sem_release(messages_of(rank));
}

/* SimGrid 3.32 does not return from a timeout of 0. */
bool machine_await(int rank, double seconds)
{
    const sg_sem_t messages = messages_of(rank);
    if (seconds <= 0 && sg_sem_would_block(messages) != 0) {
        return false;
    }
    if (seconds > 0 && isfinite(seconds)) {
        return sg_sem_acquire_timeout(messages, seconds) == 0;
    }
    sg_sem_acquire(messages);
    return true;
}

/* Other ranks may not have read it yet. */
void machine_release(void *table)
{
    (void)table;
}

/* Every rank computes as if it were alone: SMPI's overheads take no core. */
int machine_settle(struct world *world, bool always_bound, struct tan_error *e)
{
    const int host = world->peers[world->rank].host_index;
    (void)e;
    if (shared.first_slot[world->hosts - 1] == 0) {
        for (int i = 1; i < world->hosts; i++) {
            shared.first_slot[i] = shared.first_slot[i - 1] + world->members[i - 1];
        }
    }
    world->slots = shared.slots + shared.first_slot[host];
    world->usable_cores = world->sharing = world->local_size;
    world->binding.always = always_bound;
    world->one_clock = true;
    strcpy(world->slots[world->peers[world->rank].local].binding, "simulated");
    return 0;
}

/* The last rank frees what all of them use. */
void machine_leave(struct world *world)
{
    if (++shared.left == world->size) {
        for (int i = 0; i < world->size; i++) {
            if (shared.messages[i] != NULL) {
                sg_sem_destroy(shared.messages[i]);
            }
        }
        free(shared.messages);
        free(shared.peers);
        free(shared.host_of);
        free(shared.members);
        free(shared.first_slot);
        free(shared.slots);
    }
}

void world_spread(struct world *world, const struct tan_tree *tree, int ranks)
{
    (void)world;
    (void)tree;
    (void)ranks;
}

void world_await_bindings(const struct world *world)
{
    (void)world;
}

bool machine_list_hosts(void)
{
    const char *path = simulation_asked_hosts();
    FILE *f = path != NULL ? fopen(path, "we") : NULL;
    if (path == NULL) {
        return false;
    }
    MPI_Init(NULL, NULL);
    sg_host_t *hosts = sg_host_list();
    const size_t n = sg_host_count();
    for (size_t i = 0; f != NULL && i < n; i++) {
        fprintf(f, "%s\n", sg_host_get_name(hosts[i]));
    }
    if (f != NULL) {
        fclose(f);
    }
    free(hosts);
    MPI_Finalize();
    return true;
}

json_t *machine_simulation(void)
{
    struct tan_json_writer w = {.failed = false};
    json_t *o = tan_json_new_object(&w);
    int major;
    int minor;
    int patch;
    sg_version_get(&major, &minor, &patch);
    tan_json_set_string(&w, o, "simulator",
                        patch ? tan_printed("SimGrid %d.%d.%d", major, minor, patch).text
                              : tan_printed("SimGrid %d.%d", major, minor).text);
    simulation_describe(&w, o);
    return tan_json_finish(&w, o);
}

/* In a single process all ranks end together. */

void watch_parents(void)
{
}

void mpi_end_together(const struct world *world)
{
    await_all(world->size);
}

void mpi_end(int status)
{
    (void)status;
    fflush(NULL);
    MPI_Finalize();
}
