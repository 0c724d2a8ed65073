/* machine.h - services of the hosts that run the ranks, real or simulated by SimGrid
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_MACHINE_H
#define TAN_TANBENCH_RANKS_MACHINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct world;

/* The build links one of two implementations: machine_real.c and what it needs, for ranks that are
 * processes, or only machine_simulated.c, for ranks that are threads of one process, take turns,
 * and run in simulated time. The latter also replaces base/clock.h. */

/* Whether ranks are simulated: they share memory and clock, and must wait inside MPI (policy
 * `block`). */
extern const bool machine_simulated;

/* Collective: describe all ranks in world->peers, and number their hosts (world_number_hosts). Also
 * sets world->host_of and world->members. MPI errors end the job. */
void machine_meet(struct world *world);
/* Collective, after ranks have been renumbered if a map is given: count cores, share memory for
 * world->slots between the ranks of a host, and bind. -1 if memory cannot be shared. */
int machine_settle(struct world *world, bool always_bound, struct tan_error *e);
/* Release what machine_meet and machine_settle have allocated or opened, except the slots, which
 * watching threads (watch_parents) use until the process ends. */
void machine_leave(struct world *world);

/* Collective over MPI_COMM_WORLD: broadcast `bytes` of rank 0's `table`. Real ranks receive them in
 * their own `table`, which is returned. Simulated ranks all get rank 0's `table` itself; their
 * own, and `bytes`, are not used. */
void *machine_broadcast(void *table, size_t bytes);
/* Free a `table` that was broadcast, unless it is shared: that is never freed. */
void machine_release(void *table);

/* Simulated ranks: count a message for `rank`, just sent, and wait until one is counted for `rank`,
 * this one, which then takes it, or `seconds` have passed; returns whether there was one. Tests of
 * MPI would take simulated time. Real ranks return at once. */
void machine_signal(int rank);
bool machine_await(int rank, double seconds);

/* Whether this process was only started to list the simulated hosts, and has done so. Before
 * MPI_Init. */
bool machine_list_hosts(void);

/* The simulator and its settings, for results files: a new reference; NULL on real hosts. */
json_t *machine_simulation(void);

/* Watch the processes that started this one, and end at once if they do, so that no rank is left
 * behind whichever of them is killed. A separate thread sleeps until the kernel reports the end of
 * one (pidfd_open), even while the rank sleeps or is inside MPI, and watching has no other cost. On
 * kernels before 5.3 it polls twice a second. Before MPI_Init; best effort. */
void watch_parents(void);

/* --- finalization of MPI that always returns --- */

/* Collective over the world before it is destroyed: wait for all ranks, and for their last
 * messages, where MPI_Finalize might otherwise be slow or never return. */
void mpi_end_together(const struct world *world);

/* Collective, in place of MPI_Finalize, which may never return: after everything is written and
 * reported, since a rank that does not return in time exits here with `status`. */
void mpi_end(int status);

#endif
