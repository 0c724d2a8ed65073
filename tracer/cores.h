/* cores.h - cores shared by traced ranks
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TRACER_CORES_H
#define TAN_TRACER_CORES_H

/* Of the host with the most ranks per core: its ranks, and the processors that they may use
 * together; 0 if unknown. */
struct cores_share {
    int ranks, cores;
    char host[128]; /* host name */
};

/* Collective over MPI_COMM_WORLD. */
struct cores_share cores_share(void);

#endif
