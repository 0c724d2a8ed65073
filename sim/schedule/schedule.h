/* schedule.h - schedules: the operations of every rank and their dependencies
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_SCHEDULE_SCHEDULE_H
#define TAN_SIM_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* A schedule is built rank by rank (in any order of ranks), sealed, and immutable from then on, so
 * that simulations can share it. Memory: 24 bytes per operation, 4 more if lines are kept, and 2
 * more if phases are marked; 4 per dependency; 4 per channel (each combination of receiver, source
 * and tag), 4 more if a tag is not 0; 12 per rank; and 16 per port if a rank uses CPUs or NICs
 * other than 0. */

enum tan_op_kind { TAN_OP_SEND = 1, TAN_OP_RECV = 2, TAN_OP_CALC = 3 };

/* Ports, of which a rank has at least one, have 29 bits in struct tan_op; operations have 30 bits
 * in events of the simulator. */
#define TAN_SCHEDULE_MAX_RANKS (UINT32_C(1) << 29)
#define TAN_SCHEDULE_MAX_OPS   (UINT32_C(1) << 30)
/* Longest calculation in picoseconds (53 days); the sum of three fits in 64 bits. */
#define TAN_SCHEDULE_MAX_PS (UINT64_C(1) << 62)
/* Largest message, bytes. */
#define TAN_SCHEDULE_MAX_BYTES (UINT64_C(1) << 62)

enum { TAN_PS_PER_NS = 1000 };

#define TAN_OP_NONE    UINT32_MAX
#define TAN_ANY_SOURCE UINT32_MAX
#define TAN_ANY_TAG    UINT32_MAX

/* An operation as passed to a builder, and as returned from a sealed schedule. */
struct tan_op_spec {
    enum tan_op_kind kind;
    uint64_t amount; /* bytes of a send or receive, picoseconds of a calculation */
    uint32_t peer;   /* a send's destination; a receive's source or TAN_ANY_SOURCE; 0 for a calc */
    uint32_t tag;    /* TAN_ANY_TAG matches every tag, on a send too; 0 for a calc */
    uint16_t cpu;
    uint8_t nic;
};

enum tan_requires { TAN_AFTER_FINISH, TAN_AFTER_START }; /* GOAL's requires and irequires */

/* An operation as read by simulators. Operations are numbered across all ranks; those of a rank are
 * contiguous, in the order in which they were added. */
struct tan_op {
    uint64_t amount;
    uint32_t port;       /* see tan_op_port; its highest bits hold the kind and a flag */
    uint32_t channel;    /* of a send or a receive; see struct tan_schedule */
    uint32_t dependents; /* start of its dependents in schedule->dependents; they end where the next
                            operation's start */
    uint32_t requires;   /* number of dependencies */
};

/* A combination of CPU and NIC that occurs in a rank. */
struct tan_port {
    uint32_t rank;
    uint32_t cpu_port; /* the port that represents this CPU of this rank (may be itself) */
    uint32_t nic_port; /* the same for the NIC */
    uint16_t cpu;
    uint8_t nic;
};

struct tan_schedule {
    uint32_t ranks, n_ops, n_dependents, n_channels, n_ports;
    uint32_t n_roots;   /* operations without dependencies */
    uint16_t cpus;      /* highest number used */
    uint8_t nics;       /* likewise */
    uint32_t *first_op; /* per rank: its first operation */
    uint32_t *rank_ops; /* per rank: number of operations */
    struct tan_op
        *ops; /* n_ops + 1 entries: the last one ends the dependents of the previous one */
    uint32_t *dependents; /* operation numbers; for each operation first the dependents on its
                             finish, then, with TAN_DEPENDENT_START set, those on its start */
    uint32_t *lines;      /* per operation: its line in the text; or NULL */
    uint16_t *phases;     /* per operation, see tan_schedule_mark; NULL if all are 0 */
    struct tan_port
        *ports; /* NULL if every rank has one port, numbered as the rank, with CPU 0 and NIC 0 */

    /* A channel identifies a receiver's messages by source and tag. A send has the channel it
     * arrives on, a receive the channel it waits for. Channels of a receiver are contiguous. */
    uint32_t *first_channel;  /* per rank; ranks + 1 entries */
    uint32_t *channel_source; /* per channel; may be TAN_ANY_SOURCE */
    uint32_t *channel_tag;    /* per channel; may be TAN_ANY_TAG; NULL if every tag is 0 */
    /* `at` is NULL if there are no wildcards: a message then fits exactly the receives of its own
     * channel. Otherwise messages of channel c fit receives of channels list[at[c]] .. list[at[c +
     * 1] - 1]; `at` has n_channels + 1 entries. */
    struct {
        uint32_t *at, *list;
    } fits;
};

#define TAN_DEPENDENT_START (UINT32_C(1) << 31)
#define TAN_OP_KIND_SHIFT   30
#define TAN_OP_STARTS       (UINT32_C(1) << 29) /* some operation waits for this one's start */
#define TAN_OP_PORT_MASK    (TAN_OP_STARTS - 1)

static inline enum tan_op_kind tan_op_kind(const struct tan_op *op)
{
    return (enum tan_op_kind)(op->port >> TAN_OP_KIND_SHIFT);
}

static inline uint32_t tan_op_port(const struct tan_op *op)
{
    return op->port & TAN_OP_PORT_MASK;
}

static inline uint32_t tan_port_rank(const struct tan_schedule *s, uint32_t port)
{
    return s->ports == NULL ? port : s->ports[port].rank;
}

/* Limit the memory, in bytes that are available, of a schedule and its simulation, with or without
 * history, for all schedules begun later. Unlimited by default. Not while another thread builds
 * one. */
void tan_schedule_limit_memory(uint64_t bytes, bool history);
/* Whether a schedule of this size is within the limit, by an estimate. */
bool tan_schedule_fits(uint64_t ranks, uint64_t operations);
/* The same; -1 with TAN_USAGE if it does not. */
int tan_schedule_check_memory(uint64_t ranks, uint64_t operations, struct tan_error *e);

struct tan_schedule_builder;

/* `lines`: keep the line of every operation (for text input; 0 if unknown). */
struct tan_schedule_builder *tan_schedule_begin(uint32_t ranks, bool lines, struct tan_error *e);
/* Start a rank, each at most once (checked by tan_schedule_seal); ranks without operations may be
 * omitted. */
int tan_schedule_rank(struct tan_schedule_builder *b, uint32_t rank, struct tan_error *e);
/* Set the CPU of subsequent operations of the current rank that specify CPU 0. */
void tan_schedule_cpu(struct tan_schedule_builder *b, uint16_t cpu);
/* Add an operation to the current rank. *index: its number within the rank, from 0. A peer, amount
 * or count out of range is an error (without position, which readers add). */
int tan_schedule_add(struct tan_schedule_builder *b, const struct tan_op_spec *spec, uint32_t line,
                     uint32_t *index, struct tan_error *e);
/* Resolve receive `index` of the current rank, which has a wildcard, to `source` and `tag`. */
void tan_schedule_name_message(struct tan_schedule_builder *b, uint32_t index, uint32_t source,
                               uint32_t tag);
/* The operations of the current rank so far, valid until the next is added, with only kind and
 * amount set. */
const struct tan_op *tan_schedule_added_ops(const struct tan_schedule_builder *b);
/* Operation `index` of the current rank waits for operation `on` of the same rank. Duplicates are
 * allowed. */
int tan_schedule_require(struct tan_schedule_builder *b, uint32_t index, uint32_t on,
                         enum tan_requires when, struct tan_error *e);
/* Operation `index` of the current rank ends phase `phase`: when it ends, or when it starts if
 * TAN_PHASE_STARTS is added to `phase`. The rank's next phase begins there, and its first one at
 * time 0. Phases are 1 to TAN_PHASES - 1; simulations sum the time of each over all ranks. With
 * TAN_PHASE_PART instead, the operation is part of the phase, but ends none. */
enum { TAN_PHASES = 1024, TAN_PHASE_STARTS = 1024, TAN_PHASE_PART = 2048 };
int tan_schedule_mark(struct tan_schedule_builder *b, uint32_t index, uint16_t phase,
                      struct tan_error *e);
/* Close the current rank. *cyclic: TAN_OP_NONE, or an operation (its number in the rank) that waits
 * for itself indirectly, in which case -1 and *e are returned. `cyclic` may be NULL. */
int tan_schedule_rank_end(struct tan_schedule_builder *b, uint32_t *cyclic, struct tan_error *e);
/* Compute channels and ports and return the schedule; destroys the builder, even on failure.
 * O(operations + dependencies). */
struct tan_schedule *tan_schedule_seal(struct tan_schedule_builder *b, struct tan_error *e);
/* Destroy a builder without sealing; NULL is allowed. */
void tan_schedule_abandon(struct tan_schedule_builder *b);
void tan_schedule_destroy(struct tan_schedule *s);

/* Builds a schedule rank by rank with errors checked once per rank: after a failure, the functions
 * below do nothing. */
struct tan_maker {
    struct tan_schedule_builder *builder;
    struct tan_error *e;
    bool failed;
    /* For a pattern that is part of a larger rank; 0 and NULL otherwise. */
    uint32_t first;          /* number of operations before it: numbers of its own start there */
    const uint32_t *rank_of; /* maps ranks of the pattern to ranks of the schedule; borrowed */
    uint32_t tag;
};

/* Each returns the operation's number in its rank. All use CPU 0 and NIC 0. */
uint32_t tan_make_send(struct tan_maker *m, uint64_t bytes, uint32_t to);
uint32_t tan_make_recv(struct tan_maker *m, uint64_t bytes, uint32_t from);
uint32_t tan_make_calc(struct tan_maker *m, uint64_t picoseconds);
/* Operation `index` waits for the end of operation `on`; no effect if `on` is TAN_OP_NONE. */
void tan_make_require(struct tan_maker *m, uint32_t index, uint32_t on);

/* A schedule of `ranks` ranks without lines; calls `rank` for each in turn, with `context`. */
struct tan_schedule *tan_make_schedule(uint32_t ranks,
                                       void (*rank)(struct tan_maker *m, const void *context,
                                                    uint32_t rank),
                                       const void *context, struct tan_error *e);

/* The specification of an operation. O(log ranks) for a send. */
struct tan_op_spec tan_schedule_spec(const struct tan_schedule *s, uint32_t op);
/* The rank of an operation. */
uint32_t tan_schedule_op_rank(const struct tan_schedule *s, uint32_t op);
/* The rank that receives on a channel. O(log ranks). */
uint32_t tan_schedule_receiver(const struct tan_schedule *s, uint32_t channel);

#endif
