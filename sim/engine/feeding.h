/* feeding.h - state of loading blocks during a simulation; private to the simulator
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_ENGINE_FEEDING_H
#define TAN_SIM_ENGINE_FEEDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/feed.h"
#include "sim/schedule/window.h"

/* A rank's next block is loaded when the gate of its last block is released, that is, before the
 * gate starts; so nothing in the next block could have been released earlier. Before that, the
 * rank's blocks are removed from the window whose operations have all ended, at times that have
 * passed, and to which no event refers: later dependents need not know when they ended. */

/* In place of an operation's end: it has not started; it has started, but not ended. */
#define FED_WAITS  TAN_NEVER
#define FED_STARTS (TAN_NEVER - 1)

struct fed_op {
    uint64_t end;   /* or FED_WAITS, FED_STARTS */
    uint32_t late;  /* index of its last late dependent, or TAN_OP_NONE */
    uint32_t block; /* index in the window */
};

/* A dependent that was loaded after the operation it waits for. Those of an operation form a ring,
 * in which the last is followed by the first. */
struct late {
    uint32_t op, next;
    enum tan_requires when;
};

struct fed_block {
    uint32_t open;   /* operations that have not ended */
    uint64_t latest; /* latest end of an operation, or time of an event referring to one */
};

struct fed_rank {
    uint32_t gate; /* of its last block; TAN_OP_NONE if there is none yet */
    bool over;     /* no more operations follow */
};

struct feeding {
    const struct tan_feed *feed;
    struct tan_window window;
    struct fed_op *ops; /* per operation */
    struct fed_block *blocks;
    struct fed_rank *ranks;
    struct late *late;
    uint32_t n_late, free_late; /* head of the free list, or TAN_OP_NONE */
    uint32_t n_roots;
    uint64_t n_ops; /* loaded so far */
    uint32_t room_ops, room_states, room_transferring, room_blocks, room_late;
    bool begun; /* operations without dependencies have been started */
    struct tan_error *e;
};

#endif
