/* deadlock.h - deadlocks: operations waiting for each other in a chain or cycle
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_DEADLOCK_H
#define TAN_SIM_ENGINE_DEADLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/engine/simulation.h"

/* Why an operation waits forever. */
enum tan_waits_for {
    TAN_WAITS_FINISH,  /* the next one's finish */
    TAN_WAITS_START,   /* the next one's start */
    TAN_WAITS_MESSAGE, /* a receive: the message sent by the next one */
    TAN_WAITS_RECEIVE, /* a send: the next one, which would receive its message */
    TAN_WAITS_NOBODY,  /* a message never sent, or a receive never posted */
    TAN_WAITS_UNKNOWN, /* search given up: it would take too long */
};

struct tan_stuck_step {
    uint32_t op;
    enum tan_waits_for waits_for;
};

struct tan_stuck {
    bool circle; /* the last step waits for the first */
    size_t n_steps;
    struct tan_stuck_step *steps; /* owned */
};

/* Whether every operation of the schedule has finished, and every message was received. */
bool tan_ended_well(const struct tan_simulation *r);
/* A cycle of operations waiting for each other, if there is one; otherwise the chain of operations
 * that the first blocked one waits for; no steps if nothing is blocked. O(operations +
 * dependencies) except in rare cases, where it gives up rather than take minutes. */
int tan_stuck_find(const struct tan_schedule *s, const struct tan_simulation *r,
                   struct tan_stuck *out, struct tan_error *e);
void tan_stuck_clear(struct tan_stuck *stuck);

#endif
