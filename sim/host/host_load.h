/* host_load.h - what messages of other sizes than the measured ones add to the work of processes
 * that share cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_HOST_HOST_LOAD_H
#define SIM_HOST_HOST_LOAD_H

#include <stdint.h>

#include "model/wave/payload.h"
#include "sim/host/host_wave.h"

/* The waves: a request of the same size to all, and answers that grow by a rule. */
struct tan_host_payload {
    int64_t base;    /* bytes of request and answer that the machine was measured with */
    int64_t request; /* bytes */
    int64_t answer;  /* bytes of a leaf */
    const struct tan_payload_rule *rule;
    double work; /* seconds that a parent takes for a byte of an answer, its caches holding it */
};

/* For every node what it adds, malloc'd; NULL with an error when memory is short or when `p2p` does
 * not tell what messages cost.
 *
 * Within a host a message is moved by cores, and only they count: of its whole time T(k), which
 * is L + o_s + o_r + (k - 1) G and measured as half of a round trip, the receiver takes what o_r
 * says and the sender the rest. A message longer than S is all the receiver's: the sender is waited
 * for, not needed. A process that shares its core with others receives as after they used the
 * core's caches (TAN_P2P_RECEIVE_COLD) to the extent that all of them fill these; and where all
 * buffers on the core together, or those of the host when a core's own cache is too small, are more
 * than was measured with, each byte takes what the table of copies says of so many more. */
struct tan_host_load *tan_host_loads(const struct tan_tree *tree,
                                     const struct tan_placement *placement,
                                     const struct tan_p2p *p2p,
                                     const struct tan_host_payload *payload, struct tan_error *e);

#endif
