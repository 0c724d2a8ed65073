/* world.h - the ranks of this job, their hosts, cores and shared memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_WORLD_H
#define TANBENCH_RANKS_WORLD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "bench/plan/peer.h"
#include "tanbench/host/cores.h"
#include "tanbench/ranks/doorbell.h"
#include "tanbench/ranks/sockets.h"

/* Independent streams of messages, each with its own tags and bells: commands, requests and their
 * answers, packets pushed up, and messages between the root and one rank. */
enum channel { CHANNEL_COMMAND, CHANNEL_WAVE, CHANNEL_STREAM, CHANNEL_SIDE, CHANNELS };

/* Tags separate the channels and directions of one communicator: creating communicators takes
 * collectives, which are slow when ranks outnumber cores. */
static inline int tag_down(enum channel channel)
{
    return 1 + 2 * (int)channel;
}

static inline int tag_up(enum channel channel)
{
    return 2 + 2 * (int)channel;
}

/* Lies in memory that the host's ranks share, one per rank. */
struct rank_slot {
    struct doorbell bell[CHANNELS];
    char binding[64];   /* its processing units after tanbench's own binding */
    _Atomic bool bound; /* `binding` is valid */
    _Atomic int32_t
        left; /* how this rank ended in an orderly way: a signal's number or LEFT_DONE */
    _Atomic int32_t dead; /* of a host's leader: 1 + the first rank of the host that was found dead;
                           * 0: none */
    _Atomic int32_t lost; /* of rank 0: 1 + the number of a host that has fallen silent; 0: none */
};

/* LEFT_LOST: rank 0's host has fallen silent, so all ranks of this host end. */
enum { LEFT_DONE = -1, LEFT_LOST = -2 };

struct world {
    MPI_Comm comm;   /* of all ranks; rank i of it is node i of every tree */
    const char *map; /* of this order, borrowed; NULL: the launcher's order */
    int rank, size;
    int hosts;
    int local_size;          /* ranks on this host */
    int usable_cores;        /* of this host, and of others that run on the same cores */
    int sharing;             /* ranks on these cores: local_size, or more */
    bool oversubscribed;     /* somewhere ranks outnumber cores */
    bool network_real;       /* --network real: their times are a network's all the same */
    double silence;          /* seconds, of a host that was heard, until it is lost; 0: for ever */
    struct peer *peers;      /* `size` entries */
    int32_t *host_of;        /* the host_index of each, as struct tan_sites has it */
    int32_t *members;        /* number of ranks of each host; the entry `size` is that of hosts */
    bool one_clock;          /* all ranks read the same clock */
    struct rank_slot *slots; /* `local_size` entries, shared with the host's other ranks */
    struct sockets *sockets; /* of this process; NULL on a single host */
    sigset_t asleep;         /* signals while it sleeps on them */
    enum binding binding;
    struct cores *cores;       /* where this rank may be bound; NULL: never bound */
    int awake;                 /* a host's first rank: descriptor of cores_disable_idle; else -1 */
    int datagrams;             /* socket for signs of life, or -1 */
    int share, shares;         /* it is bound as rank `share` of `shares` on this host */
    const struct world *whole; /* of which this is rank 0's host; NULL: none, these are all ranks */
};

/* Collective over MPI_COMM_WORLD: one exchange, since collectives of polling ranks are slow when
 * ranks outnumber cores; two more with a `map` (rank_map.h). MPI errors end the job; NULL when
 * memory cannot be had or shared, or when the map does not fit these ranks: then `e` is TAN_USAGE
 * on rank 0 and unset on all others. */
struct world *world_create(enum binding binding, enum awake awake, const char *map,
                           struct tan_error *e);
void world_destroy(struct world *world);
/* Number the hosts in `peers` in the order of their first ranks, and the ranks of each. */
void world_number_hosts(struct world *world);
/* Collective: number the ranks anew, by `map`, of which only rank 0 needs to read a file. Before
 * anything depends on their numbers. */
int world_renumber(struct world *world, const char *map, struct tan_error *e);

/* Collective: rank 0's host alone, with its ranks numbered in their order, for trees within a host.
 * It borrows from `world`. NULL on ranks of other hosts. MPI errors end the job. */
struct world *world_near_create(const struct world *world);
void world_near_destroy(struct world *near);

/* The processing units that `rank` runs on, "0-1"; of a rank of another host, those assigned by the
 * launcher. */
const char *world_binding(const struct world *world, int rank);

/* This rank is one of the first `ranks`, which are about to work together: where ranks are bound at
 * all, bind them so that these share the cores evenly, consecutive ranks on the same one. */
void world_spread(struct world *world, int ranks);
/* Number of shares of the cores of `rank`'s host: local rank i gets core i * cores / shares. */
int world_shares(const struct world *world, int rank, int ranks);
/* Number of cores of this rank's host that the first `ranks` are then bound to. */
int world_cores_used(const struct world *world, int ranks);
/* Ranks of `rank`'s host are bound in that way. */
bool world_spreads(const struct world *world, int rank);

/* Sleep until every rank of this host is bound. */
void world_await_bindings(const struct world *world);

/* The bell of `rank` on `channel`, or NULL when it is on another host. */
struct doorbell *world_doorbell(const struct world *world, int rank, enum channel channel);

#endif
