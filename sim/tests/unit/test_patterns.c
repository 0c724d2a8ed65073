/* test_patterns.c - patterns against counts of their operations, closed forms and optimal trees
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/deadlock.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/patterns.h"

static struct tan_sim_params logp(uint64_t L_ns, uint64_t o_ns, uint64_t g_ns)
{
    const struct tan_link link = {.L = L_ns * 1000, .o = o_ns * 1000, .g = g_ns * 1000};
    struct tan_sim_params p = tan_sim_defaults;
    p.within = p.between = link;
    return p;
}

/* Simulate what `spec` names; it must end well. */
static struct tan_simulation simulate(const char *spec, uint64_t bytes,
                                      const struct tan_sim_params *p, uint32_t *n_ops)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_schedule *s = tan_pattern_build(spec, bytes, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, p, false, &r, &e), 0);
    assert_no_error(e);
    assert_true(tan_ended_well(&r));
    *n_ops = s->n_ops;
    tan_schedule_destroy(s);
    return r;
}

static uint64_t finish_of(const char *spec, uint64_t bytes, const struct tan_sim_params *p)
{
    uint32_t n_ops;
    struct tan_simulation r = simulate(spec, bytes, p, &n_ops);
    const uint64_t finish = r.finish;
    tan_simulation_clear(&r);
    return finish;
}

/* Every pattern on every small number of ranks: nothing is left over, every message was sent and
 * received, and the table's count of operations is true. */
TEST(all_end)
{
    struct tan_sim_params handshake = tan_sim_defaults;
    handshake.S = 10;
    handshake.handshake = TAN_HANDSHAKE_RAT;
    for (const struct tan_pattern *pattern = tan_patterns; pattern->name != NULL; pattern++) {
        const bool has_k = pattern->arguments[0] == 'K';
        for (uint32_t k = 1; k <= (has_k ? 5 : 1); k++) {
            for (uint32_t p = 1; p <= 33; p++) {
                const struct tan_pattern_request request = {.ranks = p, .k = k, .bytes = 100};
                char spec[64];
                uint32_t n_ops;
                if (has_k) {
                    snprintf(spec, sizeof spec, "%s:%u:%u", pattern->name, k, p);
                } else {
                    snprintf(spec, sizeof spec, "%s:%u", pattern->name, p);
                }
                struct tan_simulation r = simulate(spec, 100, &tan_sim_defaults, &n_ops);
                assert_int_equal(n_ops, pattern->operations(&request));
                tan_simulation_clear(&r);
                /* a rendezvous must not deadlock either */
                r = simulate(spec, 100, &handshake, &n_ops);
                tan_simulation_clear(&r);
            }
        }
    }
}

/* Events, operations and messages together, that LogGOPSim counts for schedgen's patterns. */
TEST(reference_counts)
{
    static const struct {
        const char *spec;
        uint32_t operations, events;
    } rows[] = {
        {"gather:4096", 8190, 12285},         {"scatter:1024", 2046, 3069},
        {"linbarrier:300", 1197, 1795},       {"binomialtreereduce:4096", 8190, 12285},
        {"binomialtreebcast:255", 508, 762},  {"binarytreebcast:1023", 2044, 3066},
        {"binary-reduce:1023", 2044, 3066},   {"dissemination:4096", 98304, 147456},
        {"dissemination:257", 4626, 6939},    {"linear_alltoall:512", 523264, 784896},
        {"allreduce_recdoub:64", 1536, 2304}, {"allreduce_ring:16", 960, 1440},
        {"pipelined-ring:10:4", 60, 90},      {"recursive-doubling:64", 768, 1152},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t n_ops;
        struct tan_simulation r = simulate(rows[i].spec, 8, &tan_sim_defaults, &n_ops);
        assert_int_equal(n_ops, rows[i].operations);
        assert_int_equal(r.events, rows[i].events);
        tan_simulation_clear(&r);
    }
}

/* With the default parameters and 8 bytes a message takes 1500 + 2500 + 1500 + 7 * 6 ns. */
TEST(closed_forms)
{
    const struct tan_sim_params *p = &tan_sim_defaults;
    enum { MESSAGE = 5542000, RECEIVE = 1542000, SEND = 1500000 };
    char spec[64];
    for (uint32_t log = 1; log <= 16; log++) {
        snprintf(spec, sizeof spec, "binomial-broadcast:%u", 1u << log);
        assert_int_equal(finish_of(spec, 8, p), log * UINT64_C(5542000));
        if (log <= 10) {
            snprintf(spec, sizeof spec, "dissemination:%u", 1u << log);
            assert_int_equal(finish_of(spec, 8, p), log * UINT64_C(5542000));
        }
    }
    assert_int_equal(finish_of("binomial-broadcast:64Ki", 8, p), UINT64_C(88672000));
    for (uint32_t n = 2; n < 50; n++) {
        /* one message every 1542 ns at the receiver */
        snprintf(spec, sizeof spec, "gather:%u", n);
        assert_int_equal(finish_of(spec, 8, p), MESSAGE + (n - 2) * (uint64_t)RECEIVE);
        /* one every 1500 ns at the sender */
        snprintf(spec, sizeof spec, "scatter:%u", n);
        assert_int_equal(finish_of(spec, 8, p), MESSAGE + (n - 2) * (uint64_t)SEND);
        snprintf(spec, sizeof spec, "linear-barrier:%u", n);
        assert_int_equal(finish_of(spec, 8, p), 2 * MESSAGE + (n - 2) * (uint64_t)(SEND + RECEIVE));
        snprintf(spec, sizeof spec, "pipelined-ring:1:%u", n);
        assert_int_equal(finish_of(spec, 8, p), (n - 1) * (uint64_t)MESSAGE);
    }
    assert_int_equal(finish_of("gather:1", 8, p), 0);
    /* two ranks exchange everything: each sends, then receives */
    assert_int_equal(finish_of("recursive-doubling:2", 8, p), MESSAGE);
    /* three: rank 0 receives from both at 4000, sends to rank 1, then the result to rank 2 */
    assert_int_equal(finish_of("recursive-doubling:3", 8, p),
                     4000000 + 2 * RECEIVE + SEND + MESSAGE);
    /* five: rank 0 receives from rank 4, exchanges with ranks 1 and 2, then sends to rank 4; rank 1
     * has the early message of rank 3 after it has sent to that rank */
    assert_int_equal(finish_of("recursive-doubling:5", 8, p),
                     4000000 + 3 * RECEIVE + 2 * SEND + MESSAGE);
    /* 4 of 8 bytes there and back */
    assert_int_equal(finish_of("halving-doubling:2", 8, p), 2 * (UINT64_C(5500000) + 3 * 6000));
}

struct late_pattern {
    const struct tan_pattern *pattern;
    struct tan_pattern_request request;
    uint32_t late;
};

static void make_late(struct tan_maker *m, const void *context, uint32_t rank)
{
    const struct late_pattern *p = context;
    p->pattern->rank(m, &p->request, rank);
    if (rank == p->late) {
        tan_make_calc(m, UINT64_C(1000000000));
    }
}

/* A rank that computes for 1 ms after its first send: by then messages of several rounds are there,
 * and it receives each in its round. With o = 1 us and L = 10 us. */
TEST(late_rank)
{
    const struct tan_sim_params p = logp(10000, 1000, 0);
    static const struct {
        const char *name;
        uint32_t k, ranks, late;
        bool schedgen;
        uint64_t us;
    } rows[] = {
        /* rank 0 receives, sends to rank 2, which sends to rank 6 */
        {"dissemination", 1, 8, 0, false, 1001 + 5 + 20},
        {"nway-dissemination", 1, 8, 0, false, 1001 + 5 + 20},
        /* in Schedgen's form rank 0 receives three messages first */
        {"dissemination", 1, 8, 0, true, 1001 + 7 + 20},
        /* rank 0 receives, sends to 1, which sends to 2, which sends to 0 */
        {"ring-allreduce", 1, 3, 0, false, 1001 + 7 + 30},
        /* rank 1 receives two parts and sends them, rank 2 is busy with four, rank 3 gets the last
         */
        {"pipelined-ring", 4, 4, 1, false, 1000 + 12 + 20},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        struct tan_simulation r;
        struct late_pattern late = {.request = {.ranks = rows[i].ranks,
                                                .k = rows[i].k,
                                                .bytes = 12,
                                                .schedgen = rows[i].schedgen},
                                    .late = rows[i].late};
        for (late.pattern = tan_patterns; strcmp(late.pattern->name, rows[i].name) != 0;) {
            late.pattern++;
        }
        struct tan_schedule *s = tan_make_schedule(rows[i].ranks, make_late, &late, &e);
        assert_int_equal(tan_simulate(s, &p, false, &r, &e), 0);
        assert_no_error(e);
        assert_int_equal(r.finish, rows[i].us * 1000000);
        tan_simulation_clear(&r);
        tan_schedule_destroy(s);
    }
}

/* Data that a pattern divides: nothing is lost, parts differ by at most a byte. */
TEST(parts)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule *s = tan_pattern_build("pipelined-ring:7:2", 100, &e);
    uint64_t sum = 0;
    for (uint32_t op = 0; op < s->n_ops; op++) {
        const struct tan_op_spec spec = tan_schedule_spec(s, op);
        assert_in_range(spec.amount, 14, 15);
        sum += spec.kind == TAN_OP_SEND ? spec.amount : 0;
    }
    assert_int_equal(sum, 100);
    tan_schedule_destroy(s);

    /* a ring allreduce sends everything twice, less one part for each rank */
    s = tan_pattern_build("ring-allreduce:5", 23, &e);
    sum = 0;
    for (uint32_t op = 0; op < s->n_ops; op++) {
        const struct tan_op_spec spec = tan_schedule_spec(s, op);
        sum += spec.kind == TAN_OP_SEND ? spec.amount : 0;
    }
    assert_int_equal(sum, 2 * (5 - 1) * 23);
    tan_schedule_destroy(s);
    assert_no_error(e);
}

/* Optimal broadcast under LogP (Karp, Sahay, Santos, Schauser, SPAA 1993): every rank that has the
 * datum sends it on every max(o, g), and who can have it earliest gets it next. */

enum { MOST_RANKS = 64 };

/* Fills the parents that lead to it; returns the time when the last one has it. */
static uint64_t greedy(uint32_t ranks, uint64_t L, uint64_t o, uint64_t g, uint32_t *parents)
{
    const uint64_t period = o > g ? o : g;
    uint64_t next[MOST_RANKS] = {0}; /* when its next send can begin */
    uint64_t last = 0;
    for (uint32_t r = 1; r < ranks; r++) {
        uint32_t from = 0;
        for (uint32_t i = 1; i < r; i++) {
            from = next[i] < next[from] ? i : from;
        }
        parents[r] = from;
        last = next[from] + 2 * o + L;
        next[r] = last;
        next[from] += period;
    }
    return last;
}

/* When a broadcast along `parents` (a rank's children in rising order) is over, by simulation. */
static uint64_t simulate_broadcast(uint32_t ranks, const uint32_t *parents,
                                   const struct tan_sim_params *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(ranks, false, &e);
    struct tan_simulation r;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t got = TAN_OP_NONE, index;
        struct tan_op_spec spec = {.kind = TAN_OP_RECV, .amount = 1, .peer = parents[rank]};
        tan_schedule_rank(b, rank, &e);
        if (rank > 0) {
            tan_schedule_add(b, &spec, 0, &got, &e);
        }
        spec.kind = TAN_OP_SEND;
        for (uint32_t to = rank + 1; to < ranks; to++) {
            if (parents[to] == rank) {
                spec.peer = to;
                tan_schedule_add(b, &spec, 0, &index, &e);
                if (rank > 0) {
                    tan_schedule_require(b, index, got, TAN_AFTER_FINISH, &e);
                }
            }
        }
        tan_schedule_rank_end(b, NULL, &e);
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    assert_int_equal(tan_simulate(s, p, false, &r, &e), 0);
    const uint64_t finish = r.finish;
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
    return finish;
}

/* The least over all trees in which parents come before children. */
static uint64_t least(uint32_t ranks, uint32_t rank, uint32_t *parents,
                      const struct tan_sim_params *p)
{
    if (rank == ranks) {
        return simulate_broadcast(ranks, parents, p);
    }
    uint64_t best = UINT64_MAX;
    for (parents[rank] = 0; parents[rank] < rank; parents[rank]++) {
        const uint64_t finish = least(ranks, rank + 1, parents, p);
        best = finish < best ? finish : best;
    }
    return best;
}

TEST(optimal_broadcasts)
{
    static const struct {
        uint64_t L, o, g;
    } machines[] = {{6, 2, 4}, {2500, 1500, 1000}, {10, 1, 1}, {1, 3, 2}, {0, 1, 5}, {5, 0, 1}};
    uint32_t parents[MOST_RANKS] = {0};
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        const uint64_t L = machines[m].L, o = machines[m].o, g = machines[m].g;
        const struct tan_sim_params p = logp(L, o, g);
        for (uint32_t ranks = 2; ranks <= 7; ranks++) { /* 720 trees of 7 ranks */
            const uint64_t optimum = 1000 * greedy(ranks, L, o, g, parents);
            assert_int_equal(least(ranks, 1, parents, &p), optimum);
        }
        for (uint32_t ranks = 2; ranks <= MOST_RANKS; ranks++) {
            const uint64_t optimum = 1000 * greedy(ranks, L, o, g, parents);
            char spec[64];
            assert_int_equal(simulate_broadcast(ranks, parents, &p), optimum);
            snprintf(spec, sizeof spec, "binomial-broadcast:%u", ranks);
            assert_true(finish_of(spec, 1, &p) >= optimum);
            snprintf(spec, sizeof spec, "binary-broadcast:%u", ranks);
            assert_true(finish_of(spec, 1, &p) >= optimum);
            snprintf(spec, sizeof spec, "scatter:%u", ranks);
            assert_true(finish_of(spec, 1, &p) >= optimum);
        }
    }
    /* the example of the LogP paper (Culler et al., 1993) */
    assert_int_equal(greedy(8, 6, 2, 4, parents), 24);
}

TEST(bad_specs)
{
    static const struct {
        const char *spec, *error;
    } rows[] = {
        {"binomial:8", "\"binomial:8\" names no pattern: the patterns are gather:P, scatter:P"},
        {"", "names no pattern"},
        {"gather", "is not of the form gather:P"},
        {"gather:2:3", "is not of the form gather:P"},
        {"pipelined-ring:3", "is not of the form pipelined-ring:K:P"},
        {"pipelined-ring:3:4:5", "P must be a whole number"},
        {"pipelined-ring:0:4", "K must be a whole number from 1 to"},
        {"gather:0", "P must be a whole number from 1 to 536870912, not \"0\""},
        {"gather:", "not \"\""},
        {"gather:-4", "not \"-4\""},
        {"gather:1.5", "not \"1.5\""},
        {"gather:1Gi", "P must be a whole number"},
        {"linear-alltoall:100k", "has 19999800000 operations, and a schedule at most "},
    };
    struct tan_error e = TAN_ERROR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(tan_pattern_build(rows[i].spec, 8, &e));
        assert_error(e, TAN_USAGE, rows[i].error);
    }
}

/* Every algorithm that is compared is a pattern. */
TEST(algorithms)
{
    struct tan_error e = TAN_ERROR_INIT;
    for (const struct tan_algorithm *a = tan_algorithms; a->collective != NULL; a++) {
        char spec[64];
        uint32_t n_ops;
        snprintf(spec, sizeof spec, "%s:5", a->pattern);
        struct tan_simulation r = simulate(spec, 100, &tan_sim_defaults, &n_ops);
        assert_true(r.finish > 0);
        bool fits = false;
        assert_int_equal(tan_pattern_operations(spec, &fits, &e), n_ops);
        assert_true(fits);
        tan_simulation_clear(&r);
    }
    assert_string_equal(tan_algorithms_of("reduce:4")->pattern, "binomial-reduce");
    assert_null(tan_algorithms_of("reduc"));
    assert_null(tan_algorithms_of("reduces:4"));
    bool fits;
    assert_int_equal(tan_pattern_operations("allreduce:4", &fits, &e), -1);
    assert_error(e, TAN_USAGE, "names no pattern");
}

/* By hand, 96 bytes an operation and a rank, and 64 more an operation for a history. */
TEST(memory)
{
    struct tan_error e = TAN_ERROR_INIT;
    tan_schedule_limit_memory(96 * (8 + 5), false);
    struct tan_schedule *s = tan_pattern_build("gather:5", 8, &e);
    assert_no_error(e);
    tan_schedule_destroy(s);
    tan_schedule_limit_memory(96 * (8 + 5) - 1, false);
    assert_null(tan_pattern_build("gather:5", 8, &e));
    assert_error(e, TAN_USAGE,
                 "8 operations of 5 ranks may take 1.219 KiB of memory, and 1.218 KiB are "
                 "available");
    tan_schedule_limit_memory(96 * (8 + 5) + 64 * 8 - 1, true);
    e = (struct tan_error)TAN_ERROR_INIT;
    assert_null(tan_pattern_build("gather:5", 8, &e));
    bool fits = true;
    assert_int_equal(tan_pattern_operations("gather:5", &fits, &e), 8);
    assert_false(fits);
    tan_schedule_limit_memory(UINT64_MAX, false);
}

RUN_TESTS(NULL, NULL)
