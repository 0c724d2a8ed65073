/* emulated_link.h - the link of a process to its parent, on a machine that is emulated
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_OVERLAY_EMULATED_LINK_H
#define TANBENCH_OVERLAY_EMULATED_LINK_H

#include "bench/plan/emulation.h"
#include "tanbench/ranks/world.h"

/* Messages pass it while the process sleeps (bench/plan/emulation.h). */
struct emulated_link;

/* The link of rank `node` in `tree`; latencies that are drawn are a sequence of their own for each
 * `seed` and node. NULL when memory is short. */
struct emulated_link *emulated_link_create(const struct emulation *emulation,
                                           const struct tan_tree *tree, const struct world *world,
                                           uint64_t seed, struct tan_error *e);
/* NULL is allowed. */
void emulated_link_destroy(struct emulated_link *link);

/* The request of a wave passes the link `link`, and later its answer, which takes as long. Nothing
 * on a real one (NULL). */
void emulated_link_pass_request(struct emulated_link *link);
void emulated_link_pass_answer(const struct emulated_link *link);

static inline void emulated_link_request(struct emulated_link *link)
{
    if (link != NULL) {
        emulated_link_pass_request(link);
    }
}

static inline void emulated_link_answer(const struct emulated_link *link)
{
    if (link != NULL) {
        emulated_link_pass_answer(link);
    }
}

#endif
