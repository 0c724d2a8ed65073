/* plan.h - what a run measures, the same on every rank
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_PLAN_H
#define TAN_TANBENCH_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "tanbench/plan/settings.h"
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
    bool near; /* all ranks are on rank 0's host: the spec ends with TAN_SPEC_NEAR */
    int32_t processes, leaves, height, max_fanout; /* a collective has no tree: height 0 */
    int32_t order; /* position in the command line, before shuffling */
    int64_t bytes; /* payload of each leaf */
    int64_t waves; /* number of waves to keep, over all passes; 0: by the settings */
};

/* Zero except for the settings: no cells. */
struct plan {
    struct settings settings;
    int n_cells;
    struct cell *cells;      /* owned */
    struct tan_tree **trees; /* one per cell, NULL for cells without a tree; owned */
};

/* Functions that take an error return 0, or -1 with it. */

/* Add the cell given by `spec` (a shape, "mpi:N" or "pingpong"); with the suffix TAN_SPEC_NEAR, a
 * tree or ping-pong within rank 0's host. */
int tan_plan_add(struct plan *plan, const char *spec, struct tan_error *e);
/* After adding all topologies: make a separate cell for each of the settings' sizes. */
int tan_plan_add_sizes(struct plan *plan, struct tan_error *e);
/* Number the nodes of every tree depth first, in place of the order of its spec. */
int tan_plan_by_depth(struct plan *plan, struct tan_error *e);
/* Shuffle the cells with the settings' seed, differently in each launch (from 0). */
int tan_plan_shuffle(struct plan *plan, int launch, struct tan_error *e);
/* Number of waves that a pass keeps for a cell with a fixed number; 0: by the settings. */
int64_t tan_plan_fixed_waves(const struct settings *s, const struct cell *cell);
/* The first cell, of at least one, that needs the most ranks. */
const struct cell *tan_plan_largest(const struct plan *plan);
/* Check what the settings require of each other and of the cells, after everything was added. */
int tan_plan_check(const struct plan *plan, struct tan_error *e);
/* Mean bytes of message buffers per rank in the cell with the largest payload: a tree has about one
 * edge per rank, and each edge a packet at either end. */
double tan_plan_rank_bytes(const struct plan *plan);
void tan_plan_clear(struct plan *plan);

/* Help on topologies that are not shapes. */
void tan_plan_help(FILE *to);

/* --- estimated time --- */

/* Visits to cells in one launch: one per cell and pass. */
int tan_plan_all_visits(const struct plan *plan);
/* Approximate upper bound for the seconds of a visit, averaged over all cells. Assumes that the
 * minimum number of waves fits into the time limit, or that the filters' work dominates. */
double tan_plan_visit_seconds(const struct plan *plan);
/* "up to 40 s if no wave takes more than 0.2 s", for that many visits by real ranks. How
 * long a simulation takes is unknown. */
struct tan_text tan_plan_describe_duration(const struct plan *plan, double visits);
/* Estimated seconds for `left` visits, `elapsed` seconds after the first visit started: each takes
 * the average time of the `measured` ones, or `visit` seconds if there are none. */
double tan_remaining_seconds(double elapsed, int measured, int left, double visit);
/* "40 s", "3 min" or "2.5 h"; seconds and minutes are rounded up. */
struct tan_text tan_duration_text(double seconds);

#endif
