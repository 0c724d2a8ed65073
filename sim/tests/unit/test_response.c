/* test_response.c - finish time as a function of L, o and G, against simulations
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json.h"
#include "sim/sensitivity/response.h"
#include "sim/tests/unit/random_job.h"
#include "sim/tests/unit/response_at.h"
#include "tests/unit/check.h"

static struct tan_response find(const struct tan_schedule *s, const struct tan_sim_params *p,
                                const char *text, size_t simulations)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_cost_range ranges[TAN_COSTS];
    struct tan_response r;
    size_t n;
    assert_int_equal(tan_cost_ranges_parse("--sensitivity", text, ranges, &n, &e), 0);
    assert_int_equal(n, 1);
    tan_response_find(s, p, NULL, &ranges[0], simulations, &r, &e);
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
 * rank, -1: none; with STARTS only its start. */
enum { STARTS = 1 << 20 };
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
            tan_schedule_require(b, index, (uint32_t)(rows[i].requires & ~STARTS),
                                 rows[i].requires < STARTS ? TAN_AFTER_FINISH : TAN_AFTER_START,
                                 &e);
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

TEST(test_by_hand)
{
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

TEST(test_jump)
{
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
    assert_close(response_at(&r, 100), 30700 + 3 * 1100, 1e-6);
    assert_close(response_at(&r, 250), 20700 + 3 * 1250, 1e-6);
    tan_response_clear(&r);
    tan_schedule_destroy(s);
}

/* Random jobs: several CPUs and NICs, wildcards, handshakes */

static bool ends(const struct tan_schedule *s, const struct tan_sim_params *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_sample sample;
    return tan_sample_take(s, p, TAN_COST_L, 0, &sample, &e) == 0;
}

static struct tan_schedule *random_schedule(struct job *j, uint64_t seed)
{
    const struct kind kind = {.handshake = seed % 2 == 1, .in_calls = seed % 3 == 0};
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
        assert_close(response_at(r, added), simulated(s, &j->p, r->cost, added), r->rounded + 1e-3);
    }
}

TEST(test_random)
{
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
        struct tan_response r = find(s, &j.p, ranges[cost], 20000);
        assert_true(r.exact >= 1.0);
        check_points(s, &j, &r, tan_costs[cost].step, POINTS);
        tan_response_clear(&r);
        tan_schedule_destroy(s);
        jobs++;
    }
}

/* Halo exchanges: each rank of a torus posts receives from its neighbours, sends to them, and waits
 * for all, between calculations of different lengths. */

enum { SIDE = 3 };

static uint32_t neighbour_of(uint32_t rank, int side)
{
    const uint32_t x = rank % SIDE, y = rank / SIDE;
    return side < 2 ? y * SIDE + (x + (side == 0 ? 1 : SIDE - 1)) % SIDE
                    : (y + (side == 2 ? 1 : SIDE - 1)) % SIDE * SIDE + x;
}

static void add_exchange(struct tan_schedule_builder *b, uint32_t rank, uint32_t *last,
                         struct tan_error *e)
{
    enum { SIDES = 4 };
    uint32_t op[2 * SIDES], after = *last;
    const struct tan_op_spec calc = {.kind = TAN_OP_CALC, .amount = dice(200000)};
    tan_schedule_add(b, &calc, 0, last, e);
    if (after != TAN_OP_NONE) {
        tan_schedule_require(b, *last, after, TAN_AFTER_FINISH, e);
    }
    for (int i = 0; i < 2 * SIDES; i++) {
        const int side = i % SIDES;
        const struct tan_op_spec spec = {.kind = i < SIDES ? TAN_OP_RECV : TAN_OP_SEND,
                                         .peer = neighbour_of(rank, side),
                                         .amount = 8,
                                         .tag = (uint32_t)(i < SIDES ? side ^ 1 : side)};
        tan_schedule_add(b, &spec, 0, &op[i], e);
        tan_schedule_require(b, op[i], *last, TAN_AFTER_FINISH, e);
    }
    const struct tan_op_spec wait = {.kind = TAN_OP_CALC};
    tan_schedule_add(b, &wait, 0, last, e);
    for (int i = 0; i < 2 * SIDES; i++) {
        tan_schedule_require(b, *last, op[i], TAN_AFTER_FINISH, e);
    }
}

static struct tan_schedule *build_halo(int rounds)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(SIDE * SIDE, false, &e);
    for (uint32_t rank = 0; rank < SIDE * SIDE; rank++) {
        uint32_t last = TAN_OP_NONE;
        tan_schedule_rank(b, rank, &e);
        for (int i = 0; i < rounds; i++) {
            add_exchange(b, rank, &last, &e);
        }
        tan_schedule_rank_end(b, NULL, &e);
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

TEST(test_halo)
{
    static struct job j;
    enum { JOBS = 10, POINTS = 1000 };
    for (uint64_t seed = 1; seed <= JOBS; seed++) {
        const struct tan_link link = {.L = 100000, .o = 1000 + 500 * seed, .G = 10};
        at_row("seed %d", (int)seed);
        dice_state = seed;
        j.p = (struct tan_sim_params){.within = link, .between = link, .S = 1000};
        struct tan_schedule *s = build_halo(3);
        struct tan_response r = find(s, &j.p, "L=+1us", 20000);
        assert_true(r.exact >= 1.0);
        assert_false(r.fixed);
        check_points(s, &j, &r, 1, POINTS);
        tan_response_clear(&r);
        tan_schedule_destroy(s);
    }
}

/* Ranks whose operations have one order, but may wait for a start only, be held, or overtake each
 * other on the way. */
static struct tan_schedule *build_chains(struct tan_sim_params *p, struct tan_sized_link sizes[2])
{
    enum { CHAINS = 4, ROUNDS = 12 };
    struct row rows[CHAINS][3 * ROUNDS], all[3 * CHAINS * ROUNDS];
    uint32_t n[CHAINS] = {0};
    size_t n_all = 0;
    const bool starts = dice(2) == 0;
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t from = dice(CHAINS), to = (from + 1 + dice(CHAINS - 1)) % CHAINS;
        const uint64_t bytes = 1 + dice(2000);
        const struct tan_op_spec op[3] = {{.kind = TAN_OP_SEND, .peer = to, .amount = bytes},
                                          {.kind = TAN_OP_RECV, .peer = from, .amount = bytes},
                                          {.kind = TAN_OP_CALC, .amount = dice(100000)}};
        const uint32_t at[3] = {from, to, dice(CHAINS)};
        for (int k = 0; k < 3; k++) {
            const int before = (int)n[at[k]] - 1;
            const int when = starts && before >= 0 && dice(3) == 0 ? STARTS : 0;
            rows[at[k]][n[at[k]]] = (struct row){at[k], op[k], before + when};
            n[at[k]]++;
        }
    }
    for (uint32_t r = 0; r < CHAINS; r++) {
        for (uint32_t i = 0; i < n[r]; i++) {
            all[n_all++] = rows[r][i];
        }
    }
    const struct tan_link link = {
        .L = dice(100000), .o = dice(5000), .g = dice(3000), .G = dice(9)};
    sizes[0] = (struct tan_sized_link){1, link, link};
    sizes[1] = (struct tan_sized_link){1000, link, link};
    sizes[1].link.L = sizes[1].within.L = dice(2) == 0 ? link.L : dice(100000);
    *p = (struct tan_sim_params){.within = link, .between = link, .S = dice(2) * 1000 + 700};
    p->between.held = p->within.held = dice(4) == 0;
    p->handshake = dice(2) == 0 ? TAN_HANDSHAKE_FETCH : TAN_HANDSHAKE_NONE;
    p->in_calls = dice(2) == 0;
    if (dice(2) == 0) {
        p->sizes = sizes;
        p->n_sizes = 2;
    }
    return build_rows(CHAINS, all, n_all);
}

TEST(test_fixed_random)
{
    int n_fixed = 0;
    enum { JOBS = 2000, POINTS = 20 };
    for (uint64_t seed = 1; seed <= JOBS; seed++) {
        struct tan_sim_params p;
        struct tan_sized_link sizes[2];
        struct tan_error e = TAN_ERROR_INIT;
        bool fixed;
        at_row("seed %d", (int)seed);
        dice_state = seed * 0x9e3779b97f4a7c15;
        struct tan_schedule *s = build_chains(&p, sizes);
        assert_int_equal(tan_order_is_fixed(s, &p, &fixed, &e), 0);
        if (fixed && ends(s, &p)) {
            struct tan_sample first, other;
            const enum tan_cost cost = (enum tan_cost)(seed % TAN_COSTS);
            struct tan_response r =
                find(s, &p, (const char *[]){"L=+1us", "o=+1us", "G=+10ns"}[cost], 0);
            assert_true(r.fixed && r.exact >= 1.0 && !r.falls);
            assert_int_equal(tan_sample_take(s, &p, cost, 0, &first, &e), 0);
            for (int i = 0; i < POINTS; i++) {
                const double added = dice(10000);
                assert_int_equal(tan_sample_take(s, &p, cost, added, &other, &e), 0);
                assert_true(first.order == other.order);
                assert_close(response_at(&r, added), other.finish, r.rounded + 1e-3);
            }
            tan_response_clear(&r);
            n_fixed++;
        }
        tan_schedule_destroy(s);
    }
    assert_true(n_fixed > JOBS / 8);
}

/* What leaves an order open. */
TEST(test_fixed)
{
    static const struct tan_link link = {.L = 1000, .o = 100};
    const struct tan_sim_params plain = {.within = link, .between = link, .S = 1000};
    struct tan_sim_params pulled = plain;
    pulled.handshake = TAN_HANDSHAKE_RTA;
    static const struct row after_posted[] = {
        {0, RECV(1), -1}, {0, CALC(5), STARTS}, {1, SEND(0), -1}};
    static const struct row after_sent[] = {
        {0, SEND(1), -1}, {0, CALC(5), STARTS}, {1, RECV(0), -1}};
    static const struct row after_held[] = {
        {0, {.kind = TAN_OP_SEND, .peer = 1, .amount = 2000}, -1},
        {0, CALC(5), STARTS},
        {1, {.kind = TAN_OP_RECV, .peer = 0, .amount = 2000}, -1}};
    static const struct row any[] = {{0, RECV(TAN_ANY_SOURCE), -1}, {1, SEND(0), -1}};
    const struct {
        const struct row *rows;
        size_t n;
        const struct tan_sim_params *p;
        bool fixed;
    } cases[] = {
        {two_paths, sizeof two_paths / sizeof *two_paths, &plain, true},
        {two_paths, sizeof two_paths / sizeof *two_paths, &pulled, false},
        {overtaking, sizeof overtaking / sizeof *overtaking, &plain, false},
        {after_posted, 3, &plain, false},
        {after_sent, 3, &plain, true},
        {after_held, 3, &plain, false},
        {any, 2, &plain, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tan_error e = TAN_ERROR_INIT;
        bool fixed;
        at_row("case %d", (int)i);
        struct tan_schedule *s = build_rows(5, cases[i].rows, cases[i].n);
        assert_int_equal(tan_order_is_fixed(s, cases[i].p, &fixed, &e), 0);
        assert_int_equal(fixed, cases[i].fixed);
        tan_schedule_destroy(s);
    }
}

/* A simulation that has been made already. */
TEST(test_base)
{
    static const struct tan_link link = {.L = 1000000, .o = 500000};
    const struct tan_sim_params p = {.within = link, .between = link, .S = 1000};
    struct tan_schedule *s = build_rows(4, two_paths, sizeof two_paths / sizeof *two_paths);
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation base;
    struct tan_response r;
    const struct tan_cost_range range = {TAN_COST_L, 20e6};
    assert_int_equal(tan_simulate(s, &p, true, &base, &e), 0);
    assert_int_equal(tan_response_find(s, &p, &base, &range, 0, &r, &e), 0);
    assert_int_equal(r.n_pieces, 1);
    assert_int_equal(r.simulations, 2);
    assert_true(r.fixed);
    assert_close(r.start, 102e6, 0);
    tan_response_clear(&r);
    tan_simulation_clear(&base);
    tan_schedule_destroy(s);
}

/* Where the order does not change, weights are slopes. */
TEST(test_weights)
{
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

/* Tolerances as JSON, at least one of which is known as a range only. */
static void check_tolerances(const struct tan_response *r)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_response_json(&w, top, r);
    const json_t *rows = json_object_get(top, "tolerances");
    bool range = false;
    assert_true(json_array_size(rows) > 0);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const struct tan_tolerance *t = &r->tolerance[i];
        const json_t *row = json_array_get(rows, i);
        assert_close(json_number_value(json_object_get(row, "least_ns")), t->least / 1e3, 1e-9);
        assert_close(json_number_value(json_object_get(row, "most_ns")), t->most / 1e3, 1e-9);
        range |= t->least < t->added && t->added < t->most;
    }
    assert_true(range);
    json_decref(top);
}

/* With too few simulations. */
TEST(test_inexact)
{
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
    check_tolerances(&r);
    if (!r.falls) {
        for (double x = 0; x <= 2e6; x += 12345) {
            assert_close(response_at(&r, x), simulated(s, &j.p, TAN_COST_L, x), r.off);
        }
    }
    tan_response_clear(&r);
    tan_schedule_destroy(s);
}

TEST(test_ranges)
{
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

RUN_TESTS(NULL, NULL)
