/* schedule.h - schedules: the operations of every rank and their dependencies
 * SPDX-License-Identifier: GPL-3.0-or-later
 * Public: installed by `make install`. */
#ifndef SIM_SCHEDULE_SCHEDULE_H
#define SIM_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

TAN_BEGIN_DECLS

/* A schedule is built rank by rank (ranks in any order), sealed, and never changes afterwards; any
 * number of simulations may then share it. Memory: 24 bytes an operation, 4 a dependency, 12 a
 * channel (one per receiver, source and tag that occur), 8 a rank, 4 more an operation where lines
 * are kept, and 16 a port where a rank uses another CPU or NIC than 0. */

enum tan_op_kind { TAN_OP_SEND = 1, TAN_OP_RECV = 2, TAN_OP_CALC = 3 };

#define TAN_SCHEDULE_MAX_RANKS (UINT32_C(1) << 29)
#define TAN_SCHEDULE_MAX_OPS   (UINT32_C(1) << 30)
/* Longest calculation, picoseconds (53 days): sums of a few still fit 64 bits. */
#define TAN_SCHEDULE_MAX_PS (UINT64_C(1) << 62)
/* Biggest message, bytes. */
#define TAN_SCHEDULE_MAX_BYTES (UINT64_C(1) << 62)

#define TAN_OP_NONE    UINT32_MAX
#define TAN_ANY_SOURCE UINT32_MAX
#define TAN_ANY_TAG    UINT32_MAX

/* An operation as it is given to a builder and as a sealed schedule describes it. */
struct tan_op_spec {
    enum tan_op_kind kind;
    uint64_t amount; /* bytes of a send or receive, picoseconds of a calculation */
    uint32_t peer;   /* a send's destination; a receive's source or TAN_ANY_SOURCE; 0 for a calc */
    uint32_t tag;    /* TAN_ANY_TAG matches every tag, on a send too; 0 for a calc */
    uint8_t cpu, nic;
};

enum tan_requires { TAN_AFTER_FINISH, TAN_AFTER_START }; /* GOAL's requires and irequires */

/* An operation as simulators read it. Operations are numbered through all ranks; those of one rank
 * are contiguous, in the order in which they were added. */
struct tan_op {
    uint64_t amount;
    uint32_t port;       /* see tan_op_port, and the kind and a flag in its highest bits */
    uint32_t channel;    /* of a send or a receive; see struct tan_schedule */
    uint32_t dependents; /* its first in schedule->dependents; the next operation's ends them */
    uint32_t requires;   /* number of dependencies */
};

/* A CPU and a NIC of one rank that occur together in an operation. */
struct tan_port {
    uint32_t rank;
    uint32_t cpu_port; /* the port that stands for this CPU of this rank (may be itself) */
    uint32_t nic_port; /* the same for the NIC */
    uint8_t cpu, nic;
};

struct tan_schedule {
    uint32_t ranks, n_ops, n_dependents, n_channels, n_ports;
    uint32_t n_roots;       /* operations that wait for nothing */
    uint8_t cpus, nics;     /* highest number that occurs */
    uint32_t *first_op;     /* by rank: the number of its first operation */
    uint32_t *rank_ops;     /* by rank: number of its operations */
    struct tan_op *ops;     /* n_ops + 1: the last one ends the dependents of the one before */
    uint32_t *dependents;   /* operation numbers; of each operation first those that wait for its
                               finish, then, with TAN_DEPENDENT_START set, those for its start */
    uint32_t *lines;        /* by operation: its line in the text, or NULL */
    uint16_t *phases;       /* by operation, see tan_schedule_mark; NULL: all are 0 */
    struct tan_port *ports; /* NULL: every rank has one port, numbered as the rank, CPU 0, NIC 0 */

    /* A channel is a source and a tag of a receiver's messages. A send names the channel that it
     * arrives on, a receive the channel that it waits for. Channels of one receiver are
     * contiguous. */
    uint32_t *first_channel;    /* by rank; ranks + 1 entries */
    uint32_t *channel_receiver; /* by channel, where first_channel does not say so; else NULL */
    uint32_t *channel_source;   /* by channel; TAN_ANY_SOURCE possible */
    uint32_t *channel_tag;      /* by channel; TAN_ANY_TAG possible; NULL: every tag is 0 */
    /* NULL when no receive and no send has a wildcard: then a message fits exactly the receives
     * of its own channel. Otherwise messages of channel c fit receives of channels
     * fits[fits_at[c]] .. fits[fits_at[c + 1] - 1]. */
    uint32_t *fits_at; /* n_channels + 1 entries */
    uint32_t *fits;
};

#define TAN_DEPENDENT_START (UINT32_C(1) << 31)
#define TAN_OP_KIND_SHIFT   30
#define TAN_OP_STARTS       (UINT32_C(1) << 29) /* an operation waits for this one's start */
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

/* The memory, in bytes, that a schedule and its simulation may take, with the history of every
 * operation or without: of all that are begun afterwards. At first there is no limit. Not while
 * another thread builds one. */
void tan_schedule_limit_memory(uint64_t bytes, bool history);
/* Whether so much fits, as far as it can be known beforehand. */
bool tan_schedule_fits(uint64_t ranks, uint64_t operations);
/* The same; -1 with TAN_USAGE where it does not. */
int tan_schedule_check_memory(uint64_t ranks, uint64_t operations, struct tan_error *e);

struct tan_schedule_builder;

/* `lines`: keep the line of every operation (for texts; 0 where there is none). */
struct tan_schedule_builder *tan_schedule_begin(uint32_t ranks, bool lines, struct tan_error *e);
/* Start a rank, each at most once (tan_schedule_seal finds one that comes twice); ranks without
 * operations need not be started. */
int tan_schedule_rank(struct tan_schedule_builder *b, uint32_t rank, struct tan_error *e);
/* The CPU of operations of the current rank that follow and name CPU 0. */
void tan_schedule_cpu(struct tan_schedule_builder *b, uint8_t cpu);
/* Add an operation to the current rank. *index: its number within the rank, from 0. A peer outside
 * the ranks, an amount or a count out of range is an error (without a place: readers know it). */
int tan_schedule_add(struct tan_schedule_builder *b, const struct tan_op_spec *spec, uint32_t line,
                     uint32_t *index, struct tan_error *e);
/* Receive `index` of the current rank, of any source or any tag, receives from `source` with `tag`
 * after all. */
void tan_schedule_name_message(struct tan_schedule_builder *b, uint32_t index, uint32_t source,
                               uint32_t tag);
/* Number of operations of the current rank, or block of a rank, so far; and where they stand, until
 * the next one is added. Of each only kind and amount are known by now. */
uint32_t tan_schedule_added(const struct tan_schedule_builder *b);
const struct tan_op *tan_schedule_added_ops(const struct tan_schedule_builder *b);
/* Operation `index` of the current rank waits for operation `on` of the same rank. The same pair
 * may be given more than once. */
int tan_schedule_require(struct tan_schedule_builder *b, uint32_t index, uint32_t on,
                         enum tan_requires when, struct tan_error *e);
/* A phase of the current rank ends with operation `index`, or with TAN_PHASE_STARTS in `phase` when
 * it starts; the next one begins there, the first at 0. Phases are 1 to TAN_PHASES - 1; simulations
 * add up the time of each over all ranks. */
enum { TAN_PHASES = 1024, TAN_PHASE_STARTS = 1024 };
int tan_schedule_mark(struct tan_schedule_builder *b, uint32_t index, uint16_t phase,
                      struct tan_error *e);
/* Close the current rank. *cyclic: TAN_OP_NONE, or an operation (its number in the rank) that waits
 * for itself through others; then -1, with a sentence in *e. `cyclic` may be NULL. */
int tan_schedule_rank_end(struct tan_schedule_builder *b, uint32_t *cyclic, struct tan_error *e);
/* Work out channels and ports and hand the schedule over; destroys the builder, also on failure.
 * O(operations + dependencies). */
struct tan_schedule *tan_schedule_seal(struct tan_schedule_builder *b, struct tan_error *e);
/* Drop a builder that will not be sealed; NULL is allowed. */
void tan_schedule_abandon(struct tan_schedule_builder *b);
void tan_schedule_destroy(struct tan_schedule *s);

/* A schedule made rank by rank, for which failures are checked once per rank: once an operation
 * could not be added, the functions below do nothing. */
struct tan_maker {
    struct tan_schedule_builder *builder;
    struct tan_error *e;
    bool failed;
    /* Of a pattern that is part of a larger rank; 0 and NULL where it is all of it. */
    uint32_t first;          /* operations before it: its own are numbered from there */
    const uint32_t *rank_of; /* the schedule's rank of each rank of the pattern; borrowed */
    uint32_t tag;
};

/* Each returns the operation's number in its rank. CPU 0 and NIC 0 throughout. */
uint32_t tan_make_send(struct tan_maker *m, uint64_t bytes, uint32_t to);
uint32_t tan_make_recv(struct tan_maker *m, uint64_t bytes, uint32_t from);
uint32_t tan_make_calc(struct tan_maker *m, uint64_t picoseconds);
/* Operation `index` of the rank waits for the end of operation `on`; nothing when `on` is
 * TAN_OP_NONE. */
void tan_make_require(struct tan_maker *m, uint32_t index, uint32_t on);

/* A schedule of `ranks` ranks without lines: `rank` is called for each in turn, with `context`. */
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

TAN_END_DECLS

#endif
