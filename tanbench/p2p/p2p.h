/* p2p.h - the job of tanbench p2p, which measures single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_P2P_P2P_H
#define TAN_TANBENCH_P2P_P2P_H

#include <jansson.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "tanbench/p2p/calibrate.h"
#include "tanbench/ranks/world.h"

/* The machine to use: from the file to validate, from the file to which p2p calibrate adds if it
 * exists, or else a new one. `ranks`: size of the job. *path, malloc'd and to be freed by the
 * caller, is that file, or NULL if there is none. NULL with an error. */
struct tan_machine *p2p_machine(const struct p2p_request *request, int ranks, char **path,
                                struct tan_error *e);

/* A job that measures single messages, on one rank; borrows everything. */
struct p2p_job {
    const struct p2p_request *request;
    const struct world *world;
    struct tan_machine *machine; /* from p2p_machine; on rank 0 only, like the next two */
    const char *machine_path;
    json_t *environment; /* filled by p2p_run; released by the caller */
};

/* Collective. Returns the exit status, or -1 if the measurement was aborted (rank 0 prints the
 * reason). */
int p2p_run(struct p2p_job *job, int argc, char **argv, struct tan_error *e);

#endif
