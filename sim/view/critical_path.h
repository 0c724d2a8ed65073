/* critical_path.h - critical path of a simulated job: the parts of its finish time
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_VIEW_CRITICAL_PATH_H
#define SIM_VIEW_CRITICAL_PATH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulate.h"

TAN_BEGIN_DECLS

struct json_t;

/* Parts of the finish time. Every picosecond of it counts for exactly one. */
enum tan_path_part {
    TAN_PART_L,       /* a message is on its way */
    TAN_PART_o,       /* a CPU sends or receives a message */
    TAN_PART_g,       /* a NIC is not ready for the next message */
    TAN_PART_G,       /* a message's bytes: a NIC, or a receiving CPU where G > O */
    TAN_PART_O,       /* a message's bytes: a CPU */
    TAN_PART_CALC,    /* calculation */
    TAN_PART_NOISE,   /* noise */
    TAN_PART_CONTROL, /* cost of a handshake: its messages' CPU time and latency */
    TAN_PART_WAITING, /* a CPU or core is not free, for another reason */
    TAN_PARTS
};

struct tan_path_part_info {
    const char *name; /* "L": as in tables and JSON */
    const char *help;
};
/* By enum tan_path_part. */
extern const struct tan_path_part_info tan_path_parts[TAN_PARTS];

/* One operation's share: the time from `from` to `to`, in which the rest of the path waits for it.
 * It may begin after the operation (the path hangs on its finish only, or on its start: then from
 * and to are equal) and end before it does, or after it (its message travels, its NIC's gap). */
struct tan_path_step {
    uint32_t op;
    enum tan_why why;         /* its relation to the step before; TAN_WHY_POSTED of a send:
                                 its finish waited for its receiver; TAN_WHY_MESSAGE of a send, too: it
                                 waited for its receiver's part of a handshake */
    uint64_t from, to;        /* picoseconds */
    uint64_t part[TAN_PARTS]; /* picoseconds; their sum is to - from */
};

/* Steps in the order of time: the first begins at 0, each begins where the one before ends, the
 * last ends at the finish time. */
struct tan_critical_path {
    uint64_t finish;
    uint64_t part[TAN_PARTS]; /* picoseconds; their sum is `finish` */
    size_t n_steps;           /* 0 for a schedule without operations */
    struct tan_path_step *steps;
};

/* Walk back from the operation that finishes last, through the causes of its waits, to the
 * beginning. The simulation must have a history of the same schedule and parameters, and everything
 * in the schedule must have happened. O(steps + operations of the last rank). */
int tan_critical_path(const struct tan_schedule *s, const struct tan_sim_params *p,
                      const struct tan_simulation *simulation, struct tan_critical_path *out,
                      struct tan_error *e);
void tan_critical_path_clear(struct tan_critical_path *path);

/* Two tables: the parts that are not 0, with their shares, and the steps; of more than `listed`
 * steps (at least 2) only the first and the last. */
void tan_critical_path_print(const struct tan_critical_path *path, const struct tan_schedule *s,
                             size_t listed, FILE *to);
/* The same as a JSON object; times in nanoseconds. The caller owns the reference; NULL when memory
 * is short. */
struct json_t *tan_critical_path_to_json(const struct tan_critical_path *path,
                                         const struct tan_schedule *s, size_t listed);

TAN_END_DECLS

#endif
