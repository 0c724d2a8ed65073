/* deadlock.h - deadlocks: operations that wait for each other, as a chain or a circle
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_DEADLOCK_H
#define SIM_ENGINE_DEADLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/engine/simulate.h"

/* Cause of an operation's endless wait. */
enum tan_waits_for {
    TAN_WAITS_FINISH,  /* the next one's finish */
    TAN_WAITS_START,   /* the next one's start */
    TAN_WAITS_MESSAGE, /* a receive: the message that the next one sends */
    TAN_WAITS_RECEIVE, /* a send: the next one, which would receive it */
    TAN_WAITS_NOBODY,  /* a message that is never sent, a receive that is never posted */
    TAN_WAITS_UNKNOWN, /* the search was given up: it would take too long */
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

/* Has everything in the schedule happened? */
bool tan_ended_well(const struct tan_simulation *r);
/* A circle of operations that wait for each other, if there is one, else the chain of operations
 * that the first blocked one waits for; no steps when nothing is blocked. O(operations +
 * dependencies) in all but rare cases; gives up rather than take minutes. */
int tan_stuck_find(const struct tan_schedule *s, const struct tan_simulation *r,
                   struct tan_stuck *out, struct tan_error *e);
void tan_stuck_clear(struct tan_stuck *stuck);

#endif
