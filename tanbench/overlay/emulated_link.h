/* emulated_link.h - link of a process to its parent on an emulated machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_OVERLAY_EMULATED_LINK_H
#define TAN_TANBENCH_OVERLAY_EMULATED_LINK_H

#include "bench/plan/emulation.h"
#include "tanbench/ranks/world.h"

/* Delays messages: the process sleeps for the time that they take (bench/plan/emulation.h). */
struct emulated_link;

/* The link between this rank and its parent in `tree`, in which rank i is node i. Random latencies
 * are a separate sequence for each `seed` and rank. NULL if memory is short. */
struct emulated_link *emulated_link_create(const struct emulation *emulation,
                                           const struct tan_tree *tree, const struct world *world,
                                           uint64_t seed, struct tan_error *e);
/* NULL is allowed. */
void emulated_link_destroy(struct emulated_link *link);

/* Pass the request of a wave, and later its answer, which takes equally long. No-op for a real link
 * (NULL). */
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
