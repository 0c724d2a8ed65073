/* machine.h - what the machine that runs the ranks offers: real hosts, or SimGrid's simulated ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_MACHINE_H
#define TANBENCH_RANKS_MACHINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "tanbench/host/cores.h"

struct world;

/* Two variants, of which the build links one: machine_real.c with all that it needs, for ranks that
 * are processes, and machine_simulated.c alone, for ranks that are threads of one process, take
 * turns, and run in simulated time. The latter also stands in for the functions of base/clock.h,
 * watch.h and mpi_end.h. */

/* All ranks share one memory and one clock, and have to wait inside MPI (policy `block`). */
extern const bool machine_simulated;

/* Collective: describe all ranks in world->peers, and number their hosts (world_number_hosts). Also
 * sets world->host_of and world->members. MPI errors end the job. */
void machine_meet(struct world *world);
/* Collective, once the ranks have their final numbers: count cores, share a host's slots, bind.
 * -1 when memory cannot be shared. */
int machine_settle(struct world *world, enum binding binding, enum awake awake,
                   struct tan_error *e);
/* Release what these made. */
void machine_leave(struct world *world);

/* Collective over MPI_COMM_WORLD: the `bytes` of rank 0's `table`. Real ranks have room for them in
 * theirs, which is returned. Ranks of one memory get rank 0's own, to be read only; their `table`
 * is not used. machine_release, once every rank has read it, frees a rank's own. */
void *machine_broadcast(void *table, size_t bytes);
void machine_release(void *table);

/* Whether this process was started only to list the simulated hosts, which it has done. Before
 * MPI_Init. */
bool machine_list_hosts(void);

/* What simulates the machine, and how, for results files: a new reference; NULL for a real one. */
json_t *machine_simulation(void);

#endif
