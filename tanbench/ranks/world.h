/* world.h - the ranks of this job: who they are, where they run, what they share
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

/* Independent streams of messages, each with its own tags and bells: commands, requests and their
 * answers, packets pushed up, and what the root and one rank have to say to each other. */
enum channel { CHANNEL_COMMAND, CHANNEL_WAVE, CHANNEL_STREAM, CHANNEL_SIDE, CHANNELS };

/* Tags keep the channels and directions of one communicator apart: making communicators takes
 * collectives, and those take long when ranks outnumber cores. */
static inline int channel_tag(enum channel channel, bool up)
{
    return 1 + 2 * (int)channel + up;
}

/* Lies in memory that the host's ranks share, one per rank. */
struct rank_slot {
    struct doorbell bell[CHANNELS];
    char binding[64];   /* its processing units after our own binding */
    _Atomic bool bound; /* `binding` is there */
    _Atomic int32_t
        left; /* how this rank ended in an orderly way: a signal's number or LEFT_DONE */
    _Atomic int32_t dead; /* of a host's leader: 1 + the first rank of the host that was found dead;
                           * 0: none */
};

enum { LEFT_DONE = -1 };

/* How ranks are tied to cores. */
enum binding {
    BIND_AUTO, /* as block when this rank may use several cores and ranks share them, else leave
                  them */
    BIND_NONE,
    BIND_BLOCK, /* neighbouring ranks on the same core: rank i of n on core i * cores / n, where n
                   are those with a part in what is measured */
};

struct world {
    MPI_Comm comm;   /* of all ranks; rank i of it is node i of every tree */
    const char *map; /* how they came to this order, borrowed; NULL: it is the launcher's */
    int rank, size;
    int hosts;
    int local_size;          /* ranks on this host */
    int usable_cores;        /* of this host, for all of its ranks together */
    bool oversubscribed;     /* on some host ranks outnumber cores */
    struct peer *peers;      /* `size` entries */
    struct rank_slot *slots; /* `local_size` entries, shared with the host's other ranks */
    enum binding binding;
    struct cores *cores; /* where this rank may be bound; NULL: it is not */
    int awake;           /* a host's first rank: holds its cores awake; -1: does not */
    int share, shares;   /* it is bound as rank `share` of `shares` on this host */
};

/* Collective over MPI_COMM_WORLD: one exchange, since collectives of polling ranks are what takes
 * long when ranks outnumber cores; two more with a `map` (map.h). MPI errors end the job; NULL when
 * memory cannot be had or shared, or when the map does not fit these ranks: then `e` is TAN_USAGE
 * on rank 0 and unset on all others. */
struct world *world_create(enum binding binding, enum awake awake, const char *map,
                           struct tan_error *e);
void world_destroy(struct world *world);

/* The processing units that `rank` runs on, "0-1"; of a rank of another host, those that the
 * launcher left it. */
const char *world_binding(const struct world *world, int rank);

/* This rank is one of the first `ranks`, which are about to do something together: where ranks are
 * bound at all, bind them so that these share the cores evenly, neighbours on the same one. */
void world_spread(struct world *world, int ranks);
/* Into how many shares that divides the cores of `rank`'s host: rank i of it gets core i * cores /
 * shares. */
int world_shares(const struct world *world, int rank, int ranks);
/* How many of the cores of this one's host the first `ranks` are bound to then. */
int world_cores_used(const struct world *world, int ranks);
/* Ranks of this one's host are so bound. */
bool world_spreads(const struct world *world, int rank);

/* Wait, asleep, until every rank of this host has bound itself. */
void world_await_bindings(const struct world *world);

/* The bell of `rank` on `channel`, or NULL when it is on another host. */
struct doorbell *world_doorbell(const struct world *world, int rank, enum channel channel);

#endif
