/* timeline_parts.h - what the forms of a timeline share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_VIEW_TIMELINE_PARTS_H
#define SIM_VIEW_TIMELINE_PARTS_H

#include "sim/view/timeline.h"

/* The title must be UTF-8, the ranks must exist, each at most once, and there must be a history. */
int tan_timeline_check(const struct tan_timeline *t, struct tan_error *e);

/* A bit for each operation, set for those on the critical path; malloc'd. NULL when memory is
 * short. */
uint8_t *tan_timeline_critical(const struct tan_timeline *t);

/* Whether a send's message is one that the critical path travels along. */
bool tan_timeline_critical_message(const struct tan_timeline *t, const uint8_t *critical,
                                   uint32_t send);

static inline bool tan_bit(const uint8_t *bits, uint32_t i)
{
    return (bits[i / 8] >> i % 8 & 1) != 0;
}

static inline void tan_bit_set(uint8_t *bits, uint32_t i)
{
    bits[i / 8] = (uint8_t)(bits[i / 8] | 1 << i % 8);
}

#endif
