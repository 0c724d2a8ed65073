/* heartbeat.h - signs of life between the hosts of a job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_HEARTBEAT_H
#define TANBENCH_RANKS_HEARTBEAT_H

#include <stddef.h>

#include "bench/plan/peer.h"

struct world;

/* A network that is gone is silent: MPI waits for minutes, or for ever. So the first rank of each
 * host sends rank 0 a datagram every second, which rank 0 answers, whatever MPI does. Only silence
 * of a host that was heard before counts: where datagrams do not pass, nothing is noticed and
 * nothing is said. Silence is counted in seconds during which this process could run, so that one
 * that was stopped does not take the others for dead. */
enum { HEARTBEAT_SECONDS = 1, SILENCE_SECONDS = 15 /* unless --heartbeat-timeout says else */ };

/* The first rank of each host; `fd` is from datagrams_open, and kept. NULL: not needed, or no
 * memory. For a thread that calls heartbeat_beat every HEARTBEAT_SECONDS until the process ends. */
struct heartbeat *heartbeat_create(const struct world *world, int fd);

/* What came in since the last call. */
struct heartbeat_news {
    int dead; /* a rank of another host that was found dead, or whose port is closed; -1: none */
    int lost; /* a host that has fallen silent, by number; this rank's own: it hears none of several
               * others; -1: none */
};
struct heartbeat_news heartbeat_beat(struct heartbeat *h);

/* What it means that host number `lost` is lost, seen from this rank: "host h3 does not answer any
 * more (for 15 s)". */
void heartbeat_describe(const struct world *world, int lost, char *text, size_t size);

/* Tell rank 0 that `rank` is dead. From any rank, once. */
void heartbeat_report_death(const struct world *world, int rank);

#endif
