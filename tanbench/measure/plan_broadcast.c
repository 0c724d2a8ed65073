/* plan_broadcast.c - broadcast of rank 0's plan
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/measure/plan_broadcast.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "tanbench/ranks/machine.h"
#include "tanbench/ranks/mpi_try.h"
#include "topo/spec.h"

/* Send the tree of cell `i` as a parent vector. */
static int broadcast_tree(struct plan *plan, int i, int rank, struct tan_error *e)
{
    int32_t size = plan->cells[i].processes;
    int32_t *parents = malloc((size_t)size * sizeof *parents);
    if (parents == NULL) {
        return tan_fail_nomem(e);
    }
    if (rank == 0) {
        tan_tree_parents(plan->trees[i], parents);
    }
    MPI_TRY(MPI_Bcast(parents, size, MPI_INT32_T, 0, MPI_COMM_WORLD));
    if (rank != 0) {
        plan->trees[i] = tan_tree_create(parents, size, NULL, e);
    }
    free(parents);
    return plan->trees[i] != NULL ? 0 : -1;
}

void plan_share(struct plan *plan)
{
    *plan = *(struct plan *)machine_broadcast(plan, sizeof *plan);
}

void plan_release(struct plan *plan, int rank)
{
    if (rank == 0 || !machine_simulated) {
        tan_plan_clear(plan);
    }
}

int plan_broadcast(struct plan *plan, int *status, struct tan_error *e)
{
    int rank;
    struct {
        struct settings settings;
        int n_cells, status;
    } head = {plan->settings, plan->n_cells, *status};
    MPI_TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI_TRY(MPI_Bcast(&head, (int)sizeof head, MPI_BYTE, 0, MPI_COMM_WORLD));
    *status = head.status;
    if (head.status != TAN_DONE) {
        return 0;
    }
    if (machine_simulated) {
        plan_share(plan);
        return 0;
    }
    if (rank != 0) {
        plan->settings = head.settings;
        plan->n_cells = head.n_cells;
        plan->cells = calloc((size_t)plan->n_cells + 1, sizeof *plan->cells);
        plan->trees = calloc((size_t)plan->n_cells + 1, sizeof *plan->trees);
        if (plan->cells == NULL || plan->trees == NULL) {
            return tan_fail_nomem(e);
        }
    }
    MPI_TRY(MPI_Bcast(plan->cells, plan->n_cells * (int)sizeof *plan->cells, MPI_BYTE, 0,
                      MPI_COMM_WORLD));
    for (int i = 0; i < plan->n_cells; i++) {
        const struct cell *cell = &plan->cells[i];
        if (cell->kind != CELL_TREE) {
            continue;
        }
        /* files may exist on rank 0's host only, and tan_spec_build does not know TAN_SPEC_NEAR */
        if (cell->near || strncmp(cell->spec, "file:", 5) == 0) {
            if (broadcast_tree(plan, i, rank, e) < 0) {
                return -1;
            }
        } else if (rank != 0 && (plan->trees[i] = tan_spec_build(cell->spec, e)) == NULL) {
            return -1;
        }
    }
    return 0;
}
