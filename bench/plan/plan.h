/* plan.h - what a run measures, the same on every rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_PLAN_H
#define BENCH_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "bench/plan/settings.h"
#include "topo/tree.h"

/* Kinds of cells. */
enum cell_kind {
    CELL_TREE,       /* waves on a tree of topo/ */
    CELL_COLLECTIVE, /* "mpi:N": MPI_Bcast, then MPI_Reduce on ranks 0..N-1 */
    CELL_PINGPONG,   /* "pingpong": bare MPI_Send and MPI_Recv between two ranks, polling */
    CELL_KINDS
};

enum { CELL_SPEC_MAX = 512 };

/* One cell: one topology with the plan's settings. Plain data. */
struct cell {
    char spec[CELL_SPEC_MAX];
    enum cell_kind kind;
    bool near; /* all of its ranks are on rank 0's host: the spec ends with TAN_SPEC_NEAR */
    int32_t processes, leaves, height, max_fanout; /* a collective has no tree: height 0 */
    int32_t order; /* place in the command line or experiment, before shuffling */
    int64_t bytes; /* payload of each leaf */
    int64_t waves; /* number of waves to keep, in all passes; 0: as the settings say */
};

struct plan {
    struct settings settings;
    int n_cells;
    struct cell *cells;
    struct tan_tree **trees; /* one per cell, NULL where the cell has none */
};

/* Add the cell that `spec` names (a shape, "mpi:N" or "pingpong"); with TAN_SPEC_NEAR behind it, a
 * tree or a ping-pong of ranks of rank 0's host. */
int tan_plan_add(struct plan *plan, const char *spec, struct tan_error *e);
/* Add the topologies of an experiment file (tan-experiment/1) and take over its settings. */
int tan_plan_add_experiment(struct plan *plan, const char *path, struct tan_error *e);
/* Once all topologies are added: make a separate cell for each of the settings' sizes. */
int tan_plan_add_sizes(struct plan *plan, struct tan_error *e);
/* Shuffle the cells with the settings' seed, each launch (from 0) in its own way. */
int tan_plan_shuffle(struct plan *plan, int launch, struct tan_error *e);
/* The present place of the cell that was added at place `order`. */
int tan_plan_find(const struct plan *plan, int order);
/* Number of waves that a pass keeps of a cell whose number is given; 0: as the settings say. */
int64_t tan_plan_fixed_waves(const struct settings *s, const struct cell *cell);
/* Ranks that the largest cell needs. */
int tan_plan_ranks(const struct plan *plan);
/* Payloads fit their elements, limits make sense. */
int tan_plan_check(const struct plan *plan, struct tan_error *e);
/* Bytes of messages that a rank holds, on the average of the largest cell: each edge of a tree has
 * a packet at both of its ends. */
double tan_plan_rank_bytes(const struct plan *plan);
void tan_plan_clear(struct plan *plan);

/* Help on the topologies of --topo besides the shapes. */
void tan_plan_help(FILE *to);

#endif
