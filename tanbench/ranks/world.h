/* world.h - the ranks of this job, their hosts, cores and shared memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_WORLD_H
#define TAN_TANBENCH_RANKS_WORLD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tanbench/host/cores.h"
#include "tanbench/plan/rank_map.h"
#include "tanbench/ranks/doorbell.h"
#include "tanbench/ranks/sockets.h"
#include "topo/tree.h"

/* Independent streams of messages with separate tags and bells: commands, requests and their
 * answers, packets pushed up, and messages between the root and one rank. */
enum channel { CHANNEL_COMMAND, CHANNEL_WAVE, CHANNEL_STREAM, CHANNEL_SIDE, CHANNELS };

/* Tags separate channels and directions in a single communicator, because creating communicators
 * takes collectives, which are slow when ranks outnumber cores. */
static inline int tag_down(enum channel channel)
{
    return 1 + 2 * (int)channel;
}

static inline int tag_up(enum channel channel)
{
    return 2 + 2 * (int)channel;
}

/* Part of the memory shared by a host's ranks, one per rank. */
struct rank_slot {
    struct doorbell bell[CHANNELS];
    char binding[64];       /* its CPU list after tanbench's own binding */
    _Atomic bool bound;     /* `binding` is valid */
    _Atomic bool signalled; /* it has received a stop signal */
};

struct world {
    MPI_Comm comm;   /* of all ranks; rank i is node i of every tree */
    const char *map; /* that defines this order, borrowed; NULL: the launcher's order */
    int rank, size;
    int hosts;
    int local_size;          /* number of ranks on this host */
    int usable_cores;        /* of this host and of others on the same cores */
    int sharing;             /* number of ranks on these cores: local_size or more */
    bool oversubscribed;     /* ranks outnumber cores on some host */
    bool network_real;       /* --network real: the times are treated as a network's anyway */
    struct peer *peers;      /* `size` entries */
    int32_t *host_of;        /* host_index of each rank, as in struct tan_sites */
    int32_t *members;        /* number of ranks on each host; entry `size` is the number of hosts */
    bool one_clock;          /* all ranks read the same clock */
    struct rank_slot *slots; /* `local_size` entries, shared by this host's ranks */
    struct sockets *sockets; /* of this process; NULL if there is only one host */
    sigset_t asleep;         /* signal mask while this rank sleeps on them */
    /* Binding by tanbench: of all ranks, or only where ranks outnumber cores. */
    struct {
        bool always;
        struct cores *cores; /* to which this rank may be bound; NULL: never bound */
        int share, shares;   /* it is bound as rank `share` of `shares` on this host */
    } binding;
    int awake; /* first rank of a host: from cores_disable_idle; else -1 */
};

/* Collective over MPI_COMM_WORLD: a single exchange, since collectives of polling ranks are slow
 * when ranks outnumber cores; two more with a `map` (rank_map.h). MPI errors and lack of memory end
 * the job. NULL with an error on ranks that cannot share memory with their host's other ranks; and
 * on all ranks if the map does not fit them: then `e` is TAN_USAGE on rank 0 and unset on all
 * others. */
struct world *world_create(bool always_bound, const char *map, struct tan_error *e);
void world_destroy(struct world *world);
/* Number the hosts in `peers` in the order of their first ranks, and the ranks on each. */
void world_number_hosts(struct world *world);
/* Collective: renumber the ranks by `map` (borrowed), whose file only rank 0 reads. At most once,
 * and before anything depends on the ranks' numbers. -1 as in world_create. */
int world_renumber(struct world *world, const char *map, struct tan_error *e);

/* Collective: a world of the ranks of rank 0's host, in order, for trees within a host. Borrows
 * from `world`. NULL on other hosts. MPI errors and lack of memory end the job. */
struct world *world_near_create(const struct world *world);
void world_near_destroy(struct world *near);

/* CPU list that `rank` runs on, "0-1"; for other hosts as assigned by the launcher. */
const char *world_binding(const struct world *world, int rank);

/* This rank is one of the first `ranks`, which are about to work together: if ranks are bound at
 * all, bind them so that these share the cores evenly, with consecutive ranks on the same one: in
 * depth-first order of `tree`, which has `ranks` nodes, or by number if it is NULL. So most links
 * are within a core, and the parts of a tree on different cores work at the same time. */
void world_spread(struct world *world, const struct tan_tree *tree, int ranks);
/* Number of shares of the cores of this rank's host: the i-th local rank in that order is bound to
 * core i * cores / shares. */
int world_shares(const struct world *world, int ranks);
/* Number of cores of this rank's host that the first `ranks` are then bound to. */
int world_cores_used(const struct world *world, int ranks);

/* Sleep until every rank of this host is bound, or for at most a minute per rank. */
void world_await_bindings(const struct world *world);

/* The bell of `rank` on `channel`; NULL if it is on another host. */
struct doorbell *world_doorbell(const struct world *world, int rank, enum channel channel);

/* Whether ranks `a` and `b` are on one host and run on the same cores. */
bool placement_share_cores(const struct world *world, int a, int b);
/* Rank 0's partner for single messages: on another host if there is one, otherwise on another core.
 * For at least two ranks. */
int placement_partner(const struct world *world);

#endif
