/* p2p_find.h - all that is measured between the two ranks of a link
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_P2P_FIND_H
#define TANBENCH_P2P_FIND_H

#include "tanbench/options.h"
#include "tanbench/p2p_report.h"

struct p2p_found {
    struct p2p_findings findings; /* points to what follows */
    struct p2p_measurement measured;
    struct p2p_conditions conditions;
    struct p2p_kinds_found kinds;
    struct p2p_vectors_found vectors;
};

/* Bytes of the longest message that the options ask for. */
int64_t p2p_room(const struct options *o);

/* The leader of a pair measures all that the options ask for. `limits`: what the library says of
 * itself, borrowed for as long as `found` is in use. `found` must be cleared in any case. */
int p2p_find(struct p2p_link *link, const struct options *o, json_t *limits,
             struct p2p_found *found, struct tan_error *e);
void p2p_found_clear(struct p2p_found *found);
/* Half trips only, to be compared with `known`; again, a few times at most and not when the options
 * limit the time, while the two have no condition in common. Clear both in any case. */
int p2p_find_trips(struct p2p_link *link, const struct options *o, const struct tan_p2p *known,
                   struct p2p_measurement *m, struct p2p_conditions *c, struct tan_error *e);

#endif
