/* test_response.c - finish time as a function of L, o and G, against simulations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/sensitivity/response.h"
#include "tests/unit/check.h"
#include "tests/unit/random_job.h"

static struct tan_response find(const struct tan_schedule *s, const struct tan_sim_params *p,
                                const char *text, size_t simulations)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cost_range ranges[TAN_COSTS];
    struct tan_response r;
    size_t n;
    assert_int_equal(tan_cost_ranges_parse("--sensitivity", text, ranges, &n, &e), 0);
    assert_int_equal(n, 1);
    tan_response_find(s, p, &ranges[0], simulations, &r, &e);
    assert_no_error(e);
    return r;
}

static double simulated(const struct tan_schedule *s, const struct tan_sim_params *p,
                        enum tan_cost cost, double added)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sample sample;
    assert_int_equal(tan_sample_take(s, p, cost, added, &sample, &e), 0);
    return sample.finish;
}

/* Worked out by hand */

/* A schedule from a table of operations in the order of ranks; `requires` is an operation of the
 * rank, -1: none. */
struct row {
    uint32_t rank;
    struct tan_op_spec op;
    int requires;
};

static struct tan_schedule *build_rows(uint32_t ranks, const struct row *rows, size_t n)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(ranks, false, &e);
    for (size_t i = 0; i < n; i++) {
        uint32_t index;
        if (i == 0 || rows[i].rank != rows[i - 1].rank) {
            tan_schedule_rank(b, rows[i].rank, &e);
        }
        tan_schedule_add(b, &rows[i].op, 0, &index, &e);
        if (rows[i].requires >= 0) {
            tan_schedule_require(b, index, (uint32_t)rows[i].requires, TAN_AFTER_FINISH, &e);
        }
        if (i + 1 == n || rows[i + 1].rank != rows[i].rank) {
            tan_schedule_rank_end(b, NULL, &e);
        }
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

#define SEND(to)                                                                                   \
    {                                                                                              \
        .kind = TAN_OP_SEND, .peer = (to), .amount = 1                                             \
    }
#define RECV(from)                                                                                 \
    {                                                                                              \
        .kind = TAN_OP_RECV, .peer = (from), .amount = 1                                           \
    }
#define CALC(ps)                                                                                   \
    {                                                                                              \
        .kind = TAN_OP_CALC, .amount = (ps)                                                        \
    }

/* Ranks 0 and 1 send four messages to and fro, while rank 2 calculates 100 us and then sends one to
 * rank 3. With o 0.5 us and nothing else T = max(4 us + 4 L, 101 us + L): from L 1 us, 102 us, the
 * lines meet at L 97/3 us, which is 94/3 us more. */
static const struct row two_paths[] = {
    {0, SEND(1), -1},         {0, RECV(1), 0}, {0, SEND(1), 1},  {0, RECV(1), 2},
    {1, RECV(0), -1},         {1, SEND(0), 0}, {1, RECV(0), 1},  {1, SEND(0), 2},
    {2, CALC(100000000), -1}, {2, SEND(3), 0}, {3, RECV(2), -1},
};

static void test_by_hand(void **state)
{
    (void)state;
    static const struct tan_link link = {.L = 1000000, .o = 500000};
    const struct tan_sim_params p = {.within = link, .between = link, .S = 1000};
    struct tan_schedule *s = build_rows(4, two_paths, sizeof two_paths / sizeof *two_paths);
    struct tan_response r = find(s, &p, "L=+50us", 0);
    assert_int_equal(r.n_pieces, 2);
    assert_true(r.exact >= 1.0 && !r.falls);
    assert_close(r.start, 102e6, 0);
    assert_close(r.pieces[0].to, 94e6 / 3, 1e-3);
    assert_close(r.pieces[0].finish_to, 102e6 + 94e6 / 3, 1e-3);
    assert_int_equal(r.pieces[0].weights.L, 1);
    assert_int_equal(r.pieces[0].weights.o, 2);
    assert_int_equal(r.pieces[1].weights.L, 4);
    assert_int_equal(r.pieces[1].weights.o, 8);
    /* 1, 2 and 5 % of 102 us */
    assert_close(r.tolerance[0].added, 1.02e6, 1e-3);
    assert_close(r.tolerance[1].added, 2.04e6, 1e-3);
    assert_close(r.tolerance[2].added, 5.10e6, 1e-3);
    tan_response_clear(&r);
    /* without a range it ends at 5 % */
    r = find(s, &p, "L", 0);
    assert_int_equal(r.n_pieces, 1);
    assert_close(r.to, 5.10e6, 1e-3);
    assert_close(r.pieces[0].finish_to, 1.05 * 102e6, 1e-3);
    tan_response_clear(&r);
    /* with x more o T = max(8 us + 8 x, 102 us + 2 x); bytes cost nothing */
    r = find(s, &p, "o=+40us", 0);
    assert_int_equal(r.n_pieces, 2);
    assert_close(r.pieces[0].to, 94e6 / 6, 1e-3);
    tan_response_clear(&r);
    r = find(s, &p, "G", 0);
    assert_int_equal(r.n_pieces, 1);
    assert_true(isnan(r.tolerance[0].added));
    assert_close(r.pieces[0].finish_to, 102e6, 0);
    tan_response_clear(&r);
    tan_schedule_destroy(s);
}

/* With o 100 ps. Rank 0 gets a message from rank 2 at 300 + 2 L, and is then going to calculate;
 * and one from rank 1 at 1600 + L, which it passes on to rank 4, by another CPU. Up to L 1199 the
 * calculation begins first, at 400 + 2 L, and the message has to wait for it: T = 30700 + 3 L. From
 * L 1200 the message is there in time: T = 20700 + 3 L. */
static const struct row overtaking[] = {
    {0, RECV(1), -1},    {0, RECV(2), -1},
    {0, CALC(10000), 1}, {0, {.kind = TAN_OP_SEND, .peer = 4, .amount = 1, .cpu = 1}, 0},
    {1, CALC(1500), -1}, {1, SEND(0), 0},
    {2, RECV(3), -1},    {2, SEND(0), 0},
    {3, SEND(2), -1},    {4, RECV(0), -1},
    {4, CALC(20000), 0},
};

static void test_jump(void **state)
{
    (void)state;
    static const struct tan_link link = {.L = 1000, .o = 100};
    const struct tan_sim_params p = {.within = link, .between = link, .S = 1000};
    struct tan_schedule *s = build_rows(5, overtaking, sizeof overtaking / sizeof *overtaking);
    struct tan_response r = find(s, &p, "L=+0.25ns", 0);
    assert_true(r.exact >= 1.0 && r.falls);
    assert_int_equal(r.n_pieces, 3);
    assert_true(r.pieces[1].jump);
    assert_close(r.pieces[1].from, 199, 0);
    assert_close(r.pieces[1].to, 200, 0);
    assert_close(r.pieces[1].finish_from, 30700 + 3 * 1199, 0);
    assert_close(r.pieces[1].finish_to, 20700 + 3 * 1200, 0);
    assert_int_equal(r.pieces[0].weights.L, 3);
    assert_int_equal(r.pieces[2].weights.L, 3);
    assert_close(tan_response_at(&r, 100), 30700 + 3 * 1100, 1e-6);
    assert_close(tan_response_at(&r, 250), 20700 + 3 * 1250, 1e-6);
    tan_response_clear(&r);
    tan_schedule_destroy(s);
}

/* Random jobs: several CPUs and NICs, shared cores, wildcards, handshakes */

static bool ends(const struct tan_schedule *s, const struct tan_sim_params *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sample sample;
    return tan_sample_take(s, p, TAN_COST_L, 0, &sample, &e) == 0;
}

static struct tan_schedule *random_schedule(struct job *j, uint64_t seed)
{
    const struct kind kind = {.cores = seed % 5 == 0,
                              .growing = seed % 7 == 0,
                              .handshake = seed % 2 == 1,
                              .in_calls = seed % 3 == 0};
    make_job(j, &kind, seed);
    struct tan_schedule *s = build(j);
    if (j->n > 8 && ends(s, &j->p)) {
        return s;
    }
    tan_schedule_destroy(s);
    return NULL;
}

static void check_points(const struct tan_schedule *s, const struct job *j,
                         const struct tan_response *r, double step, int points)
{
    for (int i = 0; i < points; i++) {
        const double added = floor(r->to / step * ((double)dice(1000000) / 1e6)) * step;
        assert_close(tan_response_at(r, added), simulated(s, &j->p, r->cost, added),
                     r->rounded + 1e-3);
    }
}

static void test_random(void **state)
{
    (void)state;
    static struct job j;
    int jobs = 0;
    enum { JOBS = 30, POINTS = 1000 };
    for (uint64_t seed = 1; jobs < JOBS; seed++) {
        struct tan_schedule *s = random_schedule(&j, seed);
        if (s == NULL) {
            continue;
        }
        static const char *const ranges[TAN_COSTS] = {"L=+2us", "o=+2us", "G=+20ns"};
        const enum tan_cost cost = (enum tan_cost)(jobs % TAN_COSTS);
        at_row("seed %d, %s", (int)seed, ranges[cost]);
        struct tan_response r = find(s, &j.p, ranges[cost], 10000);
        assert_true(r.exact >= 1.0);
        check_points(s, &j, &r, tan_costs[cost].step, POINTS);
        tan_response_clear(&r);
        tan_schedule_destroy(s);
        jobs++;
    }
}

/* Where the order does not change, weights are slopes. */
static void test_weights(void **state)
{
    (void)state;
    static struct job j;
    int same = 0, other = 0;
    for (uint64_t seed = 1; seed < 400; seed++) {
        struct tan_schedule *s = random_schedule(&j, seed);
        for (int cost = 0; s != NULL && cost < TAN_COSTS; cost++) {
            struct tan_error e = TAN_ERROR_INIT;
            struct tan_sample a, b;
            at_row("seed %d, %c", (int)seed, tan_costs[cost].letter);
            assert_int_equal(tan_sample_take(s, &j.p, (enum tan_cost)cost, 1, &a, &e), 0);
            assert_int_equal(tan_sample_take(s, &j.p, (enum tan_cost)cost, 2, &b, &e), 0);
            if (a.order == b.order) {
                const double slope = tan_sample_slope(&a, (enum tan_cost)cost);
                *(b.finish - a.finish <= slope && b.finish - a.finish >= slope ? &same : &other) +=
                    1;
            }
        }
        tan_schedule_destroy(s);
    }
    /* at a break point the path may be that of the other side */
    assert_true(same > 300 && other * 100 <= same);
}

/* With too few simulations. */
static void test_inexact(void **state)
{
    (void)state;
    static struct job j;
    struct tan_schedule *s = NULL;
    for (uint64_t seed = 3; s == NULL || j.n < 60; seed++) {
        tan_schedule_destroy(s);
        s = random_schedule(&j, seed);
    }
    struct tan_response r = find(s, &j.p, "L=+2us", 6);
    assert_int_equal(r.simulations, 6);
    assert_true(r.exact < 1.0);
    double to = 0;
    for (size_t i = 0; i < r.n_pieces; i++) {
        assert_close(r.pieces[i].from, to, 0);
        to = r.pieces[i].to;
        assert_close(r.pieces[i].finish_from, simulated(s, &j.p, TAN_COST_L, r.pieces[i].from),
                     1e-3);
    }
    assert_close(to, 2e6, 0);
    if (!r.falls) {
        for (double x = 0; x <= 2e6; x += 12345) {
            assert_close(tan_response_at(&r, x), simulated(s, &j.p, TAN_COST_L, x), r.off);
        }
    }
    tan_response_clear(&r);
    tan_schedule_destroy(s);
}

static void test_ranges(void **state)
{
    (void)state;
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cost_range ranges[TAN_COSTS];
    size_t n;
    assert_int_equal(tan_cost_ranges_parse("--x", "G,L=+2us", ranges, &n, &e), 0);
    assert_int_equal(n, 2);
    assert_int_equal(ranges[0].cost, TAN_COST_G);
    assert_true(isnan(ranges[0].most));
    assert_int_equal(ranges[1].cost, TAN_COST_L);
    assert_close(ranges[1].most, 2e6, 0);
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "must be like"},
        {"g", "has \"g\""},
        {"L=5us", "has \"L=5us\""},
        {"L,", "has \"\""},
        {"L,o,L", "names L twice"},
        {"L=+5", "must be a time"},
        {"L=+0us", "must be more than 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(tan_cost_ranges_parse("--x", rows[i].text, ranges, &n, &e), -1);
        assert_error(e, TAN_USAGE, rows[i].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_jump),
        cmocka_unit_test(test_random),  cmocka_unit_test(test_weights),
        cmocka_unit_test(test_inexact), cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
