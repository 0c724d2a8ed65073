/* critical_path.h - critical path of a simulated job: parts of its finish time
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_VIEW_CRITICAL_PATH_H
#define TAN_SIM_VIEW_CRITICAL_PATH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sim/engine/simulation.h"

struct json_t;
struct tan_json_writer;

/* Parts of the finish time. Every picosecond is part of exactly one. */
enum tan_path_part {
    TAN_PART_L,           /* latency of a message */
    TAN_PART_o,           /* CPU time to send or receive a message */
    TAN_PART_g,           /* a NIC waits out the gap between messages */
    TAN_PART_G,           /* bytes of a message: a NIC, or the receiving CPU if G > O */
    TAN_PART_O,           /* bytes of a message: a CPU */
    TAN_PART_CALC,        /* calculation */
    TAN_PART_NOISE,       /* noise */
    TAN_PART_CONTROL,     /* CPU time of a handshake's messages, and waiting for its end */
    TAN_PART_HANDSHAKE_L, /* latency of a handshake's messages */
    TAN_PART_WAITING,     /* a CPU is not free for another reason */
    TAN_PATH_PARTS
};

struct tan_path_part_info {
    const char *name; /* "L": as in tables and JSON */
    const char *help;
};
/* By enum tan_path_part. */
extern const struct tan_path_part_info tan_path_parts[TAN_PATH_PARTS];

/* How often costs of messages are part of the finish time, which are its derivatives with respect
 * to them for as long as the path stays the same. */
struct tan_path_weights {
    uint64_t L;     /* latencies, those of handshakes included */
    uint64_t o;     /* CPU overheads of senders and receivers */
    uint64_t G;     /* bytes, each at the gap per byte */
    uint64_t sizes; /* messages with such bytes; the cost of each is rounded to picoseconds */
};

/* A step of the path: the time from `from` to `to`, during which the rest of the path waits for an
 * operation. It may start later than the operation (if the path depends only on its finish, or on
 * its start: then from and to are equal), and may end earlier than it, or later (latency of its
 * message, gap of its NIC). */
struct tan_path_step {
    uint32_t op;
    enum tan_why why;  /* its relation to the previous step; TAN_WHY_POSTED for a send: its finish
                          waited for the receiver; TAN_WHY_MESSAGE for a send: it waited for the
                          receiver's part in a handshake */
    uint64_t from, to; /* picoseconds */
    uint64_t part[TAN_PATH_PARTS]; /* picoseconds; their sum is to - from */
};

/* Steps in chronological order: the first starts at 0, each starts where the previous one ends, and
 * the last ends at the finish time. */
struct tan_critical_path {
    uint64_t finish;
    uint64_t part[TAN_PATH_PARTS]; /* picoseconds; their sum is `finish` */
    struct tan_path_weights weights;
    size_t n_steps; /* 0 if the schedule has no operations */
    struct tan_path_step *steps;
};

/* Follow the path backwards from the operation that finishes last, through the causes of its waits,
 * to the beginning. The simulation must have a history of the same schedule and parameters, and
 * must have completed. O(steps + operations of the last rank). */
int tan_critical_path(const struct tan_schedule *s, const struct tan_sim_params *p,
                      const struct tan_simulation *simulation, struct tan_critical_path *out,
                      struct tan_error *e);
/* Only its weights, in less time and memory. `visit`, unless NULL, is called for each step, from
 * the last to the first, with the latencies in it. */
typedef void tan_path_visit(void *context, const struct tan_path_step *step, uint64_t latencies);
int tan_critical_path_visit(const struct tan_schedule *s, const struct tan_sim_params *p,
                            const struct tan_simulation *simulation, tan_path_visit *visit,
                            void *context, struct tan_path_weights *out, struct tan_error *e);
void tan_critical_path_clear(struct tan_critical_path *path);

/* Two tables: the nonzero parts with their shares, and the steps; if there are more than `listed`
 * steps (at least 2), only the first and the last ones. */
void tan_critical_path_print(const struct tan_critical_path *path, const struct tan_schedule *s,
                             size_t listed, FILE *to);
/* The same as members of `object`; times in nanoseconds. */
void tan_critical_path_json(struct tan_json_writer *w, struct json_t *object,
                            const struct tan_critical_path *path, const struct tan_schedule *s,
                            size_t listed);
/* Its longest steps, as remarks of an answer (base/reply.h). */
void tan_critical_path_say(struct tan_json_writer *w, struct json_t *answer,
                           const struct tan_critical_path *path, const struct tan_schedule *s);

#endif
