/* test_simulate_fed.c - schedules loaded during simulation, against complete ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/check.h"

#include "sim/engine/simulate.h"
#include "tests/unit/random_job.h"

/* A random job, so many operations at a time */

struct source {
    const struct job *job;
    uint32_t at_once;
    uint32_t given[RANKS];
};

static void add_op(const struct job *j, uint32_t op, struct tan_schedule_builder *b)
{
    struct tan_error e = TAN_ERROR_INIT;
    const uint32_t first = j->first[j->rank[op]];
    uint32_t index;
    assert_int_equal(tan_schedule_add(b, &j->op[op], 0, &index, &e), 0);
    assert_int_equal(index, op - first);
    for (uint32_t i = 0; i < j->n_edges; i++) {
        const struct edge *edge = &j->edge[i];
        if (edge->op == op) {
            tan_schedule_require(b, op - first, edge->on - first, edge->when, &e);
        }
    }
    assert_no_error(e);
}

/* A block ends where it has an operation that all later ones wait for, or before there is one. */
static int next_ops(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                    struct tan_error *e)
{
    (void)e;
    struct source *source = context;
    const struct job *j = source->job;
    const uint32_t end = j->first[rank + 1], from = j->first[rank] + source->given[rank];
    uint32_t op = from;
    while (op < end) {
        add_op(j, op, b);
        const uint32_t anchor = j->anchor[op++];
        if (op - from >= source->at_once && (anchor == TAN_OP_NONE || anchor >= from)) {
            *gate = anchor == TAN_OP_NONE ? TAN_OP_NONE : anchor - j->first[rank];
            break;
        }
    }
    source->given[rank] += op - from;
    return op < end;
}

/* Comparison */

static void check_same_op(const struct tan_schedule *a, uint32_t i, const struct tan_schedule *b,
                          uint32_t k)
{
    const struct tan_op_spec x = tan_schedule_spec(a, i), y = tan_schedule_spec(b, k);
    assert_int_equal(tan_schedule_op_rank(a, i), tan_schedule_op_rank(b, k));
    assert_int_equal(x.kind, y.kind);
    assert_int_equal(x.amount, y.amount);
    assert_int_equal(x.peer, y.peer);
    assert_int_equal(x.tag, y.tag);
}

static void check_same_ops(const struct tan_schedule *a, const uint32_t *x, uint32_t n,
                           const struct tan_schedule *b, const uint32_t *y, uint32_t m)
{
    assert_int_equal(n, m);
    for (uint32_t i = 0; i < n; i++) {
        check_same_op(a, x[i], b, y[i]);
    }
}

/* Of the operations that cannot start some were loaded: of each rank the first ones. */
static void check_blocked(const struct tan_schedule *s, const struct tan_simulation *whole,
                          const struct tan_schedule *left, const struct tan_simulation *fed)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < fed->n_blocked; k++) {
        const uint32_t rank = tan_schedule_op_rank(left, fed->blocked[k]);
        while (i < whole->n_blocked && tan_schedule_op_rank(s, whole->blocked[i]) < rank) {
            i++;
        }
        assert_true(i < whole->n_blocked);
        check_same_op(s, whole->blocked[i++], left, fed->blocked[k]);
    }
}

static bool check_job(const struct job *j, const struct tan_schedule *s, uint32_t at_once)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct source source = {.job = j, .at_once = at_once};
    const struct tan_feed feed = {.ranks = j->ranks, .more = next_ops, .context = &source};
    struct tan_simulation whole, fed;
    struct tan_schedule *left;
    assert_int_equal(tan_simulate(s, &j->p, false, &whole, &e), 0);
    tan_simulate_fed(&feed, &j->p, &fed, &left, &e);
    assert_no_error(e);
    assert_int_equal(fed.finish, whole.finish);
    assert_int_equal(fed.last_rank, whole.last_rank);
    assert_int_equal(fed.events, whole.events);
    assert_int_equal(fed.operations, whole.operations);
    assert_int_equal(fed.n_blocked + fed.unloaded, whole.n_blocked);
    assert_memory_equal(fed.rank_finish, whole.rank_finish, j->ranks * sizeof *fed.rank_finish);
    const bool ended = whole.n_unexpected + whole.n_unmatched + whole.n_blocked == 0;
    assert_int_equal(left == NULL, ended);
    if (!ended) {
        check_same_ops(s, whole.unexpected, whole.n_unexpected, left, fed.unexpected,
                       fed.n_unexpected);
        check_same_ops(s, whole.unmatched, whole.n_unmatched, left, fed.unmatched, fed.n_unmatched);
        check_same_ops(s, whole.unfinished, whole.n_unfinished, left, fed.unfinished,
                       fed.n_unfinished);
        check_blocked(s, &whole, left, &fed);
    }
    tan_simulation_clear(&whole);
    tan_simulation_clear(&fed);
    tan_schedule_destroy(left);
    return ended;
}

/* Links of some sizes. */
static void add_sizes(struct job *j, const struct kind *kind, struct tan_sized_link sizes[3])
{
    static const uint64_t bytes[] = {0, 2, 17};
    const bool within = one_in(2);
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        sizes[i] = (struct tan_sized_link){.bytes = bytes[i], .link = some_link(kind)};
        sizes[i].within = within ? some_link(kind) : sizes[i].link;
    }
    j->p.sizes = sizes;
    j->p.n_sizes = sizeof bytes / sizeof bytes[0];
}

static void check_kind(struct kind kind)
{
    const uint32_t jobs = thorough() ? 1000 : 250;
    static const uint32_t at_once[] = {1, 2, 3, 7, 50};
    struct job *j = malloc(sizeof *j);
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sized_link sizes[3];
    uint32_t whole = 0;
    assert_non_null(j);
    kind.chains = true;
    for (uint64_t seed = 1; seed <= jobs; seed++) {
        make_job(j, &kind, seed);
        if (one_in(3)) {
            add_sizes(j, &kind, sizes);
        }
        struct tan_schedule *s = build(j);
        bool ended = true;
        for (size_t i = 0; i < sizeof at_once / sizeof at_once[0]; i++) {
            ended = check_job(j, s, at_once[i]);
        }
        whole += ended;
        tan_schedule_destroy(s);
    }
    assert_no_error(e);
    assert_in_range(whole, jobs / 10, jobs - jobs / 10);
    free(j);
}

static void test_plain(void **state)
{
    (void)state;
    check_kind((struct kind){.ties = true});
    check_kind((struct kind){.ties = false});
}

static void test_handshakes(void **state)
{
    (void)state;
    check_kind((struct kind){.ties = true, .handshake = true});
    check_kind((struct kind){.ties = false, .handshake = true});
    check_kind((struct kind){.ties = true, .handshake = true, .in_calls = true});
}

static void test_growing(void **state)
{
    (void)state;
    check_kind((struct kind){.ties = true, .growing = true});
    check_kind((struct kind){.ties = true, .growing = true, .handshake = true, .cores = true});
}

static void test_cores(void **state)
{
    (void)state;
    check_kind((struct kind){.ties = true, .cores = true});
    check_kind((struct kind){.ties = true, .cores = true, .handshake = true});
    check_kind((struct kind){.ties = false, .cores = true});
}

/* The send of a message that is pulled ends long after its operations are over, and after blocks
 * were loaded behind it: the last operation waits for it. */
static void test_late_end(void **state)
{
    (void)state;
    enum { CALCULATIONS = 10, N = CALCULATIONS + 3 };
    struct job j = {.ranks = 2, .n = N, .first = {0, N - 1, N}};
    struct tan_link link = {.L = 1000, .o = 1000, .G = 10000};
    j.p = (struct tan_sim_params){
        .within = link, .between = link, .handshake = TAN_HANDSHAKE_RTA, .control = 1000};
    j.op[0] = (struct tan_op_spec){.kind = TAN_OP_SEND, .amount = 100, .peer = 1};
    for (uint32_t i = 1; i < N - 1; i++) {
        j.op[i] = (struct tan_op_spec){.kind = TAN_OP_CALC, .amount = 5000};
        j.anchor[i] = i;
        j.edge[j.n_edges++] = (struct edge){i, i - 1, i == 1 ? TAN_AFTER_START : TAN_AFTER_FINISH};
    }
    j.edge[j.n_edges++] = (struct edge){N - 2, 0, TAN_AFTER_FINISH};
    j.op[N - 1] = (struct tan_op_spec){.kind = TAN_OP_RECV, .amount = 100, .peer = 0};
    j.rank[N - 1] = 1;
    j.anchor[N - 1] = N - 1;
    struct tan_schedule *s = build(&j);
    assert_true(check_job(&j, s, 1));
    tan_schedule_destroy(s);
}

/* Memory: rounds of messages between neighbours, however many there are */

enum { ROUND_RANKS = 4, ROUND_OPS = 4 };

struct rounds {
    uint32_t n, given[ROUND_RANKS];
};

/* Two receives and sends that nobody waits for until the next round but one. */
static int next_round(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                      struct tan_error *e)
{
    struct rounds *rounds = context;
    struct tan_maker m = {.builder = b, .e = e};
    const uint32_t first = ROUND_OPS * rounds->given[rank];
    m.first = first;
    tan_make_recv(&m, 8, (rank + 1) % ROUND_RANKS);
    tan_make_send(&m, 8, (rank + 1) % ROUND_RANKS);
    tan_make_recv(&m, 8, (rank + ROUND_RANKS - 1) % ROUND_RANKS);
    tan_make_send(&m, 8, (rank + ROUND_RANKS - 1) % ROUND_RANKS);
    m.first = 0;
    for (uint32_t i = first; i < first + ROUND_OPS && first > 0; i++) {
        tan_make_require(&m, i, first - 1);
        tan_make_require(&m, i, first >= 2 * ROUND_OPS ? i - 2 * ROUND_OPS : TAN_OP_NONE);
    }
    assert_false(m.failed);
    *gate = first + ROUND_OPS - 1;
    return ++rounds->given[rank] < rounds->n;
}

static uint32_t held_by(uint32_t n)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct rounds rounds = {.n = n};
    const struct tan_feed feed = {.ranks = ROUND_RANKS, .more = next_round, .context = &rounds};
    struct tan_simulation r;
    struct tan_schedule *left;
    assert_int_equal(tan_simulate_fed(&feed, &tan_sim_defaults, &r, &left, &e), 0);
    assert_no_error(e);
    assert_null(left);
    assert_int_equal(r.events, (uint64_t)ROUND_RANKS * n * (ROUND_OPS + 2));
    const uint32_t held = r.held;
    tan_simulation_clear(&r);
    return held;
}

static void test_memory(void **state)
{
    (void)state;
    const uint32_t held = held_by(100);
    assert_in_range(held, ROUND_RANKS * ROUND_OPS, ROUND_RANKS * ROUND_OPS * 20);
    assert_int_equal(held_by(100000), held);
}

/* What cannot be fed */

static int next_wild(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                     struct tan_error *e)
{
    const struct tan_op_spec *spec = context;
    uint32_t index;
    (void)rank;
    (void)gate;
    return tan_schedule_add(b, spec, 0, &index, e) < 0 ? -1 : 0;
}

/* The second block does not wait for the first one. */
static int next_free(void *context, uint32_t rank, struct tan_schedule_builder *b, uint32_t *gate,
                     struct tan_error *e)
{
    const struct tan_op_spec calculation = {.kind = TAN_OP_CALC, .amount = 1};
    (void)context;
    (void)rank;
    return tan_schedule_add(b, &calculation, 0, gate, e) < 0 ? -1 : 1;
}

static int next_failure(void *context, uint32_t rank, struct tan_schedule_builder *b,
                        uint32_t *gate, struct tan_error *e)
{
    (void)context;
    (void)rank;
    (void)b;
    (void)gate;
    return tan_fail(e, "no more");
}

static void check_failure(struct tan_feed feed, const char *part)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_schedule *left;
    assert_int_equal(tan_simulate_fed(&feed, &tan_sim_defaults, &r, &left, &e), -1);
    assert_error(e, TAN_FAILED, part);
    assert_null(left);
}

static void test_failures(void **state)
{
    (void)state;
    struct tan_op_spec any = {.kind = TAN_OP_RECV, .peer = TAN_ANY_SOURCE};
    struct tan_op_spec second = {.kind = TAN_OP_CALC, .cpu = 1};
    check_failure((struct tan_feed){1, next_wild, &any}, "no wildcards");
    check_failure((struct tan_feed){1, next_wild, &second}, "no CPU or NIC but 0");
    check_failure((struct tan_feed){1, next_free, NULL}, "does not wait for the gate");
    check_failure((struct tan_feed){1, next_failure, NULL}, "no more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_handshakes),
        cmocka_unit_test(test_growing),  cmocka_unit_test(test_cores),
        cmocka_unit_test(test_late_end), cmocka_unit_test(test_memory),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
