/* peer.h - properties of a rank, known to all ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_PLAN_PEER_H
#define TAN_BENCH_PLAN_PEER_H

#include <stdbool.h>
#include <stdint.h>

struct peer {
    char host[64];      /* short host name */
    char domain[96];    /* identical for ranks that can share memory */
    char kernel[40];    /* identical for ranks under one kernel, with one clock; "": unknown */
    int32_t leader;     /* the lowest rank on its host */
    int32_t host_index; /* hosts are numbered in the order of their leaders */
    int32_t local;      /* index among the ranks of its host */
    int32_t cores;      /* available cores, by affinity mask and cgroup quota */
    int32_t threads;    /* hardware threads per core */
    int32_t pid;
    char mask[64]; /* CPU list that the launcher bound it to, "0-1" */
    bool unbound;  /* the list covers the whole host */
};

/* How many of the first `ranks` ranks are on the host with index `host`. */
int32_t tan_peers_on(const struct peer *peers, int32_t ranks, int32_t host);

#endif
