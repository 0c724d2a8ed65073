/* calibrate.h - all that is measured between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_CALIBRATE_H
#define TANBENCH_P2P_CALIBRATE_H

#include "tanbench/p2p/report.h"
#include "tanbench/p2p/request.h"

struct p2p_found {
    struct p2p_findings findings; /* points to what follows */
    struct p2p_measurement measured;
    struct p2p_conditions conditions;
    struct p2p_kinds_found kinds;
    struct p2p_vectors_found vectors;
};

/* Bytes of the longest message that is asked for. */
int64_t p2p_room(const struct p2p_request *request);

/* The leader of a pair measures all that is asked for. `limits`: what the library says of
 * itself, borrowed for as long as `found` is in use. `found` must be cleared in any case. */
int p2p_find(struct p2p_link *link, const struct p2p_request *request, json_t *limits,
             struct p2p_found *found, struct tan_error *e);
void p2p_found_clear(struct p2p_found *found);
/* Half trips only, to be compared with `known`; again, a few times at most and not when the options
 * limit the time, while the two have no condition in common. Clear both in any case. */
int p2p_find_trips(struct p2p_link *link, const struct p2p_request *request,
                   const struct tan_p2p *known, struct p2p_measurement *m, struct p2p_conditions *c,
                   struct tan_error *e);

#endif
