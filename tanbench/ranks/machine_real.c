/* machine_real.c - ranks as processes on real hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "tanbench/host/cores.h"
#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/world.h"

/* Ranks that share cores: those of a host, or of several hosts under one kernel. */
struct pool {
    int ranks, cores;
    int threads;        /* hardware threads per core */
    const char **masks; /* masks of the ranks, without duplicates; `n` entries */
    int n;
};

/* Returns false if the pool has that mask already. */
static bool pool_add_mask(struct pool *pool, const char *mask)
{
    for (int i = pool->n - 1; i >= 0; i--) {
        if (strcmp(pool->masks[i], mask) == 0) {
            return false;
        }
    }
    if (TAN_ONE_MORE(pool->masks, pool->n) < 0) {
        mpi_failed(MPI_ERR_NO_MEM, "counting cores");
    }
    pool->masks[pool->n++] = mask;
    return true;
}

/* Count cores that several masks have in common only once. Frees the list of masks. */
static void pool_limit(struct pool *pool)
{
    bool whole = true; /* whether all masks fit into their fields */
    for (int i = 0; i < pool->n; i++) {
        whole &= strlen(pool->masks[i]) + 1 < sizeof((struct peer *)NULL)->mask;
    }
    const int units = whole ? cores_listed_together(pool->masks, pool->n) : 0;
    const int cores = (units + pool->threads - 1) / pool->threads;
    if (cores > 0 && cores < pool->cores) {
        pool->cores = cores;
    }
    free(pool->masks);
}

/* The first host under the same kernel as each host, which identifies that kernel. */
static void find_kernels(const struct world *world, int *kernel_of)
{
    const char **kernels = calloc((size_t)world->hosts, sizeof *kernels);
    if (kernels == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "counting cores");
    }
    for (int i = 0; i < world->size; i++) {
        kernels[world->peers[i].host_index] = world->peers[i].kernel;
    }
    for (int host = 0; host < world->hosts; host++) {
        int first = 0;
        while (first < host &&
               (*kernels[host] == '\0' || strcmp(kernels[first], kernels[host]) != 0)) {
            first++;
        }
        kernel_of[host] = first;
    }
    free(kernels);
}

/* Set world->oversubscribed, usable_cores and sharing from the masks and hosts in world->peers.
 * Ranks with the same mask share its cores, and cores of different masks add up. So do those of
 * hosts, except that containers and namespaces may have the same cores. */
static void world_count_cores(struct world *world)
{
    const struct peer *peers = world->peers;
    const size_t n = (size_t)world->hosts;
    struct pool *hosts = calloc(n, sizeof *hosts);
    struct pool *kernels = calloc(n, sizeof *kernels); /* indexed by their first host */
    int *kernel_of = calloc(n, sizeof *kernel_of);
    if (hosts == NULL || kernels == NULL || kernel_of == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "counting cores");
    }
    find_kernels(world, kernel_of);
    for (int i = 0; i < world->size; i++) {
        struct pool *host = &hosts[peers[i].host_index];
        struct pool *kernel = &kernels[kernel_of[peers[i].host_index]];
        host->threads = kernel->threads = peers[i].threads;
        host->ranks++;
        kernel->ranks++;
        host->cores += pool_add_mask(host, peers[i].mask) ? peers[i].cores : 0;
        pool_add_mask(kernel, peers[i].mask);
    }
    for (size_t h = 0; h < n; h++) {
        pool_limit(&hosts[h]);
        kernels[kernel_of[h]].cores += hosts[h].cores;
        world->oversubscribed |= hosts[h].ranks > hosts[h].cores;
    }
    const int here = peers[world->rank].host_index;
    world->usable_cores = hosts[here].cores;
    world->sharing = hosts[here].ranks;
    for (size_t h = 0; h < n; h++) {
        const int before = kernels[h].cores;
        if (kernel_of[h] != (int)h) {
            continue;
        }
        pool_limit(&kernels[h]);
        world->oversubscribed |= kernels[h].ranks > kernels[h].cores;
        if (kernel_of[here] == (int)h && kernels[h].cores < before) {
            world->usable_cores = kernels[h].cores;
            world->sharing = kernels[h].ranks;
        }
    }
    free(hosts);
    free(kernels);
    free(kernel_of);
}

const bool machine_simulated = false;

_Static_assert(sizeof((struct peer *)NULL)->kernel == KERNEL_MAX,
               "the field holds what host_kernel writes");

/* For tests, TANBENCH_SPLIT_HOST=K splits one host into K with different names. */
static void describe_domain(struct peer *me, int rank, int size)
{
    char domain[DOMAIN_MAX];
    const char *split = getenv("TANBENCH_SPLIT_HOST");
    int parts = split != NULL ? atoi(split) : 1;
    int part = parts > 1 ? (int)((long)rank * parts / size) : 0;
    host_kernel(me->kernel);
    host_domain(domain);
    snprintf(me->domain, sizeof me->domain, "%s %d", domain, part);
    if (parts > 1) {
        size_t length = strnlen(me->host, sizeof me->host - 12);
        snprintf(me->host + length, sizeof me->host - length, ".%d", part);
    }
}

static void describe_self(struct peer *me, const struct cores *cores, int rank, int size)
{
    memset(me, 0, sizeof *me);
    me->pid = (int32_t)getpid();
    me->cores = cores != NULL ? cores_usable(cores) : 1;
    me->threads = cores != NULL ? cores_threads(cores) : 1;
    gethostname(me->host, sizeof me->host - 1);
    me->host[strcspn(me->host, ".")] = '\0';
    if (cores != NULL) {
        cores_binding(cores, me->mask, sizeof me->mask);
        me->unbound = cores_unbound(cores);
    }
    describe_domain(me, rank, size);
}

void machine_meet(struct world *world)
{
    const size_t size = (size_t)world->size;
    world->binding.cores = cores_create();
    world->peers = calloc(size, sizeof *world->peers);
    world->host_of = calloc(size, sizeof *world->host_of);
    world->members = calloc(size + 1, sizeof *world->members);
    if (world->peers == NULL || world->host_of == NULL || world->members == NULL) {
        mpi_failed(MPI_ERR_NO_MEM, "allocating the job's description");
    }
    describe_self(&world->peers[world->rank], world->binding.cores, world->rank, world->size);
    MPI_TRY(MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, world->peers, (int)sizeof *world->peers,
                          MPI_BYTE, MPI_COMM_WORLD));
    world_number_hosts(world);
}

void *machine_broadcast(void *table, size_t bytes)
{
    MPI_TRY(MPI_Bcast(table, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD));
    return table;
}

void machine_release(void *table)
{
    free(table);
}

void machine_signal(int rank)
{
    (void)rank;
}

bool machine_await(int rank, double seconds)
{
    (void)rank;
    (void)seconds;
    return true;
}

/* This rank's place among those of its host, in depth-first order of `tree`. */
static int place_on_host(const struct world *world, const struct tan_tree *tree)
{
    const struct peer *me = &world->peers[world->rank];
    const int32_t size = tan_tree_size(tree);
    int32_t *places = malloc((size_t)size * sizeof *places);
    int before = 0;
    if (places == NULL) {
        return me->local;
    }
    tan_tree_depth_first(tree, places);
    for (int32_t i = 0; i < size; i++) {
        before += world->peers[i].host_index == me->host_index && places[i] < places[world->rank];
    }
    free(places);
    return before;
}

void world_spread(struct world *world, const struct tan_tree *tree, int ranks)
{
    const int share = tree != NULL ? place_on_host(world, tree) : world->peers[world->rank].local;
    int shares = world_shares(world, ranks);
    if (world->binding.cores != NULL &&
        (share != world->binding.share || shares != world->binding.shares)) {
        cores_bind_block(world->binding.cores, share, shares);
        world->binding.share = share;
        world->binding.shares = shares;
    }
}

/* The handle for binding is kept if a rank may have to be bound again later. */
static void bind_self(struct world *world)
{
    const struct peer *me = &world->peers[world->rank];
    char *text = world->slots[me->local].binding;
    struct cores *cores = world->binding.cores;
    world->binding.cores = NULL;
    if (cores == NULL) {
        strcpy(text, "unknown");
        return;
    }
    if (world->binding.always || (me->unbound && me->cores > 1 && world->local_size > me->cores)) {
        world->binding.cores = cores;
        world_spread(world, NULL, world->size);
    }
    cores_binding(cores, text, sizeof world->slots->binding);
    if (world->binding.cores == NULL) {
        cores_destroy(cores);
    }
}

/* The leader creates the memory, and the others open it as soon as it exists; the last one unlinks
 * its name, so that nothing is left behind in any case. Not a collective: ranks polling in one
 * would take the cores from the leader. */
struct shared {
    _Atomic int32_t opened;
    _Alignas(128) struct rank_slot slots[];
};

enum { HOST_TIMEOUT_MS = 60000 };

static int share_slots(struct world *world, struct tan_error *e)
{
    const struct peer *me = &world->peers[world->rank];
    const struct peer *leader = &world->peers[me->leader];
    size_t size = sizeof(struct shared) + (size_t)world->local_size * sizeof(struct rank_slot);
    bool leads = me->local == 0;
    const struct tan_text name = tan_printed("/tanbench-%d-%d", leader->pid, me->leader);
    const struct tan_text making = tan_printed("%s.new", name.text);
    int fd = -1;
    if (leads) {
        fd = shm_open(making.text, O_RDWR | O_CREAT | O_TRUNC, 0600);
        /* allocate now, so that a full /dev/shm is an error and not a signal later */
        int full = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)size);
        if (full) {
            errno = full;
            shm_unlink(making.text);
            return tan_fail_errno(e, "cannot share %zu bytes in /dev/shm on %s", size, me->host);
        }
        const struct tan_text from = tan_printed("/dev/shm%s", making.text);
        if (rename(from.text, tan_printed("/dev/shm%s", name.text).text) < 0) {
            return tan_fail_errno(e, "cannot rename %s on %s", from.text, me->host);
        }
    }
    for (int ms = 0; fd < 0 && ms < HOST_TIMEOUT_MS; ms++) {
        fd = shm_open(name.text, O_RDWR, 0600);
        if (fd < 0) {
            tan_clock_sleep(1e-3);
        }
    }
    struct shared *shared =
        fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (shared == MAP_FAILED) {
        return tan_fail_errno(e, "rank %d cannot open %s on %s", world->rank, name.text, me->host);
    }
    close(fd);
    if (atomic_fetch_add(&shared->opened, 1) + 1 == world->local_size) {
        shm_unlink(name.text);
    }
    world->slots = shared->slots;
    return 0;
}

int machine_settle(struct world *world, bool always_bound, struct tan_error *e)
{
    const struct peer *me = &world->peers[world->rank];
    world->one_clock = world->hosts == 1;
    world_count_cores(world);
    if (share_slots(world, e) < 0) {
        return -1;
    }
    world->binding.always = always_bound;
    bind_self(world);
    if (world->hosts > 1) {
        world->sockets = sockets_create();
        if (world->sockets == NULL) {
            mpi_failed(MPI_ERR_NO_MEM, "preparing to wait for other hosts");
        }
        doorbell_prepare(&world->asleep);
    }
    if (world->oversubscribed && world->hosts == 1) {
        /* A woken rank waits for its turn. Otherwise it would preempt the process that woke it,
         * which may have others to wake, and would return to cold caches. Messages from other hosts
         * are announced by the kernel, and there preemption is better. */
        sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){.sched_priority = 0});
    }
    world->awake = world->oversubscribed && me->local == 0 ? cores_disable_idle() : -1;
    atomic_store(&world->slots[me->local].bound, true);
    return 0;
}

void machine_leave(struct world *world)
{
    if (world->awake >= 0) {
        close(world->awake);
    }
    sockets_destroy(world->sockets);
    cores_destroy(world->binding.cores);
    free(world->peers);
    free(world->host_of);
    free(world->members);
}

void world_await_bindings(const struct world *world)
{
    for (int i = 0; i < world->local_size; i++) {
        for (int ms = 0; !atomic_load(&world->slots[i].bound) && ms < HOST_TIMEOUT_MS; ms++) {
            tan_clock_sleep(1e-3);
        }
    }
}

json_t *machine_simulation(void)
{
    return NULL;
}

bool machine_list_hosts(void)
{
    return false;
}
