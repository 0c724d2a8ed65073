/* patterns.c - schedules of common communication patterns
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Receives precede the sends that depend on them, so that no dependency points forward. */
#include "sim/schedule/patterns.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Number of messages if every rank but one sends or receives one. */
static uint64_t other_ranks(const struct tan_pattern_request *q)
{
    return q->ranks - 1;
}

static uint64_t two_each_other(const struct tan_pattern_request *q)
{
    return 2 * other_ranks(q);
}

/* The least r with 2^r >= n. */
static uint32_t count_rounds(uint64_t n)
{
    uint32_t r = 0;
    for (uint64_t reached = 1; reached < n; reached *= 2) {
        r++;
    }
    return r;
}

/* The largest power of two that is at most n. */
static uint32_t power_below(uint32_t n)
{
    return UINT32_C(1) << (31 - __builtin_clz(n));
}

/* Size of part `i` if `bytes` are divided into `parts` parts that differ by at most one byte. */
static uint64_t part_bytes(uint64_t bytes, uint64_t i, uint64_t parts)
{
    return bytes / parts + (i < bytes % parts);
}

/* Root and the others */

static void linear_gather(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    if (rank > 0) {
        tan_make_send(m, q->bytes, 0);
        return;
    }
    for (uint32_t from = 1; from < q->ranks && !m->failed; from++) {
        tan_make_recv(m, q->bytes, from);
    }
}

static void linear_scatter(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    if (rank > 0) {
        tan_make_recv(m, q->bytes, 0);
        return;
    }
    for (uint32_t to = 1; to < q->ranks && !m->failed; to++) {
        tan_make_send(m, q->bytes, to);
    }
}

static void linear_barrier(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    if (rank > 0) {
        tan_make_send(m, q->bytes, 0);
        tan_make_recv(m, q->bytes, 0);
        return;
    }
    for (uint32_t from = 1; from < q->ranks && !m->failed; from++) {
        tan_make_recv(m, q->bytes, from);
    }
    const uint32_t all_here = tan_make_calc(m, 0);
    for (uint32_t i = 0; i + 1 < q->ranks && !m->failed; i++) {
        tan_make_require(m, all_here, i);
        tan_make_require(m, tan_make_send(m, q->bytes, i + 1), all_here);
    }
}

static uint64_t linear_barrier_operations(const struct tan_pattern_request *q)
{
    return 4 * other_ranks(q) + 1;
}

/* Trees over the ranks, described by the parent of a rank > 0 and its children. */

struct rank_tree {
    uint32_t (*parent)(uint32_t rank);
    /* Child i of `rank`; UINT64_MAX or at least the number of ranks if there is none. */
    uint64_t (*child)(uint32_t rank, uint32_t i);
};

static uint32_t binomial_parent(uint32_t rank)
{
    return rank - power_below(rank);
}

static uint64_t binomial_child(uint32_t rank, uint32_t i)
{
    return rank + ((rank == 0 ? UINT64_C(1) : UINT64_C(2) * power_below(rank)) << i);
}

static uint32_t binary_parent(uint32_t rank)
{
    return (rank - 1) / 2;
}

static uint64_t binary_child(uint32_t rank, uint32_t i)
{
    return i < 2 ? UINT64_C(2) * rank + 1 + i : UINT64_MAX;
}

static const struct rank_tree binomial = {binomial_parent, binomial_child};
static const struct rank_tree binary = {binary_parent, binary_child};

static void tree_broadcast(struct tan_maker *m, const struct tan_pattern_request *q,
                           const struct rank_tree *tree, uint32_t rank)
{
    const uint32_t got = rank == 0 ? TAN_OP_NONE : tan_make_recv(m, q->bytes, tree->parent(rank));
    uint64_t to;
    for (uint32_t i = 0; (to = tree->child(rank, i)) < q->ranks; i++) {
        tan_make_require(m, tan_make_send(m, q->bytes, (uint32_t)to), got);
    }
}

static void tree_reduce(struct tan_maker *m, const struct tan_pattern_request *q,
                        const struct rank_tree *tree, uint32_t rank)
{
    uint32_t children = 0;
    uint64_t from;
    while ((from = tree->child(rank, children)) < q->ranks) {
        tan_make_recv(m, q->bytes, (uint32_t)from);
        children++;
    }
    if (rank > 0) {
        const uint32_t send = tan_make_send(m, q->bytes, tree->parent(rank));
        for (uint32_t i = 0; i < children; i++) {
            tan_make_require(m, send, i);
        }
    }
}

static void binomial_broadcast(struct tan_maker *m, const void *q, uint32_t rank)
{
    tree_broadcast(m, q, &binomial, rank);
}

static void binomial_reduce(struct tan_maker *m, const void *q, uint32_t rank)
{
    tree_reduce(m, q, &binomial, rank);
}

static void binary_broadcast(struct tan_maker *m, const void *q, uint32_t rank)
{
    tree_broadcast(m, q, &binary, rank);
}

static void binary_reduce(struct tan_maker *m, const void *q, uint32_t rank)
{
    tree_reduce(m, q, &binary, rank);
}

/* Rounds of growing distance */

void tan_make_round(struct tan_maker *m, struct tan_round *round, uint64_t out, uint32_t to,
                    uint64_t in, uint32_t from)
{
    const struct tan_round before = *round;
    round->sent = tan_make_send(m, out, to);
    round->got = tan_make_recv(m, in, from);
    const uint32_t both[] = {round->sent, round->got};
    for (int i = 0; i < 2; i++) {
        tan_make_require(m, both[i], before.got);
        tan_make_require(m, both[i], before.sent);
    }
}

static void dissemination_barrier(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    struct tan_round round = {TAN_OP_NONE, TAN_OP_NONE};
    for (uint64_t step = 1; step < q->ranks; step *= 2) {
        const uint32_t to = (uint32_t)((rank + step) % q->ranks);
        const uint32_t from = (uint32_t)((rank + q->ranks - step) % q->ranks);
        if (q->schedgen) {
            tan_make_require(m, tan_make_send(m, q->bytes, to), round.got);
            round.got = tan_make_recv(m, q->bytes, from);
        } else {
            tan_make_round(m, &round, q->bytes, to, q->bytes, from);
        }
    }
}

static uint64_t dissemination_operations(const struct tan_pattern_request *q)
{
    return UINT64_C(2) * q->ranks * count_rounds(q->ranks);
}

/* Number of messages a rank sends in the round whose nearest target is at distance `step`. */
static uint32_t nway_messages(const struct tan_pattern_request *q, uint64_t step)
{
    const uint64_t reach = (q->ranks - 1) / step;
    return reach < q->k ? (uint32_t)reach : q->k;
}

static void nway_dissemination(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    uint32_t all_here = TAN_OP_NONE; /* completion of the previous round */
    for (uint64_t step = 1; step < q->ranks && !m->failed; step *= UINT64_C(1) + q->k) {
        const uint32_t n = nway_messages(q, step);
        for (uint32_t i = 1; i <= n && !m->failed; i++) {
            tan_make_require(
                m, tan_make_send(m, q->bytes, (uint32_t)((rank + i * step) % q->ranks)), all_here);
        }
        uint32_t got = 0;
        for (uint32_t i = 1; i <= n && !m->failed; i++) {
            got = tan_make_recv(m, q->bytes, (uint32_t)((rank + q->ranks - i * step) % q->ranks));
            tan_make_require(m, got, all_here);
        }
        all_here = tan_make_calc(m, 0);
        for (uint32_t i = 0; i < n; i++) {
            tan_make_require(m, all_here, got - i);
        }
    }
}

static uint64_t nway_dissemination_operations(const struct tan_pattern_request *q)
{
    uint64_t operations = 0;
    for (uint64_t step = 1; step < q->ranks; step *= UINT64_C(1) + q->k) {
        operations += UINT64_C(2) * nway_messages(q, step) + 1;
    }
    return q->ranks * operations;
}

/* Allreduce among the first 2^k ranks. Each rank beyond them first sends its data to one of them,
 * and finally receives the result. */

static void exchange_data(struct tan_maker *m, struct tan_round *round, uint64_t bytes,
                          uint32_t partner)
{
    tan_make_round(m, round, bytes, partner, bytes, partner);
}

/* `halving`: rounds of the reduce-scatter halve the data, rounds of the allgather double them. */
static void recursive_allreduce(struct tan_maker *m, const struct tan_pattern_request *q,
                                bool halving, uint32_t rank)
{
    const uint32_t core = power_below(q->ranks);
    struct tan_round round = {TAN_OP_NONE, TAN_OP_NONE};
    if (rank >= core) {
        const uint32_t sent = tan_make_send(m, q->bytes, rank - core);
        tan_make_require(m, tan_make_recv(m, q->bytes, rank - core), sent);
        return;
    }
    if (core + rank < q->ranks) {
        round.got = tan_make_recv(m, q->bytes, core + rank);
    }
    for (uint64_t step = 1; step < core; step *= 2) {
        exchange_data(m, &round, halving ? part_bytes(q->bytes, 0, 2 * step) : q->bytes,
                      rank ^ (uint32_t)step);
    }
    for (uint64_t step = core / 2; step > 0 && halving; step /= 2) {
        exchange_data(m, &round, part_bytes(q->bytes, 0, 2 * step), rank ^ (uint32_t)step);
    }
    if (core + rank < q->ranks) {
        const uint32_t send = tan_make_send(m, q->bytes, core + rank);
        tan_make_require(m, send, round.got);
        tan_make_require(m, send, round.sent);
    }
}

static uint64_t allreduce_operations(const struct tan_pattern_request *q, uint32_t ways)
{
    const uint64_t core = power_below(q->ranks);
    return 2 * ways * core * count_rounds(core) + 4 * (q->ranks - core);
}

static void recursive_doubling(struct tan_maker *m, const void *q, uint32_t rank)
{
    recursive_allreduce(m, q, false, rank);
}

static uint64_t recursive_doubling_operations(const struct tan_pattern_request *q)
{
    return allreduce_operations(q, 1);
}

static void halving_doubling(struct tan_maker *m, const void *q, uint32_t rank)
{
    recursive_allreduce(m, q, true, rank);
}

static uint64_t halving_doubling_operations(const struct tan_pattern_request *q)
{
    return allreduce_operations(q, 2);
}

/* Rings and chains */

static void ring_allreduce(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    const uint32_t p = q->ranks, to = (rank + 1) % p, from = (rank + p - 1) % p;
    struct tan_round round = {TAN_OP_NONE, TAN_OP_NONE};
    for (uint32_t i = 0; i < 2 * (p - 1) && !m->failed; i++) {
        /* In step i every rank forwards the part received in the previous step, starting with its
         * own. */
        tan_make_round(m, &round, part_bytes(q->bytes, (rank + 2 * p - i) % p, p), to,
                       part_bytes(q->bytes, (from + 2 * p - i) % p, p), from);
    }
}

static uint64_t ring_allreduce_operations(const struct tan_pattern_request *q)
{
    return 4 * other_ranks(q) * q->ranks;
}

/* While a part is sent, the next is received, as MPI libraries do: into one of two buffers. */
static void pipelined_ring(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    uint32_t sent[2] = {TAN_OP_NONE, TAN_OP_NONE};
    for (uint32_t i = 0; i < q->k && !m->failed; i++) {
        const uint64_t bytes = part_bytes(q->bytes, i, q->k);
        uint32_t got = TAN_OP_NONE;
        if (rank > 0) {
            got = tan_make_recv(m, bytes, rank - 1);
            tan_make_require(m, got, sent[i % 2]);
        }
        if (rank + 1 < q->ranks) {
            sent[i % 2] = tan_make_send(m, bytes, rank + 1);
            tan_make_require(m, sent[i % 2], got);
        }
    }
}

static uint64_t pipelined_ring_operations(const struct tan_pattern_request *q)
{
    return 2 * other_ranks(q) * q->k;
}

/* Everyone to everyone */

static void linear_alltoall(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct tan_pattern_request *q = context;
    const uint64_t p = q->ranks;
    for (uint64_t i = 1; i < p && !m->failed; i++) {
        tan_make_send(m, q->bytes, (uint32_t)((rank + i) % p));
        tan_make_recv(m, q->bytes, (uint32_t)((rank + p - i) % p));
    }
}

static uint64_t linear_alltoall_operations(const struct tan_pattern_request *q)
{
    return 2 * other_ranks(q) * q->ranks;
}

const struct tan_pattern tan_patterns[] = {
    {"gather", NULL, "P", "every other rank sends to rank 0", two_each_other, linear_gather},
    {"scatter", NULL, "P", "rank 0 sends to every other rank", two_each_other, linear_scatter},
    {"linear-barrier", "linbarrier", "P", "a gather, and when all is there a scatter",
     linear_barrier_operations, linear_barrier},
    {"binomial-broadcast", "binomialtreebcast", "P",
     "rank v hands on to v + 1, 2, 4, ... of what is above v", two_each_other, binomial_broadcast},
    {"binomial-reduce", "binomialtreereduce", "P", "the same tree towards rank 0", two_each_other,
     binomial_reduce},
    {"binary-broadcast", "binarytreebcast", "P", "rank v hands on to 2v + 1 and 2v + 2",
     two_each_other, binary_broadcast},
    {"binary-reduce", NULL, "P", "the same tree towards rank 0", two_each_other, binary_reduce},
    {"dissemination", NULL, "P", "in round i to the rank 2^i further, from the rank 2^i before",
     dissemination_operations, dissemination_barrier},
    {"nway-dissemination", NULL, "K:P",
     "in round i to the ranks 1 to K times (K+1)^i further, and from as many before",
     nway_dissemination_operations, nway_dissemination},
    {"recursive-doubling", NULL, "P",
     "allreduce: in round i all data to and from the rank that differs in bit i; ranks beyond a "
     "power of two join before and after",
     recursive_doubling_operations, recursive_doubling},
    {"halving-doubling", "allreduce_recdoub", "P",
     "allreduce: rounds with half the data each, then back with twice as much each",
     halving_doubling_operations, halving_doubling},
    {"ring-allreduce", "allreduce_ring", "P",
     "allreduce: P parts go twice around the ring, 2(P-1) steps", ring_allreduce_operations,
     ring_allreduce},
    {"pipelined-ring", NULL, "K:P", "K parts travel from rank 0 along all ranks",
     pipelined_ring_operations, pipelined_ring},
    {"linear-alltoall", "linear_alltoall", "P", "every rank to every other, all at once",
     linear_alltoall_operations, linear_alltoall},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

const struct tan_algorithm tan_algorithms[] = {
    {"allreduce", "recursive-doubling"},
    {"allreduce", "halving-doubling"},
    {"allreduce", "ring-allreduce"},
    {"alltoall", "linear-alltoall"},
    {"barrier", "linear-barrier"},
    {"barrier", "dissemination"},
    {"barrier", "nway-dissemination:2"},
    {"barrier", "nway-dissemination:3"},
    {"barrier", "nway-dissemination:7"},
    {"bcast", "binomial-broadcast"},
    {"bcast", "binary-broadcast"},
    {"bcast", "pipelined-ring:8"},
    {"bcast", "pipelined-ring:64"},
    {"bcast", "pipelined-ring:512"},
    {"reduce", "binomial-reduce"},
    {"reduce", "binary-reduce"},
    {NULL, NULL},
};

const struct tan_algorithm *tan_algorithms_of(const char *spec)
{
    const size_t length = strcspn(spec, ":");
    for (const struct tan_algorithm *a = tan_algorithms; a->collective != NULL; a++) {
        if (strlen(a->collective) == length && memcmp(a->collective, spec, length) == 0) {
            return a;
        }
    }
    return NULL;
}

/* "allreduce:P, alltoall:P" */
static struct tan_text collectives_text(void)
{
    struct tan_text list = {""};
    for (const struct tan_algorithm *a = tan_algorithms; a->collective != NULL; a++) {
        if (a == tan_algorithms || strcmp(a[-1].collective, a->collective) != 0) {
            list =
                tan_printed("%s%s%s:P", list.text, a == tan_algorithms ? "" : ", ", a->collective);
        }
    }
    return list;
}

const char *tan_pattern_nearest(const char *name, size_t length)
{
    struct tan_nearest nearest = tan_nearest_to(name, length);
    for (const struct tan_pattern *p = tan_patterns; p->name != NULL; p++) {
        tan_nearest_try(&nearest, p->name);
        if (p->alias != NULL) {
            tan_nearest_try(&nearest, p->alias);
        }
    }
    for (const struct tan_algorithm *a = tan_algorithms; a->collective != NULL; a++) {
        tan_nearest_try(&nearest, a->collective);
    }
    return nearest.name;
}

static const struct tan_pattern *find_pattern(const char *spec, struct tan_error *e)
{
    const size_t length = strcspn(spec, ":");
    struct tan_text known = {""};
    for (const struct tan_pattern *p = tan_patterns; p->name != NULL; p++) {
        const char *const names[] = {p->name, p->alias};
        for (int i = 0; i < 2 && names[i] != NULL; i++) {
            if (strlen(names[i]) == length && memcmp(names[i], spec, length) == 0) {
                return p;
            }
        }
        known = tan_printed("%s%s%s:%s", known.text,
                            p == tan_patterns   ? ""
                            : p[1].name == NULL ? " or "
                                                : ", ",
                            p->name, p->arguments);
    }
    const char *nearest = tan_pattern_nearest(spec, length);
    const struct tan_text meant =
        nearest != NULL ? tan_printed("did you mean %s%.64s? ", nearest, spec + length)
                        : (struct tan_text){""};
    tan_fail_usage(e,
                   "%s\"%.64s\" names no pattern: the patterns are %s; all algorithms of a "
                   "collective operation: %s",
                   meant.text, spec, known.text, collectives_text().text);
    return NULL;
}

/* Parse the numbers after the name: P, or K and P. */
static int read_numbers(const struct tan_pattern *p, const char *spec,
                        struct tan_pattern_request *q, struct tan_error *e)
{
    const bool has_k = p->arguments[0] == 'K';
    const char *text = strchr(spec, ':');
    enum { LONGEST = 31 };
    int64_t k = 0, ranks;
    const char *last = text == NULL ? NULL : strchr(text + 1, ':');
    if (text == NULL || (last != NULL) != has_k || (has_k && last - text > LONGEST + 1)) {
        return tan_fail_usage(e, "\"%.64s\" is not of the form %s:%s", spec, p->name, p->arguments);
    }
    if (has_k && tan_parse_count(tan_printed("\"%.64s\": K", spec).text,
                                 tan_printed("%.*s", (int)(last - text - 1), text + 1).text, 1,
                                 TAN_SCHEDULE_MAX_RANKS, &k, e) < 0) {
        return -1;
    }
    if (tan_parse_count(tan_printed("\"%.64s\": P", spec).text, (has_k ? last : text) + 1, 1,
                        TAN_SCHEDULE_MAX_RANKS, &ranks, e) < 0) {
        return -1;
    }
    q->k = (uint32_t)k;
    q->ranks = (uint32_t)ranks;
    return 0;
}

/* Parse the pattern and its numbers. */
static const struct tan_pattern *read_spec(const char *spec, struct tan_pattern_request *q,
                                           struct tan_error *e)
{
    const struct tan_pattern *p = find_pattern(spec, e);
    return p == NULL || read_numbers(p, spec, q, e) < 0 ? NULL : p;
}

int64_t tan_pattern_operations(const char *spec, bool *fits, struct tan_error *e)
{
    struct tan_pattern_request q = {.bytes = 0};
    const struct tan_pattern *p = read_spec(spec, &q, e);
    if (p == NULL) {
        return -1;
    }
    const uint64_t operations = p->operations(&q);
    *fits = operations < TAN_SCHEDULE_MAX_OPS && tan_schedule_fits(q.ranks, operations);
    return (int64_t)operations;
}

struct tan_schedule *tan_pattern_build(const char *spec, uint64_t bytes, struct tan_error *e)
{
    struct tan_pattern_request q = {.bytes = bytes};
    const struct tan_pattern *p = read_spec(spec, &q, e);
    if (p == NULL) {
        return NULL;
    }
    const uint64_t operations = p->operations(&q);
    if (operations >= TAN_SCHEDULE_MAX_OPS) {
        tan_fail_usage(e, "\"%.64s\" has %" PRIu64 " operations, and a schedule at most %" PRIu32,
                       spec, operations, TAN_SCHEDULE_MAX_OPS - 1);
        return NULL;
    }
    if (tan_schedule_check_memory(q.ranks, operations, e) < 0) {
        return NULL;
    }
    return tan_make_schedule(q.ranks, p->rank, &q, e);
}

void tan_pattern_help(FILE *to)
{
    enum { COLUMN = 28 };
    for (const struct tan_pattern *p = tan_patterns; p->name != NULL; p++) {
        const struct tan_text also =
            p->alias != NULL ? tan_printed(" (also %s)", p->alias) : (struct tan_text){""};
        tan_text_item(to, tan_printed("%s:%s", p->name, p->arguments).text,
                      tan_printed("%s%s", p->help, also.text).text, COLUMN);
    }
    fprintf(to, "All algorithms of a collective operation, compared:\n  %s\n",
            collectives_text().text);
}
