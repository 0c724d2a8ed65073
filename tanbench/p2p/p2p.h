/* p2p.h - job of tanbench p2p, which measures single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_P2P_H
#define TANBENCH_P2P_P2P_H

#include <jansson.h>

#include "base/error.h"
#include "model/machine/machine.h"
#include "tanbench/p2p/request.h"
#include "tanbench/ranks/world.h"

/* The machine of the job: the file to validate, the one that p2p calibrate adds to if it exists,
 * else a new one. `ranks`: of the job. *path (malloc'd, the caller frees) is the file's, NULL when
 * nothing is to be saved. NULL with an error. */
struct tan_machine *p2p_machine(const struct p2p_request *request, int ranks, char **path,
                                struct tan_error *e);

/* A job that measures single messages, on one rank; all borrowed. */
struct p2p_job {
    const struct p2p_request *request;
    const struct world *world;
    struct tan_machine *machine; /* of p2p_machine, on rank 0 only, as the next two */
    const char *machine_path;
    json_t *environment; /* filled by p2p_run; the caller releases it */
};

/* Every rank's part. Returns the exit status, or -1 when the measurement broke off (on rank 0 the
 * reason is printed). */
int p2p_run(struct p2p_job *job, int argc, char **argv, struct tan_error *e);

#endif
