/* cores.h - cores that traced ranks share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_CORES_H
#define TRACER_CORES_H

/* Ranks that can use no other cores than these, where most ranks of the job share a core; 0 cores:
 * unknown. */
struct cores_share {
    int ranks, cores;
    char host[128]; /* their host's name */
};

/* Collective over MPI_COMM_WORLD. */
struct cores_share cores_share(void);

#endif
