/* heartbeat.h - heartbeats between the hosts of a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_HEARTBEAT_H
#define TAN_TANBENCH_RANKS_HEARTBEAT_H

#include <stddef.h>

#include "bench/plan/peer.h"

struct world;

/* A broken network is silent, and MPI waits for minutes or forever. Therefore the first rank of
 * each host sends rank 0 a datagram every second, which rank 0 answers, independently of MPI. Only
 * silence after earlier heartbeats counts: if datagrams do not get through at all, nothing is
 * detected or reported. Silence is counted in seconds during which this process could run, so that
 * a stopped process does not consider the others dead. */
enum { HEARTBEAT_SECONDS = 1, SILENCE_SECONDS = 15 /* by default */ };

/* For the first rank of each host; `fd` is from datagrams_open, and kept. NULL if not needed or
 * memory is short. For a thread that calls heartbeat_beat every HEARTBEAT_SECONDS until the process
 * ends. */
struct heartbeat *heartbeat_create(const struct world *world, int fd);

/* News since the last call. */
struct heartbeat_news {
    int dead; /* a rank of another host reported dead, or whose port is closed; -1: none */
    int lost; /* number of a host that has fallen silent; this rank's own if several others all
                 have; -1: none */
};
struct heartbeat_news heartbeat_beat(struct heartbeat *h);

/* Describe the loss of host number `lost` from this rank's point of view: "host h3 does not answer
 * any more (for 15 s)". */
void heartbeat_describe(const struct world *world, int lost, char *text, size_t size);

/* Report the death of `rank` to rank 0. From any rank, once. */
void heartbeat_report_death(const struct world *world, int rank);

#endif
