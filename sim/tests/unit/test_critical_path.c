/* test_critical_path.c - composition of finish times
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdlib.h>

#include "base/json.h"
#include "sim/engine/noise.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/times.h"
#include "sim/view/critical_path.h"
#include "sim/view/path_shares.h"
#include "tests/unit/check.h"

/* Schedules, built from a table of operations in the order of ranks. */

struct row {
    uint32_t rank;
    struct tan_op_spec op;
    int requires; /* an operation of the rank, -1: none */
};

static struct tan_schedule *build(uint32_t ranks, const struct row *rows, size_t n)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(ranks, true, &e);
    assert_non_null(b);
    for (size_t i = 0; i < n; i++) {
        uint32_t index;
        if (i == 0 || rows[i].rank != rows[i - 1].rank) {
            assert_int_equal(tan_schedule_rank(b, rows[i].rank, &e), 0);
        }
        assert_int_equal(tan_schedule_add(b, &rows[i].op, (uint32_t)i + 1, &index, &e), 0);
        if (rows[i].requires >= 0) {
            assert_int_equal(
                tan_schedule_require(b, index, (uint32_t)rows[i].requires, TAN_AFTER_FINISH, &e),
                0);
        }
        if (i + 1 == n || rows[i + 1].rank != rows[i].rank) {
            assert_int_equal(tan_schedule_rank_end(b, NULL, &e), 0);
        }
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

#define SEND(to, bytes)                                                                            \
    {                                                                                              \
        .kind = TAN_OP_SEND, .peer = (to), .amount = (bytes)                                       \
    }
#define RECV(from, bytes)                                                                          \
    {                                                                                              \
        .kind = TAN_OP_RECV, .peer = (from), .amount = (bytes)                                     \
    }
#define CALC(ps)                                                                                   \
    {                                                                                              \
        .kind = TAN_OP_CALC, .amount = (ps)                                                        \
    }
#define ROWS(rows) rows, sizeof(rows) / sizeof *(rows)

/* What every path must be, whatever the job. */
static void check_path(const struct tan_schedule *s, const struct tan_critical_path *path,
                       uint64_t finish)
{
    uint64_t at = 0;
    uint64_t sums[TAN_PATH_PARTS] = {0};
    uint64_t total = 0;
    for (size_t i = 0; i < path->n_steps; i++) {
        const struct tan_path_step *step = &path->steps[i];
        assert_true(step->op < s->n_ops);
        assert_int_equal(step->from, at);
        uint64_t sum = 0;
        for (int part = 0; part < TAN_PATH_PARTS; part++) {
            sum += step->part[part];
            sums[part] += step->part[part];
        }
        assert_int_equal(sum, step->to - step->from);
        at = step->to;
    }
    assert_int_equal(at, finish);
    for (int part = 0; part < TAN_PATH_PARTS; part++) {
        assert_int_equal(path->part[part], sums[part]);
        total += sums[part];
    }
    assert_int_equal(total, finish);
}

/* Simulate, check the path in general, and hand it over. */
static struct tan_critical_path path_of(const struct tan_schedule *s,
                                        const struct tan_sim_params *p)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_critical_path path;
    assert_int_equal(tan_simulate(s, p, true, &r, &e), 0);
    tan_critical_path(s, p, &r, &path, &e);
    assert_no_error(e);
    check_path(s, &path, r.finish);
    tan_simulation_clear(&r);
    return path;
}

static struct tan_sim_params params(struct tan_link link)
{
    return (struct tan_sim_params){.within = link, .between = link, .S = 1000, .control = 70};
}

static void assert_parts(const char *name, const struct tan_critical_path *path,
                         const uint64_t expected[TAN_PATH_PARTS])
{
    for (int part = 0; part < TAN_PATH_PARTS; part++) {
        if (path->part[part] != expected[part]) {
            print_error("%s: part %s\n", name, tan_path_parts[part].name);
        }
        assert_int_equal(path->part[part], expected[part]);
    }
}

/* One case a row: a job small enough to be worked out by hand. */
struct worked {
    const char *name;
    uint32_t ranks;
    const struct row *rows;
    size_t n;
    struct tan_sim_params params;
    uint64_t parts[TAN_PATH_PARTS];
    const char *path; /* ranks of the steps */
};

static const struct tan_link link_1 = {.L = 1000, .o = 100, .g = 30, .G = 2, .O = 1};
static const struct tan_link wide_gap = {.L = 1000, .o = 100, .g = 300, .G = 2, .O = 1};

TEST(test_worked)
{
    static const struct row ping[] = {
        {0, CALC(5000), -1}, {0, SEND(1, 11), 0}, {1, RECV(0, 11), -1}};
    static const struct row late[] = {
        {0, SEND(1, 11), -1}, {1, CALC(9000), -1}, {1, RECV(0, 11), 0}, {1, CALC(1), 1}};
    static const struct row sends[] = {
        {0, SEND(1, 1), -1}, {0, SEND(2, 1), -1}, {1, RECV(0, 1), -1}, {2, RECV(0, 1), -1}};
    static const struct row gather[] = {
        {0, RECV(1, 1), -1}, {0, RECV(2, 1), -1}, {1, SEND(0, 1), -1}, {2, SEND(0, 1), -1}};
    static const struct row big[] = {
        {0, SEND(1, 1001), -1}, {0, CALC(1), 0}, {1, RECV(0, 1001), -1}};
    static const struct row big_late[] = {
        {0, SEND(1, 1001), -1}, {0, CALC(9000), 0}, {1, CALC(7000), -1}, {1, RECV(0, 1001), 0}};
    struct tan_sim_params plain = params(link_1), wide = params(wide_gap), rat = params(link_1),
                          rta = params(link_1), fetch = params(link_1);
    rat.handshake = TAN_HANDSHAKE_RAT;
    rta.handshake = TAN_HANDSHAKE_RTA;
    fetch.handshake = TAN_HANDSHAKE_FETCH;
    const struct worked cases[] = {
        /* calc, o + L, o + max(G, O) of 10 bytes */
        {"ping",
         2,
         ROWS(ping),
         plain,
         {[TAN_PART_CALC] = 5000, [TAN_PART_L] = 1000, [TAN_PART_o] = 200, [TAN_PART_G] = 20},
         "001"},
        /* the receive is posted long after the message is there */
        {"late",
         2,
         ROWS(late),
         plain,
         {[TAN_PART_CALC] = 9001, [TAN_PART_o] = 100, [TAN_PART_G] = 20},
         "111"},
        /* two sends one after the other: limited by the CPU, then by the gap */
        {"two sends", 3, ROWS(sends), plain, {[TAN_PART_o] = 300, [TAN_PART_L] = 1000}, "002"},
        {"two sends with a gap",
         3,
         ROWS(sends),
         wide,
         {[TAN_PART_o] = 200, [TAN_PART_L] = 1000, [TAN_PART_g] = 300},
         "002"},
        {"gather", 3, ROWS(gather), plain, {[TAN_PART_o] = 300, [TAN_PART_L] = 1000}, "100"},
        {"gather with a gap",
         3,
         ROWS(gather),
         wide,
         {[TAN_PART_o] = 200, [TAN_PART_L] = 1000, [TAN_PART_g] = 300},
         "100"},
        /* LogGOPS: data at once */
        {"rendezvous",
         2,
         ROWS(big),
         plain,
         {[TAN_PART_o] = 200, [TAN_PART_L] = 1000, [TAN_PART_G] = 2000},
         "01"},
        {"late rendezvous", 2, ROWS(big_late), plain, {[TAN_PART_CALC] = 16000}, "1100"},
        /* request 70 + L, answer 140 + L, data 70 + o + L, bytes 2000 */
        {"RAT",
         2,
         ROWS(big),
         rat,
         {[TAN_PART_CONTROL] = 280,
          [TAN_PART_HANDSHAKE_L] = 2000,
          [TAN_PART_o] = 100,
          [TAN_PART_L] = 1000,
          [TAN_PART_G] = 2000},
         "0101"},
        /* 7000, answer 140 + L, data 70 + o + 1000 O, calc 9000 */
        {"late RAT",
         2,
         ROWS(big_late),
         rat,
         {[TAN_PART_CALC] = 16000,
          [TAN_PART_CONTROL] = 210,
          [TAN_PART_HANDSHAKE_L] = 1000,
          [TAN_PART_o] = 100,
          [TAN_PART_O] = 1000},
         "1100"},
        /* request 70 + L, answer 140 + o + L, 70 + L, bytes, done L, calc */
        {"RTA",
         2,
         ROWS(big),
         rta,
         {[TAN_PART_CALC] = 1,
          [TAN_PART_CONTROL] = 280,
          [TAN_PART_HANDSHAKE_L] = 3000,
          [TAN_PART_o] = 100,
          [TAN_PART_L] = 1000,
          [TAN_PART_G] = 2000},
         "010100"},
        /* o + L, fetched in o + G, done L, calc */
        {"fetch",
         2,
         ROWS(big),
         fetch,
         {[TAN_PART_CALC] = 1,
          [TAN_PART_HANDSHAKE_L] = 1000,
          [TAN_PART_o] = 200,
          [TAN_PART_L] = 1000,
          [TAN_PART_G] = 2000},
         "0100"},
        /* 7000, fetched in o + G, done L, calc 9000 */
        {"late fetch",
         2,
         ROWS(big_late),
         fetch,
         {[TAN_PART_CALC] = 16000,
          [TAN_PART_HANDSHAKE_L] = 1000,
          [TAN_PART_o] = 100,
          [TAN_PART_G] = 2000},
         "1100"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tan_schedule *s = build(cases[i].ranks, cases[i].rows, cases[i].n);
        struct tan_critical_path path = path_of(s, &cases[i].params);
        assert_parts(cases[i].name, &path, cases[i].parts);
        if (cases[i].path != NULL) {
            assert_int_equal(path.n_steps, strlen(cases[i].path));
            for (size_t k = 0; k < path.n_steps; k++) {
                assert_int_equal(tan_schedule_op_rank(s, path.steps[k].op), cases[i].path[k] - '0');
            }
        }
        tan_critical_path_clear(&path);
        tan_schedule_destroy(s);
    }
}

/* Random jobs: messages between random ranks at random moments of a global order, so that
 * everything can finish. */

static uint64_t next_random(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

enum { RANKS = 6, OPS = 24 };

struct added {
    struct tan_op_spec op;
    uint32_t on; /* an earlier one of the rank, or TAN_OP_NONE */
    enum tan_requires when;
};

static struct tan_schedule *random_schedule(uint64_t seed)
{
    struct added added[RANKS][OPS];
    uint32_t n[RANKS] = {0};
    uint64_t state = seed;
    /* Each operation of a rank may wait for any earlier one. Of a message both ends are added at
     * the same place of the global order, with tags of their own: no cycle through messages. */
    for (uint32_t round = 0; round < RANKS * OPS / 3; round++) {
        const uint32_t a = (uint32_t)next_random(&state, RANKS);
        const uint32_t b = (a + 1 + (uint32_t)next_random(&state, RANKS - 1)) % RANKS;
        const uint64_t bytes =
            next_random(&state, 2) ? 1 + next_random(&state, 50) : next_random(&state, 3000);
        const bool message = next_random(&state, 4) > 0;
        const struct tan_op_spec specs[] = {
            {.kind = message ? TAN_OP_SEND : TAN_OP_CALC,
             .amount = bytes,
             .peer = message ? b : 0,
             .tag = message ? round : 0,
             .cpu = (uint8_t)next_random(&state, 2),
             .nic = (uint8_t)(message ? next_random(&state, 2) : 0)},
            {.kind = TAN_OP_RECV,
             .amount = bytes,
             .peer = next_random(&state, 8) ? a : TAN_ANY_SOURCE,
             .tag = round,
             .cpu = (uint8_t)next_random(&state, 2)}};
        if (n[a] == OPS || n[b] == OPS) {
            continue;
        }
        for (int end = 0; end < 1 + message; end++) {
            const uint32_t rank = end == 0 ? a : b;
            struct added *new = &added[rank][n[rank]];
            *new = (struct added){specs[end], TAN_OP_NONE, TAN_AFTER_FINISH};
            if (n[rank] > 0 && next_random(&state, 3) > 0) {
                new->on = (uint32_t)next_random(&state, n[rank]);
                new->when = next_random(&state, 3) > 0 ? TAN_AFTER_FINISH : TAN_AFTER_START;
            }
            n[rank]++;
        }
    }
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_schedule_builder *b = tan_schedule_begin(RANKS, false, &e);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        assert_int_equal(tan_schedule_rank(b, rank, &e), 0);
        for (uint32_t i = 0; i < n[rank]; i++) {
            uint32_t index;
            const struct added *op = &added[rank][i];
            assert_int_equal(tan_schedule_add(b, &op->op, 0, &index, &e), 0);
            if (op->on != TAN_OP_NONE) {
                assert_int_equal(tan_schedule_require(b, index, op->on, op->when, &e), 0);
            }
        }
        assert_int_equal(tan_schedule_rank_end(b, NULL, &e), 0);
    }
    struct tan_schedule *s = tan_schedule_seal(b, &e);
    assert_no_error(e);
    return s;
}

/* Calls share the whole finish time, pairs all latencies. */
static void check_sums(const struct tan_schedule *s, const struct tan_sim_params *p,
                       const struct tan_critical_path *path)
{
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_path_shares shares;
    uint64_t time = 0, latencies = 0;
    assert_int_equal(tan_simulate(s, p, true, &r, &e), 0);
    assert_int_equal(tan_path_shares_find(s, p, &r, &shares, &e), 0);
    for (size_t i = 0; i < shares.n_calls; i++) {
        time += shares.call[i].time;
        assert_true(i == 0 || shares.call[i].time <= shares.call[i - 1].time);
    }
    for (size_t i = 0; i < shares.n_pairs; i++) {
        latencies += shares.pair[i].latencies;
        assert_true(i == 0 || shares.pair[i].time <= shares.pair[i - 1].time);
    }
    assert_int_equal(time, path->finish);
    assert_int_equal(latencies, path->weights.L);
    assert_int_equal(latencies, shares.latencies);
    tan_path_shares_clear(&shares);
    tan_simulation_clear(&r);
}

TEST(test_random)
{
    double late = 0, waiting = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t draw = seed * 77;
        struct tan_schedule *s = random_schedule(seed);
        struct tan_link link = {.L = next_random(&draw, 3) * 400,
                                .o = next_random(&draw, 3) * 150,
                                .g = next_random(&draw, 3) * 100,
                                .G = (double)next_random(&draw, 20) / 10,
                                .O = (double)next_random(&draw, 20) / 10};
        link.o_more = seed % 3 == 0 ? (int64_t)next_random(&draw, 3) * 150 - (int64_t)link.o : 0;
        struct tan_sim_params p = params(link);
        p.within.L /= 4;
        p.handshake = (enum tan_handshake)next_random(&draw, 3);
        p.ranks_per_host = (uint32_t)next_random(&draw, 4);
        struct tan_critical_path path = path_of(s, &p);
        /* Every picosecond has a cause; only pulled messages take CPUs that are busy: a rare and
         * short wait. */
        check_sums(s, &p, &path);
        const bool pulled = p.handshake == TAN_HANDSHAKE_RTA;
        if (!pulled) {
            assert_int_equal(path.part[TAN_PART_WAITING], 0);
        }
        waiting += (double)path.part[TAN_PART_WAITING];
        late += (double)path.finish;
        tan_critical_path_clear(&path);
        tan_schedule_destroy(s);
    }
    assert_true(waiting < late / 1000);
}

/* What a printed path holds; the caller frees. */
static char *printed(const struct tan_critical_path *path, const struct tan_schedule *s,
                     size_t listed)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    tan_critical_path_print(path, s, listed, to);
    fclose(to);
    return text;
}

TEST(test_reports)
{
    static const struct row rows[] = {{0, CALC(5000), -1},
                                      {0, CALC(1500), 0},
                                      {0, CALC(250), 1},
                                      {0, SEND(1, 11), 2},
                                      {1, RECV(0, 11), -1}};
    const struct tan_sim_params p = params(link_1);
    struct tan_schedule *s = build(2, ROWS(rows));
    struct tan_critical_path path = path_of(s, &p);
    char *text = printed(&path, s, 3);
    assert_string_equal(
        text, "Critical path: 7.97 ns through 5 steps\n"
              "\n"
              "part     ns   share  spent on\n"
              "----  -----  ------  -----------------------------------\n"
              "L     1.000  12.5 %  messages on their way\n"
              "o     0.200   2.5 %  CPUs that send and receive messages\n"
              "G     0.020   0.3 %  bytes through NICs\n"
              "calc  6.750  84.7 %  calculation\n"
              "\n"
              " from     to  rank  operation        line  waits for  contributes\n"
              "-----  -----  ----  ---------------  ----  ---------  -------------------\n"
              "0.000  5.000     0  calc 5           1     begin      calc 5 ns\n"
              "5.000  6.500     0  calc 1.5         2     requires   calc 1.5 ns\n"
              "                    (2 more)\n"
              "7.850  7.970     1  recv 11b from 0  5     message    o 0.1 ns, G 0.02 ns\n");
    free(text);
    struct tan_json_writer w = {.failed = false};
    json_t *json = tan_json_new_object(&w);
    tan_critical_path_json(&w, json, &path, s, 4);
    assert_false(w.failed);
    char *dump = json_dumps(json, JSON_REAL_PRECISION(15) | JSON_COMPACT);
    assert_string_equal(
        dump,
        "{\"finish_ns\":7.97,\"parts\":{\"L_ns\":1.0,\"o_ns\":0.2,\"g_ns\":0.0,\"G_ns\":0.02,"
        "\"O_ns\":0.0,\"calc_ns\":6.75,\"noise_ns\":0.0,\"control_ns\":0.0,"
        "\"handshake_L_ns\":0.0,\"waiting_ns\":0.0},"
        "\"n_steps\":5,\"omitted\":1,\"steps\":["
        "{\"rank\":0,\"operation\":\"calc 5\",\"line\":1,\"waits_for\":\"begin\",\"from_ns\":0.0,"
        "\"to_ns\":5.0,\"parts\":{\"calc_ns\":5.0}},"
        "{\"rank\":0,\"operation\":\"calc 1.5\",\"line\":2,\"waits_for\":\"requires\","
        "\"from_ns\":5.0,\"to_ns\":6.5,\"parts\":{\"calc_ns\":1.5}},"
        "{\"rank\":0,\"operation\":\"send 11b to 1\",\"line\":4,\"waits_for\":\"requires\","
        "\"from_ns\":6.75,\"to_ns\":7.85,\"parts\":{\"L_ns\":1.0,\"o_ns\":0.1}},"
        "{\"rank\":1,\"operation\":\"recv 11b from 0\",\"line\":5,\"waits_for\":\"message\","
        "\"from_ns\":7.85,\"to_ns\":7.97,\"parts\":{\"o_ns\":0.1,\"G_ns\":0.02}}]}");
    free(dump);
    json_decref(json);
    tan_critical_path_clear(&path);
    tan_schedule_destroy(s);
}

/* Rank 0 calculates 6.75 ns, sends two messages of 11 bytes, each 0.1 ns of its CPU and then 1 ns
 * on its way, and rank 1 takes 0.12 ns for each; an answer of 1 byte follows the second. */
TEST(test_shares)
{
    static const struct row rows[] = {
        {0, CALC(6750), -1},  {0, SEND(1, 11), 0}, {0, SEND(1, 11), 1}, {0, RECV(1, 1), 2},
        {1, RECV(0, 11), -1}, {1, RECV(0, 11), 0}, {1, SEND(0, 1), 1}};
    static const char *const names[] = {"computation", "MPI_Send"};
    struct tan_sim_params p = params(link_1);
    struct tan_schedule *s = build(2, ROWS(rows));
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_path_shares shares;
    assert_int_equal(tan_simulate(s, &p, true, &r, &e), 0);
    assert_int_equal(tan_path_shares_find(s, &p, &r, &shares, &e), 0);
    assert_int_equal(shares.finish, r.finish);
    assert_int_equal(shares.latencies, 2);
    assert_int_equal(shares.n_calls, 3);
    assert_int_equal(shares.call[0].kind, TAN_OP_CALC);
    assert_int_equal(shares.call[0].time, 6750);
    assert_int_equal(shares.call[1].kind, TAN_OP_SEND);
    assert_int_equal(shares.n_pairs, 2);
    assert_int_equal(shares.pair[0].from, 0);
    assert_int_equal(shares.pair[0].to, 1);
    assert_int_equal(shares.pair[0].messages, 2); /* the first one keeps the CPU */
    assert_int_equal(shares.pair[0].bytes, 22);
    assert_int_equal(shares.pair[0].latencies, 1);
    assert_int_equal(shares.pair[1].messages, 1);
    assert_int_equal(shares.pair[1].bytes, 1);
    assert_int_equal(shares.pair[1].latencies, 1);
    assert_int_equal(shares.pair[1].time, 1200);
    assert_int_equal(shares.call[0].time + shares.pair[0].time + shares.pair[1].time, r.finish);
    tan_path_shares_clear(&shares);
    /* the same with phases: the calculation, and all else */
    s->phases = calloc(s->n_ops, sizeof *s->phases);
    for (uint32_t op = 0; op < s->n_ops; op++) {
        s->phases[op] = op == 0 ? 1 : 2 | TAN_PHASE_PART;
    }
    assert_int_equal(tan_path_shares_find(s, &p, &r, &shares, &e), 0);
    assert_int_equal(shares.n_calls, 2);
    assert_int_equal(shares.call[0].phase, 1);
    assert_int_equal(shares.call[1].phase, 2);
    assert_int_equal(shares.call[1].time, r.finish - 6750);
    struct tan_json_writer w = {.failed = false};
    json_t *object = tan_json_new_object(&w);
    tan_path_shares_json(&w, object, &shares, names, 2);
    json_t *call = json_array_get(json_object_get(object, "calls"), 1);
    assert_string_equal(json_string_value(json_object_get(call, "name")), "MPI_Send");
    json_decref(object);
    tan_path_shares_clear(&shares);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
}

/* Parts of two critical paths, signed, which add up to what the finish times differ by, also where
 * only the first ones are named. */
TEST(test_added)
{
    struct tan_path_call now[] = {{0, TAN_OP_CALC, 7000}, {0, TAN_OP_SEND, 1000}, {3, 0, 40}};
    struct tan_path_call then[] = {
        {0, TAN_OP_CALC, 8000}, {0, TAN_OP_RECV, 500}, {2, 0, 20}, {1, 0, 60}};
    const struct tan_path_shares shares = {.finish = 8040, .call = now, .n_calls = 3};
    const struct tan_path_shares before = {.finish = 8580, .call = then, .n_calls = 4};
    static const char *const names[] = {"a", "b", "c"};
    static const struct {
        const char *name;
        double ns;
    } wanted[] = {{"calc", -1.0}, {"send", 1.0}, {"recv", -0.5},
                  {"a", -0.06},   {"c", 0.04},   {"b", -0.02}};
    struct tan_json_writer w = {.failed = false};
    json_t *array = json_array();
    double sum = 0.0;
    tan_path_added_json(&w, array, &shares, &before, names, 3);
    assert_int_equal(json_array_size(array), 6);
    for (size_t i = 0; i < 6; i++) {
        const json_t *part = json_array_get(array, i);
        const double ns = json_number_value(json_object_get(part, "added_ns"));
        assert_string_equal(json_string_value(json_object_get(part, "name")), wanted[i].name);
        assert_close(ns, wanted[i].ns, 1e-12);
        sum += ns;
    }
    assert_close(sum, -0.54, 1e-12);
    json_decref(array);
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    tan_path_added_print(&shares, &before, names, 3, to);
    tan_path_added_print(&shares, &shares, names, 3, to); /* nothing */
    fclose(to);
    assert_string_equal(text, "Of the -0.54 ns by --set, -1 ns are in calc, +1 ns are in send, "
                              "-0.5 ns are in\nrecv, -0.06 ns are in a, +0.02 ns elsewhere, on the "
                              "critical path, where latency\ncounts for the call that sent the "
                              "message.\n");
    free(text);
}

TEST(test_noise)
{
    static const struct row ping[] = {{0, SEND(1, 1), -1}, {1, RECV(0, 1), -1}};
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_noise *noise = tan_noise_parse("exponential:500ns", 7, &e);
    assert_no_error(e);
    struct tan_sim_params p = params(link_1);
    p.noise = noise;
    struct tan_schedule *s = build(2, ROWS(ping));
    struct tan_critical_path path = path_of(s, &p);
    assert_true(path.part[TAN_PART_NOISE] > 0);
    assert_int_equal(path.part[TAN_PART_NOISE], path.finish - 1200);
    tan_critical_path_clear(&path);
    tan_schedule_destroy(s);
    tan_noise_destroy(noise);
}

TEST(test_errors)
{
    static const struct row rows[] = {{0, CALC(5000), -1}, {0, CALC(1500), 0}, {1, RECV(0, 1), -1}};
    const struct tan_sim_params p = params(link_1);
    struct tan_schedule *s = build(2, ROWS(rows));
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_simulation r;
    struct tan_critical_path path;
    assert_int_equal(tan_simulate(s, &p, true, &r, &e), 0);
    assert_int_equal(tan_critical_path(s, &p, &r, &path, &e), -1);
    assert_error(e, TAN_FAILED, "never finishes");
    assert_int_equal(path.n_steps, 0);
    /* A history that cannot be */
    r.n_unmatched = 0;
    r.history[1].start += 1;
    r.history[0].busy = r.history[0].end = 7000;
    assert_int_equal(tan_critical_path(s, &p, &r, &path, &e), -1);
    assert_error(e, TAN_FAILED, "does not agree with itself");
    assert_null(path.steps);
    tan_simulation_clear(&r);
    tan_schedule_destroy(s);
}

RUN_TESTS(NULL, NULL)
