/* feeding.h - state of the loading of blocks while a simulation runs; private to the simulator
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_ENGINE_FEEDING_H
#define SIM_ENGINE_FEEDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/feed.h"
#include "sim/schedule/window.h"

/* The next block of a rank is loaded when the gate of its last one is released: before it starts,
 * so that nothing in the next block can have been released before. A block is given back when the
 * rank's next one is loaded and all its operations are over: nothing refers to them any more, and
 * their ends have passed, so that who waits for them need not know when these were. */

/* In place of the end of an operation that has not ended. */
#define FED_WAITS  TAN_NEVER
#define FED_STARTS (TAN_NEVER - 1)

struct fed_op {
    uint64_t end;   /* or FED_WAITS, FED_STARTS */
    uint32_t late;  /* the last one of its late dependents, or TAN_OP_NONE */
    uint32_t block; /* in the window */
};

/* An operation that was loaded after one that it waits for; a ring of those that wait for one. */
struct late {
    uint32_t op, next;
    enum tan_requires when;
};

struct fed_block {
    uint32_t open;   /* operations that are not over */
    uint64_t latest; /* end of an operation, or an event that names one */
};

struct fed_rank {
    uint32_t gate; /* of its last block; TAN_OP_NONE: none yet */
    bool over;     /* nothing follows */
};

struct feeding {
    const struct tan_feed *feed;
    struct tan_window window;
    struct fed_op *ops; /* by operation */
    struct fed_block *blocks;
    struct fed_rank *ranks;
    struct late *late;
    uint32_t n_late, free_late; /* the first free one, or TAN_OP_NONE */
    uint32_t n_roots;
    uint64_t n_ops; /* so far */
    uint32_t room_ops, room_states, room_links, room_transferring, room_blocks, room_late;
    bool begun; /* the operations that wait for nothing have begun */
    struct tan_error *e;
};

#endif
